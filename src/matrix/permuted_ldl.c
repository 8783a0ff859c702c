/* Permutes a sparse complex matrix for L D L^T, and solves with it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     P A P^T = L D L^T
 *
 * A complex M + lambda k, M positive definite, needs no pivots: in the coordinates of the modes any
 * leading block is 1 + lambda kappa with real kappa, and |1 + lambda kappa| >= |sin arg lambda|. */
#include "matrix/permuted_ldl.h"

#include "base/status.h"
#include "matrix/ldl.h"

#include <stdlib.h>

struct noe_permuted_ldl {
    int           n;     /* A is n x n */
    int          *order; /* [n] permutation P: row order[k] of A is the k-th */
    noe_ldl_lower lower; /* pattern of the lower triangle of P A P^T */
    noe_ldl      *ldl;   /* its factor */
    double       *w;     /* [2n] scratch of a solve */
};

void noe_permuted_ldl_free(noe_permuted_ldl *x)
{
    if (!x) return;
    noe_ldl_free(x->ldl);
    free(x->w), free(x->order);
    free(x->lower.start), free(x->lower.col);
    free(x);
}

typedef struct {
    int    col;    /* column of an entry */
    double re, im; /* its value */
} entry;

static int by_column(const void *a, const void *b)
{
    return ((const entry *)a)->col - ((const entry *)b)->col;
}

/* x->lower: the pattern of the lower triangle of P A P^T by rows; re, im: its values.  place[n] is
 * the inverse of P. */
static bool lower(noe_permuted_ldl *x, const noe_sparse *A, const double *imaginary,
                  const int *place, double *re, double *im)
{
    int64_t at = 0, widest = 0;
    for (int i = 0; i < x->n; i++)
        widest = A->start[i + 1] - A->start[i] > widest ? A->start[i + 1] - A->start[i] : widest;
    entry *row = noe_status_alloc((size_t)widest + 1, sizeof *row);
    for (int k = 0; row && k < x->n; k++) {
        const int i = x->order[k];
        size_t    count = 0;
        bool      own = false;
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
            const int col = place[A->col[e]];
            if (col <= k) row[count++] = (entry){ col, A->value[e], imaginary[e] }, own |= col == k;
        }
        if (!own) row[count++] = (entry){ k, 0, 0 };
        qsort(row, count, sizeof *row, by_column);
        x->lower.start[k] = at;
        for (size_t e = 0; e < count; e++, at++) {
            x->lower.col[at] = row[e].col;
            re[at] = row[e].re;
            im[at] = row[e].im;
        }
    }
    x->lower.start[x->n] = at;
    free(row);
    return row;
}

noe_permuted_ldl *noe_permuted_ldl_new(const noe_sparse *A, const double *imaginary, int *order,
                                       bool *singular)
{
    noe_permuted_ldl *x = noe_status_alloc(1, sizeof *x);
    const size_t      n = (size_t)A->n, capacity = (size_t)A->start[n] + n;
    *singular = false;
    if (!x) return free(order), NULL;
    double *re = noe_status_alloc(capacity, sizeof *re),
           *im = noe_status_alloc(capacity, sizeof *im);
    int *place = noe_status_alloc(n, sizeof *place);
    *x = (noe_permuted_ldl){ .n = A->n,
                             .order = order,
                             .lower = { A->n, noe_status_alloc(n + 1, sizeof(int64_t)),
                                        noe_status_alloc(capacity, sizeof(int32_t)) },
                             .w = noe_status_alloc(2 * n, sizeof *x->w) };
    for (int k = 0; place && k < x->n; k++) place[order[k]] = k;
    bool ok = re && im && place && x->lower.start && x->lower.col && x->w
           && lower(x, A, imaginary, place, re, im) && (x->ldl = noe_ldl_new(&x->lower, 1, 0));
    if (ok && !noe_ldl_factor(x->ldl, 0, re, im)) ok = !(*singular = true);
    free(re), free(im), free(place);
    if (ok) return x;
    noe_permuted_ldl_free(x);
    return NULL;
}

int64_t noe_permuted_ldl_entries(const noe_permuted_ldl *x) { return noe_ldl_entries(x->ldl); }

void noe_permuted_ldl_solve(noe_permuted_ldl *x, const double *g, double *y)
{
    const size_t n = (size_t)x->n;
    double      *re = x->w, *im = re + n;
    for (size_t k = 0; k < n; k++) re[k] = g[x->order[k]], im[k] = g[n + (size_t)x->order[k]];
    noe_ldl_solve(x->ldl, 0, re, im);
    for (size_t k = 0; k < n; k++) y[x->order[k]] = re[k], y[n + (size_t)x->order[k]] = im[k];
}
