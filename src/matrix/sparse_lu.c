/* P A Q = L U: by KLU without the BLAS, or by UMFPACK with it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * T. A. Davis, E. Palamadai Natarajan, Algorithm 907: KLU, ACM Trans. Math. Softw. 37 (2010) 36;
 * T. A. Davis, Algorithm 832: UMFPACK, ibid. 30 (2004) 196.  Both take columns, so the rows of A
 * are the columns of A^T, whose transpose is solved with. */
#include "matrix/sparse_lu.h"

#include "base/optional_library.h"

#ifdef NOE_SUITESPARSE

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>
#include <suitesparse/umfpack.h>

struct noe_sparse_lu {
    const noe_sparse *A;           /* the matrix, by rows */
    const double     *imaginary;   /* imaginary parts of its entries; NULL: real */
    int64_t           entries;     /* number of entries of L and U */
    SuiteSparse_long *start, *col; /* A^T by columns, for KLU and UMFPACK */
    klu_l_common      klu;         /* options and status of KLU */
    klu_l_symbolic   *order;       /* KLU's ordering */
    klu_l_numeric    *factors;     /* KLU's factors */
    void             *numeric;     /* factors of UMFPACK */
    SuiteSparse_long *wi;          /* [n] scratch of a solution by UMFPACK, with w */
    /* scratch, options and status of UMFPACK */
    double *w, control[UMFPACK_CONTROL], info[UMFPACK_INFO];
};

void noe_sparse_lu_free(noe_sparse_lu *x)
{
    if (!x) return;
    if (x->factors) klu_l_free_numeric(&x->factors, &x->klu);
    if (x->order) klu_l_free_symbolic(&x->order, &x->klu);
    if (x->numeric && x->imaginary) umfpack_zl_free_numeric(&x->numeric);
    if (x->numeric && !x->imaginary) umfpack_dl_free_numeric(&x->numeric);
    free(x->start), free(x->col), free(x->wi), free(x->w);
    free(x);
}

static bool no_memory(int n)
{
    return noe_status_fail(NOE_NO_MEMORY, "out of memory: the factors of %d equations", n), false;
}

static bool none(int n, const char *why)
{
    return noe_status_fail(NOE_SINGULAR,
                           "the equations of a step, %d of them, cannot be factorised: %s", n, why),
           false;
}

static bool by_klu(noe_sparse_lu *x)
{
    const int n = x->A->n;
    klu_l_defaults(&x->klu);
    x->order = klu_l_analyze(n, x->start, x->col, &x->klu);
    if (x->order) x->factors = klu_l_factor(x->start, x->col, x->A->value, x->order, &x->klu);
    if (x->factors) return x->entries = x->factors->lnz + x->factors->unz, true;
    if (x->klu.status == KLU_OUT_OF_MEMORY || x->klu.status == KLU_TOO_LARGE) return no_memory(n);
    return none(n, x->klu.status == KLU_SINGULAR ? "they are singular" : "KLU cannot");
}

static bool by_umfpack(noe_sparse_lu *x)
{
    const int     n = x->A->n;
    const double *re = x->A->value, *im = x->imaginary;
    void         *order = NULL;
    x->wi = noe_status_alloc((size_t)n, sizeof *x->wi);
    x->w = noe_status_alloc((size_t)n * 10, sizeof *x->w);
    if (!x->wi || !x->w) return false;
    (im ? umfpack_zl_defaults : umfpack_dl_defaults)(x->control);
    x->control[UMFPACK_IRSTEP] = 0;
    SuiteSparse_long status =
        im ? umfpack_zl_symbolic(n, n, x->start, x->col, re, im, &order, x->control, x->info)
           : umfpack_dl_symbolic(n, n, x->start, x->col, re, &order, x->control, x->info);
    if (!status)
        status = im ? umfpack_zl_numeric(x->start, x->col, re, im, order, &x->numeric, x->control,
                                         x->info)
                    : umfpack_dl_numeric(x->start, x->col, re, order, &x->numeric, x->control,
                                         x->info);
    if (order && im) umfpack_zl_free_symbolic(&order);
    if (order && !im) umfpack_dl_free_symbolic(&order);
    x->entries = (int64_t)(x->info[UMFPACK_LNZ] + x->info[UMFPACK_UNZ]);
    if (status == UMFPACK_ERROR_out_of_memory) return no_memory(n);
    return !status
        || none(n,
                status == UMFPACK_WARNING_singular_matrix ? "they are singular" : "UMFPACK cannot");
}

static bool pattern(noe_sparse_lu *x)
{
    const int     n = x->A->n;
    const int64_t entries = x->A->start[n];
    x->start = noe_status_alloc((size_t)n + 1, sizeof *x->start);
    x->col = noe_status_alloc((size_t)entries + 1, sizeof *x->col);
    for (int i = 0; x->start && i <= n; i++) x->start[i] = x->A->start[i];
    for (int64_t k = 0; x->col && k < entries; k++) x->col[k] = x->A->col[k];
    return x->start && x->col;
}

noe_sparse_lu *noe_sparse_lu_new(const noe_sparse *A, const double *imaginary, bool blas)
{
    noe_sparse_lu *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->A = A, x->imaginary = imaginary;
    if (pattern(x) && (blas || imaginary ? by_umfpack(x) : by_klu(x))) return x;
    noe_sparse_lu_free(x);
    return NULL;
}

double noe_sparse_lu_work(const noe_sparse *A)
{
    noe_sparse_lu x = { .A = A };
    double        work = NAN;
    klu_l_defaults(&x.klu);
    if (pattern(&x)) x.order = klu_l_analyze(A->n, x.start, x.col, &x.klu);
    if (x.order) work = x.order->est_flops;
    klu_l_free_symbolic(&x.order, &x.klu);
    free(x.start), free(x.col);
    return work;
}

void noe_sparse_lu_solve(noe_sparse_lu *x, const double *g, double *y)
{
    const size_t n = (size_t)x->A->n;
    if (x->factors) {
        memcpy(y, g, n * sizeof *y);
        klu_l_tsolve(x->order, x->factors, (SuiteSparse_long)n, 1, y, &x->klu);
    } else if (x->imaginary)
        umfpack_zl_wsolve(UMFPACK_Aat, x->start, x->col, x->A->value, x->imaginary, y, y + n, g,
                          g + n, x->numeric, x->control, x->info, x->wi, x->w);
    else
        umfpack_dl_wsolve(UMFPACK_Aat, x->start, x->col, x->A->value, y, g, x->numeric, x->control,
                          x->info, x->wi, x->w);
}

int64_t noe_sparse_lu_entries(const noe_sparse_lu *x) { return x->entries; }
#endif
