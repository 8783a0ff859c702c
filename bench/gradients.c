/* what derivatives cost beside the steps: forward by k parameters, back by all of them and starts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include "noether.h"

#include <stdbool.h>
#include <string.h>

enum { STEPS = 20000, REPEATS = 7, CASES = 6 };

static const struct {
    const char *system, *method, *by, *last; /* by the first k of a list; column of the last row */
    double      step;
    int         k;
} tried[CASES] = { { "systems/double_pendulum.lag", "simpson", "l1", "q2", 0.01, 1 },
                   { "systems/double_pendulum.lag", "simpson", "l1,m1,m2,g", "q2", 0.01, 4 },
                   { "systems/lagrange_top.lag", "simpson", "m,l", "theta", 0.01, 2 },
                   { "systems/kepler.lag", "gauss 4", "mu,x,y,x',y'", "y", 0.01, 5 },
                   { "systems/n_link_pendulum.lag", "gauss 4", "m,l,g", "q[5]", 0.01, 3 },
                   { "systems/kepler.lag", "verlet", "mu,x", "y", 0.01, 2 } };

static void stop_at_error(void)
{
    if (noe_error()) fprintf(stderr, "%s\n", noe_error()), exit(1);
}

/* Time of the steps of a system. */
static double run(const noe_system *s, const noe_method *m, double step)
{
    noe_integrator *g = noe_integrator_new(s, m, step);
    if (g) noe_step(g);
    const double begin = seconds();
    if (g) noe_run(g, STEPS * step, NULL, NULL);
    const double time = seconds() - begin;
    noe_integrator_free(g);
    stop_at_error();
    return time;
}

static int last(void *ctx, size_t rows, const double *row, double *weight)
{
    (void)ctx, (void)row;
    memset(weight, 0, rows * sizeof *weight);
    weight[rows - 1] = 1;
    return 0;
}

static int all(void *ctx, size_t rows, const double *row, double *weight)
{
    (void)ctx;
    for (size_t i = 0; i < rows; i++) weight[i] = 2 * row[i];
    return 0;
}

/* Time of a gradient: of the last row, or of the squares of all. */
static double back(const noe_system *s, const noe_method *m, double step, const char *column,
                   bool rows)
{
    const noe_gradient_rows r = { .until = STEPS * step,
                                  .every = rows ? 1 : STEPS,
                                  .columns = column };
    const double            begin = seconds();
    noe_table              *t = noe_gradient_of(s, m, step, &r, rows ? all : last, NULL);
    const double            time = seconds() - begin;
    noe_table_free(t);
    stop_at_error();
    return time;
}

int main(void)
{
    printf("## What derivatives cost\n\nThe time of a run with derivatives over that of the run: "
           "forward by k parameters or starts, and back, the gradient of a function of the rows by "
           "all of them.\n\n" COMPARED);
    for (int c = 0; c < CASES; c++) {
        noe_system *s = noe_system_load(tried[c].system),
                   *by = noe_system_differentiated(s, tried[c].by);
        noe_method *m = noe_method_parse(tried[c].method);
        const char *name = strrchr(tried[c].system, '/') + 1;
        double      forward[REPEATS], end[REPEATS], rows[REPEATS], alone[REPEATS];
        stop_at_error();
        for (int r = 0; r < REPEATS; r++) {
            alone[r] = run(s, m, tried[c].step);
            forward[r] = run(by, m, tried[c].step) / alone[r];
            end[r] = back(s, m, tried[c].step, tried[c].last, false) / alone[r];
            rows[r] = back(s, m, tried[c].step, tried[c].last, true) / alone[r];
        }
        char         said[100], step[40];
        const double ns = 1e9 * median(alone, REPEATS) / STEPS;
        snprintf(step, sizeof step, "%.0f ns a step", ns);
        snprintf(said, sizeof said, "%.20s, %s: forward, k = %d", name, tried[c].method,
                 tried[c].k);
        compared(said, "", step, forward, REPEATS, 1 + 0.6 * tried[c].k);
        snprintf(said, sizeof said, "%.20s, %s: back from the last row", name, tried[c].method);
        if (c != 1) compared(said, "", step, end, REPEATS, 6); /* 1: the motion of 0 once more */
        snprintf(said, sizeof said, "%.20s, %s: back from every row", name, tried[c].method);
        if (c != 1) compared(said, "", step, rows, REPEATS, 6);
        noe_method_free(m), noe_system_free(by), noe_system_free(s);
    }
    printf("\n");
    return 0;
}
