/* the clock, the median of many.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_H
#define BENCH_H

#include <stdlib.h>
#include <time.h>

/* Of this thread on a processor: what else the machine does is not counted. */
static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Puts them in order. */
static inline double median(double *x, int count)
{
    qsort(x, (size_t)count, sizeof *x, ascending);
    return x[count / 2];
}

#endif
