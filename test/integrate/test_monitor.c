/* monitor G: numbers from outside, a transformation made by hand, orders, momenta, energy.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/energy_watch.h"
#include "integrate/fractional_step.h"
#include "laws.h"

#define UNIT 0x1p-53

/* An integrator of the system, not started. */
static noe_integrator *made(const noe_system *s, const char *name, quad h, int digits)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_make(s, m, h, digits);
    noe_method_free(m);
    if (!g || noe_integrator_start_ready(g)) fail_msg("%s: %s", name, noe_error());
    return g;
}

static void steps(noe_integrator *g, int count)
{
    for (int k = 0; k < count; k++)
        if (noe_step(g)) fail_msg("%s", noe_error());
}

static noe_system *monitored(const noe_system *s, const char *G)
{
    char text[600];
    snprintf(text, sizeof text, "monitor = %s", G);
    noe_system *more = noe_system_let(s, text);
    if (!more) fail_msg("%s: %s", G, noe_error());
    return more;
}

/* ---- Kepler's problem, GM = a = 1, period 2 pi, e = 0.9 ---- */

static noe_system *kepler(double e)
{
    char text[400];
    snprintf(text, sizeof text,
             "parameter e = %.17g\ncoordinate x, y\nr = sqrt(x^2 + y^2)\n"
             "kinetic (x'^2 + y'^2)/2\npotential -1/r\n"
             "start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\n",
             e);
    return parse(text);
}

/* The integral of dt/r^power over a period, by the trapezoidal rule in the eccentric anomaly. */
static double fictitious_period(double e, double power)
{
    enum { POINTS = 4096 };
    double sum = 0;
    for (int k = 0; k < POINTS; k++)
        sum += pow(1 - e * cos(2 * M_PI * (k + 0.5) / POINTS), 1 - power);
    return 2 * M_PI * sum / POINTS;
}

/* The mean anomaly of (q, p) minus that of the motion at t, between -pi and pi. */
static double phase_error(const double *q, const double *p, double t)
{
    const double r = hypot(q[0], q[1]);
    const double H = (p[0] * p[0] + p[1] * p[1]) / 2 - 1 / r, a = -0.5 / H;
    const double e_cos = 1 - r / a, e_sin = (q[0] * p[0] + q[1] * p[1]) / sqrt(a);
    return remainder(atan2(e_sin, e_cos) - e_sin - t, 2 * M_PI);
}

/* Largest relative energy error at the ends of steps, and the phase error at the last one before
 * 100 periods; published in doc/decisions.md, "Steps that follow a monitor", by a second
 * computation. */
static void test_numbers_of_a_second_computation(void **unused)
{
    (void)unused;
    static const struct {
        const char *method, *G;
        double      power;
        int         count; /* steps a period */
        double      energy, phase;
    } row[] = {
        { "simpson", "r", 1, 50, 1.4e-4, 8.4e-3 },
        { "simpson", "r", 1, 100, 8.2e-6, 4.7e-4 },
        { "simpson", "r", 1, 200, 5.0e-7, 2.9e-5 },
        { "simpson", "r^1.5", 1.5, 50, 7.0e-5, 2.3e-3 },
        { "simpson", "r^1.5", 1.5, 100, 4.4e-6, 1.5e-4 },
        { "simpson", "r^1.5", 1.5, 200, 2.7e-7, 9.2e-6 },
        { "lobatto 3", "r^1.5", 1.5, 100, 2.6e-10, 0 }, /* its phase: 8.3e-9 in 15 and 33 digits */
        { "gauss 3", "r^1.5", 1.5, 100, 2.2e-10, 5.3e-9 },
        { "simpson", "r reversible", 1, 100, 1.6e-4, 1.9e-2 },
        { "simpson", "r reversible", 1, 200, 1.0e-5, 1.2e-3 },
        { "simpson", "r^1.5 reversible", 1.5, 100, 1.7e-5, 1.6e-2 },
        { "simpson", "r^1.5 reversible", 1.5, 200, 1.04e-6, 9.8e-4 },
        { "lobatto 3", "r^1.5 reversible", 1.5, 100, 1.4e-8, 8.8e-6 },
        { "lobatto 3", "r^1.5 reversible", 1.5, 200, 2.1e-10, 1.4e-7 },
    };
    noe_system *s = kepler(0.9);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        noe_system     *m = monitored(s, row[i].G);
        const double    eps = fictitious_period(0.9, row[i].power) / row[i].count;
        noe_integrator *g = made(m, row[i].method, eps * pow(0.1, row[i].power), 15);
        double          worst = 0, q[2], p[2];
        for (bool arrived = false; !arrived;) {
            if (noe_advance_monitored(g, 200 * (quad)M_PI, &arrived)) fail_msg("%s", noe_error());
            worst = fmax(worst, fabs(noe_get(g, "energy") + 0.5) / 0.5);
        }
        if (noe_at(g, 200 * M_PI, q, p)) fail_msg("%s", noe_error());
        const double phase = phase_error(q, p, 200 * M_PI);
        digits(worst, row[i].energy, 0.04, row[i].method);
        if (row[i].phase > 0) digits(fabs(phase), row[i].phase, 0.04, row[i].method);
        noe_integrator_free(g);
        noe_system_free(m);
    }
    noe_system_free(s);
}

/* E to the last digit: the phase of a comet after 100 periods, against that of an orbit with the
 * energy of the state as it is rounded.  A rounding of the kinetic energy at the perihelion in E
 * would make it 2e-11. */
static void test_the_energy_is_known_to_the_last_digit(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        const double    e = 0.985 + 0.005 * random_number();
        noe_system     *s = kepler(e), *m = monitored(s, "r^1.5");
        const double    eps = fictitious_period(e, 1.5) / 24;
        noe_integrator *g = made(m, "gauss 8", eps * pow(1 - e, 1.5), 15);
        const quad      x = noe_q(g)[0], v = noe_p(g)[1], E = v * v / 2 - 1 / x;
        const quad      until = 200 * (quad)M_PI * powq(-2 * E, (quad)-1.5) + (quad)0.3;
        quad            turns = powq(-2 * E, (quad)1.5) * until;
        double          q[2], p[2];
        for (bool arrived = false; !arrived;)
            if (noe_advance_monitored(g, until, &arrived)) fail_msg("%s", noe_error());
        if (noe_at(g, (double)until, q, p)) fail_msg("%s", noe_error());
        turns = remainderq(turns, 2 * (quad)M_PI); /* 100 of them, by M_PI as above */
        small(phase_error(q, p, (double)turns), 1, 5e-12, "phase");
        noe_integrator_free(g);
        noe_system_free(m), noe_system_free(s);
    }
}

/* ---- the transformation made by hand, in the language ---- */

/* A Lagrangian of u = x', w = y' with a moving mass and a magnetic field, with random
 * coefficients. */
typedef struct {
    char L[400], G[160], start[160];
} choice;

static choice random_choice(void)
{
    choice       c;
    const double a = 0.3 * random_number(), b = 0.5 * random_number(), d = 0.3 * random_number();
    snprintf(
        c.L, sizeof c.L,
        "(1 + %.17g*x^2)*u^2/2 + w^2*(1.2 + %.17g*sin(y))/2 + %.17g*u*w*cos(x) + %.17g*(x*w - y*u)"
        " - x^2/2 - 0.7*y^2 - %.17g*x^2*y - x^4/4 - y^4/4",
        fabs(a), b, d / 2, 0.7 + a, d);
    snprintf(c.G, sizeof c.G, "1/(1 + %.17g*x^2 + %.17g*(y - %.17g*x)^2)", 1 + fabs(b), 0.8 + a, d);
    snprintf(c.start, sizeof c.start, "start x = %.17g, y = %.17g, x' = %.17g, y' = %.17g\n",
             0.6 + 0.3 * a, d, b, 0.8 + 0.1 * a);
    return c;
}

static noe_system *as_written(const choice *c)
{
    char text[1200];
    snprintf(text, sizeof text, "coordinate x, y\nu = x'\nw = y'\nlagrangian %s\n%s", c->L,
             c->start);
    return parse(text);
}

/* G (L(q, q'/G) + E), started with momenta, which are those of L. */
static noe_system *by_hand(const choice *c, quad E, const quad *q, const quad *p)
{
    char       text[2000], number[5][64];
    const quad x[5] = { E, q[0], q[1], p[0], p[1] };
    for (int i = 0; i < 5; i++) quadmath_snprintf(number[i], sizeof number[i], "%.36Qe", x[i]);
    snprintf(text, sizeof text,
             "coordinate x, y\nG = %s\nu = x'/G\nw = y'/G\nlagrangian G*(%s + (%s))\n"
             "start x = %s, y = %s, p(x) = %s, p(y) = %s\n",
             c->G, c->L, number[0], number[1], number[2], number[3], number[4]);
    return parse(text);
}

static void test_equals_the_transformation_by_hand(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "simpson", "lobatto 3",  "gauss 2",
                                           "gauss 8", "P4 gauss 6", "compose 6 simpson" };
    for (int i = 0; i < 6; i++) {
        const choice    c = random_choice();
        noe_system     *s = as_written(&c), *m = monitored(s, c.G);
        const quad      h = (quad)1 / 16;
        noe_integrator *g = made(m, methods[i], h, 33), *plain = made(s, methods[i], h, 33);
        quad            E, q[2], p[2], v[2], w[2], z[8], G;
        noe_integrator_state_get(g, NOE_AT_ENERGY, &E);
        noe_integrator_state_get(plain, NOE_AT_ENERGY, z);
        small(E - z[0], fabsq(z[0]) + 1, 40 * QUAD_EPS, "energy at the start");
        noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_P, p);
        noe_integrator_state_get(g, NOE_AT_V, v), noe_integrator_state_get(plain, NOE_AT_V, w);
        noe_integrator_state_get(plain, NOE_AT_P, z);
        for (int j = 0; j < 2; j++) {
            small(v[j] - w[j], fabsq(w[0]) + fabsq(w[1]), 20 * QUAD_EPS, "velocity at the start");
            small(p[j] - z[j], fabsq(z[0]) + fabsq(z[1]), 20 * QUAD_EPS, "momentum at the start");
        }
        char text[300];
        snprintf(text, sizeof text, "observe G = %s", c.G);
        noe_system *with = noe_system_extended(s, text);
        assert_non_null(with);
        noe_integrator *reader = made(with, methods[i], h, 33);
        noe_column      column;
        assert_true(noe_column_name_find(with, "G", &column));
        G = noe_column_value(reader, &column);
        noe_system     *hand = by_hand(&c, E, q, p);
        noe_integrator *f = made(hand, methods[i], h / G, 33);
        steps(g, 20), steps(f, 20);
        noe_integrator_state_get(g, NOE_AT_Q, z), noe_integrator_state_get(f, NOE_AT_Q, z + 2);
        noe_integrator_state_get(g, NOE_AT_P, z + 4), noe_integrator_state_get(f, NOE_AT_P, z + 6);
        for (int j = 0; j < 2; j++) {
            small(z[j] - z[2 + j], 1, 1e-28, "position of the transformation by hand");
            small(z[4 + j] - z[6 + j], 1, 1e-28, "momentum of the transformation by hand");
        }
        noe_integrator *const all[] = { g, plain, reader, f };
        for (int k = 0; k < 4; k++) noe_integrator_free(all[k]);
        noe_system_free(hand), noe_system_free(with), noe_system_free(m), noe_system_free(s);
    }
}

/* ---- orders ---- */

/* (q, p) at time t. */
static void at(noe_integrator *g, quad t, double *z)
{
    for (bool arrived = false; !arrived;)
        if (noe_advance_monitored(g, t, &arrived)) fail_msg("%s", noe_error());
    if (noe_at(g, (double)t, z, z + g->system->dyn.n)) fail_msg("%s", noe_error());
}

static void test_orders_at_output_times(void **unused)
{
    (void)unused;
    static const struct {
        const char *method;
        int         order;
        bool        reversible, driven;
        double      h;
    } row[] = { { "lobatto 1", 2, false, false, 0.02 }, { "simpson", 4, false, false, 0.1 },
                { "lobatto 3", 6, false, false, 0.3 },  { "gauss 2", 4, false, false, 0.1 },
                { "simpson", 4, true, false, 0.1 },     { "simpson", 4, true, true, 0.1 },
                { "gauss 3", 6, true, true, 0.3 },      { "rk4", 4, true, true, 0.05 } };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const choice c = random_choice();
        noe_system  *s = as_written(&c);
        char         G[300];
        double       z[4][4], error[3];
        if (row[i].driven) {
            noe_system *more = noe_system_extended(s, "force x = 0.3*cos(2*t) - 0.1*x'");
            noe_system_free(s), s = more;
        }
        snprintf(G, sizeof G, "%s%s%s", c.G, row[i].driven ? "*(1 + 0.2*sin(t))" : "",
                 row[i].reversible ? " reversible" : "");
        noe_system     *m = monitored(s, G);
        noe_integrator *fine = made(s, "gauss 8", (quad)1 / 100, 15);
        if (noe_run(fine, 3, NULL, NULL)) fail_msg("%s", noe_error());
        for (int j = 0; j < 2; j++) z[3][j] = noe_q(fine)[j], z[3][2 + j] = noe_p(fine)[j];
        for (int k = 0; k < 3; k++) {
            noe_integrator *g = made(m, row[i].method, row[i].h / (1 << k), 15);
            at(g, 3, z[k]);
            error[k] = 0;
            for (int j = 0; j < 4; j++) error[k] = fmax(error[k], fabs(z[k][j] - z[3][j]));
            noe_integrator_free(g);
        }
        const double order = log2(error[1] / error[2]);
        if (!(fabs(order - row[i].order) < 0.8) && error[2] > 1e-12)
            fail_msg("%s, %s: errors %.2e %.2e %.2e, order %.2f instead of %d", row[i].method, G,
                     error[0], error[1], error[2], order, row[i].order);
        noe_integrator_free(fine);
        noe_system_free(m), noe_system_free(s);
    }
}

/* ---- what is preserved, and what is not ---- */

/* Largest relative change of the angular momentum x p(y) - y p(x). */
static double turned(const noe_system *s, const char *G, const char *name, double h, int count)
{
    noe_system     *m = monitored(s, G);
    noe_integrator *g = made(m, name, h, 15);
    double          first = 0, worst = 0;
    for (int k = 0; k <= count; k++) {
        const double *q = noe_q(g), *p = noe_p(g), J = q[0] * p[1] - q[1] * p[0];
        if (k == 0) first = J;
        worst = fmax(worst, fabs(J / first - 1));
        if (k < count) steps(g, 1);
    }
    noe_integrator_free(g);
    noe_system_free(m);
    return worst;
}

static void test_momenta(void **unused)
{
    (void)unused;
    const double e = 0.5 + 0.3 * random_number(), h = 0.002;
    noe_system  *s = kepler(e);
    enum { STEPS = 2000 };
    const double floor = 20 * sqrt(STEPS) * UNIT;
    small(turned(s, "r", "simpson", h, STEPS), 1, floor, "J, monitor r");
    small(turned(s, "r^1.5", "gauss 4", h, STEPS), 1, floor, "J, monitor r^1.5");
    small(turned(s, "r*(1 + 0.3*x/r) reversible", "simpson", h, STEPS), 1, floor, "J, reversible");
    small(turned(s, "r*(1 + 0.3*x/r) reversible", "verlet", h, STEPS), 1, floor, "J, verlet");
    const double broken = turned(s, "r*(1 + 0.3*x/r)", "simpson", 10 * h, STEPS);
    if (!(broken > 1e5 * UNIT && broken < 0.1))
        fail_msg("J, a monitor without symmetry: %g", broken);
    noe_system_free(s);
}

/* Mean energy error of each half of a run, relative to the energy. */
static void halves(const noe_system *s, const char *G, double h, int count, double *mean)
{
    noe_system     *m = monitored(s, G);
    noe_integrator *g = made(m, "simpson", h, 15);
    const double    H0 = noe_get(g, "energy");
    mean[0] = mean[1] = 0;
    for (int k = 0; k < count; k++) {
        steps(g, 1);
        mean[2 * k / count] += (noe_get(g, "energy") - H0) / H0 / (count / 2);
    }
    noe_integrator_free(g);
    noe_system_free(m);
}

/* In a system that is not reversible the transformed Lagrangian has no drift of the energy and the
 * density of steps has one; in a reversible one neither has. */
static void test_energy_over_long_runs(void **unused)
{
    (void)unused;
    enum { STEPS = 40000 };
    static const char text[] = "parameter B = 0.7\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                               "lagrangian B*(x*y' - y*x')/2\n"
                               "potential (x^2 + 1.7*y^2)/2 + 0.3*x^2*y + 0.2*x^3 + (x^4 + y^4)/4\n"
                               "start x = 0.7, y = -0.3, x' = 0.4, y' = 0.6\n";
    static const char G[] = "1/(1 + 4*x^2 + 2*y^2)";
    noe_system *const s = parse(text), *still = noe_system_let(s, "B = 0");
    double            D1[2], D2[2], free[2];
    halves(s, G, 0.03, STEPS, D1);
    halves(s, "1/(1 + 4*x^2 + 2*y^2) reversible", 0.06, STEPS, D2);
    halves(still, "1/(1 + 4*x^2 + 2*y^2) reversible", 0.06, STEPS, free);
    small(D1[0] - D1[1], fabs(D1[0]), 0.05, "change of the mean energy error, transformed");
    small(free[0] - free[1], fabs(free[0]), 1, "the same, reversible");
    digits(D2[1] / D2[0], 3, 0.1, "growth of the drift, of the second half against the first");
    assert_true(fabs(D2[1]) > 100 * fabs(D1[1]));
    noe_system_free(still), noe_system_free(s);
}

/* A fractional step to the end of a step is that step, and one to its beginning is nothing. */
static void test_times_within_a_step(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "simpson", "gauss 8", "compose 6 simpson", "lobatto 3" };
    for (int i = 0; i < 8; i++) {
        const choice c = random_choice();
        noe_system  *s = as_written(&c);
        char         G[200];
        snprintf(G, sizeof G, "%s%s", c.G, i % 2 ? " reversible" : "");
        noe_system     *m = monitored(s, G);
        noe_integrator *g = made(m, methods[i / 2], 0.05, 33);
        quad            t[2], z[2][4];
        steps(g, 7);
        assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
        noe_integrator_state_get(g, NOE_AT_T, &t[0]);
        steps(g, 1);
        noe_integrator_state_get(g, NOE_AT_T, &t[1]);
        noe_integrator_state_get(g, NOE_AT_Q, z[0]),
            noe_integrator_state_get(g, NOE_AT_P, z[0] + 2);
        noe_fractional_step_return(g);
        quad back;
        noe_integrator_state_get(g, NOE_AT_T, &back);
        assert_true(back == t[0]);
        noe_integrator *y = noe_fractional_step_at(g, t[1]);
        if (!y) fail_msg("%s", noe_error());
        noe_integrator_state_get(y, NOE_AT_Q, z[1]),
            noe_integrator_state_get(y, NOE_AT_P, z[1] + 2);
        noe_integrator_state_get(y, NOE_AT_T, &back);
        assert_true(back == t[1]);
        for (int j = 0; j < 4; j++) small(z[0][j] - z[1][j], 1, 1e-29, "the end of a step");
        noe_integrator_free(g);
        noe_system_free(m), noe_system_free(s);
    }
}

/* The memory of a run is all that another one needs to go on with the same bits. */
static void test_goes_on_bit_for_bit(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "simpson", "gauss 8", "verlet" };
    for (int i = 0; i < 5; i++) { /* verlet is the last, reversible */
        noe_system *s = kepler(0.5 + 0.3 * random_number()),
                   *m = monitored(s, i % 2 || i == 4 ? "r^1.5 reversible" : "r^1.5");
        noe_integrator *g = made(m, methods[i / 2], 0.01, 15),
                       *f = made(m, methods[i / 2], 0.01, 15);
        size_t bytes;
        steps(g, 37);
        const void *memory = g->core->memory(g->work, &bytes);
        assert_true(noe_integrator_start_restore(f, memory, bytes));
        steps(g, 50), steps(f, 50);
        assert_memory_equal(noe_q(g), noe_q(f), 2 * sizeof(double));
        assert_memory_equal(noe_p(g), noe_p(f), 2 * sizeof(double));
        assert_true(noe_time(g) == noe_time(f));
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(m), noe_system_free(s);
    }
}

/* ---- what goes wrong ---- */

static void test_refusals(void **unused)
{
    (void)unused;
    noe_system *s = kepler(0.5), *m = monitored(s, "r - 0.7");
    noe_method *f = method("simpson"), *v = method("verlet");
    noe_error_clear();
    noe_integrator *g = noe_integrator_make(m, f, 0.01, 15);
    assert_int_equal(noe_integrator_start_ready(g), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "the monitor is -0.2 at the start"));
    noe_integrator_free(g), noe_system_free(m);
    noe_error_clear();
    /* Where G falls to 0 the time stands still, or a long step passes to where it is negative. */
    for (int i = 1; i < 4; i++) {
        m = monitored(s, i % 2 ? "1 - r/1.2 reversible" : "1 - r/1.2");
        g = noe_integrator_make(m, f, i < 2 ? 0.05 : 0.5, 15);
        noe_status why = noe_integrator_start_ready(g);
        for (int k = 0; k < 100000 && !why; k++) why = noe_step(g);
        assert_int_equal(why, NOE_NOT_FINITE);
        if (!strstr(noe_error(), "must be positive wherever the motion goes"))
            fail_msg("%s", noe_error());
        noe_integrator_free(g), noe_system_free(m);
        noe_error_clear();
    }
    m = monitored(s, "r");
    assert_null(noe_integrator_make(m, v, 0.01, 15));
    assert_non_null(strstr(noe_error(), "whose mass is M/G(q)"));
    noe_error_clear();
    assert_null(noe_integrator_make(m, f, 0.01, 40));
    assert_non_null(strstr(noe_error(), "in 15 or 33 digits"));
    noe_method_free(f), noe_method_free(v);
    noe_system_free(m);
    m = monitored(s, "abs(x) + r");
    assert_non_null(strstr(noe_system_warning(m), "the monitor has a kink"));
    noe_system_free(m), noe_system_free(s);
}

/* A step that is too long for G is coarse. */
static void test_a_step_too_long_for_the_monitor_is_coarse(void **unused)
{
    (void)unused;
    noe_system     *s = kepler(0.9), *m = monitored(s, "r^1.5");
    const double    turn = fictitious_period(0.9, 1.5) * pow(0.1, 1.5);
    noe_integrator *fine = made(m, "simpson", turn / 100, 15),
                   *coarse = made(m, "simpson", turn / 8, 15);
    steps(fine, 200), steps(coarse, 16);
    const noe_local_error a = noe_local_error_of(fine), b = noe_local_error_of(coarse);
    assert_false(a.coarse);
    assert_true(b.coarse);
    assert_true(b.t >= 0 && b.t <= noe_time(coarse));
    noe_integrator_free(fine), noe_integrator_free(coarse);
    noe_system_free(m), noe_system_free(s);
}

/* The error of the energy is that of the fictitious motion divided by G: where G falls to 0 the
 * motion is computed to turn around, smoothly, in a moment of time between two rows.  The run
 * stops, or the energy error tells; a good monitor has neither. */
static void test_a_turn_at_a_zero_of_the_monitor_is_told(void **unused)
{
    (void)unused;
    static const char text[] = "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x' = 1\n";
    static const char *const methods[] = { "lobatto 1", "simpson", "gauss 2", "gauss 8" };
    noe_system *const        s = parse(text);
    for (int i = 0; i < 8; i++) {
        char         G[80];
        const bool   falls = i < 4;
        const double c = 0.5 + 0.2 * random_number();
        snprintf(G, sizeof G, "1 - x/%.17g", falls ? c : 2 + c);
        noe_system     *m = monitored(s, G);
        noe_integrator *g = made(m, methods[i % 4], 0.02, 15);
        bool            arrived = false;
        noe_status      why = NOE_OK;
        while (!arrived && !why) why = noe_advance_monitored(g, 12, &arrived);
        if (why && !strstr(noe_error(), "must be positive wherever the motion goes"))
            fail_msg("%s", noe_error());
        const noe_energy_error e = noe_energy_watch_look(g);
        if (falls != (why || e.large))
            fail_msg("%s, %s: %d, energy error %.2g", methods[i % 4], G, why, e.size);
        /* The mean kinetic energy is 1/4, that of the lost motion (1 - c^2)/2. */
        if (falls && !why && !(e.size > 0.3 * 2 * (1 - c * c)))
            fail_msg("%s, %s: energy error %.2g", methods[i % 4], G, e.size);
        noe_error_clear();
        noe_integrator_free(g), noe_system_free(m);
    }
    noe_system_free(s);
}

/* The measure of the energy error is the mean kinetic energy over time, whatever steps follow. */
static void test_energy_errors_are_relative_to_the_motion_in_time(void **unused)
{
    (void)unused;
    const double e = 0.6 + 0.3 * random_number();
    noe_system  *s = kepler(e), *m = monitored(s, "r^1.5");
    /* By parts of 2 pi, many steps each: <v^2> = 1 (virial), <v> = 0 over whole periods. */
    noe_integrator *g = made(m, "gauss 4", fictitious_period(e, 1.5) / 400 * pow(1 - e, 1.5), 15);
    quad            sd[2], none[2];
    for (bool arrived = false; !arrived;)
        if (noe_advance_monitored(g, 20 * (quad)M_PI, &arrived)) fail_msg("%s", noe_error());
    g->core->guard->spread(g->work, 0, sd, none);
    /* The rectangle rule at the ends of steps, with the mean of G over each. */
    digits((double)(sd[0] * sd[0] + sd[1] * sd[1]), 1, 0.02, "mean square of the velocity");
    noe_integrator_free(g);
    noe_system_free(m), noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_a_second_computation),
        cmocka_unit_test(test_the_energy_is_known_to_the_last_digit),
        cmocka_unit_test(test_equals_the_transformation_by_hand),
        cmocka_unit_test(test_orders_at_output_times),
        cmocka_unit_test(test_momenta),
        cmocka_unit_test(test_energy_over_long_runs),
        cmocka_unit_test(test_times_within_a_step),
        cmocka_unit_test(test_goes_on_bit_for_bit),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_a_step_too_long_for_the_monitor_is_coarse),
        cmocka_unit_test(test_a_turn_at_a_zero_of_the_monitor_is_told),
        cmocka_unit_test(test_energy_errors_are_relative_to_the_motion_in_time),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g of it\n", tightest);
    return failed;
}
