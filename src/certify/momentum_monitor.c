/* Drift of the momenta along a run, max_t |I(t) - I(0)| over the size of the terms of I.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/momentum_monitor.h"

#include "base/status.h"
#include "integrate/energy_error.h"
#include "number/rounding_unit.h"
#include "tape/coupled_blocks.h"

#include <math.h>
#include <stdlib.h>

bool noe_momentum_monitor_open(noe_momentum_monitor *k, const noe_symmetries *s)
{
    *k = (noe_momentum_monitor){ .s = s };
    if (!s) return true;
    k->start = noe_status_alloc((size_t)s->count + 1, sizeof *k->start);
    k->drift = noe_status_alloc(3 * (size_t)s->count + 1, sizeof *k->drift);
    k->size = k->drift ? k->drift + s->count : NULL;
    k->rounded = k->drift ? k->size + s->count : NULL;
    k->block_of = noe_status_alloc((size_t)s->n + 1, sizeof *k->block_of);
    for (int i = 0; i < s->count && k->size; i++) k->size[i] = -1;
    if (k->block_of) *k->block_of = -1;
    return k->start && k->drift && k->block_of;
}

/* P [n]; where the masses are not measured, |p_j|. */
static void find_scale(noe_momentum_monitor *k, noe_integrator *g, double *P)
{
    const int     n = k->s->n;
    const double *M = noe_energy_error_masses(g);
    quad          p[n];
    double        all[n];
    noe_integrator_state_get(g, NOE_AT_P, p);
    for (int j = 0; j < n; j++) P[j] = fabs((double)p[j]), all[j] = 0;
    if (!M) return;
    for (int j = 0; j < n; j++)
        if (M[j * n + j] > 0) all[k->block_of[j]] += P[j] * P[j] / M[j * n + j];
    for (int j = 0; j < n; j++) P[j] = fmax(P[j], sqrt(M[j * n + j] * all[k->block_of[j]]));
}

void noe_momentum_monitor_look(noe_momentum_monitor *k, noe_integrator *g)
{
    if (!k->s || !k->s->count) return;
    double scale[k->s->n];
    if (*k->block_of < 0) noe_coupled_blocks_find(&g->system->dyn, k->block_of);
    find_scale(k, g, scale);
    for (int i = 0; i < k->s->count; i++) {
        if (k->s->found[i].kind == NOE_ENERGY) continue; /* which has a law of its own */
        quad       size, rounded;
        const quad I = noe_symmetry_momentum(k->s, &k->s->found[i], g, scale, &size, &rounded);
        if (k->size[i] < 0) k->start[i] = I;
        k->size[i] = fmax(k->size[i], (double)size);
        k->rounded[i] = fmax(k->rounded[i], (double)rounded);
        k->drift[i] = fmax(k->drift[i], (double)fabsq(I - k->start[i]));
    }
}

double noe_momentum_monitor_drift(const noe_momentum_monitor *k, int i)
{
    return k->size[i] > 0 ? k->drift[i] / k->size[i] : k->drift[i];
}

double noe_momentum_monitor_rounding(const noe_momentum_monitor *k, int i)
{
    return k->size[i] > 0 ? fmax(1, k->rounded[i] / k->size[i]) : 1;
}

/* A symmetry that the model's constants have only to the rounding of double is not exact in more
 * digits. */
noe_promise noe_momentum_monitor_promise(const noe_momentum_monitor *k, int i, const noe_method *f,
                                         int digits)
{
    const noe_promise will = noe_symmetry_promise_find(k->s, &k->s->found[i], f);
    const bool rounded = digits > NOE_DIGITS_DOUBLE && k->s->found[i].verdict == NOE_TO_ROUNDING;
    return rounded && (will == NOE_BIT_FOR_BIT || will == NOE_TO_THE_FLOOR) ? NOE_NEARLY : will;
}

double noe_momentum_monitor_bound(const noe_momentum_monitor *k, int i, const noe_method *f,
                                  int digits, double steps, double residual)
{
    const noe_promise will = noe_momentum_monitor_promise(k, i, f, digits);
    if (will != NOE_BIT_FOR_BIT && will != NOE_TO_THE_FLOOR) return NAN;
    return NOE_WALK_ROUNDINGS * sqrt(fmax(1, steps))
         * fmax(noe_rounding_unit_half(digits), residual) * noe_momentum_monitor_rounding(k, i);
}

int noe_momentum_monitor_broken(const noe_momentum_monitor *k, const noe_method *f, int digits,
                                double steps, double residual)
{
    for (int i = 0; k->s && i < k->s->count; i++)
        if (k->s->found[i].kind != NOE_ENERGY
            && noe_momentum_monitor_drift(k, i)
                   > noe_momentum_monitor_bound(k, i, f, digits, steps, residual))
            return i;
    return -1;
}

void noe_momentum_monitor_close(noe_momentum_monitor *k)
{
    free(k->start), free(k->drift), free(k->block_of);
}
