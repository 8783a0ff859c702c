/* What the first process prints and writes of a study that many processes have made.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_STUDY_FILES_H
#define NOE_MPI_STUDY_FILES_H

#include "study/study_report.h"

#include <stdio.h>

/* Can the files of the job be written by their names?  False with a message. */
bool study_files_fit(const noe_study_job *);
/* The tables of convergence or drift, and the files of the job; false with a message. */
bool study_files_write(const noe_study *, const noe_drift *, FILE *to);
/* The exit status of noe_study_run; signal: the one that stopped the study. */
int study_files_verdict(const noe_study *, int signal);

#endif
