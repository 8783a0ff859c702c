/* millions of Simpson steps a second and core of many double pendulums from text, by the command that people use.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { REPEATS = 9, MEMBERS = 800, STEPS = 20000 };

static double of_processor(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) + 1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

/* Seconds of one command, or of two at once that share its members: of processors, and on the wall's clock. */
static int run(const char *noether, int threads, int commands, double *processor, double *wall)
{
    char            line[1000];
    struct rusage   before, after;
    struct timespec from, to;
    int             used = 0;
    for (int i = 0; i < commands; i++)
        used += snprintf(line + used, sizeof line - (size_t)used,
                         "%s run systems/double_pendulum.lag q2=0.4 --sweep 'q1 = 0.1..0.8 in %d' --method simpson --step 0.01 --until %d "
                         "--every 1000000000 --columns q1 --threads %d --quiet >/dev/null %s ", noether, MEMBERS / commands, STEPS / 100, threads, i + 1 < commands ? "&" : "&& wait");
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
    double rate[REPEATS], gain[REPEATS], apart[REPEATS], processor, one, two, both, unused;
    if (argc != 2) return fprintf(stderr, "usage: ensemble NOETHER\n"), 2;
    for (int r = -1; r < REPEATS; r++) { /* in turn; the first is not counted */
        if (run(argv[1], 1, 1, &processor, &one) || run(argv[1], 2, 1, &unused, &two) || run(argv[1], 1, 2, &unused, &both)) return 1;
        if (r >= 0) rate[r] = 1e-6 * MEMBERS * STEPS / processor, gain[r] = one / two, apart[r] = one / both;
    }
    printf("## Ensembles\n\n`noether run systems/double_pendulum.lag q2=0.4 --sweep \"q1 = 0.1..0.8 in %d\" --step 0.01`, %d steps each, from the start of the command\n"
           "to its end. What two threads gain is seen on the wall's clock, and only where nobody else works.\n\n"
           "| what | method | median | spread of %d | bar | |\n|---|---|---|---|---|---|\n", MEMBERS, STEPS, REPEATS);
    row("ensemble of double pendulums, million steps a second and core", rate, 12, "million");
    row("ensemble of double pendulums, two threads", gain, 1.9, "times as fast");
    printf("\nTwo commands at once with half of the members each, which share nothing but the machine, gain %.4g (", median(apart, REPEATS));
    printf("%.4g .. %.4g).\n", apart[0], apart[REPEATS - 1]);
    return 0;
}
