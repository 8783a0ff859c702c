/* What a step can jump over: pulses, kinks and jumps of t, walls and kinks of x.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * |q(T) - true| <= 10 tolerance scale, or refused. The true motion x'' = f(t, x, v) is that of
 * Dormand's and Prince's method in long double, whose steps are told where things happen: no
 * step is longer than the scale of what is near, and none passes a place where f bends or jumps. */
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

/* ---- the kinds ---- */

static void say(problem *p, const char *lines, const char *start)
{
    snprintf(p->text, sizeof p->text,
             "parameter a = %.21Lg, b = %.21Lg, w = %.21Lg\n"
             "coordinate x\nkinetic x'^2/2\n%s\nstart %s\n",
             p->a, p->b, p->w, lines, start);
}

static real pulse(const problem *p, real t, real x, real v)
{
    (void)v;
    return -x + (t < p->b ? 0 : t < p->b + p->w ? p->a : 0);
}
static int pulse_guards(const problem *p, real t, real x, real *g)
{
    return (void)x, g[0] = t - p->b, g[1] = t - p->b - p->w, 2;
}
static void write_pulse(problem *p)
{
    say(p, "on = if(t < b, 0, if(t < b + w, a, 0))\npotential x^2/2\nforce x = on", "x = 1");
}

static real bell(const problem *p, real t, real x, real v)
{
    (void)v;
    return -x + p->a * expl(-(t - p->b) * (t - p->b) / (p->w * p->w));
}
static real near_time(const problem *p, real t, real x, real v)
{
    return (void)x, (void)v, fmaxl(p->w / 8, fabsl(t - p->b) / 8);
}
static void write_bell(problem *p)
{
    say(p, "potential x^2/2\nforce x = a*exp(-((t - b)/w)^2)", "x = 1");
}

/* A triangle of width 2 w, by the samples of a file. */
static real spike(const problem *p, real t, real x, real v)
{
    (void)v;
    return -x + p->a * fmaxl(0, 1 - fabsl(t - p->b) / p->w);
}
static int spike_guards(const problem *p, real t, real x, real *g)
{
    return (void)x, g[0] = t - p->b, g[1] = t - p->b - p->w, g[2] = t - p->b + p->w, 3;
}
static void write_spike(problem *p)
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

static real clock_force(const problem *p, real t, real x, real v)
{
    (void)v;
    return -x + fmaxl(t - p->b, 0) * p->w - p->a / 1000 * fabsl(t - p->b / 2) + fminl(t, 2);
}
static int clock_guards(const problem *p, real t, real x, real *g)
{
    return (void)x, g[0] = t - p->b, g[1] = t - p->b / 2, g[2] = t - 2, 3;
}
static void write_clock(problem *p)
{
    say(p,
        "late = max(t - b, 0)\npotential x^2/2\nforce x = w*late - a/1000*abs(t - b/2) + min(t, 2)",
        "x = 1");
}

/* A wall at x = 0.6, thrown back or passed. */
static real wall(const problem *p, real t, real x, real v)
{
    const real u = (x - 0.6L) / p->w;
    return (void)t, (void)v, -x + 2 * p->a * u / p->w * expl(-u * u);
}
static real near_place(const problem *p, real t, real x, real v)
{
    (void)t;
    return fmaxl(p->w, fabsl(x - 0.6L)) / (8 * (fabsl(v) + sqrtl(fabsl(p->a)) + fabsl(x)));
}
static void write_wall(problem *p)
{
    say(p, "potential x^2/2 + a*exp(-((x - 0.6)/w)^2)", "x = -1, x' = 0.5");
}

static real hill(const problem *p, real t, real x, real v)
{
    const real d = (x - 0.6L) / p->w, s = 1 + d * d;
    return (void)t, (void)v, -x + 2 * p->a * d / p->w / (s * s);
}
static void write_hill(problem *p)
{
    say(p, "r = (x - 0.6)/w\npotential x^2/2 + a/(1 + r^2)", "x = -1, x' = 0.5");
}

static real floor_force(const problem *p, real t, real x, real v)
{
    return (void)t, (void)v, -1 - (x < 0 ? x / p->w : 0);
}
static int floor_guards(const problem *p, real t, real x, real *g)
{
    return (void)p, (void)t, g[0] = x, 1;
}
static void write_floor(problem *p) { say(p, "potential x + if(x < 0, x^2/2/w, 0)", "x = 1"); }

static real gap(const problem *p, real t, real x, real v)
{
    const real over = fmaxl(fabsl(x) - p->b / 4, 0);
    return (void)t, (void)v, -copysignl(over, x) / p->w;
}
static int gap_guards(const problem *p, real t, real x, real *g)
{
    return (void)t, g[0] = x - p->b / 4, g[1] = x + p->b / 4, 2;
}
static void write_gap(problem *p)
{
    say(p, "over = max(abs(x) - b/4, 0)\npotential over^2/2/w", "x' = 1");
}

static real steep(const problem *p, real t, real x, real v)
{
    return (void)t, (void)v, -x - tanhl((x - 0.6L) / p->w);
}
static void write_steep(problem *p)
{
    say(p, "force x = -tanh((x - 0.6)/w)\npotential x^2/2", "x = 1");
}

static real step_force(const problem *p, real t, real x, real v)
{
    return (void)t, (void)v, -x - (x < 0.6L ? 0 : p->w);
}
static int step_guards(const problem *p, real t, real x, real *g)
{
    return (void)p, (void)t, g[0] = x - 0.6L, 1;
}
static void write_step(problem *p)
{
    say(p, "force x = if(x < 0.6, 0, -w)\npotential x^2/2", "x = 1");
}

static const kind kinds[KINDS] = {
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

/* ---- the true motion ---- */

/* One step of order 5 (J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19); what
 * order 4 differs by. */
static real advance(const problem *p, real t, real h, const real *y, real *to)
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

static bool crosses(const problem *p, real t, const real *y, real s, const real *z)
{
    real a[GUARDS], b[GUARDS];
    if (!p->is->guards) return false;
    const int n = p->is->guards(p, t, y[0], a);
    p->is->guards(p, s, z[0], b);
    for (int i = 0; i < n; i++)
        if ((a[i] < 0) != (b[i] < 0)) return true;
    return false;
}

static double truth(const problem *p, double *q, double T)
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

/* ---- what --tolerance makes of it ---- */

typedef struct {
    int runs, within, silent, refused, advised;
} tally;

/* The run that was picked: how wrong it is at its end, in units of the tolerance. */
static double wrong(const problem *p, const noe_system *s, const noe_tolerance_choice *k,
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

static void judge(const problem *p, const noe_system *s, const noe_tolerance_choice *k, quad until,
                  tally *all)
{
    const double e = wrong(p, s, k, until);
    printf("  %-18s w = %8.2Lg to %-6g at %g: %s %8.0f steps, %.2g times the tolerance\n",
           p->is->name, p->w, (double)until, p->tolerance, k->method, k->steps, e);
    all->runs++;
    all->within += e <= 10;
    all->silent += !(e <= 100);
}

static void look(const problem *p, tally *all)
{
    noe_system          *s = noe_system_parse(p->text);
    noe_tolerance_choice k;
    quad                 until = (quad)p->T;
    assert_non_null(s);
    const noe_status status = noe_tolerance_pick(s, until, p->tolerance, 15, 1, NULL, &k);
    if (!status) judge(p, s, &k, until, all);
    else {
        if (status != NOE_NOT_CONVERGED) fail_msg("%s\n%s", p->text, noe_error());
        char        end[40] = "";
        const char *advice = strstr(noe_error(), "--until ");
        printf("  %-18s w = %8.2Lg to %-6g at %g: refused after t = %g%s: %s\n", p->is->name, p->w,
               p->T, p->tolerance, k.reached, advice ? "" : ", no advice", noe_error());
        if (advice) assert_int_equal(sscanf(advice, "--until %39[^,]", end), 1);
        noe_error_clear();
        all->refused++;
        if (advice) { /* what is advised is so */
            assert_true(noe_parse_model_value(s->model, "until", end, &until));
            assert_int_equal(noe_tolerance_pick(s, until, p->tolerance, 15, 1, NULL, &k), NOE_OK);
            judge(p, s, &k, until, all);
            all->advised++;
        }
    }
    fflush(stdout);
    noe_error_clear();
    noe_system_free(s);
}

static double part(void) { return (random_number() + 1) / 2; }

static void what_a_step_can_jump_over_is_met_or_refused(void **state)
{
    (void)state;
    const bool all = getenv("NOE_LONG") != NULL;
    const int  each = all ? EACH : 1;
    tally      t = { 0 };
    print_seed();
    for (int i = 0; i < KINDS; i++)
        for (int k = 0; k < each; k++) {
            problem      p = { .is = &kinds[i], .T = 10 };
            const double thinnest = all ? kinds[i].thinnest
                                        : (kinds[i].thinnest + kinds[i].widest) / 2;
            p.w = powl(10, (real)(thinnest + (kinds[i].widest - thinnest) * part()));
            p.a = (real)(0.2 + part()) * (i < 3 ? 1 / p.w : 1);
            p.b = (real)(3 + 5 * part());
            p.tolerance = k % 2 ? 1e-9 : 1e-6;
            if (k == 0) p.w = roundl(p.w * 1e6L) / 1e6L + 1e-6L, p.b = roundl(p.b * 10) / 10;
            kinds[i].write(&p);
            look(&p, &t);
        }
    printf("%d runs: %d within 10 times, %d above 100 times; %d systems refused, %d of them with "
           "advice\n",
           t.runs, t.within, t.silent, t.refused, t.advised);
    assert_int_equal(t.silent, 0);
    assert_true(t.within >= 0.95 * t.runs);
    assert_true(t.refused < KINDS * each / 2);
    assert_true(t.advised >= t.refused / 2);
}

/* Two jumps at a twelfth and an eighth of the run: nodes of 24 steps, and then no matter of
 * order. */
static void jumps_become_nodes(void **state)
{
    (void)state;
    problem p = { .is = &kinds[0], .a = 1, .b = 5, .w = 2.5L, .T = 60, .tolerance = 1e-9 };
    noe_tolerance_choice k;
    write_pulse(&p);
    noe_system *s = noe_system_parse(p.text);
    assert_int_equal(noe_tolerance_pick(s, 60, p.tolerance, 15, 1, NULL, &k), NOE_OK);
    print_message("%s, %.0f steps\n", k.method, k.steps);
    assert_true(k.steps <= 240 && fmod(k.steps, 24) == 0);
    assert_true(wrong(&p, s, &k, 60) <= 10);
    noe_system_free(s);
}

/* A square wave that jumps at each 24th of the run: no run with other steps agrees with its
 * halves. */
static void a_square_wave_becomes_nodes(void **state)
{
    (void)state;
    quad                 x;
    noe_tolerance_choice k;
    noe_system          *s = noe_system_parse(
                 "coordinate x\nkinetic x'^2/2\npotential x^2/2\nforce x = sign(sin(2*pi*t/5))/10\n"
                          "start x = 1\n");
    assert_int_equal(noe_tolerance_pick(s, 60, 1e-8, 15, 1, NULL, &k), NOE_OK);
    double exact = cos(60);
    for (int j = 0; j < 24; j++)
        exact += (j % 2 ? -0.1 : 0.1) * (cos(60 - 2.5 * (j + 1)) - cos(60 - 2.5 * j));
    noe_method     *f = noe_method_parse(k.method);
    noe_integrator *g = noe_integrator_make(s, f, 60 / (quad)k.steps, 15);
    for (double i = 0; i < k.steps; i++) assert_int_equal(noe_step(g), NOE_OK);
    noe_integrator_state_get(g, NOE_AT_Q, &x);
    print_message("%s, %.0f steps, %.2g\n", k.method, k.steps, fabs((double)x - exact));
    assert_true(fabs((double)x - exact) <= 1e-7);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
}

/* Behind x = 1 the motion is slower, or there is none; F does not show it but by the last one. */
static void a_jump_of_the_potential_is_refused(void **state)
{
    (void)state;
    static const char *const step[] = { "if(x < 1, 0, 0.5)", "if(x < 1, 0, 5)", "if(x < 1, 0, -1)",
                                        "sign(x - 1)",       "floor(x)/10",     "(x mod 1)^2" };
    enum { SILENT = 5 }; /* whose F is 0 on both sides */
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        char                 text[200];
        noe_tolerance_choice k;
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\npotential %s\nstart x = 1e-3, x' = 2\n", step[i]);
        noe_system *s = noe_system_parse(text);
        assert_int_equal(noe_tolerance_pick(s, 20, 1e-9, 15, 1, NULL, &k), NOE_NOT_CONVERGED);
        if (i < SILENT) {
            assert_non_null(strstr(noe_error(), "L jumps by "));
            assert_non_null(strstr(noe_error(), " of the state at t = "));
        }
        assert_true(k.reached > 0.16 && k.reached < 0.7);
        noe_error_clear();
        noe_system_free(s);
    }
}

/* A run from x = 0 beside one from a rounding error: that is nothing, though it is all of x
 * there. */
static void a_start_at_0_is_no_matter_of_digits(void **state)
{
    (void)state;
    problem p = { .is = &kinds[7], .a = 1, .b = 3.6L, .w = 0.001756L, .T = 10, .tolerance = 1e-6 };
    noe_tolerance_choice k;
    write_gap(&p);
    noe_system *s = noe_system_parse(p.text);
    assert_int_equal(noe_tolerance_pick(s, 10, p.tolerance, 15, 1, NULL, &k), NOE_OK);
    assert_true(wrong(&p, s, &k, 10) <= 10);
    noe_system_free(s);
}

/* The same in many coordinates, whose sums are not written out: the 50th of a hundred is pushed
 * for a thousandth. */
static void what_hides_in_a_sum_is_met(void **state)
{
    (void)state;
    quad                 q[128];
    noe_tolerance_choice k;
    noe_system          *s = noe_system_parse(
                 "parameter N = 100\ncoordinate x[1..N]\nkinetic sum(i in 1..N) x[i]'^2/2\n"
                          "potential sum(i in 1..N) x[i]^2/2\n"
                          "force x[50] = 5000*exp(-((t - 6.3)/0.001)^2)\nstart x[1] = 1\n");
    assert_non_null(s);
    assert_int_equal(noe_tolerance_pick(s, 10, 1e-6, 15, 1, NULL, &k), NOE_OK);
    noe_method     *f = noe_method_parse(k.method);
    noe_integrator *g = noe_integrator_make(s, f, 10 / (quad)k.steps, 15);
    for (double i = 0; i < k.steps; i++) assert_int_equal(noe_step(g), NOE_OK);
    noe_integrator_state_get(g, NOE_AT_Q, q);
    const double push = 5 * sqrt(acos(-1))
                      * exp(-0.001 * 0.001 / 4); /* x = push sin(t - 6.3), |x| <= push */
    assert_true(fabs((double)q[49] - push * sin(10 - 6.3)) <= 1e-5 * push);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
}

/* A mass of 1 on a spring of 1 as a structure: its load is a pulse, or a jump that no step
 * meets, or one that a node meets. */
static void what_hides_in_a_load_is_met(void **state)
{
    (void)state;
    static const struct {
        const char *load;
        double      tolerance;
        bool        refused;
        double      a, from, to;
    } load[] = {
        { "5*exp(-((t - 6.3)/1e-3)^2)", 1e-9, false, 0, 0, 0 },
        { "if(t < 6.3173, 0, if(t < 6.3174, 1e4, 0))", 1e-9, true, 0, 0, 0 },
        { "if(t < 6.3173, 0, 1)", 1e-4, false, 1, 6.3173, 10 },
        { "if(t < 2.5, 0, if(t < 6, 1, 0))", 1e-10, false, 1, 2.5, 6 },
    };
    const char *dir = getenv("NOE_BUILD_DIR") ? getenv("NOE_BUILD_DIR") : "build";
    char        one[300], text[900];
    snprintf(one, sizeof one, "%s/test_tolerance_events.mtx", dir);
    FILE *f = fopen(one, "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
    assert_int_equal(fclose(f), 0);
    for (size_t i = 0; i < sizeof load / sizeof *load; i++) {
        noe_tolerance_choice k;
        quad                 q[2];
        snprintf(
            text, sizeof text,
            "coordinate u[1..2]\nmass \"%s\"\nstiffness \"%s\"\nforce u[1] = %s\nstart u[1] = 1\n",
            one, one, load[i].load);
        noe_system *s = noe_system_parse(text);
        if (!s) fail_msg("%s", noe_error());
        const noe_status status = noe_tolerance_pick(s, 10, load[i].tolerance, 15, 1, NULL, &k);
        assert_int_equal(status, load[i].refused ? NOE_NOT_CONVERGED : NOE_OK);
        if (load[i].refused)
            assert_true(fabs(k.reached - 6.3173) < 1e-3 && strstr(noe_error(), "at t = 6.317"));
        noe_error_clear();
        if (!load[i].refused) {
            const double w = 1e-3,
                         exact = cos(10)
                               + (load[i].a
                                      ? cos(10 - load[i].to) - cos(10 - load[i].from)
                                      : 5 * w * sqrt(acos(-1)) * exp(-w * w / 4) * sin(10 - 6.3));
            noe_method     *m = noe_method_parse(k.method);
            noe_integrator *g = noe_integrator_make(s, m, 10 / (quad)k.steps, 15);
            for (double j = 0; j < k.steps; j++) assert_int_equal(noe_step(g), NOE_OK);
            noe_integrator_state_get(g, NOE_AT_Q, q);
            print_message("%s: %.0f steps, %.2g\n", load[i].load, k.steps,
                          fabs((double)q[0] - exact));
            assert_true(fabs((double)q[0] - exact) <= 10 * load[i].tolerance);
            noe_integrator_free(g);
            noe_method_free(m);
        }
        noe_system_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jumps_become_nodes),
        cmocka_unit_test(a_square_wave_becomes_nodes),
        cmocka_unit_test(a_jump_of_the_potential_is_refused),
        cmocka_unit_test(a_start_at_0_is_no_matter_of_digits),
        cmocka_unit_test(what_hides_in_a_sum_is_met),
        cmocka_unit_test(what_hides_in_a_load_is_met),
        cmocka_unit_test(what_a_step_can_jump_over_is_met_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
