/* words -> system, method, integrator.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_JOB_SETUP_H
#define NOE_JOB_JOB_SETUP_H

#include "job/verbs.h"
#include "inspect/structure_modes.h"
#include "symmetry/symmetry.h"
#include "accuracy/tolerance.h"
#include "output/sink.h"

typedef struct {
    noe_system          *system;
    noe_symmetries      *symmetries; /* of small systems; or NULL */
    noe_method          *method;
    noe_integrator      *g;
    noe_restart          restart; /* of --from */
    quad                 step, until;
    int                  digits;
    noe_tolerance_choice pick;      /* of --tolerance */
    double               tolerance; /* or 0 */
    noe_structure_modes  modes;     /* of a structure that is certified */
    int                  status;    /* why there is no integrator, as an exit status */
} noe_job_setup;

bool noe_job_setup_make(noe_job_setup *,
                        const noe_job *); /* false with a message; drop it all the same */
void noe_job_setup_drop(noe_job_setup *);

#endif
