/* monitor G: numbers from outside, a transformation made by hand, orders.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "monitored.h"

/* ---- Kepler's problem, GM = a = 1, period 2 pi, e = 0.9 ---- */

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
        noe_integrator *g = integrator(m, row[i].method, eps * pow(0.1, row[i].power), 15);
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
        noe_integrator *g = integrator(m, "gauss 8", eps * pow(1 - e, 1.5), 15);
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

/* The end of a run lies within a step, which may be half a revolution long and grow a thousandfold
 * in pace: the phase there is as right as at both ends of that step. */
static void test_runs_end_within_wide_steps(void **unused)
{
    (void)unused;
    static const char *const G[] = { "r^2", "r^1.8", "r^2 + 0.001", "r^1.5" };
    static const double      power[] = { 2, 1.8, 2, 1.5 };
    double                   widest = 0;
    int                      looked_at = 0;
    for (int i = 0; i < 120; i++) {
        const int    kind = i % 4, steps = 1 + i % 23;
        const double e = 0.9 + 0.09 * random_number(),
                     h = fictitious_period(e, power[kind]) / (9 + i % 7) * pow(1 - e, power[kind]);
        noe_system     *s = kepler(e), *m = monitored(s, G[kind]);
        noe_integrator *whole = integrator(m, "gauss 12", h, 15),
                       *g = integrator(m, "gauss 12", h, 15);
        double t[2] = { 0 }, wrong[2] = { 0 }, q[2], p[2];
        for (int k = 0; k < steps; k++) {
            if (noe_step(whole)) fail_msg("%s", noe_error());
            t[0] = t[1], wrong[0] = wrong[1];
            t[1] = noe_time(whole);
            wrong[1] = fabs(phase_error(noe_q(whole), noe_p(whole), t[1]));
        }
        const double until = t[0] + (1 + random_number()) / 2 * (t[1] - t[0]);
        for (bool arrived = false; !arrived;)
            if (noe_advance_monitored(g, until, &arrived)) fail_msg("%s", noe_error());
        noe_integrator *at = noe_fractional_step_mark(g) ? NULL : noe_fractional_step_at(g, until);
        if (!at) fail_msg("e = %g, %s: %s", e, G[kind], noe_error());
        memcpy(q, noe_q(at), sizeof q), memcpy(p, noe_p(at), sizeof p);
        if (wrong[0] + wrong[1] < 1e-4) { /* else the steps are too long for the orbit */
            small(phase_error(q, p, until), 1, 20 * (wrong[0] + wrong[1]) + 1e-11, G[kind]);
            widest = fmax(widest, t[1] - t[0]), looked_at++;
        }
        noe_integrator_free(g), noe_integrator_free(whole);
        noe_system_free(m), noe_system_free(s);
    }
    printf("steps of up to %.2g periods\n", widest / (2 * M_PI));
    assert_true(widest > 2 && looked_at > 100);
}

/* ---- the transformation made by hand, in the language ---- */

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
        noe_integrator *g = integrator(m, methods[i], h, 33),
                       *plain = integrator(s, methods[i], h, 33);
        quad E, q[2], p[2], v[2], w[2], z[8], G;
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
        noe_integrator *reader = integrator(with, methods[i], h, 33);
        noe_column      column;
        assert_true(noe_column_name_find(with, "G", &column));
        G = noe_column_value(reader, &column);
        noe_system     *hand = by_hand(&c, E, q, p);
        noe_integrator *f = integrator(hand, methods[i], h / G, 33);
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
        noe_integrator *fine = integrator(s, "gauss 8", (quad)1 / 100, 15);
        if (noe_run(fine, 3, NULL, NULL)) fail_msg("%s", noe_error());
        for (int j = 0; j < 2; j++) z[3][j] = noe_q(fine)[j], z[3][2 + j] = noe_p(fine)[j];
        for (int k = 0; k < 3; k++) {
            noe_integrator *g = integrator(m, row[i].method, row[i].h / (1 << k), 15);
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

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_a_second_computation),
        cmocka_unit_test(test_the_energy_is_known_to_the_last_digit),
        cmocka_unit_test(test_runs_end_within_wide_steps),
        cmocka_unit_test(test_equals_the_transformation_by_hand),
        cmocka_unit_test(test_orders_at_output_times),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g of it\n", tightest);
    return failed;
}
