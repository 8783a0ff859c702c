/* P A P^T = L L^T by CHOLMOD, P A Q = L U by UMFPACK.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * CHOLMOD: Chen, Davis, Hager, Rajamanickam, ACM Trans. Math. Softw. 35 (2008) 22; UMFPACK: Davis, ibid. 30 (2004) 196.
 * A solve allocates nothing after the first. */
#include "linear/shift.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>
#include <suitesparse/umfpack.h>

struct noe_shift {
    int              n;
    const char      *name;
    int64_t          entries;
    double          *inverse; /* of a diagonal */
    cholmod_common   c;
    bool             common; /* c is started */
    cholmod_factor  *L;
    cholmod_dense   *Y, *E, *x;
    noe_sparse      *A; /* of LU: real parts, by rows, so A^T is solved with */
    double          *imaginary;
    SuiteSparse_long *start, *col;
    void            *numeric;
    SuiteSparse_long *wi;
    double          *w, control[UMFPACK_CONTROL], info[UMFPACK_INFO];
};

void noe_shift_free(noe_shift *x)
{
    if (!x) return;
    if (x->common) {
        cholmod_l_free_factor(&x->L, &x->c);
        cholmod_l_free_dense(&x->Y, &x->c);
        cholmod_l_free_dense(&x->E, &x->c);
        cholmod_l_free_dense(&x->x, &x->c);
        cholmod_l_finish(&x->c);
    }
    if (x->numeric && x->imaginary) umfpack_zl_free_numeric(&x->numeric);
    if (x->numeric && !x->imaginary) umfpack_dl_free_numeric(&x->numeric);
    noe_sparse_free(x->A);
    free(x->start), free(x->col), free(x->wi), free(x->w);
    free(x->imaginary);
    free(x->inverse);
    free(x);
}

/* The union of the rows of M and K, with the values M + lambda (scale K). */
static noe_sparse *combine(const noe_linear *s, double complex lambda, double scale, double **imaginary)
{
    const noe_sparse *M = s->M, *K = s->K;
    const int64_t     room = M->start[s->n] + (lambda == 0 ? 0 : K->start[s->n]);
    noe_sparse       *A = noe_sparse_new(s->n, room);
    double           *im = noe_alloc((size_t)room + 1, sizeof *im);
    int64_t           at = 0;
    for (int i = 0; A && im && i < s->n; i++) {
        int64_t       a = M->start[i], b = lambda == 0 ? 0 : K->start[i];
        const int64_t end = M->start[i + 1], last = lambda == 0 ? 0 : K->start[i + 1];
        for (A->start[i] = at; a < end || b < last; at++) {
            const bool m = a < end && (b >= last || M->col[a] <= K->col[b]);
            const bool k = b < last && (a >= end || K->col[b] <= M->col[a]);
            A->col[at] = m ? M->col[a] : K->col[b];
            const double scaled = k ? scale * K->value[b] : 0;
            A->value[at] = (m ? M->value[a] : 0) + creal(lambda) * scaled, im[at] = cimag(lambda) * scaled;
            a += m, b += k;
        }
    }
    if (A && im) {
        A->start[s->n] = at;
        *imaginary = im;
        return A;
    }
    noe_sparse_free(A);
    free(im);
    return NULL;
}

static noe_status no_solution(const noe_shift *x, const char *why)
{
    return noe_fail(NOE_SINGULAR, "the equations of a step, %d of them, cannot be factorised: %s", x->n, why);
}

/* By LU: the transposed matrix is given, UMFPACK_Aat solves with its transpose. */
static bool lu(noe_shift *x)
{
    const int     n = x->n;
    const int64_t entries = x->A->start[n];
    const bool    complex_one = x->imaginary != NULL;
    void         *symbolic = NULL;
    x->start = noe_alloc((size_t)n + 1, sizeof *x->start);
    x->col = noe_alloc((size_t)entries + 1, sizeof *x->col);
    x->wi = noe_alloc((size_t)n, sizeof *x->wi);
    x->w = noe_alloc((size_t)n * 10, sizeof *x->w);
    if (!x->start || !x->col || !x->wi || !x->w) return false;
    for (int i = 0; i <= n; i++) x->start[i] = x->A->start[i];
    for (int64_t k = 0; k < entries; k++) x->col[k] = x->A->col[k];
    (complex_one ? umfpack_zl_defaults : umfpack_dl_defaults)(x->control);
    x->control[UMFPACK_IRSTEP] = 0;
    SuiteSparse_long status = complex_one
        ? umfpack_zl_symbolic(n, n, x->start, x->col, x->A->value, x->imaginary, &symbolic, x->control, x->info)
        : umfpack_dl_symbolic(n, n, x->start, x->col, x->A->value, &symbolic, x->control, x->info);
    if (!status) status = complex_one
        ? umfpack_zl_numeric(x->start, x->col, x->A->value, x->imaginary, symbolic, &x->numeric, x->control, x->info)
        : umfpack_dl_numeric(x->start, x->col, x->A->value, symbolic, &x->numeric, x->control, x->info);
    if (symbolic && complex_one) umfpack_zl_free_symbolic(&symbolic);
    if (symbolic && !complex_one) umfpack_dl_free_symbolic(&symbolic);
    x->name = complex_one ? "complex LU" : "LU";
    x->entries = (int64_t)(x->info[UMFPACK_LNZ] + x->info[UMFPACK_UNZ]);
    if (status == UMFPACK_ERROR_out_of_memory) noe_fail(NOE_NO_MEMORY, "out of memory: the factors of %d equations", n);
    else if (status) no_solution(x, status == UMFPACK_WARNING_singular_matrix ? "they are singular" : "UMFPACK cannot");
    return status == UMFPACK_OK;
}

/* By Cholesky, or LDL^T where that is not positive definite but regular. */
static bool cholesky(noe_shift *x)
{
    const int     n = x->n;
    const int64_t entries = x->A->start[n];
    cholmod_common *c = &x->c;
    cholmod_l_start(c);
    x->common = true;
    c->print = 0;
    c->supernodal = CHOLMOD_AUTO;
    c->final_ll = false;
    c->quick_return_if_not_posdef = true;
    cholmod_sparse *U = cholmod_l_allocate_sparse((size_t)n, (size_t)n, (size_t)entries, true, true, 1, CHOLMOD_REAL, c);
    if (U) { /* row i of the lower triangle is column i of the upper one */
        SuiteSparse_long *start = U->p, *row = U->i, at = 0;
        double           *value = U->x;
        for (int i = 0; i < n; i++) {
            start[i] = at;
            for (int64_t k = x->A->start[i]; k < x->A->start[i + 1] && x->A->col[k] <= i; k++)
                row[at] = x->A->col[k], value[at++] = x->A->value[k];
        }
        start[n] = at;
        x->L = cholmod_l_analyze(U, c);
        if (x->L) cholmod_l_factorize(U, x->L, c);
        if (c->status == CHOLMOD_NOT_POSDEF) {
            cholmod_l_free_factor(&x->L, c);
            c->supernodal = CHOLMOD_SIMPLICIAL;
            c->status = CHOLMOD_OK;
            x->L = cholmod_l_analyze(U, c);
            if (x->L) cholmod_l_factorize(U, x->L, c);
        }
        cholmod_l_free_sparse(&U, c);
    }
    x->name = x->L && x->L->is_ll ? "Cholesky" : "LDL^T";
    x->entries = (int64_t)c->lnz;
    if (c->status == CHOLMOD_OUT_OF_MEMORY || c->status == CHOLMOD_TOO_LARGE)
        noe_fail(NOE_NO_MEMORY, "out of memory: the factor of %d equations", n);
    else if (c->status != CHOLMOD_OK || !x->L || x->L->minor < (size_t)n) no_solution(x, "they are singular");
    else return (x->x = cholmod_l_zeros((size_t)n, 1, CHOLMOD_REAL, c)) != NULL;
    return false;
}

static bool diagonal(noe_shift *x, const noe_sparse *A)
{
    x->name = "its diagonal";
    x->entries = x->n;
    x->inverse = noe_alloc((size_t)x->n, sizeof *x->inverse);
    if (!x->inverse) return false;
    noe_sparse_diagonal(A, x->inverse);
    for (int i = 0; i < x->n; i++) {
        if (x->inverse[i] == 0) return no_solution(x, "a diagonal entry is 0"), false;
        x->inverse[i] = 1 / x->inverse[i];
    }
    return true;
}

noe_shift *noe_shift_new(const noe_linear *s, double complex lambda, double scale)
{
    noe_shift *x = noe_alloc(1, sizeof *x);
    bool       ok = false;
    if (!x) return NULL;
    x->n = s->n;
    x->A = combine(s, lambda, scale, &x->imaginary);
    if (x->A && cimag(lambda) == 0) {
        free(x->imaginary);
        x->imaginary = NULL;
    }
    if (x->A) {
        ok = x->imaginary ? lu(x) : noe_sparse_diagonal(x->A, NULL) ? diagonal(x, x->A) : cholesky(x);
    }
    if (ok && !x->numeric) noe_sparse_free(x->A), x->A = NULL;
    if (ok && x->L) { /* the first solve takes its memory */
        cholmod_dense *b = cholmod_l_ones((size_t)x->n, 1, CHOLMOD_REAL, &x->c);
        ok = b && cholmod_l_solve2(CHOLMOD_A, x->L, b, NULL, &x->x, NULL, &x->Y, &x->E, &x->c);
        cholmod_l_free_dense(&b, &x->c);
        if (!ok) noe_fail(NOE_NO_MEMORY, "out of memory: the solution of %d equations", x->n);
    }
    if (ok) return x;
    noe_shift_free(x);
    return NULL;
}

noe_shift *noe_shift_general(const noe_sparse *A)
{
    noe_shift *x = noe_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->n = A->n;
    x->A = noe_sparse_new(A->n, A->start[A->n]);
    if (x->A) {
        memcpy(x->A->start, A->start, ((size_t)A->n + 1) * sizeof *A->start);
        memcpy(x->A->col, A->col, (size_t)A->start[A->n] * sizeof *A->col);
        memcpy(x->A->value, A->value, (size_t)A->start[A->n] * sizeof *A->value);
        if (lu(x)) return x;
    }
    noe_shift_free(x);
    return NULL;
}

void noe_shift_solve(noe_shift *x, const double *g, double *y)
{
    const size_t n = (size_t)x->n;
    if (x->inverse)
        for (size_t i = 0; i < n; i++) y[i] = x->inverse[i] * g[i];
    else if (x->L) {
        cholmod_dense b = { .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = (double *)g, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE };
        cholmod_l_solve2(CHOLMOD_A, x->L, &b, NULL, &x->x, NULL, &x->Y, &x->E, &x->c);
        memcpy(y, x->x->x, n * sizeof *y);
    } else if (x->imaginary)
        umfpack_zl_wsolve(UMFPACK_Aat, x->start, x->col, x->A->value, x->imaginary, y, y + n, g, g + n, x->numeric,
                          x->control, x->info, x->wi, x->w);
    else
        umfpack_dl_wsolve(UMFPACK_Aat, x->start, x->col, x->A->value, y, g, x->numeric, x->control, x->info, x->wi, x->w);
}

int noe_shift_negative(const noe_shift *x)
{
    int count = 0;
    for (int i = 0; x->inverse && i < x->n; i++) count += x->inverse[i] < 0;
    if (!x->L || x->L->is_ll) return count;
    const SuiteSparse_long *start = x->L->p;
    for (int j = 0; j < x->n; j++) count += ((const double *)x->L->x)[start[j]] < 0; /* D stands first in each column */
    return count;
}

double noe_shift_spread(noe_shift *x)
{
    double most = 0, least = INFINITY;
    if (x->L) return cholmod_l_rcond(x->L, &x->c);
    for (int i = 0; x->inverse && i < x->n; i++) most = fmax(most, fabs(x->inverse[i])), least = fmin(least, fabs(x->inverse[i]));
    return most > 0 ? least / most : 0;
}

const char *noe_shift_name(const noe_shift *x) { return x->name; }
int64_t     noe_shift_entries(const noe_shift *x) { return x->entries; }
