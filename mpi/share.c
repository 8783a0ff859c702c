/* Cuts the share of one process out of a structure, and joins it to those of the others.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The coordinates of a share are in the order of the whole structure, so that the sum of a row has
 * the order, and the bits, of one process. */
#include "share.h"

#include "exact_sum.h"
#include "layers.h"

#include "base/status.h"
#include "number/compensated_dot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

noe_status share_around(const noe_structure *s, const int *owner, int depth, double most,
                        double *part)
{
    layers     x;
    int64_t    own = 0;
    noe_status status = layers_find(&x, s, owner, depth, false, most);
    for (int i = 0; i < s->n && !status; i++) own += owner[i] == together.rank;
    *part = own ? (double)(x.count - own) / (double)own : 0;
    layers_drop(&x);
    return status;
}

/* The rows and columns number[i] >= 0 of a matrix; row i stands at place[i] of the list. */
static noe_sparse *cut(const row_list *A, int n, const int *place, const int *number)
{
    int64_t     at = 0;
    noe_sparse *B = noe_sparse_new(n, A->entries);
    for (int i = 0; B && i < n; i++) {
        for (int64_t k = A->start[place[i]]; k < A->start[place[i] + 1]; k++)
            if (number[A->col[k]] >= 0) {
                B->col[at] = number[A->col[k]];
                B->value[at++] = A->value[k];
            }
        B->start[i + 1] = at;
    }
    return B;
}

/* The own part of the loads of the whole structure; where one of them is not finite none is. */
static void load(double t, double *f, void *ctx)
{
    share *x = ctx;
    double bad = 0;
    memset(x->full, 0, (size_t)x->places * sizeof *x->full);
    x->whole->load(t, x->full, x->whole->ctx);
    for (int64_t i = 0; i < x->places; i++) bad += x->full[i] - x->full[i];
    for (int i = 0; i < x->own.n; i++) f[i] = bad == 0 ? x->full[x->global[i]] : NAN;
}

static void refresh(void *ctx, int count, double *const *x)
{
    halo_exchange(((share *)ctx)->halo, count, x);
}

static double dot(void *ctx, const double *x, const double *y)
{
    const share *s = ctx;
    const int   *own = halo_own(s->halo), n = halo_owned(s->halo);
    exact_sum    sum;
    exact_sum_clear(&sum);
    for (int i = 0; i < n; i++) exact_sum_add_product(&sum, x[own[i]], y[own[i]]);
    exact_sum_settle(&sum);
    together_count_reduction();
    MPI_Allreduce(MPI_IN_PLACE, sum.digit, EXACT_NUMBERS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return exact_sum_value(&sum);
}

/* s + e = s + x y, with the rounding errors of product and sum in e. */
static double part(void *ctx, const double *x, const double *y)
{
    const share *s = ctx;
    const int   *own = halo_own(s->halo), n = halo_owned(s->halo);
    double       sum = 0, rest = 0;
    for (int k = 0; k < n; k++) {
        const int    i = own[k];
        const double p = x[i] * y[i], e = __builtin_fma(x[i], y[i], -p), t = sum + p, b = t - sum;
        rest += (sum - (t - b)) + (p - b) + e;
        sum = t;
    }
    return sum + rest;
}

static double sum(void *ctx, double x)
{
    exact_sum s;
    (void)ctx;
    exact_sum_clear(&s);
    exact_sum_add(&s, x);
    exact_sum_settle(&s);
    together_count_reduction();
    MPI_Allreduce(MPI_IN_PLACE, s.digit, EXACT_NUMBERS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return exact_sum_value(&s);
}

noe_status share_join(share *x)
{
    const int n = x->own.n;
    int64_t   before = 0, own = 0;
    x->halo = halo_make(n, x->global, x->owner);
    x->equation = noe_status_alloc((size_t)n + 1, sizeof *x->equation);
    if (!x->halo || !x->equation) return NOE_NO_MEMORY;
    x->functions = (noe_structure_share){ .ctx = x,
                                          .refresh = refresh,
                                          .dot = dot,
                                          .part = part,
                                          .sum = sum,
                                          .factorise = shared_solver_make,
                                          .solve = shared_solver_solve,
                                          .forget = shared_solver_free };
    x->own.share = &x->functions;
    own = halo_owned(x->halo);
    MPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (!together.rank) before = 0;
    for (int i = 0; i < own; i++) x->equation[halo_own(x->halo)[i]] = (double)(before + i);
    halo_exchange(x->halo, 1, &x->equation);
    return NOE_OK;
}

/* Numbers the coordinates of the layers in ascending order: x->global, x->owner; layer[n] becomes
 * their numbers, place[i] is where number i stands in the list. */
static void sort(share *x, layers *y, const int *owner, int *place)
{
    int n = 0;
    for (int i = 0; i < x->places; i++)
        if (y->layer[i] >= 0) {
            x->global[n] = i;
            x->owner[n] = owner[i];
            y->layer[i] = n++;
        }
    for (int k = 0; k < y->count; k++) place[y->layer[y->list[k]]] = k;
    x->own.n = n;
}

noe_status share_cut(share *x, const noe_structure *s, const int *owner, int depth)
{
    layers y;
    *x = (share){ .places = s->n, .whole = s };
    const noe_status status = layers_find(&y, s, owner, depth, true, INFINITY);
    const size_t     count = (size_t)y.count + 1;
    int             *place = status ? NULL : noe_status_alloc(count, sizeof *place);
    x->own = (noe_structure){ .alpha = s->alpha,
                              .beta = s->beta,
                              .blas = s->blas,
                              .rest = s->rest,
                              .load = s->load ? load : NULL,
                              .ctx = x };
    x->global = noe_status_alloc(count, sizeof *x->global);
    x->owner = noe_status_alloc(count, sizeof *x->owner);
    if (s->load) x->full = noe_status_alloc((size_t)s->n, sizeof *x->full);
    bool ok = place && x->global && x->owner && (x->full || !s->load);
    if (ok) {
        sort(x, &y, owner, place);
        const int n = x->own.n;
        x->own.K = cut(&y.rows[0], n, place, y.layer);
        x->own.M = cut(&y.rows[1], n, place, y.layer);
        if (s->C) x->own.C = cut(&y.rows[2], n, place, y.layer);
        if (s->mass) x->own.mass = noe_status_alloc((size_t)n + 1, sizeof *x->own.mass);
        if (s->weight) x->own.weight = noe_status_alloc((size_t)n + 1, sizeof *x->own.weight);
        for (int i = 0; i < n && x->own.mass; i++) x->own.mass[i] = s->mass[x->global[i]];
        for (int i = 0; i < n && x->own.weight; i++) x->own.weight[i] = s->weight[x->global[i]];
        ok = x->own.K && x->own.M && (!s->C || x->own.C) && (!s->mass || x->own.mass)
          && (!s->weight || x->own.weight);
    }
    free(place);
    layers_drop(&y);
    return status ? status : ok ? NOE_OK : NOE_NO_MEMORY;
}

void share_drop(share *x)
{
    halo_free(x->halo);
    noe_sparse_free(x->own.M), noe_sparse_free(x->own.C), noe_sparse_free(x->own.K);
    free(x->own.mass), free(x->own.weight);
    free(x->global), free(x->owner), free(x->equation), free(x->full);
    *x = (share){ 0 };
}
