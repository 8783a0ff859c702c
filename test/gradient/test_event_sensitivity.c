/* Derivatives beyond events: impacts and assigned velocities, against differences in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Differences as in test_sensitivity.c, of runs over several events; their truncation is that of
 * the sixth derivative, which grows with the number of impacts. */
#include "random_box.h"

#include "event/event_step.h"

enum { STEPS = 12, FOLLOWED = 7, BY = 6, BOX = 2 };

static const char        list[] = "a, e, x, x', p(y), w";
static const char *const by[BY] = { "a", "e", "x", "x'", "p(y)", "w" };
static const char *const columns[FOLLOWED] = { "x", "y", "p(x)", "p(y)", "x'", "y'", "energy" };

/* *events: how many there were. */
static noe_integrator *after(const noe_system *s, const char *name, quad h, int digits, int *events)
{
    noe_integrator *g = integrator(s, name, h, digits);
    assert_int_equal(noe_event_step_attach(g), NOE_OK);
    steps(g, STEPS);
    if (events) *events = (int)(g->events->tally[0].count + g->events->tally[1].count);
    return g;
}

/* The columns of a run with one number changed; false: with other events. */
static bool changed(const noe_system *s, const char *scheme, const char *name, quad from,
                    quad by_much, quad h, int count, quad *to)
{
    int         events;
    noe_system *other = noe_system_with(s, name, (double)(from + by_much));
    if (!other) fail_msg("%s", noe_error());
    noe_integrator *g = after(other, scheme, h, 33, &events);
    for (int i = 0; i < FOLLOWED; i++) to[i] = value(g, columns[i]);
    noe_integrator_free(g);
    noe_system_free(other);
    return events == count;
}

/* Central differences, extrapolated three times; their error is a small part of `off`, by which the
 * last extrapolation changed them: it is large where an event is nearly a touch. */
static bool differences(const noe_system *s, const char *scheme, const char *name, quad from,
                        quad h, int count, quad *to, quad *off)
{
    enum { LEVELS = 4 };
    quad up[FOLLOWED], down[FOLLOWED], D[LEVELS][FOLLOWED];
    for (int k = 0; k < LEVELS; k++) {
        const quad by_much = (quad)0x1p-18 / (1 << k);
        if (!changed(s, scheme, name, from, by_much, h, count, up)
            || !changed(s, scheme, name, from, -by_much, h, count, down))
            return false;
        for (int i = 0; i < FOLLOWED; i++) D[k][i] = (up[i] - down[i]) / (2 * by_much);
    }
    for (int l = 1, four = 4; l < LEVELS; l++, four *= 4)
        for (int k = LEVELS - 1; k >= l; k--)
            for (int i = 0; i < FOLLOWED; i++) D[k][i] += (D[k][i] - D[k - 1][i]) / (four - 1);
    memcpy(to, D[LEVELS - 1], FOLLOWED * sizeof *to);
    for (int i = 0; i < FOLLOWED; i++) off[i] = fabsq(D[LEVELS - 1][i] - D[LEVELS - 2][i]);
    return true;
}

/* All derivatives of one system by one method; the number of events, 0: not compared. */
static int agree(const noe_system *plain, const char *scheme)
{
    noe_system *s = noe_system_differentiated(plain, list);
    if (!s) fail_msg("%s", noe_error());
    int             events, fast_events;
    const quad      h = (quad)1 / 8;
    noe_integrator *start = integrator(plain, scheme, h, 33), *g = after(s, scheme, h, 33, &events),
                   *fast = after(s, scheme, h, 15, &fast_events);
    bool compared = events == fast_events && events > 0;
    for (int c = 0; c < BY && compared; c++) {
        quad by_difference[FOLLOWED], off[FOLLOWED];
        compared = differences(plain, scheme, by[c], value(start, by[c]), h, events, by_difference,
                               off);
        for (int i = 0; i < FOLLOWED && compared; i++) {
            const quad exact = slope(g, columns[i], by[c]), size = 1 + fabsq(exact);
            char       what[99];
            snprintf(what, sizeof what, "%s %s by %s, %d events", scheme, columns[i], by[c],
                     events);
            small(exact - by_difference[i], size, 1e-20 + (double)(off[i] / size) / 16, what);
            small(slope(fast, columns[i], by[c]) - exact, size, 1e-12, what);
        }
    }
    noe_integrator_free(start);
    noe_integrator_free(g);
    noe_integrator_free(fast);
    noe_system_free(s);
    return compared ? events : 0;
}

static void impacts_and_assignments(void **state)
{
    static const char *const of[] = { "simpson",           "gauss 2", "lobatto 3",
                                      "compose 6 simpson", "rk4",     "verlet" };
    int                      compared = 0, events = 0;
    (void)state;
    tightest = 0;
    /* Where an event is touched or missed by one of the differences nothing is compared. */
    for (int k = 0; k < 24 || (k < 96 && compared < 12); k++) {
        const int   method = k % 6, kind = method == 5 ? 2 * (k / 6 % 3) : k % KINDS;
        noe_system *s = random_box(kind);
        const int   some = agree(s, of[method]);
        compared += some > 0, events += some;
        noe_system_free(s);
    }
    print_message("%d systems with %d events; largest error over its bound: %.3g\n", compared,
                  events, tightest);
    assert_true(compared >= 12);
}

/* A force like sqrt(|t|) has no derivative by t at t = 0: a step from an event at that time
 * has no derivatives.  It is not made. */
static void an_infinite_rate_at_an_event(void **state)
{
    static const char *const of[] = { "simpson", "lobatto 4", "compose 6 simpson", "rk4",
                                      "verlet" };
    (void)state;
    for (int k = 0; k < 20; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "parameter a = %.9g\ncoordinate x\nkinetic x'^2/2\n"
                 "potential cos(x) - a*x*sqrt(abs(t))\nstart x = %.9g, x' = %.9g\n"
                 "event far: x = 100 then bounce 1\n",
                 random_number(), random_number(), random_number());
        noe_system *plain = parse(text), *s = noe_system_differentiated(plain, "a, x");
        if (!s) fail_msg("%s", noe_error());
        noe_integrator *g = integrator(s, of[k % 5], (quad)1 / 8, k % 2 ? 33 : 15);
        quad            before[3], after[3];
        const quad      shift[2] = { random_number(), random_number() }, none[2] = { 0, 0 };
        noe_integrator_state_get(g, NOE_AT_T, before);
        noe_integrator_state_get(g, NOE_AT_Q, before + 1);
        noe_integrator_state_get(g, NOE_AT_P, before + 2);
        g->engine->set(g->work, NOE_AT_SHIFT, 0, shift);
        assert_int_equal(noe_step(g), NOE_NOT_FINITE);
        noe_integrator_state_get(g, NOE_AT_T, after);
        noe_integrator_state_get(g, NOE_AT_Q, after + 1);
        noe_integrator_state_get(g, NOE_AT_P, after + 2);
        if (memcmp(before, after, sizeof before)) fail_msg("%s: the state has moved", of[k % 5]);
        g->engine->set(g->work, NOE_AT_SHIFT, 0, none); /* a beginning that stays: it can be made */
        noe_integrator_moved(g);
        if (noe_step(g)) fail_msg("%s: %s", of[k % 5], noe_error());
        noe_integrator_free(g), noe_system_free(s), noe_system_free(plain);
    }
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(impacts_and_assignments),
                                        cmocka_unit_test(an_infinite_rate_at_an_event) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
