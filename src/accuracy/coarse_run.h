/* Does a run resolve its motion?  Where it does not, by how much, and the step that would do.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ACCURACY_COARSE_RUN_H
#define NOE_ACCURACY_COARSE_RUN_H

#include "integrate/integrator.h"

typedef struct {
    double local_error;   /* the largest since the start; NAN: not measured */
    char   warning[1400]; /* "" where there is none */
} noe_coarse_run;

/* Has a step passed close by a singularity, a pole of the coordinates, or over a narrow term or a
 * pulse, so that noe_coarse_run_find warns of it? */
bool noe_coarse_run_singular(const noe_integrator *);

/* Looks at a run that is over.  A step is only named when the run has been made again with it up
 * to the place of the warning. */
void noe_coarse_run_find(noe_coarse_run *, noe_integrator *, const noe_method *);

#endif
