/* Ten kinds of forces that a step can jump over, and the true motions under them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The true motion x'' = f(t, x, v) is that of Dormand's and Prince's method in long double, whose
 * steps are told where things happen: no step is longer than the scale of what is near, and none
 * passes a place where f bends or jumps. */
#ifndef HIDDEN_FORCES_H
#define HIDDEN_FORCES_H

#include "accuracy/tolerance.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;
enum { KINDS = 10, EACH = 4, GUARDS = 4 };

typedef struct kind kind;

typedef struct {
    const kind *is;
    real        a, b, w; /* height, place, width: as the text has them */
    double      T, tolerance;
    char        text[600];
} problem;

struct kind {
    const char *name;
    double      thinnest, widest; /* powers of ten */
    real (*force)(const problem *, real t, real x, real v);
    real (*limit)(const problem *, real t, real x, real v); /* the longest step there; NULL */
    /* f is smooth where their signs stay; NULL */
    int (*guards)(const problem *, real t, real x, real *value);
    void (*write)(problem *);
};

static UNUSED void say(problem *p, const char *lines, const char *start)
{
    snprintf(p->text, sizeof p->text,
             "parameter a = %.21Lg, b = %.21Lg, w = %.21Lg\n"
             "coordinate x\nkinetic x'^2/2\n%s\nstart %s\n",
             p->a, p->b, p->w, lines, start);
}

static UNUSED real pulse(const problem *p, real t, real x, real v)
{
    (void)v;
    return -x + (t < p->b ? 0 : t < p->b + p->w ? p->a : 0);
}

static UNUSED int pulse_guards(const problem *p, real t, real x, real *g)
{
    return (void)x, g[0] = t - p->b, g[1] = t - p->b - p->w, 2;
}

static UNUSED void write_pulse(problem *p)
{
    say(p, "on = if(t < b, 0, if(t < b + w, a, 0))\npotential x^2/2\nforce x = on", "x = 1");
}

static UNUSED real bell(const problem *p, real t, real x, real v)
{
    (void)v;
    return -x + p->a * expl(-(t - p->b) * (t - p->b) / (p->w * p->w));
}

static UNUSED real near_time(const problem *p, real t, real x, real v)
{
    return (void)x, (void)v, fmaxl(p->w / 8, fabsl(t - p->b) / 8);
}

static UNUSED void write_bell(problem *p)
{
    say(p, "potential x^2/2\nforce x = a*exp(-((t - b)/w)^2)", "x = 1");
}

/* A triangle of width 2 w, by the samples of a file. */
static UNUSED real spike(const problem *p, real t, real x, real v)
{
    (void)v;
    return -x + p->a * fmaxl(0, 1 - fabsl(t - p->b) / p->w);
}

static UNUSED int spike_guards(const problem *p, real t, real x, real *g)
{
    return (void)x, g[0] = t - p->b, g[1] = t - p->b - p->w, g[2] = t - p->b + p->w, 3;
}

static UNUSED void write_spike(problem *p)
{
    char name[300], line[400];
    snprintf(name, sizeof name, "%s/test_tolerance_events.csv",
             getenv("NOE_BUILD_DIR") ? getenv("NOE_BUILD_DIR") : "build");
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fprintf(f, "-1000, 0\n%.21Lg, 0\n%.21Lg, %.21Lg\n%.21Lg, 0\n1000, 0\n", p->b - p->w, p->b, p->a,
            p->b + p->w);
    assert_int_equal(fclose(f), 0);
    snprintf(line, sizeof line, "potential x^2/2\nforce x = table(\"%s\", t)", name);
    say(p, line, "x = 1");
}

static UNUSED real clock_force(const problem *p, real t, real x, real v)
{
    (void)v;
    return -x + fmaxl(t - p->b, 0) * p->w - p->a / 1000 * fabsl(t - p->b / 2) + fminl(t, 2);
}

static UNUSED int clock_guards(const problem *p, real t, real x, real *g)
{
    return (void)x, g[0] = t - p->b, g[1] = t - p->b / 2, g[2] = t - 2, 3;
}

static UNUSED void write_clock(problem *p)
{
    say(p,
        "late = max(t - b, 0)\npotential x^2/2\nforce x = w*late - a/1000*abs(t - b/2) + min(t, 2)",
        "x = 1");
}

/* A wall at x = 0.6, thrown back or passed. */
static UNUSED real wall(const problem *p, real t, real x, real v)
{
    const real u = (x - 0.6L) / p->w;
    return (void)t, (void)v, -x + 2 * p->a * u / p->w * expl(-u * u);
}

static UNUSED real near_place(const problem *p, real t, real x, real v)
{
    (void)t;
    return fmaxl(p->w, fabsl(x - 0.6L)) / (8 * (fabsl(v) + sqrtl(fabsl(p->a)) + fabsl(x)));
}

static UNUSED void write_wall(problem *p)
{
    say(p, "potential x^2/2 + a*exp(-((x - 0.6)/w)^2)", "x = -1, x' = 0.5");
}

static UNUSED real hill(const problem *p, real t, real x, real v)
{
    const real d = (x - 0.6L) / p->w, s = 1 + d * d;
    return (void)t, (void)v, -x + 2 * p->a * d / p->w / (s * s);
}

static UNUSED void write_hill(problem *p)
{
    say(p, "r = (x - 0.6)/w\npotential x^2/2 + a/(1 + r^2)", "x = -1, x' = 0.5");
}

static UNUSED real floor_force(const problem *p, real t, real x, real v)
{
    return (void)t, (void)v, -1 - (x < 0 ? x / p->w : 0);
}

static UNUSED int floor_guards(const problem *p, real t, real x, real *g)
{
    return (void)p, (void)t, g[0] = x, 1;
}

static UNUSED void write_floor(problem *p)
{
    say(p, "potential x + if(x < 0, x^2/2/w, 0)", "x = 1");
}

static UNUSED real gap(const problem *p, real t, real x, real v)
{
    const real over = fmaxl(fabsl(x) - p->b / 4, 0);
    return (void)t, (void)v, -copysignl(over, x) / p->w;
}

static UNUSED int gap_guards(const problem *p, real t, real x, real *g)
{
    return (void)t, g[0] = x - p->b / 4, g[1] = x + p->b / 4, 2;
}

static UNUSED void write_gap(problem *p)
{
    say(p, "over = max(abs(x) - b/4, 0)\npotential over^2/2/w", "x' = 1");
}

static UNUSED real steep(const problem *p, real t, real x, real v)
{
    return (void)t, (void)v, -x - tanhl((x - 0.6L) / p->w);
}

static UNUSED void write_steep(problem *p)
{
    say(p, "force x = -tanh((x - 0.6)/w)\npotential x^2/2", "x = 1");
}

static UNUSED real step_force(const problem *p, real t, real x, real v)
{
    return (void)t, (void)v, -x - (x < 0.6L ? 0 : p->w);
}

static UNUSED int step_guards(const problem *p, real t, real x, real *g)
{
    return (void)p, (void)t, g[0] = x - 0.6L, 1;
}

static UNUSED void write_step(problem *p)
{
    say(p, "force x = if(x < 0.6, 0, -w)\npotential x^2/2", "x = 1");
}

static UNUSED const kind kinds[KINDS] = {
    { "a pulse of t", -5, -3, pulse, NULL, pulse_guards, write_pulse },
    { "a bell of t", -6, -1.5, bell, near_time, NULL, write_bell },
    { "a spike of samples", -4, -1, spike, NULL, spike_guards, write_spike },
    { "kinks of t", -1, 0, clock_force, NULL, clock_guards, write_clock },
    { "a wall", -6, -1.5, wall, near_place, NULL, write_wall },
    { "a hill", -5, -1.5, hill, near_place, NULL, write_hill },
    { "a floor", -3, 0, floor_force, NULL, floor_guards, write_floor },
    { "a gap", -3, 0, gap, NULL, gap_guards, write_gap },
    { "a steep step", -6, -2, steep, near_place, NULL, write_steep },
    { "a jump", -6, 0, step_force, NULL, step_guards, write_step },
};

/* One step of order 5 (J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19); what
 * order 4 differs by. */
static UNUSED real advance(const problem *p, real t, real h, const real *y, real *to)
{
    static const real c[7] = { 0, 1 / 5.0L, 3 / 10.0L, 4 / 5.0L, 8 / 9.0L, 1, 1 };
    static const real a[7][6] = {
        { 0 },
        { 1 / 5.0L },
        { 3 / 40.0L, 9 / 40.0L },
        { 44 / 45.0L, -56 / 15.0L, 32 / 9.0L },
        { 19372 / 6561.0L, -25360 / 2187.0L, 64448 / 6561.0L, -212 / 729.0L },
        { 9017 / 3168.0L, -355 / 33.0L, 46732 / 5247.0L, 49 / 176.0L, -5103 / 18656.0L },
        { 35 / 384.0L, 0, 500 / 1113.0L, 125 / 192.0L, -2187 / 6784.0L, 11 / 84.0L }
    };
    static const real e[7] = { 71 / 57600.0L,      0,           -71 / 16695.0L, 71 / 1920.0L,
                               -17253 / 339200.0L, 22 / 525.0L, -1 / 40.0L };
    real              k[7][2], off[2] = { 0 };
    for (int i = 0; i < 7; i++) {
        real x = y[0], v = y[1];
        for (int j = 0; j < i; j++) x += h * a[i][j] * k[j][0], v += h * a[i][j] * k[j][1];
        k[i][0] = v, k[i][1] = p->is->force(p, t + c[i] * h, x, v);
        off[0] += h * e[i] * k[i][0], off[1] += h * e[i] * k[i][1];
        if (i == 6) to[0] = x, to[1] = v;
    }
    return fmaxl(fabsl(off[0]), fabsl(off[1]) / (1 + fabsl(k[0][1])));
}

static UNUSED bool crosses(const problem *p, real t, const real *y, real s, const real *z)
{
    real a[GUARDS], b[GUARDS];
    if (!p->is->guards) return false;
    const int n = p->is->guards(p, t, y[0], a);
    p->is->guards(p, s, z[0], b);
    for (int i = 0; i < n; i++)
        if ((a[i] < 0) != (b[i] < 0)) return true;
    return false;
}

static UNUSED double truth(const problem *p, double *q, double T)
{
    const real least = 1e-17L;
    real       t = 0, h = 1e-3L, y[2], z[2];
    double     size;
    y[0] = (real)q[0], y[1] = (real)q[1];
    size = (double)fabsl(y[0]);
    while (t < T) {
        h = fminl(h, T - t);
        if (p->is->limit) h = fminl(h, p->is->limit(p, t, y[0], y[1]));
        const real error = advance(p, t, h, y, z),
                   good = error > 0 ? powl(1e-17L / error, 0.2L) : 4;
        if (h > least && (good < 0.8L || crosses(p, t, y, t + h, z))) {
            h *= good < 0.8L ? fmaxl(0.2L, 0.9L * good) : 0.5L;
            continue;
        }
        t = T - t - h <= 0 ? (real)T : t + h;
        y[0] = z[0], y[1] = z[1];
        size = fmax(size, (double)fabsl(y[0]));
        h = fmaxl(h * fminl(4, fmaxl(1, 0.9L * good)), 4 * least);
    }
    q[0] = (double)y[0];
    return size;
}

/* The run that was picked: how wrong it is at its end, in units of the tolerance. */
static UNUSED double wrong(const problem *p, const noe_system *s, const noe_tolerance_choice *k,
                           quad until)
{
    double          q[2] = { (double)s->model->begin[0].q, (double)s->model->begin[0].v };
    const double    size = truth(p, q, (double)until);
    noe_method     *f = noe_method_parse(k->method);
    noe_integrator *g = noe_integrator_make(s, f, until / (quad)k->steps, 15);
    quad            x = 0;
    for (double i = 0; i < k->steps; i++) assert_int_equal(noe_step(g), NOE_OK);
    noe_integrator_state_get(g, NOE_AT_Q, &x);
    noe_integrator_free(g);
    noe_method_free(f);
    return fabs((double)x - q[0]) / size / p->tolerance;
}

#endif
