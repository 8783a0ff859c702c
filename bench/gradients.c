/* what derivatives cost beside the steps: forward by k parameters, back by all of them and starts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include "noether.h"

#include <stdbool.h>
#include <string.h>

enum { REPEATS = 7, CASES = 9 };

static const char paced[] = "parameter e = 0.9, mu = 1\n"
                            "coordinate x, y\n"
                            "r = sqrt(x^2 + y^2)\n"
                            "kinetic (x'^2 + y'^2)/2\n"
                            "potential -mu/r\n"
                            "monitor r^1.5 reversible\n"
                            "start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\n";

static const struct {
    const char *system, *method, *by, *last; /* by the k of a list; column of the last row */
    double      step, until;
    int         k;
} tried[CASES] = { { "systems/double_pendulum.lag", "simpson", "l1", "q2", 0.01, 200, 1 },
                   { "systems/double_pendulum.lag", "simpson", "l1,m1,m2,g", "q2", 0.01, 200, 4 },
                   { "systems/lagrange_top.lag", "simpson", "m,l", "theta", 0.01, 200, 2 },
                   { "systems/kepler.lag", "gauss 4", "mu,x,y,x',y'", "y", 0.01, 200, 5 },
                   { "systems/n_link_pendulum.lag", "gauss 4", "m,l,g", "q[5]", 0.01, 200, 3 },
                   { "systems/kepler.lag", "verlet", "mu,x", "y", 0.01, 200, 2 },
                   { "systems/henon_heiles.lag", "kahan-li8", "x,y", "y", 0.05, 1000, 2 },
                   { "systems/lagrange_top.lag", "rk4", "m,l", "theta", 0.01, 200, 2 },
                   { paced, "verlet", "mu,e", "y", 0.001, 400, 2 } };

static noe_system *made(const char *system)
{
    return strchr(system, '\n') ? noe_system_parse(system) : noe_system_load(system);
}
static const char *name_of(const char *system)
{
    return strchr(system, '\n') ? "kepler, monitored" : strrchr(system, '/') + 1;
}

static int one_more(void *count, const noe_integrator *g)
{
    (void)g, ++*(long *)count;
    return 0;
}

/* Steps of a run. */
static long steps_of(const noe_system *s, const noe_method *m, double step, double until)
{
    long            count = 0;
    noe_integrator *g = noe_integrator_new(s, m, step);
    if (g) noe_run(g, until, one_more, &count);
    noe_integrator_free(g);
    return count;
}

static void stop_at_error(void)
{
    if (noe_error()) fprintf(stderr, "%s\n", noe_error()), exit(1);
}

/* Time of the steps of a system. */
static double run(const noe_system *s, const noe_method *m, double step, double until)
{
    noe_integrator *g = noe_integrator_new(s, m, step);
    if (g) noe_step(g);
    const double begin = seconds();
    if (g) noe_run(g, until, NULL, NULL);
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
static double back(const noe_system *s, const noe_method *m, double step, double until, long every,
                   const char *column)
{
    const noe_gradient_rows r = { .until = until, .every = every, .columns = column };
    const double            begin = seconds();
    noe_table              *t = noe_gradient_of(s, m, step, &r, every == 1 ? all : last, NULL);
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
        noe_system  *s = made(tried[c].system), *by = noe_system_differentiated(s, tried[c].by);
        noe_method  *m = noe_method_parse(tried[c].method);
        const char  *name = name_of(tried[c].system);
        const double h = tried[c].step, until = tried[c].until;
        const long   steps = steps_of(s, m, h, until);
        double       forward[REPEATS], end[REPEATS], rows[REPEATS], alone[REPEATS];
        stop_at_error();
        for (int r = 0; r < REPEATS; r++) {
            alone[r] = run(s, m, h, until);
            forward[r] = run(by, m, h, until) / alone[r];
            end[r] = back(s, m, h, until, steps, tried[c].last) / alone[r];
            rows[r] = back(s, m, h, until, 1, tried[c].last) / alone[r];
        }
        char         said[100], step[40];
        const double ns = 1e9 * median(alone, REPEATS) / (double)steps;
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
