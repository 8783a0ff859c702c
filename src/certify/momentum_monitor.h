/* Drift of the momenta along a run, max_t |I(t) - I(0)| over the size of the terms of I.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CERTIFY_MOMENTUM_MONITOR_H
#define NOE_CERTIFY_MOMENTUM_MONITOR_H

#include "certify/laws.h"

typedef struct {
    const noe_symmetries *s;     /* the generators; NULL: no momenta */
    quad                 *start; /* [s->count] I(0) */
    double               *drift, /* [s->count] max |I(t) - I(0)| */
        *size;                   /* [s->count] largest sum of the moduli of the terms of I */
} noe_momentum_monitor;

/* The symmetries may be NULL: then there is nothing to monitor. */
bool noe_momentum_monitor_open(noe_momentum_monitor *, const noe_symmetries *);
/* Takes the integrator's present state into account, but for the energy; the first state is the
 * start. */
void noe_momentum_monitor_look(noe_momentum_monitor *, noe_integrator *);
/* Drift of momentum i, relative to the largest size of its terms. */
double noe_momentum_monitor_drift(const noe_momentum_monitor *, int i);
/* Of momentum i in a run of that many digits: how well the method preserves it, and the largest
 * drift by rounding in that many steps whose equations are solved to `residual`, relative to the
 * momenta; NAN where the method does not promise preservation to rounding. */
noe_promise noe_momentum_monitor_promise(const noe_momentum_monitor *, int i, const noe_method *,
                                         int digits);
double      noe_momentum_monitor_bound(const noe_momentum_monitor *, int i, const noe_method *,
                                       int digits, double steps, double residual);
/* Index of the first momentum whose drift exceeds its bound; -1: none does. */
int  noe_momentum_monitor_broken(const noe_momentum_monitor *, const noe_method *, int digits,
                                 double steps, double residual);
void noe_momentum_monitor_close(noe_momentum_monitor *);

#endif
