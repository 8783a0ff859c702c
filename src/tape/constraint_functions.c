/* Constraints given as functions in C, evaluated in the order of the outputs of tapes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions write derivatives by (q, t), t the last of the n + 1 columns. */
#include "tape/constraint_functions.h"

#include <string.h>

size_t noe_constraint_functions_room(const noe_dynamics *d)
{
    const size_t m = (size_t)d->constraints, N = (size_t)d->n + 1;
    return d->constraint_function ? m * (1 + N + N * N) : 0;
}

void noe_constraint_functions_at(const noe_dynamics *d, double t, const double *q,
                                 const double *param, double *scratch, double *to)
{
    const int m = d->constraints, N = d->n + 1;
    double   *g = scratch, *dg = g + m, *d2g = dg + m * N;
    memset(dg, 0, (size_t)(m * N + m * N * N) * sizeof *dg);
    d->constraint_function(t, q, param, g, dg, d2g, d->ctx);
    for (int a = 0; a < m; a++) to[a] = g[a], to[m + a] = dg[a * N + d->n];
    for (const noe_constraint_entry *y = d->G_entry; y < d->G_entry + d->G_entries; y++)
        to[y->output] = dg[y->constraint * N + y->row];
    for (const noe_constraint_entry *y = d->G_q_entry; y < d->G_q_entry + d->G_q_entries; y++)
        to[y->output] = d2g[(y->constraint * N + y->row) * N + y->col];
    memset(to + noe_constraint_functions_constants(d), 0, (size_t)m * sizeof *to);
}

void noe_constraint_functions_velocity_terms(const noe_dynamics *d, const double *v,
                                             const double *scratch, double *to)
{
    const int     m = d->constraints, n = d->n, N = n + 1;
    const double *d2g = scratch + m + m * N;
    for (int a = 0; a < m; a++, d2g += N * N) {
        to[a] = d2g[n * N + n];
        for (int i = 0; i < n; i++) {
            to[a] += 2 * d2g[n * N + i] * v[i];
            for (int j = 0; j < n; j++) to[a] += v[i] * d2g[i * N + j] * v[j];
        }
    }
}
