/* max_t |I(t) - I(0)| / |I|: the momenta of a run, beside what the method promises for them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CERTIFY_MOMENTUM_MONITOR_H
#define NOE_CERTIFY_MOMENTUM_MONITOR_H

#include "certify/laws.h"

typedef struct {
    const noe_symmetries *s;
    quad                 *start;
    double               *drift, *size; /* [s->count] */
} noe_momentum_monitor;

bool   noe_momentum_monitor_open(noe_momentum_monitor *,
                                 const noe_symmetries *); /* s may be NULL: nothing is kept */
void   noe_momentum_monitor_look(noe_momentum_monitor *,
                                 noe_integrator *); /* at the present state; the first is the start */
double noe_momentum_monitor_drift(const noe_momentum_monitor *,
                                  int i); /* relative to the largest size of its terms */
/* Of momentum i in a run of so many digits: what the method keeps of it, and what rounding may make of that in so many steps whose
 * equations are solved to `residual` of the momenta; NAN where nothing is promised to rounding. */
noe_promise noe_momentum_monitor_promise(const noe_momentum_monitor *, int i, const noe_method *,
                                         int digits);
double      noe_momentum_monitor_bound(const noe_momentum_monitor *, int i, const noe_method *,
                                       int digits, double steps, double residual);
/* A momentum that was to be kept and was not: its number, -1: there is none. */
int  noe_momentum_monitor_broken(const noe_momentum_monitor *, const noe_method *, int digits,
                                 double steps, double residual);
void noe_momentum_monitor_close(noe_momentum_monitor *);

#endif
