/* a problem with its system, its start, and where binary128 says it is after 100 periods.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TASK_H
#define TASK_H

#include "noether.h"
#include "peers.h"

typedef struct {
    int         index, n;
    double      T, start[2 * MOST], end[MOST], energy; /* T: 100 periods */
    noe_system *system;
} task;

int    load(const char *reference, const char *problem, task *k); /* 1: cannot */
double state_error(const task *k, const double *y);  /* largest of a coordinate after T */
double energy_error(const task *k, const double *y); /* |H - H0|/|H0| */
void   say_start(const task *k);                     /* T, start and end, for who is no C */

#endif
