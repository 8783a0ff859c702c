/* (values) -> the same system with these values: its numbers worked out again, its code as it is.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A parameter is a leaf of the graph, so what is done with it does not depend on its value (model/declaration.c), unless it is
 * in an index.  What does not move along a motion is worked out once more in binary128, as when the system was read: the
 * numbers are those of a system that is read with the values. */
#ifndef NOE_INTEGRATE_SYSTEM_VARIANT_H
#define NOE_INTEGRATE_SYSTEM_VARIANT_H

#include "integrate/integrator.h"

typedef struct {
    noe_system *system; /* its own, of the values set last */
    int         names;
    noe_column *what; /* [names] */
    noe_ex     *list; /* what has to be worked out, children first, */
    int         count;
    noe_ex      step, until;
} noe_system_variant;

/* Of a system read with some values of these names; it takes the system over.  step and until: expressions.  NULL, without a
 * message, where values would change more than numbers. */
noe_system_variant *noe_system_variant_new(noe_system *, const char *const *name, int names,
                                           const char *step, const char *until);
void                noe_system_variant_free(noe_system_variant *);
/* False when something is not finite. */
bool noe_system_variant_set(noe_system_variant *, const quad *value, quad *step, quad *until);

#endif
