/* Prints how the equations of the steps, R(a) = 0, were solved.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_SOLVER_REPORT_H
#define NOE_JOB_SOLVER_REPORT_H

#include "method/method.h"
#include "noether.h"

#include <stdio.h>

/* For --verbose: the chosen solver and the reason, then the steps and iterations of each solver.
 * Prints nothing of solvers for explicit and linear steps. */
void noe_solver_report_print(noe_integrator *, const noe_method *, FILE *);

#endif
