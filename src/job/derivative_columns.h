/* Columns d(NAME)/d(BY) of a job: the parameters and starts BY of its derivatives.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_DERIVATIVE_COLUMNS_H
#define NOE_JOB_DERIVATIVE_COLUMNS_H

#include "job/verbs.h"
#include "system/system.h"

/* Replaces the system by one that is differentiated by what the columns of the job name, if any;
 * false with a message. */
bool noe_derivative_columns_differentiate(noe_system **, const noe_job *);

#endif
