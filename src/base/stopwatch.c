/* Seconds on a monotonic clock, and seconds of computing.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/stopwatch.h"

#include <time.h>

double noe_stopwatch_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double noe_stopwatch_computing(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t)) return (double)clock() / CLOCKS_PER_SEC;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
