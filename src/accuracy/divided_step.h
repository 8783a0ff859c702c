/* Divides a step of a run into halves until no part hides a variation of F or P.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * So the run meets what a longer step could jump over.
 *
 * Between its ends a step moves along the cubic through q and q' there; over a box about each of
 * its s pieces the ranges of F and P are enclosed (accuracy/enclosure.h).  A part is divided
 * where they hide more than a small part of the momenta.  Divided parts start anew from (q, p). */
#ifndef NOE_ACCURACY_DIVIDED_STEP_H
#define NOE_ACCURACY_DIVIDED_STEP_H

#include "accuracy/enclosure.h"
#include "integrate/integrator.h"

typedef struct noe_divided_step noe_divided_step;

/* By how much more a step of constant length may miss of a kink than a divided one: most fall well. */
static const double noe_divided_step_lax = 6.4e5;

typedef struct {
    /* Time at which the last divided step was divided most, and the uncertainty of that time. */
    double t, near;
    double least; /* the shortest part that something smooth needed; INFINITY: nothing did */
    /* the shortest that a kink or a jump takes to count as nothing, LAX times as much as parts
     * are allowed */
    double               kink_length;
    noe_hidden_variation what;
    double               divided; /* steps that were */
    bool                 lost;    /* parts ran out, or one failed */
} noe_step_division;

/* Of steps h of a method with s nodes; enough: what counts as nothing, relative to momenta of
 * the size p [n] or, where they are larger, those that are met; parts: how many may be made. */
noe_divided_step *noe_divided_step_make(noe_enclosure *, const noe_system *, const noe_method *,
                                        int s, quad h, int digits, double enough, const double *p,
                                        double parts);
void              noe_divided_step_free(noe_divided_step *);
bool noe_divided_step_step(noe_divided_step *, noe_integrator *); /* false: it failed, or `lost` */
const noe_step_division *noe_divided_step_met(const noe_divided_step *);

#endif
