/* Do the steps of a run resolve the motion?  If not: the error, and a step that does.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ACCURACY_COARSE_RUN_H
#define NOE_ACCURACY_COARSE_RUN_H

#include "accuracy/repeated_run.h"

typedef struct {
    /* The largest local error since the start, the energy error and what local errors add up to,
     * relative; NaN: not measured. */
    double           local_error, energy_error, accumulated_error;
    char             warning[1600]; /* text of the warnings; "": none */
    char             note[400];     /* what need not be wrong; "": nothing */
    bool             unfinished;    /* the note is left to noe_coarse_run_note */
    noe_repeated_run repeated;      /* the run with half the step, if it was made, */
    double repeated_most; /* with at most so many steps times coordinates; 0: it was not */
} noe_coarse_run;

/* Has a step passed close by a singularity, a pole of the coordinates, or over a narrow term or a
 * pulse, so that noe_coarse_run_find warns of it? */
bool noe_coarse_run_singular(const noe_integrator *);

/* Judges a run that has ended.  A shorter step is recommended only after the run has been repeated
 * with that step up to the time of the warning. */
void noe_coarse_run_find(noe_coarse_run *, noe_integrator *, const noe_method *);
/* Finds the note, for which a run of few steps is made again with half the step, if it is not found
 * yet; it may be found much later, with the integrator as it was at the end. */
void noe_coarse_run_note(noe_coarse_run *, noe_integrator *, const noe_method *);

#endif
