/* The system of a job, from the file of its model; with --from that of the run that is continued.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_JOB_MODEL_H
#define NOE_JOB_JOB_MODEL_H

#include "job/verbs.h"
#include "output/restart.h"
#include "system/processes.h"

/* Reads the file of --from into the restart and makes the system of the interrupted run; options
 * that would change the run are errors.  readers: the processes that read large matrices together;
 * NULL: this one alone.  NULL with a message.  (noe_job_model_load stands in job/verbs.h.) */
noe_system *noe_job_model_resume(const noe_job *, const noe_processes *readers, noe_restart *);

#endif
