/* what the local error measure costs: the command beside the same command compiled without it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

#include <string.h>

/* Many short pairs: their median is steadier than that of few long ones; the runs are long enough
 * not to be made again with half the step. */
enum { REPEATS = 45 };

/* Processor seconds of one run; negative: it failed. */
static double run(const char *noether, const char *what, double step, long steps)
{
    char line[1000];
    snprintf(line, sizeof line,
             "%s run systems/%s --step %.17g --until '%.17g*%ld' --every 1000000000 --columns t "
             "--threads 1 --quiet >/dev/null 2>&1",
             noether, what, step, step, steps);
    const double before = of_children();
    if (system(line)) return -1;
    return of_children() - before;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *what;
        double      step;
        long        steps, members;
    } rows[] = {
        { "pendulum.lag --method simpson", 0.01, 350000, 1 },
        { "double_pendulum.lag q1=0.4 q2=0.4 --method simpson", 0.01, 210000, 1 },
        { "double_pendulum.lag --method simpson", 0.001, 210000, 1 },
        { "kepler.lag --method simpson", 0.01, 180000, 1 },
        { "lagrange_top.lag --method simpson", 0.002, 140000, 1 },
        { "five_link_pendulum.lag --method simpson", 0.005, 30000, 1 },
        { "pendulum.lag --method 'gauss 8'", 0.1, 140000, 1 },
        { "double_pendulum.lag q1=0.4 q2=0.4 --method 'gauss 8'", 0.12, 150000, 1 },
        { "lagrange_top.lag --method 'gauss 8'", 0.0099, 100000, 1 },
        { "kepler.lag --method 'gauss 8'", 0.2, 140000, 1 },
        { "outer_solar_system.lag --method 'gauss 8'", 400, 14000, 1 },
        { "double_pendulum.lag q2=0.4 --sweep 'q1 = 0.1..0.8 in 800' --method simpson", 0.01, 3500,
          800 },
        { "pendulum.lag --sweep 'q = 0.1..0.8 in 800' --method simpson", 0.01, 7000, 800 },
        { "double_pendulum.lag q2=0.4 --sweep 'q1 = 0.1..0.8 in 160' --method 'gauss 8'", 0.12,
          1400, 160 },
    };
    if (argc != 3) return fprintf(stderr, "usage: guards NOETHER UNMEASURED\n"), 2;
    printf("## The local error measure\n\nEach step is judged by how its velocities continue those "
           "of the step before (doc/theory.md, 6). Beside the same command compiled without\n"
           "that, processor time of whole runs; the last rows are ensembles, eight members a "
           "vector. Spread of %d, in turn.\n\n" COMPARED,
           REPEATS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double us[REPEATS], they[REPEATS], ratio[REPEATS];
        char   said[2][60];
        for (int r = -1; r < REPEATS; r++) { /* the first is not counted */
            const double one = run(argv[1], rows[i].what, rows[i].step, rows[i].steps),
                         other = run(argv[2], rows[i].what, rows[i].step, rows[i].steps);
            if (one < 0 || other < 0) return fprintf(stderr, "%s failed\n", rows[i].what), 1;
            const double each = 1e9 / ((double)rows[i].steps * (double)rows[i].members);
            if (r >= 0) us[r] = each * one, they[r] = each * other, ratio[r] = one / other;
        }
        snprintf(said[0], 60, "%.0f ns a step", median(us, REPEATS)),
            snprintf(said[1], 60, "without %.0f ns", median(they, REPEATS));
        compared(rows[i].what, said[0], said[1], ratio, REPEATS, 1.1);
    }
    return 0;
}
