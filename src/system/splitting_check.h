/* L_vq = 0, L_vv constant, f affine in v?  What a splitting method asks of a system.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_SPLITTING_CHECK_H
#define NOE_SYSTEM_SPLITTING_CHECK_H

#include "system/system.h"

typedef struct {
    bool   damped;  /* forces depend on velocities, */
    bool   coupled; /* on other coordinates than their own */
    double rate;    /* max |f_v L_vv^-1| at the start */
} noe_splitting_check;

/* Can a splitting method of this name step the system?  Else NOE_INVALID, and the message names what is in the way.
 * q0: near where, NULL: at the model's start.  param: values for functions in C. */
noe_status noe_splitting_check_system(const noe_system *, const char *method, const quad *q0,
                                      const quad *param, noe_splitting_check *);

/* The order of a method on such a system: forces that depend on velocities are not all that a set may be for, and the
 * frozen scheme takes those that depend on other coordinates like them. */
static inline int noe_splitting_check_order(const noe_splitting_check *x, const noe_method *f)
{
    const bool lesser = x->damped || (x->coupled && f->kick == NOE_KICK_FROZEN);
    return f->kind == NOE_SPLITTING && lesser ? f->damped_order : f->order;
}

/* A kick backwards, s_i < 0, lets grow what is damped: the factor of the worst one at this step, e^|c s_i h|. */
double noe_splitting_check_growth(const noe_splitting_check *, const noe_method *, double step);

#endif
