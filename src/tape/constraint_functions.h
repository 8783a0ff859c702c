/* Constraints given as functions in C, evaluated in the order of the outputs of tapes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_CONSTRAINT_FUNCTIONS_H
#define NOE_TAPE_CONSTRAINT_FUNCTIONS_H

#include "tape/equations.h"

/* Numbers of scratch that the two functions share. */
size_t noe_constraint_functions_room(const noe_dynamics *);
/* to = g and g_t [constraints], the entries of G, those of G_q, and 0 for each constraint, as the
 * numbers in functions are not known. */
void noe_constraint_functions_at(const noe_dynamics *, double t, const double *q,
                                 const double *param, double *scratch, double *to);
/* to [constraints] = g_tt + 2 g_tq v + v.g_qq v where noe_constraint_functions_at() was last. */
void noe_constraint_functions_velocity_terms(const noe_dynamics *, const double *v,
                                             const double *scratch, double *to);

/* Outputs of the constraints, whether they are a tape, in which equal derivatives of a constraint
 * share one, or functions in C. */
static inline int noe_constraint_functions_outputs(const noe_dynamics *d)
{
    return d->constraint ? d->constraint->outputs
                         : 3 * d->constraints + d->G_entries + d->G_q_entries;
}

/* The first of the outputs, one of each constraint, that bound the part which the constants of g
 * have in its terms. */
static inline int noe_constraint_functions_constants(const noe_dynamics *d)
{
    return noe_constraint_functions_outputs(d) - d->constraints;
}

#endif
