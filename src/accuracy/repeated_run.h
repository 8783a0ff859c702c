/* A completed run made again with half the step, of few steps also with a quarter: how far apart?
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ACCURACY_REPEATED_RUN_H
#define NOE_ACCURACY_REPEATED_RUN_H

#include "integrate/integrator.h"

typedef struct {
    double apart; /* largest difference, relative to the range; NAN: not repeated; INFINITY: a step
                     of the repeated run failed */
    double t;     /* time at which it was found, of the end or shortly before */
    int    place; /* number of its coordinate */
    int    parts; /* 2: with half the step, 4: with a quarter */
    bool   together; /* of the velocities of all coordinates; `place` has the largest part */
} noe_repeated_run;

/* At most so many steps, times coordinates, are repeated. */
noe_repeated_run noe_repeated_run_make(const noe_integrator *, const noe_method *, double most);
/* Has the first one start where the second one did, and heed events as it does; false: it cannot.
 */
bool noe_repeated_run_begin(noe_integrator *, const noe_integrator *);

#endif
