/* Events of a run for the command: found by name, told in the summary.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_EVENT_REPORT_H
#define NOE_JOB_EVENT_REPORT_H

#include "integrate/event_memory.h"

#include <stdio.h>

/* The number of the event with this name, from 0; -1 with a message, in which `option` is named. */
int noe_event_report_find(const noe_system *, const char *option, const char *name);
/* A line for each event: how often, when first and last. */
void noe_event_report_print(const noe_integrator *, FILE *);

#endif
