/* Variants of a system: the same tapes with other values of parameters and initial conditions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A parameter is a leaf of the graph, so the operations on it do not depend on its value
 * (statement/declaration.c), unless it occurs in an index.  All numbers that are constant along a
 * motion are computed again in binary128, as at the reading of a system: they are equal, bit for
 * bit, to those of a system that is read with these values. */
#ifndef NOE_ENSEMBLE_SYSTEM_VARIANT_H
#define NOE_ENSEMBLE_SYSTEM_VARIANT_H

#include "integrate/integrator.h"

typedef struct {
    noe_system *system;      /* owned; with the values of the last noe_system_variant_set */
    int         names;       /* number of values that vary */
    noe_column *what;        /* [names] parameter or initial condition of each value */
    noe_ex     *list;        /* [count] nodes of the graph to evaluate, operands first */
    int         count;       /* length of list */
    noe_ex      step, until; /* expressions of the step and of the end of the run */
} noe_system_variant;

/* Takes ownership of a system that was read with values of these names [names].  step and until:
 * expressions.  NULL, without a message, where other values would change more than numbers. */
noe_system_variant *noe_system_variant_new(noe_system *, const char *const *name, int names,
                                           const char *step, const char *until);
void                noe_system_variant_free(noe_system_variant *);
/* Sets the values [names] and computes step and until; false when a number is not finite. */
bool noe_system_variant_set(noe_system_variant *, const quad *value, quad *step, quad *until);

#endif
