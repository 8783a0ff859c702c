/* Seconds on a monotonic clock.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_STOPWATCH_H
#define NOE_BASE_STOPWATCH_H

double noe_stopwatch_seconds(void);

#endif
