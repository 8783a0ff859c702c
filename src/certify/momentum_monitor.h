/* Drift of the momenta along a run, max_t |I(t) - I(0)| over the size of the terms of I.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a motion leaves some momenta at 0, as that across the plane of an orbit in oblique axes,
 * rounding the forces of the others makes them: it is measured by momenta P_j that each coordinate
 * would have, had it the kinetic energy of all that are coupled to it,
 *     P_j^2 = |M_jj| sum_k p_k^2 / |M_kk|. */
#ifndef NOE_CERTIFY_MOMENTUM_MONITOR_H
#define NOE_CERTIFY_MOMENTUM_MONITOR_H

#include "certify/laws.h"

typedef struct {
    const noe_symmetries *s;     /* the generators; NULL: no momenta */
    quad                 *start; /* [s->count] I(0) */
    double               *drift, /* [s->count] max |I(t) - I(0)| */
        *size,                   /* [s->count] largest sum of the moduli of the terms of I */
        *rounded;                /* [s->count] the same with P in place of p */
    int *block_of;               /* [s->n] the set of coupled coordinates of each */
} noe_momentum_monitor;

/* The symmetries may be NULL: then there is nothing to monitor. */
bool noe_momentum_monitor_open(noe_momentum_monitor *, const noe_symmetries *);
/* Takes the integrator's present state into account, but for the energy; the first state is the
 * start. */
void noe_momentum_monitor_look(noe_momentum_monitor *, noe_integrator *);
/* Drift of momentum i, relative to the largest size of its terms. */
double noe_momentum_monitor_drift(const noe_momentum_monitor *, int i);
/* By how much the size with P exceeds that with p, at least 1: rounding moves momentum i by so much
 * more than a unit of its terms. */
double noe_momentum_monitor_rounding(const noe_momentum_monitor *, int i);
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
