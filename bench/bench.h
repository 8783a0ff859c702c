/* the clock, the median of many, a row of the page, C written by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* Of this thread on a processor: what else the machine does is not counted. */
static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What two threads save is seen on the wall's clock alone. */
static inline double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of commands that have ended, on processors. */
static inline double of_children(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec)
         + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
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

#define COMPARED                                                                \
    "| what | noether | beside | noether's time over its | spread | at most | " \
    "|\n|---|---|---|---|---|---|---|\n"

/* A row of such a table: `ratio` holds noether's time over the other's, each pair measured in
 * turn.  `us` and `they` are for orientation.  at_most 0: no bar. */
static inline void compared(const char *what, const char *us, const char *they, double *ratio,
                            int count, double at_most)
{
    const double middle = median(ratio, count);
    printf("| %s | %s | %s | %.3g | %.3g .. %.3g |", what, us, they, middle, ratio[0],
           ratio[count - 1]);
    if (at_most > 0) printf(" %g | %s |\n", at_most, middle <= at_most ? "met" : "not met");
    else printf(" | |\n");
    fflush(stdout);
}

#endif
