/* Seconds on a monotonic clock.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/stopwatch.h"

#include <time.h>

double noe_stopwatch_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
