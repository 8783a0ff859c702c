/* Divides a step of a run into halves until no part hides a variation of F or P.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * F = L_q + forces, P = L_v.  A pulse, a kink or a jump between the nodes of a long step stays
 * unseen; a run with divided steps resolves it.
 *
 * Between the ends of a step, q is approximated by the cubic through q and q' at both ends.  The
 * step is cut into s pieces of equal length, s the number of nodes; over a box about the cubic in
 * each piece the ranges of F and P are enclosed (accuracy/enclosure.h).  A step is divided where a
 * variation of F or P that the nodes need not show may change a momentum by more than a given
 * small fraction.  Each part starts anew from (q, p) at the end of the part before. */
#ifndef NOE_ACCURACY_DIVIDED_STEP_H
#define NOE_ACCURACY_DIVIDED_STEP_H

#include "accuracy/enclosure.h"
#include "integrate/integrator.h"

typedef struct noe_divided_step noe_divided_step;

/* Factor by which the hidden variation at a kink may be larger in a run of constant steps than in a
 * divided part: for most positions of a kink within a step the error is far below the bound. */
static const double noe_divided_step_kink_margin = 6.4e5;

/* What the division of steps has found so far. */
typedef struct {
    /* Time at which the last divided step was divided most, and the uncertainty of that time. */
    double t, t_error;
    double least; /* shortest part that a smooth variation required; INFINITY: none did */
    /* step at which the hidden variation of a kink or jump falls to noe_divided_step_kink_margin
     * times what a part is allowed; the smallest over all divided steps; INFINITY: no kink */
    double               kink_length;
    noe_hidden_variation what;    /* hidden variation at the time t */
    double               divided; /* number of divided steps, */
    double               parts;   /* and of their parts */
    /* the number of parts was exceeded, or a part failed; at a kink of the state the undivided step
     * is taken instead */
    bool lost;
} noe_step_division;

/* For steps h of a method with s nodes.  neglected: the change of a momentum that is neglected,
 * relative to the largest |p_i| so far, which begins with p [n]; parts: largest number of parts in
 * the whole run. */
noe_divided_step *noe_divided_step_make(noe_enclosure *, const noe_system *, const noe_method *,
                                        int s, quad h, int digits, double neglected,
                                        const double *p, double parts);
void              noe_divided_step_free(noe_divided_step *);
/* Makes one step of the integrator, divided where needed; false: the step failed, or `lost`. */
bool                     noe_divided_step_step(noe_divided_step *, noe_integrator *);
const noe_step_division *noe_divided_step_division(const noe_divided_step *);

#endif
