/* Columns d(NAME)/d(BY) of a job: the parameters and starts BY of its derivatives.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_DERIVATIVE_COLUMNS_H
#define NOE_JOB_DERIVATIVE_COLUMNS_H

#include "job/verbs.h"
#include "system/system.h"

/* What the columns of a job are differentiated by, as a list for noe_system_differentiated, which
 * the caller frees; NULL with a message. */
char *noe_derivative_columns_by(const noe_model *, const noe_job *);
/* Replaces the system by one that is differentiated by what the columns of the job name, if any;
 * false with a message. */
bool noe_derivative_columns_differentiate(noe_system **, const noe_job *);

#endif
