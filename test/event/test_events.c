/* Events: times and states against numbers from outside, orders.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And a run that keeps its bits. */
#include "event_record.h"

/* ---- numbers of a second computation ---- */

static const char kepler[] = "coordinate x, y\n"
                             "kinetic (x'^2 + y'^2)/2\n"
                             "potential -1/sqrt(x^2 + y^2)\n"
                             "start x = 1/2, y' = sqrt(3)\n"
                             "event line: y = 3/10*x + 4/10\n";

static void test_numbers_of_a_second_computation(void **unused)
{
    (void)unused;
    /* tau after t = 0.3, and (q, p), at y = 0.3 x + 0.4, in 40 digits by another program. */
    static const struct {
        const char *method, *tau, *z[4];
    } row[] = {
        { "lobatto 1",
          "0.019606313658285930168421205",
          { "0.32240045881464989171007423", "0.49672013764439496751302227",
            "-0.94989936761834224200508408", "1.22267586281369114316616" } },
        { "lobatto 2",
          "0.023425309055784108087964802",
          { "0.31980397818481261914825496", "0.49594119345544378574447649",
            "-0.97042067841336635507374995", "1.2030926461956818402041593" } },
        { "lobatto 3",
          "0.023416749670352919123564163",
          { "0.31979310604632913235105178", "0.49593793181389873970531553",
            "-0.97043966805707212445509451", "1.2031139964671679228640503" } },
        { "gauss 2",
          "0.023414871134238214976635709",
          { "0.31976884858648459074717266", "0.4959306545759453772241518",
            "-0.97052987454837325552773083", "1.2030874474319071242659394" } },
    };
    noe_system *s = parse(kepler);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int wide = 0; wide < 2; wide++) {
            static record   r;
            noe_integrator *g = make(s, row[i].method, (quad)1 / 10, wide ? 33 : 15, &r);
            const double    bound = wide ? 1e-23 : 4 * 0x1p-52;
            assert_non_null(g);
            for (int k = 0; k < 4; k++) assert_int_equal(noe_step(g), NOE_OK);
            assert_int_equal(r.count, 1);
            small(r.exact[0] - (number("0.3") + number(row[i].tau)), 1, bound, "time");
            for (int j = 0; j < 4; j++)
                small((j < 2 ? r.q[0][j] : r.p[0][j - 2]) - (double)number(row[i].z[j]), 1,
                      8 * 0x1p-52, "state");
            noe_integrator_free(g);
        }
    noe_system_free(s);
}

/* ---- orders of event times ---- */

/* Steps that the error falls from, the number of halvings, and the largest error of the times of
 * the events of a run against exact ones. */
static double worst_time(const noe_system *s, const char *name, double h, double until,
                         const double *exact, int count)
{
    static record r;
    double        worst = 0;
    if (!pass(s, name, h, until, &r)) return -1;
    assert_int_equal(r.count, count);
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(r.t[i] - exact[i]));
    return worst;
}

static const struct {
    const char *name;
    int         order, steps; /* steps in 2 pi, coarse */
} ladder[] = { { "lobatto 1", 2, 100 },    { "simpson", 4, 50 }, { "gauss 2", 4, 50 },
               { "lobatto 3", 6, 25 },     { "gauss 3", 6, 25 }, { "verlet", 2, 100 },
               { "yoshida4", 4, 100 },     { "rk4", 4, 100 },    { "rk4-v", 4, 100 },
               { "P4 clenshaw 5", 6, 20 }, { "gauss 4", 8, 12 }, { "compose 6 simpson", 6, 30 } };

/* x'' = -x: x = 0 at pi/2 + k pi. */
static void test_times_of_the_oscillator(void **unused)
{
    (void)unused;
    double exact[6];
    for (int k = 0; k < 6; k++) exact[k] = M_PI / 2 + k * M_PI;
    noe_system *s = parse(
        "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\nevent zero: x = 0\n");
    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
        const double h = 2 * M_PI / ladder[i].steps;
        const double e1 = worst_time(s, ladder[i].name, h, 20, exact, 6),
                     e2 = worst_time(s, ladder[i].name, h / 2, 20, exact, 6);
        if (e1 < 0) continue;
        const double order = log2(e1 / e2);
        if (!(order > ladder[i].order - 0.3 && order < ladder[i].order + 1.7))
            fail_msg("%s: order %.3f of event times, %d expected (%.3g, %.3g)", ladder[i].name,
                     order, ladder[i].order, e1, e2);
    }
    noe_system_free(s);
}

/* The passages through pericentre and apocentre, t = k pi; the angular momentum there. */
static void test_apsides(void **unused)
{
    (void)unused;
    double        exact[6];
    static record r;
    for (int k = 0; k < 6; k++) exact[k] = (k + 1) * M_PI;
    noe_system *s = parse("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n"
                          "start x = 1/2, y' = sqrt(3)\nevent apsis: x*x' + y*y' = 0\n");
    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
        const double h = 2 * M_PI / (8 * ladder[i].steps);
        const double e1 = worst_time(s, ladder[i].name, h, 20, exact, 6),
                     e2 = worst_time(s, ladder[i].name, h / 2, 20, exact, 6);
        const double order = log2(e1 / e2);
        if (!(order > ladder[i].order - 0.6 && order < ladder[i].order + 1.9))
            fail_msg("%s: order %.3f of apsides, %d expected (%.3g, %.3g)", ladder[i].name, order,
                     ladder[i].order, e1, e2);
        assert_true(pass(s, ladder[i].name, h, 20, &r));
        for (int k = 0; k < r.count && strncmp(ladder[i].name, "rk", 2); k++)
            small(r.q[k][0] * r.p[k][1] - r.q[k][1] * r.p[k][0] - sqrt(3) / 2, 1, 40 * 0x1p-53,
                  "angular momentum at apsides");
    }
    noe_system_free(s);
}

/* ---- what is an event ---- */

/* Zeros at grid points, at the start, contacts, two in a step, one event each. */
static void test_each_event_once(void **unused)
{
    (void)unused;
    static const struct {
        const char *event;
        int         count;
        double      t[6];
    } row[] = {
        { "x = 0", 0, { 0 } },            /* at the start only */
        { "x = 1", 1, { 1 } },            /* at a grid point */
        { "x = 3/2 rising", 1, { 1.5 } }, /* x = t, h = 1/4 */
        { "x = 3/2 falling", 0, { 0 } },
        { "(x - 1)*(x - 1.1) = 0", 2, { 1, 1.1 } },
        { "(x - 1.01)*(x - 1.02) = 0", 2, { 1.01, 1.02 } }, /* both inside a step */
        { "(x - 1.01)*(x - 1.02) = 0 rising", 1, { 1.02 } },
        { "(x - 1.3)^2*(x - 9) = 0", 0, { 0 } }, /* a contact */
        { "(x - 1.3)^3 = 0", 1, { 1.3 } },
        { "(x - 1)^2*(x - 9) = 0", 0, { 0 } }, /* a contact at a grid point */
        { "(x - 1)^3*(x - 9) = 0", 1, { 1 } },
        { "(x - 1.1)*(x - 1.11)*(x - 1.2) = 0", 3, { 1.1, 1.11, 1.2 } },
        { "t = 1.7", 1, { 1.7 } },
        { "sin(pi*t) = 0", 2, { 1, 2 } },
        { "energy = 1", 0, { 0 } },
        { "x'*x = 1.2345", 1, { 1.2345 } },
        { "p(x) + t = 2.2", 1, { 1.2 } },
    };
    static record r;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\nstart x' = 1\nevent e: %s\nsuggest step = 0.25\n",
                 row[i].event);
        noe_system *s = parse(text);
        assert_true(pass(s, "simpson", 0.25, 2.5, &r));
        if (r.count != row[i].count) fail_msg("%s: %d events", row[i].event, r.count);
        for (int k = 0; k < r.count; k++)
            small(r.t[k] - row[i].t[k], 1, i == 8 || i == 10 ? 2e-5 : 2e-14, row[i].event);
        /* Backwards. */
        noe_integrator *g = make(s, "simpson", (quad)0.25, 15, &r);
        const double    q = 2.5, v = 1;
        assert_false(noe_start(g, 2.5, &q, &v));
        assert_false(noe_set(g, "step", -0.25));
        r.count = 0;
        assert_false(noe_run(g, 0.125, NULL, NULL));
        const bool one_way = strstr(row[i].event, "ing") != NULL;
        if (!one_way && r.count != row[i].count)
            fail_msg("%s backwards: %d events", row[i].event, r.count);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* A ball thrown up touches the height v^2/2 from below, to rounding: no event.  A height below that
 * by 1e-9 of it is passed twice, seen by the step's polynomial at a distance from its ends. */
static void test_contacts_from_below(void **unused)
{
    (void)unused;
    static const char *const names[] = { "simpson", "gauss 3", "verlet", "lobatto 4" };
    static record            r;
    for (int i = 0; i < 40; i++) {
        char         text[300];
        const double v = 1.5 + random_number() / 2;
        snprintf(text, sizeof text,
                 "coordinate y\nkinetic y'^2/2\npotential y\nstart y' = %.17g\n"
                 "event touch: y = %.17g\nevent near: y = %.17g\n",
                 v, v * v / 2, v * v / 2 * (1 - 1e-9));
        noe_system *s = parse(text);
        assert_true(pass(s, names[i % 4], v / (6.5 + random_number() / 4), 2.5, &r));
        if (!(r.count == 2 && r.event[0] == 1 && r.event[1] == 1))
            fail_msg("%s: %d events of\n%s at %.17g", names[i % 4], r.count, text, r.t[0]);
        noe_system_free(s);
    }
}

/* Events that change nothing leave every bit of the run. */
static void test_run_keeps_its_bits(void **unused)
{
    (void)unused;
    char text[1200];
    snprintf(text, sizeof text,
             "%sevent a: x*y = 0.1\nevent b: x' = y'\nevent c: t = 0.77 rising\n", kepler);
    noe_system *with = parse(text);
    char       *end = strstr(text, "event line");
    *end = 0;
    noe_system   *without = parse(text);
    static record r;
    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
        noe_method     *m = method(ladder[i].name);
        noe_integrator *g = make(with, ladder[i].name, 0.05, 15, &r),
                       *o = noe_integrator_make(without, m, 0.05, 15);
        for (int k = 0; k < 200; k++) {
            assert_int_equal(noe_step(g), NOE_OK);
            assert_int_equal(noe_step(o), NOE_OK);
            assert_memory_equal(noe_q(g), noe_q(o), 2 * sizeof(double));
            assert_memory_equal(noe_p(g), noe_p(o), 2 * sizeof(double));
        }
        assert_true(r.count > 5);
        noe_method_free(m);
        noe_integrator_free(g);
        noe_integrator_free(o);
    }
    noe_system_free(with);
    noe_system_free(without);
}

/* A stop: the state is that at the event, and the run can go on from it; the event is not met
 * again. */
static void test_stop(void **unused)
{
    (void)unused;
    noe_system *s = parse(
        "coordinate x\nkinetic x'^2/2\npotential 1 - cos(x)\nstart x = 0.9, x' = 0.4\n"
        "event zero: x = 0 stop\nevent turn: x' = 0 stop\n");
    noe_method     *m = method("gauss 4");
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    double          t[6];
    for (int i = 0; i < 6; i++) {
        assert_int_equal(noe_run(g, 1000, NULL, NULL), NOE_STOPPED);
        t[i] = noe_time(g);
        assert_int_equal(g->events->stopped, (i + 1) % 2);
        small(i % 2 ? noe_q(g)[0] : noe_v(g)[0], 1, 4e-16, "what is 0 at the event");
    }
    for (int i = 2; i < 6; i++)
        small((t[i] - t[i - 1]) / (t[2] - t[1]) - 1, 1, 1e-11, "quarters of the period");
    noe_method_free(m);
    noe_integrator_free(g);
    noe_system_free(s);
}

static int count_names(void *ctx, const noe_integrator *at)
{
    assert_non_null(noe_event_name(at));
    return ++*(int *)ctx == 7;
}

/* noe_next_event tells the events that a watcher sees, and steps as a run does; a watcher can
 * stop. */
static void test_next_event(void **unused)
{
    (void)unused;
    static record r;
    noe_system   *s = parse("parameter g = 9.81\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                              "potential g*y\nstart y = 1, x' = 0.3\n"
                              "event ground: y = 0 falling then bounce 0.9\n"
                              "event top: y' = 0 falling\n"
                              "event line: x = y\n");
    noe_method   *m = method("gauss 3");
    assert_true(pass(s, "gauss 3", 0.125, 4, &r));
    noe_integrator       *g = noe_integrator_new(s, m, 0.125);
    const noe_integrator *at;
    int                   k = 0;
    for (; (at = noe_next_event(g, 4)); k++) {
        assert_string_equal(noe_event_name(at), s->model->event[r.event[k]].name);
        assert_true(noe_time(at) == r.t[k] && noe_q(at)[1] == r.q[k][1]);
        assert_true(noe_get(at, "event") == r.event[k] + 1);
    }
    assert_null(noe_error());
    assert_int_equal(k, r.count);
    assert_true(noe_time(g) == 4 && k > 10);
    noe_integrator_free(g);
    int seen = 0;
    g = noe_integrator_new(s, m, 0.125);
    assert_int_equal(noe_watch(g, count_names, &seen), NOE_OK);
    assert_int_equal(noe_run(g, 4, NULL, NULL), NOE_STOPPED);
    assert_int_equal(seen, 7);
    assert_true(noe_time(g) == r.t[6]);
    assert_string_equal(noe_event_name(g), s->model->event[r.event[6]].name);
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
}

/* A run that is broken off and restored goes on with the same bits, through events. */
static void test_restart(void **unused)
{
    (void)unused;
    static record r, first, second;
    noe_system   *s = parse("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential y + x^4\n"
                              "start y = 1, x = 0.3\nevent ground: y = 0 then bounce 0.9\n"
                              "event zero: x = 0\nevent line: x' = y'\n");
    static const char *const names[] = { "simpson", "gauss 4", "verlet", "rk4" };
    for (int i = 0; i < 4; i++) {
        noe_integrator *whole = make(s, names[i], 0.1, 15, &r),
                       *half = make(s, names[i], 0.1, 15, &first),
                       *rest = make(s, names[i], 0.1, 15, &second);
        size_t bytes;
        assert_int_equal(noe_run(whole, 8, NULL, NULL), NOE_OK);
        assert_int_equal(noe_run(half, 4, NULL, NULL), NOE_OK);
        const void *memory = half->engine->memory(half->work, &bytes);
        assert_true(noe_integrator_start_restore(rest, memory, bytes));
        assert_int_equal(noe_run(rest, 8, NULL, NULL), NOE_OK);
        assert_memory_equal(noe_q(whole), noe_q(rest), 2 * sizeof(double));
        assert_memory_equal(noe_p(whole), noe_p(rest), 2 * sizeof(double));
        assert_int_equal(r.count, first.count + second.count);
        for (int k = 0; k < second.count; k++) assert_true(r.t[first.count + k] == second.t[k]);
        assert_true(first.count > 2 && second.count > 2);
        noe_integrator_free(whole);
        noe_integrator_free(half);
        noe_integrator_free(rest);
    }
    noe_system_free(s);
}

/* A stop at the start, and a function that is not finite, have messages of their own. */
static void test_refusals(void **unused)
{
    (void)unused;
    static const struct {
        const char *event, *says;
        noe_status  status;
    } row[] = { { "x = 1 stop", "is at its start", NOE_INVALID },
                { "1/(x - 1) = 0", "is not finite at t = 0", NOE_NOT_FINITE },
                { "x*y = 0 then bounce 1", "has no normal", NOE_SINGULAR },
                { "x = 1/2 then x' = 1/y'", "not finite", NOE_NOT_FINITE } };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        static record r;
        char          text[300];
        snprintf(
            text, sizeof text,
            "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nstart x = 1, x' = -1, y = %s\nevent e: %s\n",
            i == 2 ? "0" : "1", row[i].event);
        if (i == 2)
            snprintf(text, sizeof text,
                     "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nstart x = 1, x' = -1\n"
                     "event e: x^3 = 0 then bounce 1\n");
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, "simpson", (quad)1 / 8, 15, &r);
        assert_int_equal(noe_run(g, 3, NULL, NULL), row[i].status);
        if (!strstr(noe_error(), row[i].says)) fail_msg("%s: %s", row[i].event, noe_error());
        noe_error_clear();
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* A function that is 0 in a wide neighbourhood of the start is none that is 0 at every state. */
static void test_zero_near_the_start(void **unused)
{
    (void)unused;
    static record   r;
    noe_system     *s = parse("coordinate x\nkinetic x'^2/2\nstart x = 1, x' = 1\n"
                                  "event e: max(0, x - 7) = 1/4 stop\n"
                                  "event f: max(0, x - 7) = 0\n");
    noe_integrator *g = make(s, "simpson", (quad)1 / 8, 15, &r);
    assert_int_equal(noe_run(g, 100, NULL, NULL), NOE_STOPPED);
    small(noe_time(g) - 6.25, 6.25, 4e-16, "time of the stop");
    noe_integrator_free(g);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_a_second_computation),
        cmocka_unit_test(test_times_of_the_oscillator),
        cmocka_unit_test(test_apsides),
        cmocka_unit_test(test_each_event_once),
        cmocka_unit_test(test_contacts_from_below),
        cmocka_unit_test(test_run_keeps_its_bits),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_next_event),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_zero_near_the_start),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
