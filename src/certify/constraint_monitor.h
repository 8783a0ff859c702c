/* |g| and |G v + g_t| along a run, relative to their terms.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CERTIFY_CONSTRAINT_MONITOR_H
#define NOE_CERTIFY_CONSTRAINT_MONITOR_H

#include "certify/laws.h"

typedef struct {
    struct noe_constraint_point *at;    /* NULL: no constraints */
    double                      *most;  /* [2n] largest |q_j| and |v_j| so far */
    int                         *block; /* [m] the set of coupled coordinates that each ties */
    double                      *rough; /* slots of the tape of the constraints, in double */
    double                       g,     /* largest |g| */
        hidden;                         /* largest |G v + g_t| */
    int worst[2];                       /* constraints where they are */
} noe_constraint_monitor;

/* False with a message; must be closed in either case. */
bool noe_constraint_monitor_open(noe_constraint_monitor *, const noe_system *);
void noe_constraint_monitor_close(noe_constraint_monitor *);
/* Takes the integrator's present state into account. */
void noe_constraint_monitor_look(noe_constraint_monitor *, noe_integrator *);
/* Appends the laws "constraints" and "hidden constraints" of a run of `steps` steps. */
void noe_constraint_monitor_laws(const noe_constraint_monitor *, const noe_system *, int steps,
                                 noe_laws *);

#endif
