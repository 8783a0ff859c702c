/* nanoseconds a step, a tape operation, a text: each beside a loop that calibrates the machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include "noether.h"
#include "run/system.h"

#include <math.h>
#include <stdio.h>

enum { REPEATS = 7 };

static double now(void) { return 1e9 * seconds(); }

/* Median and spread of what `once` takes, in ns, over repeats that are interleaved with nothing else. */
typedef struct { double median, low, high; } timing;
static timing measure(double (*once)(void *), void *ctx)
{
    double x[REPEATS];
    once(ctx);
    for (int i = 0; i < REPEATS; i++) x[i] = once(ctx);
    qsort(x, REPEATS, sizeof *x, ascending);
    return (timing){ x[REPEATS / 2], x[0], x[REPEATS - 1] };
}

/* A chain of a million dependent multiplications and additions: what one operation waits for here. */
static double calibrate(void *ctx)
{
    volatile double *out = ctx;
    double           x = 0.5;
    const double     t = now();
    for (int i = 0; i < 1000000; i++) x = x * 0.999999 + 1e-7;
    *out = x;
    return (now() - t) / 1e6;
}

typedef struct {
    noe_integrator *g;
    int             steps;
} stepping;

static double steps(void *ctx)
{
    stepping    *s = ctx;
    const double t = now();
    for (int i = 0; i < s->steps; i++)
        if (noe_step(s->g)) return NAN;
    return (now() - t) / s->steps;
}

static double text_to_step(void *ctx)
{
    const double    t = now();
    noe_system     *s = noe_system_load(ctx);
    noe_method     *m = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_new(s, m, 0.001);
    noe_step(g);
    const double spent = now() - t;
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
    return spent;
}

static void report(const char *what, const char *method, timing x, const char *unit, double scale, double bar)
{
    printf("| %-40s | %-8s | %8.4g %-2s | %.4g .. %.4g |", what, method, x.median / scale, unit, x.low / scale, x.high / scale);
    if (bar > 0) printf(" %g %s | %s |\n", bar, unit, x.median / scale <= bar ? "met" : "not met");
    else printf(" | |\n");
}

int main(void)
{
    static const struct {
        const char *file, *start, *method; /* start: both angles of the double pendulum, or what the model says */
        double      step, bar;             /* ns */
        int         steps;
    } run[] = {
        { "systems/pendulum.lag", NULL, "simpson", 0.01, 180, 200000 },
        { "systems/double_pendulum.lag", "0.4", "simpson", 0.01, 450, 100000 },
        { "systems/double_pendulum.lag", NULL, "simpson", 0.01, 450, 100000 },
        { "systems/double_pendulum.lag", NULL, "simpson", 0.001, 450, 100000 },
        { "systems/kepler.lag", NULL, "simpson", 0.01, 0, 100000 },
        { "systems/lagrange_top.lag", NULL, "simpson", 0.002, 0, 50000 },
        { "systems/five_link_pendulum.lag", NULL, "simpson", 0.005, 0, 10000 },
        { "systems/pendulum.lag", NULL, "gauss 8", 0.1, 300, 50000 },
        { "systems/double_pendulum.lag", "0.4", "gauss 8", 0.12, 1000, 50000 },
        { "systems/lagrange_top.lag", NULL, "gauss 8", 0.0099, 1300, 20000 },
        { "systems/outer_solar_system.lag", NULL, "gauss 8", 400, 3500, 5000 },
        { "systems/pleiades.lag", NULL, "gauss 8", 0.001, 3500, 300 },
        { "systems/kepler.lag", NULL, "gauss 8", 0.2, 0, 50000 },
    };
    static const char *const text[] = { "systems/double_pendulum.lag", "systems/five_link_pendulum.lag", "systems/pleiades.lag" };
    volatile double out;
    printf("## Steps\n\n| what | method | median | spread of %d | bar | |\n|---|---|---|---|---|---|\n", REPEATS);
    report("calibration: dependent multiply-add", "", measure(calibrate, (void *)&out), "ns", 1, 0);
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        noe_system *s = noe_system_load(run[i].file);
        for (int k = 1; k <= 2 && run[i].start; k++) {
            char q[8];
            snprintf(q, sizeof q, "q%d", k);
            noe_system *next = noe_system_with(s, q, atof(run[i].start));
            noe_system_free(s);
            s = next;
        }
        noe_method *m = noe_method_parse(run[i].method);
        stepping    x = { noe_integrator_new(s, m, run[i].step), run[i].steps };
        char        name[80];
        snprintf(name, sizeof name, "%s%s%s, step %g", run[i].file + 8, run[i].start ? " from " : "",
                 run[i].start ? run[i].start : "", run[i].step);
        report(name, run[i].method, measure(steps, &x), "ns", 1, run[i].bar);
        if (noe_error()) fprintf(stderr, "%s\n", noe_error());
        noe_error_clear();
        noe_integrator_free(x.g);
        noe_method_free(m);
        noe_system_free(s);
    }
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s, text to first step", text[i] + 8);
        report(name, "simpson", measure(text_to_step, (void *)text[i]), "ms", 1e6, 10);
    }
    return 0;
}
