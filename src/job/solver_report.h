/* How the equations of the steps were solved, in words.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_SOLVER_REPORT_H
#define NOE_JOB_SOLVER_REPORT_H

#include "method/method.h"
#include "noether.h"

#include <stdio.h>

/* For --verbose: which solver and why, then each with its steps and iterations.  Silent where
 * there is nothing to solve. */
void noe_solver_report_print(noe_integrator *, const noe_method *, FILE *);

#endif
