/* Checks whether a splitting method can step a system: L_vq = 0, L_vv constant, f affine in v.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_SPLITTING_CHECK_H
#define NOE_SYSTEM_SPLITTING_CHECK_H

#include "system/system.h"

typedef struct {
    bool   damped;  /* forces depend on velocities */
    bool   coupled; /* a force depends on coordinates other than its own */
    double rate;    /* max |f_v L_vv^-1| at the start, 1/time */
} noe_splitting_check;

/* NOE_INVALID where the splitting method of this name cannot step the system; the message names the
 * entry that prevents it.  q0 [n]: the state around which to check, NULL: the model's start.
 * param: values for functions in C. */
noe_status noe_splitting_check_system(const noe_system *, const char *method, const quad *q0,
                                      const quad *param, noe_splitting_check *);

/* The order of a method on the checked system: lower where forces depend on velocities, if the
 * coefficients were not made for that; the frozen scheme treats forces that depend on other
 * coordinates in the same way. */
static inline int noe_splitting_check_order(const noe_splitting_check *x, const noe_method *f)
{
    const bool lesser = x->damped || (x->coupled && f->kick == NOE_KICK_FROZEN);
    return f->kind == NOE_SPLITTING && lesser ? f->damped_order : f->order;
}

/* A kick backwards in time, s_i < 0, lets a damped motion grow: the largest factor e^|c s_i h| of a
 * kick in a step. */
double noe_splitting_check_growth(const noe_splitting_check *, const noe_method *, double step);

#endif
