/* What a study prints and writes: tables, files, picture and exit status.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_STUDY_FILES_H
#define NOE_STUDY_STUDY_FILES_H

#include "study/study_report.h"

#include <stdio.h>

/* Can the files of the job be written by their names?  False with a message. */
bool noe_study_files_fit(const noe_study_job *);
/* The report, and the files and the picture of the job; false with a message.  Of a study of drift
 * its results, else NULL. */
bool noe_study_files_write(const noe_study *, const noe_drift *, FILE *to);
/* The exit status of noe_study_run; signal: the one that stopped the study. */
int noe_study_files_verdict(const noe_study *, int signal);

#endif
