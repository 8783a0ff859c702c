/* S = d(q, p)/dc at the start: dq and dv as given, or dv from L_vv dv = dp - L_vq dq - P_c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "gradient/gradient.h"
#include "matrix/small_solve.h"

#include <stdlib.h>
#include <string.h>

/* What is given of column c, x [3n]: derivatives of q, and of v or, where other[i], of p. */
void noe_start_sensitivity_given(const noe_dynamics *d, int c, bool own, const bool *momentum,
                                 quad *x, bool *other)
{
    const noe_gradient *g = d->by;
    const int           n = d->n;
    const noe_by       *by = &g->by[c];
    const size_t        numbers = 3 * (size_t)n;
    memset(x, 0, numbers * sizeof *x);
    memcpy(other, momentum, (size_t)n * sizeof *other);
    if (own) memcpy(x, g->start + (size_t)c * numbers, numbers * sizeof *x);
    if (by->kind == NOE_BY_POSITION) x[by->index] = 1;
    if (by->kind == NOE_BY_VELOCITY) x[n + by->index] = 1, other[by->index] = false;
    if (by->kind == NOE_BY_MOMENTUM) x[2 * n + by->index] = 1, other[by->index] = true;
}

bool noe_start_sensitivity_column(const noe_dynamics *d, const noe_state_jet *y, int c,
                                  const quad *x, const bool *other, quad *scratch, quad *S)
{
    const int   n = d->n, k = d->columns;
    quad *const A = scratch, *const right = A + n * n;
    for (int i = 0; i < n; i++) {
        quad rest = y->P[c * n + i];
        for (int j = 0; j < n; j++) rest += y->G[i * n + j] * x[j];
        for (int j = 0; j < n; j++) A[i * n + j] = other[i] ? y->M[i * n + j] : (quad)(i == j);
        right[i] = other[i] ? x[2 * n + i] - rest : x[n + i];
        S[i * k + c] = x[i], S[(n + i) * k + c] = rest;
    }
    if (!noe_small_solve_columns(A, n, right, 1)) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) S[(n + i) * k + c] += y->M[i * n + j] * right[j];
    for (int i = 0; i < n; i++)
        if (other[i]) S[(n + i) * k + c] = x[2 * n + i];
    for (int i = 0; i < 2 * n; i++)
        if (!finiteq(S[i * k + c])) return false;
    return true;
}

bool noe_start_sensitivity_find(const noe_dynamics *d, bool own, const bool *momentum, quad t,
                                const quad *q, const quad *v, quad *S)
{
    const noe_gradient *g = d->by;
    const size_t        n = (size_t)d->n;
    noe_state_jet       y;
    void               *memory = noe_state_jet_at(d, t, q, v, &y);
    quad               *x = noe_status_alloc(4 * n + n * n, sizeof *x);
    bool               *other = noe_status_alloc(n, sizeof *other);
    bool                ok = memory && x && other;
    for (int c = 0; ok && c < g->count; c++) {
        noe_start_sensitivity_given(d, c, own, momentum, x, other);
        ok = noe_start_sensitivity_column(d, &y, c, x, other, x + 3 * n, S);
        if (!ok)
            noe_status_fail(NOE_NOT_FINITE, "%s: the start has no finite derivative by '%.60s'",
                            d->model->name, g->by[c].name);
    }
    free(memory);
    free(x);
    free(other);
    return ok;
}
