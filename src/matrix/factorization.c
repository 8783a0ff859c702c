/* Factorizations of sparse matrices: CHOLMOD, LDL^T without pivots, LU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     P A P^T = L L^T by CHOLMOD, L D L^T of complex matrices without pivots, L U of any
 *
 * CHOLMOD: Chen, Davis, Hager, Rajamanickam, ACM Trans. Math. Softw. 35 (2008) 22: row by row
 * without the BLAS, or by dense blocks with it.  A solve allocates nothing after the first. */
#include "matrix/factorization.h"

#include "base/optional_library.h"
#include "matrix/pencil_matrix.h"
#include "matrix/permuted_ldl.h"
#include "matrix/sparse_lu.h"
#include "matrix/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef NOE_SUITESPARSE
#include <suitesparse/cholmod.h>
#endif

struct noe_factorization {
    int         n;         /* A is n x n */
    const char *name;      /* kind of the factorization, for messages */
    int64_t     entries;   /* number of entries of the factor */
    bool        blas;      /* the BLAS was used */
    double     *inverse;   /* diagonal A: [n] reciprocals */
    noe_sparse *A;         /* matrix A; kept for LU only */
    double     *imaginary; /* [entries of A] imaginary parts; NULL: A is real */
    /* many processes solve the equations together: how, and what they have for it */
    const noe_structure_share *share;
    void                      *factors;
    double                    *both; /* of complex equations, [2][n][2]: parts side by side */
#ifdef NOE_SUITESPARSE
    cholmod_common    c;         /* CHOLMOD's options and status */
    bool              common;    /* c was initialized */
    cholmod_factor   *L;         /* Cholesky or LDL^T of a real A */
    cholmod_dense    *Y, *E, *x; /* scratch of a solve, and its result */
    noe_sparse_lu    *lu;        /* LU */
    noe_permuted_ldl *ldl;       /* LDL^T of a complex A */
#endif
};

static noe_status no_solution(const noe_factorization *x, const char *why)
{
    return noe_status_fail(
        NOE_SINGULAR, "the equations of a step, %d of them, cannot be factorised: %s", x->n, why);
}

#ifdef NOE_SUITESPARSE
static void drop(noe_factorization *x)
{
    if (x->common) {
        cholmod_l_free_factor(&x->L, &x->c);
        cholmod_l_free_dense(&x->Y, &x->c);
        cholmod_l_free_dense(&x->E, &x->c);
        cholmod_l_free_dense(&x->x, &x->c);
        cholmod_l_finish(&x->c);
    }
    noe_sparse_lu_free(x->lu);
    noe_permuted_ldl_free(x->ldl);
}

static bool is_worth_blas(double work, noe_factor_bits bits)
{
    return bits == NOE_BITS_FAST || (bits == NOE_BITS_CHEAP && !(work <= NOE_BITS_WORK));
}

/* The upper triangle of A for CHOLMOD, by columns: row i of the lower triangle is column i of
 * the upper one. */
static cholmod_sparse *upper(const noe_sparse *A, cholmod_common *c)
{
    const size_t    n = (size_t)A->n;
    cholmod_sparse *U = cholmod_l_allocate_sparse(n, n, (size_t)A->start[n], true, true, 1,
                                                  CHOLMOD_REAL, c);
    if (!U) return NULL;
    SuiteSparse_long *start = U->p, *row = U->i, at = 0;
    double           *value = U->x;
    for (int i = 0; i < A->n; i++) {
        start[i] = at;
        for (int64_t k = A->start[i]; k < A->start[i + 1] && A->col[k] <= i; k++)
            row[at] = A->col[k], value[at++] = A->value[k];
    }
    start[n] = at;
    return U;
}

/* Sets x->L to the symbolic factorization: CHOLMOD's default order, by the fill-in it predicts, no
 * option of it set; and dense blocks (with the BLAS) where `bits` and the work ask for them. */
static void analyse(noe_factorization *x, cholmod_sparse *U, noe_factor_bits bits)
{
    cholmod_common *c = &x->c;
    c->supernodal = CHOLMOD_SIMPLICIAL;
    x->L = cholmod_l_analyze(U, c);
    if (!x->L || !is_worth_blas(c->fl, bits)) return;
    cholmod_factor *first = x->L; /* the same ordering, with dense blocks */
    c->nmethods = 1, c->method[0].ordering = CHOLMOD_GIVEN;
    c->supernodal = CHOLMOD_AUTO;
    x->L = cholmod_l_analyze_p(U, first->Perm, NULL, 0, c);
    cholmod_l_free_factor(&first, c);
}

static void start(noe_factorization *x)
{
    cholmod_l_start(&x->c);
    x->common = true;
    x->c.print = 0;
}

/* Cholesky factorization; LDL^T, in an order analysed anew, where A is not positive definite. */
static bool cholesky(noe_factorization *x, noe_factor_bits bits)
{
    const int       n = x->n;
    cholmod_common *c = &x->c;
    start(x);
    c->final_ll = true;
    c->quick_return_if_not_posdef = true;
    cholmod_sparse *U = upper(x->A, c);
    if (U) {
        analyse(x, U, bits);
        if (x->L) cholmod_l_factorize(U, x->L, c);
        if (c->status == CHOLMOD_NOT_POSDEF) {
            cholmod_l_free_factor(&x->L, c);
            c->supernodal = CHOLMOD_SIMPLICIAL, c->final_ll = false, c->nmethods = 0;
            c->status = CHOLMOD_OK;
            x->L = cholmod_l_analyze(U, c);
            if (x->L) cholmod_l_factorize(U, x->L, c);
        }
        cholmod_l_free_sparse(&U, c);
    }
    x->name = x->L && x->L->is_ll ? "Cholesky" : "LDL^T";
    x->blas = x->L && x->L->is_super;
    x->entries = (int64_t)c->lnz;
    if (c->status == CHOLMOD_OUT_OF_MEMORY || c->status == CHOLMOD_TOO_LARGE)
        noe_status_fail(NOE_NO_MEMORY, "out of memory: the factor of %d equations", n);
    else if (c->status != CHOLMOD_OK || !x->L || x->L->minor < (size_t)n)
        no_solution(x, "they are singular");
    else return true;
    return false;
}

/* Complex LDL^T if the factor is of moderate size; *done: whether it was made. */
static bool complex_ldl(noe_factorization *x, noe_factor_bits bits, bool *done)
{
    start(x);
    cholmod_sparse *U = upper(x->A, &x->c);
    bool            ok = true, singular = false;
    x->c.supernodal = CHOLMOD_SIMPLICIAL;
    x->L = U ? cholmod_l_analyze(U, &x->c) : NULL;
    cholmod_l_free_sparse(&U, &x->c);
    if (!x->L)
        return noe_status_fail(NOE_NO_MEMORY, "out of memory: the order of %d equations", x->n),
               false;
    *done = !is_worth_blas(x->c.fl, bits);
    if (*done) {
        int *order = noe_status_alloc((size_t)x->n, sizeof *order);
        for (int k = 0; order && k < x->n; k++) order[k] = (int)((SuiteSparse_long *)x->L->Perm)[k];
        x->ldl = order ? noe_permuted_ldl_new(x->A, x->imaginary, order, &singular) : NULL;
        if (singular) no_solution(x, "they are singular");
        ok = x->ldl != NULL;
        if (ok) x->name = "complex LDL^T", x->entries = noe_permuted_ldl_entries(x->ldl);
    }
    cholmod_l_free_factor(&x->L, &x->c);
    return ok;
}

/* P A Q = L U of x->A. */
static bool lu(noe_factorization *x, bool blas)
{
    x->lu = noe_sparse_lu_new(x->A, x->imaginary, blas);
    x->name = x->imaginary ? "complex LU" : "LU";
    x->blas = blas;
    x->entries = x->lu ? noe_sparse_lu_entries(x->lu) : 0;
    return x->lu;
}

static bool complex_one(noe_factorization *x, noe_factor_bits bits)
{
    bool done;
    return complex_ldl(x, bits, &done) && (done || lu(x, true));
}

/* Factorizes x->A; A is kept for LU only. The first solve allocates its scratch memory. */
static bool factorise(noe_factorization *x, noe_factor_bits bits)
{
    if (noe_optional_library_require(NOE_OF_SUITESPARSE, "equations that are not diagonal"))
        return false;
    if (!(x->imaginary ? complex_one(x, bits) : cholesky(x, bits))) return false;
    if (!x->lu) {
        noe_sparse_free(x->A), free(x->imaginary);
        x->A = NULL, x->imaginary = NULL;
    }
    if (!x->L) return true;
    cholmod_dense *b = cholmod_l_ones((size_t)x->n, 1, CHOLMOD_REAL, &x->c);
    const bool     ok = b
                 && cholmod_l_solve2(CHOLMOD_A, x->L, b, NULL, &x->x, NULL, &x->Y, &x->E, &x->c);
    cholmod_l_free_dense(&b, &x->c);
    if (!ok) noe_status_fail(NOE_NO_MEMORY, "out of memory: the solution of %d equations", x->n);
    return ok;
}

static bool factorise_general(noe_factorization *x, noe_factor_bits bits)
{
    if (noe_optional_library_require(NOE_OF_SUITESPARSE, "equations that are not diagonal"))
        return false;
    return lu(x, bits != NOE_BITS_SAME && is_worth_blas(noe_sparse_lu_work(x->A), bits));
}

static void solve(noe_factorization *x, const double *g, double *y)
{
    const size_t n = (size_t)x->n;
    if (x->L) {
        cholmod_dense b = { .nrow = n,
                            .ncol = 1,
                            .nzmax = n,
                            .d = n,
                            .x = (double *)g,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE };
        cholmod_l_solve2(CHOLMOD_A, x->L, &b, NULL, &x->x, NULL, &x->Y, &x->E, &x->c);
        memcpy(y, x->x->x, n * sizeof *y);
    } else if (x->ldl) noe_permuted_ldl_solve(x->ldl, g, y);
    else noe_sparse_lu_solve(x->lu, g, y);
}

/* Number of negative pivots of an LDL^T factorization; 0 for Cholesky. */
static int negative(const noe_factorization *x)
{
    int count = 0;
    if (!x->L || x->L->is_ll) return 0;
    const SuiteSparse_long *start = x->L->p;
    for (int j = 0; j < x->n; j++)
        count += ((const double *)x->L->x)[start[j]] < 0; /* D stands first in each column */
    return count;
}

static double spread(noe_factorization *x) { return x->L ? cholmod_l_rcond(x->L, &x->c) : 0; }

#else
static void drop(noe_factorization *x) { (void)x; }
static bool factorise(noe_factorization *x, noe_factor_bits bits)
{
    (void)x, (void)bits;
    return noe_optional_library_require(NOE_OF_SUITESPARSE, "equations that are not diagonal")
        == NOE_OK;
}
static bool factorise_general(noe_factorization *x, noe_factor_bits bits)
{
    return factorise(x, bits);
}
static void   solve(noe_factorization *x, const double *g, double *y) { (void)x, (void)g, (void)y; }
static int    negative(const noe_factorization *x) { return (void)x, 0; }
static double spread(noe_factorization *x) { return (void)x, 0; }
#endif

void noe_factorization_free(noe_factorization *x)
{
    if (!x) return;
    drop(x);
    if (x->factors) x->share->forget(x->factors);
    noe_sparse_free(x->A);
    free(x->imaginary), free(x->inverse), free(x->both);
    free(x);
}

static bool diagonal(noe_factorization *x)
{
    x->name = "its diagonal";
    x->entries = x->n;
    x->inverse = noe_status_alloc((size_t)x->n, sizeof *x->inverse);
    if (!x->inverse) return false;
    noe_sparse_diagonal(x->A, x->inverse);
    for (int i = 0; i < x->n; i++) {
        if (x->inverse[i] == 0) return no_solution(x, "a diagonal entry is 0"), false;
        x->inverse[i] = 1 / x->inverse[i];
    }
    noe_sparse_free(x->A);
    x->A = NULL;
    return true;
}

/* The real equations of the parts of (A + i B)(y + i z) = g + i f, two rows for each row. */
static noe_sparse *real_and_imaginary(const noe_sparse *A, const double *B)
{
    noe_sparse *X = noe_sparse_new(2 * A->n, 4 * A->start[A->n]);
    int64_t     at = 0;
    for (int row = 0; X && row < X->n; row++) {
        const int part = row % 2;
        for (int64_t k = A->start[row / 2]; k < A->start[row / 2 + 1]; k++)
            for (int c = 0; c < 2; c++) {
                X->col[at] = 2 * A->col[k] + c;
                X->value[at++] = c == part ? A->value[k] : part ? B[k] : -B[k];
            }
        X->start[row + 1] = at;
    }
    return X;
}

/* Many processes together. */
static bool shared(noe_factorization *x, const noe_structure_share *share, bool definite)
{
    noe_sparse *pair = x->imaginary ? real_and_imaginary(x->A, x->imaginary) : NULL;
    x->share = share;
    if (x->imaginary) x->both = noe_status_alloc(4 * (size_t)x->n, sizeof *x->both);
    if (!x->imaginary || (pair && x->both))
        x->factors = share->factorise(share->ctx, pair ? pair : x->A, pair ? 2 : 1, definite,
                                      &x->name);
    noe_sparse_free(pair);
    return x->factors;
}

static void solve_shared(noe_factorization *x, const double *g, double *y)
{
    const size_t n = (size_t)x->n;
    double      *from = x->both, *to = from ? from + 2 * n : y;
    if (!from) x->share->solve(x->factors, g, y);
    if (!from) return;
    for (size_t i = 0; i < n; i++) from[2 * i] = g[i], from[2 * i + 1] = g[n + i];
    x->share->solve(x->factors, from, to);
    for (size_t i = 0; i < n; i++) y[i] = to[2 * i], y[n + i] = to[2 * i + 1];
}

noe_factorization *noe_factorization_shared(const noe_structure *s, const noe_sparse *A, int per)
{
    noe_factorization *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    *x = (noe_factorization){ .n = s->n * per, .share = s->share };
    x->factors = s->share->factorise(s->share->ctx, A, per, false, &x->name);
    if (x->factors) return x;
    noe_factorization_free(x);
    return NULL;
}

noe_factorization *noe_factorization_new(const noe_structure *s, double complex lambda,
                                         double scale, noe_factor_bits bits)
{
    noe_factorization *x = noe_status_alloc(1, sizeof *x);
    bool               ok = false;
    if (!x) return NULL;
    x->n = s->n;
    x->A = noe_pencil_matrix_make(s, lambda, scale, &x->imaginary);
    if (x->A && cimag(lambda) == 0) {
        free(x->imaginary);
        x->imaginary = NULL;
    }
    if (x->A)
        ok = !x->imaginary && s->mass && lambda == 0 ? diagonal(x)
           : s->share ? shared(x, s->share, !x->imaginary && creal(lambda) >= 0)
           : !x->imaginary && noe_sparse_diagonal(x->A, NULL) ? diagonal(x)
                                                              : factorise(x, bits);
    if (ok) return x;
    noe_factorization_free(x);
    return NULL;
}

noe_factorization *noe_factorization_general(const noe_sparse *A, noe_factor_bits bits)
{
    noe_factorization *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->n = A->n;
    x->A = noe_sparse_new(A->n, A->start[A->n]);
    if (x->A) {
        memcpy(x->A->start, A->start, ((size_t)A->n + 1) * sizeof *A->start);
        memcpy(x->A->col, A->col, (size_t)A->start[A->n] * sizeof *A->col);
        memcpy(x->A->value, A->value, (size_t)A->start[A->n] * sizeof *A->value);
        if (factorise_general(x, bits)) return x;
    }
    noe_factorization_free(x);
    return NULL;
}

void noe_factorization_solve(noe_factorization *x, const double *g, double *y)
{
    if (x->factors) solve_shared(x, g, y);
    else if (!x->inverse) solve(x, g, y);
    else
        for (int i = 0; i < x->n; i++) y[i] = x->inverse[i] * g[i];
}

int noe_factorization_negative(const noe_factorization *x)
{
    int count = 0;
    for (int i = 0; x->inverse && i < x->n; i++) count += x->inverse[i] < 0;
    return x->inverse ? count : negative(x);
}

double noe_factorization_spread(noe_factorization *x)
{
    double most = 0, least = INFINITY;
    if (!x->inverse) return spread(x);
    for (int i = 0; i < x->n; i++)
        most = fmax(most, fabs(x->inverse[i])), least = fmin(least, fabs(x->inverse[i]));
    return most > 0 ? least / most : 0;
}

const char *noe_factorization_name(const noe_factorization *x) { return x->name; }
bool        noe_factorization_blas(const noe_factorization *x) { return x && x->blas; }
int64_t     noe_factorization_entries(const noe_factorization *x) { return x->entries; }
