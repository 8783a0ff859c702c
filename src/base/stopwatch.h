/* Seconds on a monotonic clock, and seconds of computing.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_STOPWATCH_H
#define NOE_BASE_STOPWATCH_H

double noe_stopwatch_seconds(void);
/* Seconds that the processor has spent on the calling thread: other work on the machine, and other
 * threads of a program, are not in it. */
double noe_stopwatch_computing(void);

#endif
