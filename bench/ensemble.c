/* millions of Simpson steps a second and core of many double pendulums from text, by the command that people use.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { REPEATS = 5, MEMBERS = 800, STEPS = 20000 };

static double of_processor(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) + 1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

/* Seconds of the command: of processors, and on the wall's clock. */
static int run(const char *noether, const char *threads, double *processor, double *wall)
{
    char            line[500];
    struct rusage   before, after;
    struct timespec from, to;
    snprintf(line, sizeof line, "%s run systems/double_pendulum.lag q2=0.4 --sweep 'q1 = 0.1..0.8 in %d' --method simpson --step 0.01 --until %d "
             "--every 1000000000 --columns q1 --threads %s --quiet >/dev/null", noether, MEMBERS, STEPS / 100, threads);
    getrusage(RUSAGE_CHILDREN, &before);
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (system(line)) return 1;
    clock_gettime(CLOCK_MONOTONIC, &to);
    getrusage(RUSAGE_CHILDREN, &after);
    *processor = of_processor(&after) - of_processor(&before);
    *wall = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    return 0;
}

static void row(const char *what, double *x, double bar, const char *unit)
{
    const double middle = median(x, REPEATS);
    printf("| %s | simpson | %.4g %s | %.4g .. %.4g | at least %g | %s |\n", what, middle, unit, x[0], x[REPEATS - 1], bar, middle >= bar ? "met" : "not met");
}

int main(int argc, char **argv)
{
    double rate[REPEATS], gain[REPEATS], processor, one, two, unused;
    if (argc != 2) return fprintf(stderr, "usage: ensemble NOETHER\n"), 2;
    for (int r = -1; r < REPEATS; r++) { /* in turn; the first is not counted */
        if (run(argv[1], "1", &processor, &one) || run(argv[1], "2", &unused, &two)) return 1;
        if (r >= 0) rate[r] = 1e-6 * MEMBERS * STEPS / processor, gain[r] = one / two;
    }
    printf("## Ensembles\n\n`noether run systems/double_pendulum.lag q2=0.4 --sweep \"q1 = 0.1..0.8 in %d\" --step 0.01`, %d steps each, from the start of the command\n"
           "to its end. What two threads gain is seen on the wall's clock, and only where nobody else works.\n\n"
           "| what | method | median | spread of %d | bar | |\n|---|---|---|---|---|---|\n", MEMBERS, STEPS, REPEATS);
    row("ensemble of double pendulums, million steps a second and core", rate, 12, "million");
    row("ensemble of double pendulums, two threads", gain, 1.9, "times as fast");
    return 0;
}
