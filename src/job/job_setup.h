/* Makes the system, method and integrator of a job from its options.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_JOB_SETUP_H
#define NOE_JOB_JOB_SETUP_H

#include "job/kept_options.h"
#include "inspect/structure_modes.h"
#include "symmetry/symmetry.h"
#include "accuracy/tolerance.h"
#include "rows/output_times.h"
#include "output/restart.h"
#include "output/sink.h"

typedef struct {
    noe_system          *system;
    noe_symmetries      *symmetries;  /* for small systems; else NULL */
    bool                 borrowed;    /* these two are the program's */
    bool                 lent_method; /* so is the method */
    noe_method          *method;
    noe_integrator      *g;           /* NULL: see status */
    noe_restart          restart;     /* from the file of --from */
    quad                 step, until; /* step and end of the run, in units of t */
    int                  digits;      /* decimal digits of the arithmetic */
    noe_output_times     times;       /* of --times; of --rows once the start is known */
    noe_tolerance_choice pick;        /* the choice of method and step by --tolerance */
    double               tolerance;   /* of --tolerance; 0: not given */
    noe_structure_modes  modes;       /* of a finite-element structure that is certified */
    int                  status;      /* exit status where there is no integrator */
    char                 options[NOE_KEPT_OPTIONS_ROOM]; /* as text, for the file */
} noe_job_setup;

bool noe_job_setup_make(noe_job_setup *,
                        const noe_job *); /* false with a message; must be dropped in either case */
void noe_job_setup_drop(noe_job_setup *);

#endif
