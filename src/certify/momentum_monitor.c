/* Drift of the momenta along a run, max_t |I(t) - I(0)| over the size of the terms of I.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/momentum_monitor.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

bool noe_momentum_monitor_open(noe_momentum_monitor *k, const noe_symmetries *s)
{
    *k = (noe_momentum_monitor){ .s = s };
    if (!s) return true;
    k->start = noe_status_alloc((size_t)s->count + 1, sizeof *k->start);
    k->drift = noe_status_alloc(2 * (size_t)s->count + 1, sizeof *k->drift);
    k->size = k->drift ? k->drift + s->count : NULL;
    for (int i = 0; i < s->count && k->size; i++) k->size[i] = -1;
    return k->start && k->drift;
}

void noe_momentum_monitor_look(noe_momentum_monitor *k, noe_integrator *g)
{
    for (int i = 0; k->s && i < k->s->count; i++) {
        if (k->s->found[i].kind == NOE_ENERGY) continue; /* which has a law of its own */
        quad       size;
        const quad I = noe_symmetry_promise_momentum(k->s, &k->s->found[i], g, &size);
        if (k->size[i] < 0) k->start[i] = I;
        k->size[i] = fmax(k->size[i], (double)size);
        k->drift[i] = fmax(k->drift[i], (double)fabsq(I - k->start[i]));
    }
}

double noe_momentum_monitor_drift(const noe_momentum_monitor *k, int i)
{
    return k->size[i] > 0 ? k->drift[i] / k->size[i] : k->drift[i];
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
    enum { MARGIN = 64 };
    const noe_promise will = noe_momentum_monitor_promise(k, i, f, digits);
    if (will != NOE_BIT_FOR_BIT && will != NOE_TO_THE_FLOOR) return NAN;
    return MARGIN * sqrt(fmax(1, steps))
         * fmax(digits > NOE_DIGITS_DOUBLE ? 0x1p-113 : 0x1p-53, residual);
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
    free(k->start);
    free(k->drift);
}
