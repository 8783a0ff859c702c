/* d(columns)/d(parameters, starts) of steps that follow a monitor, against differences at one time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A row is reached by some whole steps and a part of one, whose length is found by Newton's method
 * on the time that it takes; the changed runs make as many whole steps, which end at other times,
 * and a part to the time of the row.  At the end of a step that part has the length 0, and those of
 * the changed runs go forward or back.  Differences are central, in binary128, by 2^-12 to 2^-15,
 * extrapolated three times: their error is O(2^-96) of the ninth derivative and 2^15 units of
 * rounding.  NOE_LONG=1: 400 systems, not 64. */
#include "differences.h"
#include "random_monitored.h"
#include "between/fractional_step.h"

enum { STEPS = 3, FOLLOWED = 8, BY = 5 };

static const char        list[] = "a, b, x, x', p(y)";
static const char *const by[BY] = { "a", "b", "x", "x'", "p(y)" };
static const char *const columns[FOLLOWED] = {
    "x", "y", "p(x)", "p(y)", "x'", "y'", "energy", "o"
};
static const char *const schemes[] = { "simpson",          "gauss 2",    "lobatto 3",
                                       "P3 radau-left 3",  "gauss 4",    "gauss 6",
                                       "midpoint",         "P2 gauss 3", "compose 4 midpoint",
                                       "compose 6 simpson" };
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* The state at time t, from the end of STEPS steps; it belongs to g. */
static noe_integrator *at_time(noe_integrator *g, quad t)
{
    assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
    noe_integrator *y = noe_fractional_step_at(g, t);
    if (!y) fail_msg("%s", noe_error());
    return y;
}

/* The columns at time t with start or parameter `name` changed. */
static void at_time_changed(const noe_system *s, const differenced *x, const char *name, quad from,
                            quad by_much, quad t, quad *to)
{
    noe_system *other = noe_system_with(s, name, (double)(from + by_much));
    if (!other) fail_msg("%s", noe_error());
    noe_integrator *g = after(other, x, 33), *y = at_time(g, t);
    for (int i = 0; i < x->followed; i++) to[i] = value(y, x->column[i]);
    noe_fractional_step_leave(g);
    noe_integrator_free(g);
    noe_system_free(other);
}

/* to [followed] = derivatives at time t. */
static void differences_at_time(const noe_system *s, const differenced *x, const char *name,
                                quad from, quad t, quad *to)
{
    quad up[FOLLOWED_MOST], down[FOLLOWED_MOST], D[CHANGES][FOLLOWED_MOST];
    for (int k = 0; k < CHANGES; k++) {
        const quad by_much = x->by_much / (1 << k);
        at_time_changed(s, x, name, from, by_much, t, up);
        at_time_changed(s, x, name, from, -by_much, t, down);
        for (int i = 0; i < x->followed; i++) D[k][i] = (up[i] - down[i]) / (2 * by_much);
    }
    extrapolate(D, x->followed, to);
}

/* All derivatives of one system by one method, at the end of a step or a part of one behind it. */
static void agree(const noe_system *plain, const char *scheme, quad part, int k)
{
    noe_system *s = noe_system_differentiated(plain, list);
    if (!s) fail_msg("%s", noe_error());
    const quad        h = (quad)1 / 20;
    const differenced x = { scheme, h, STEPS, FOLLOWED, columns, (quad)0x1p-12 };
    noe_integrator   *start = integrator(plain, scheme, h, 33), *g = after(s, &x, 33),
                   *fast = after(s, &x, 15);
    quad now, pace;
    g->engine->get(g->work, NOE_AT_T, 0, &now);
    g->engine->get(g->work, NOE_AT_PACE, 0, &pace);
    const quad      t = part == 0 ? now : (quad)(double)(now + part * pace);
    noe_integrator *y = part == 0 ? g : at_time(g, t), *z = part == 0 ? fast : at_time(fast, t);
    for (int c = k % 2; c < BY; c += 2) {
        quad by_difference[FOLLOWED];
        differences_at_time(plain, &x, by[c], value(start, by[c]), t, by_difference);
        for (int i = 0; i < FOLLOWED; i++) {
            const quad exact = slope(y, columns[i], by[c]), size = 1 + fabsq(exact);
            char       w[99];
            snprintf(w, 99, "%s %s by %s", scheme, columns[i], by[c]);
            small(exact - by_difference[i], size, 5e-27, w);
            snprintf(w, 99, "in double: %s %s by %s", scheme, columns[i], by[c]);
            small(slope(z, columns[i], by[c]) - exact, size, 5e-14, w);
        }
    }
    noe_integrator_free(start);
    noe_integrator_free(g);
    noe_integrator_free(fast);
    noe_system_free(s);
}

static void at_ends_and_between(void **state)
{
    (void)state;
    tightest = 0;
    const int systems = getenv("NOE_LONG") ? 400 : 64;
    for (int k = 0; k < systems; k++) {
        noe_system *s = random_monitored(random_number() < 0, k / 2 % DEPENDENCES, "");
        agree(s, schemes[k % SCHEMES], random_number() < 0 ? (quad)0.4 : 0, k / SCHEMES);
        noe_system_free(s);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* The lengths of steps follow from a density, which is a state of its own; forces and damping. */
static void reversible_monitors(void **state)
{
    static const char *const of[] = { "verlet",  "simpson",   "mclachlan4", "rk4",
                                      "gauss 4", "lobatto 3", "rk4",        "compose 6 simpson" };
    enum { METHODS = sizeof of / sizeof *of };
    (void)state;
    tightest = 0;
    const int systems = getenv("NOE_LONG") ? 400 : 64;
    for (int k = 0; k < systems; k++) {
        const bool  splits = k % METHODS == 0 || k % METHODS == 2;
        noe_system *s = random_monitored(splits || random_number() < 0, k / METHODS % DEPENDENCES,
                                         splits || k % 3
                                             ? " reversible"
                                             : " reversible\nforce x = a*cos(2*t) - b*x*y'\n"
                                               "dissipation c/5*x'^2 + a*x^2*y'^2/8");
        agree(s, of[k % METHODS], random_number() < 0 ? (quad)0.4 : 0, k / METHODS);
        noe_system_free(s);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* q and p of 200 steps are bit for bit those without derivatives. */
static void the_motion_is_the_same(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * SCHEMES; k++) {
        noe_system *s = random_monitored(k % 2, k / 2 % DEPENDENCES, k % 3 ? "" : " reversible"),
                   *with = noe_system_differentiated(s, "a, x, p(y)");
        noe_integrator *plain = integrator(s, schemes[k % SCHEMES], (quad)1 / 50, 15),
                       *g = integrator(with, schemes[k % SCHEMES], (quad)1 / 50, 15);
        for (int i = 0; i < 200; i++) {
            steps(plain, 1), steps(g, 1);
            assert_memory_equal(noe_q(plain), noe_q(g), 2 * sizeof(double));
            assert_memory_equal(noe_p(plain), noe_p(g), 2 * sizeof(double));
            assert_true(noe_time(plain) == noe_time(g));
        }
        noe_integrator_free(plain);
        noe_integrator_free(g);
        noe_system_free(s);
        noe_system_free(with);
    }
}

/* ---- Kepler's problem in closed form ---- */

enum { ORBIT = 4, MOVES = 4 }; /* x, y, p(x), p(y); what is varied */

/* At time t from the perihelion x with the velocity w across, about a mass mu. */
static void orbit(const quad *given, quad t, quad *to)
{
    const quad mu = given[0], x = given[1], w = given[2], a = 1 / (2 / x - w * w / mu),
               e = 1 - x / a, b = a * sqrtq(1 - e * e), rate = sqrtq(mu / (a * a * a));
    quad u = rate * t;
    for (int k = 0; k < 200; k++) u -= (u - e * sinq(u) - rate * t) / (1 - e * cosq(u));
    const quad speed = rate / (1 - e * cosq(u));
    to[0] = a * (cosq(u) - e), to[1] = b * sinq(u);
    to[2] = -a * sinq(u) * speed, to[3] = b * cosq(u) * speed;
}

/* d(orbit)/d(mu, x, w, e); e is the one of the start, as the model has it. */
static void orbit_by(quad e, int which, quad t, quad *to)
{
    quad D[CHANGES][FOLLOWED_MOST], up[ORBIT], down[ORBIT];
    for (int k = 0; k < CHANGES; k++) {
        const quad by_much = (quad)0x1p-24 / (1 << k);
        for (int side = 0; side < 2; side++) {
            const quad d = side ? -by_much : by_much, E = which == 3 ? e + d : e;
            quad       given[3] = { 1, 1 - E, sqrtq((1 + E) / (1 - E)) };
            if (which < 3) given[which] += d;
            orbit(given, t, side ? down : up);
        }
        for (int i = 0; i < ORBIT; i++) D[k][i] = (up[i] - down[i]) / (2 * by_much);
    }
    extrapolate(D, ORBIT, to);
}

/* The largest error of the derivatives at a time, relative to the largest derivative. */
static quad orbit_error(const char *G, int points, int digits, quad t)
{
    static const char *const coordinate[ORBIT] = { "x", "y", "p(x)", "p(y)" };
    static const char *const of[MOVES] = { "mu", "x", "y'", "e" };
    const quad               e = number("0.9");
    char                     text[400];
    quad                     worst = 0;
    snprintf(text, sizeof text,
             "parameter e = 0.9, mu = 1\ncoordinate x, y\nr = sqrt(x^2 + y^2)\n"
             "kinetic (x'^2 + y'^2)/2\npotential -mu/r\nmonitor %s\n"
             "start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\n",
             G);
    /* d tau = dt/r^1.5 takes about 2 pi 1.44 a revolution */
    const quad  h = 9 * powq(1 - e, (quad)1.5) / points;
    noe_system *s = parse(text), *with = noe_system_differentiated(s, "mu, x, y', e");
    if (!with) fail_msg("%s", noe_error());
    noe_integrator *g = integrator(with, "gauss 8", h, digits);
    assert_int_equal(noe_run(g, (double)t, NULL, NULL), NOE_OK);
    noe_integrator *y = at_time(g, t);
    for (int c = 0; c < MOVES; c++) {
        quad exact[FOLLOWED_MOST], size = 0;
        orbit_by(e, c, t, exact);
        for (int i = 0; i < ORBIT; i++) size = fmaxq(size, fabsq(exact[i]));
        for (int i = 0; i < ORBIT; i++)
            worst = fmaxq(worst, fabsq(slope(y, coordinate[i], of[c]) - exact[i]) / size);
    }
    noe_integrator_free(g);
    noe_system_free(with);
    noe_system_free(s);
    return worst;
}

/* Against the closed form: to the order 16 of gauss 8, and to the rounding of a revolution that
 * stretches an error by 1/(1 - e).  `auto` finds r^1.5. */
static void keplers_problem(void **state)
{
    (void)state;
    static const char *const G[] = { "r^1.5", "auto", "r", "r reversible" };
    static const double      bound[] = { 1e-15, 1e-15, 1e-14, 1e-9 };
    tightest = 0;
    for (int k = 0; k < 4; k++) {
        const quad t = number("7.75"), coarse = orbit_error(G[k], 20, 33, t),
                   fine = orbit_error(G[k], 40, 33, t);
        small(coarse, 1, bound[k], G[k]);
        small(fine, coarse, 0x1p-15, G[k]);
        for (int points = 20; points <= 80; points *= 2)
            small(orbit_error(G[k], points, 15, t), 1, 5e-12 + 2 * (double)coarse, G[k]);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* A run that goes on from the memory of another has the bits of its derivatives. */
static void restarts(void **state)
{
    (void)state;
    for (int k = 0; k < DEPENDENCES; k++) {
        noe_system *s = random_monitored(k % 2, k, k % 2 ? "" : " reversible"),
                   *with = noe_system_differentiated(s, list);
        noe_integrator *g = integrator(with, "gauss 4", (quad)1 / 20, 15),
                       *other = integrator(with, "gauss 4", (quad)1 / 20, 15);
        size_t bytes;
        steps(g, 3);
        const void *memory = g->engine->memory(g->work, &bytes);
        assert_true(noe_integrator_start_restore(other, memory, bytes));
        steps(g, 3), steps(other, 3);
        for (int i = 0; i < FOLLOWED; i++)
            for (int c = 0; c < BY; c++)
                assert_true(slope(g, columns[i], by[c]) == slope(other, columns[i], by[c]));
        noe_integrator_free(other);
        noe_integrator_free(g);
        noe_system_free(with);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(at_ends_and_between),
                                        cmocka_unit_test(reversible_monitors),
                                        cmocka_unit_test(the_motion_is_the_same),
                                        cmocka_unit_test(keplers_problem),
                                        cmocka_unit_test(restarts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
