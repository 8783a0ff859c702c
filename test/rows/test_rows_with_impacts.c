/* Rows at output times between impacts: closed forms, bits of the run, each event told once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_step.h"
#include "laws.h"
#include "between/fractional_step.h"
#include "rows/timed_rows.h"

enum { MOST = 400, EVENTS = 4000 };

static double uniform(void) { return (1 + random_number()) / 2; }

typedef struct {
    int    events, rows;
    quad   event[EVENTS], last; /* times of events; of the row or event before */
    double t[MOST], q[MOST], v[MOST], H[MOST];
} record;

static int see(void *ctx, noe_integrator *at, int event)
{
    record *r = ctx;
    (void)event;
    noe_integrator_state_get(at, NOE_AT_T, &r->event[r->events]);
    assert_true(r->event[r->events] >= r->last);
    r->last = r->event[r->events++];
    return 0;
}

static noe_status row(void *ctx, noe_integrator *at)
{
    record *r = ctx;
    quad    t;
    noe_integrator_state_get(at, NOE_AT_T, &t);
    assert_true(t >= r->last); /* rows and events come in the order of time */
    r->last = t;
    r->t[r->rows] = (double)t, r->q[r->rows] = noe_q(at)[0], r->v[r->rows] = noe_v(at)[0];
    r->H[r->rows++] = noe_get(at, "energy");
    return NOE_OK;
}

static noe_integrator *made(const noe_system *s, const char *name, double h, record *r)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    noe_method_free(m);
    if (!g || noe_integrator_start_ready(g) || noe_event_step_attach(g))
        fail_msg("%s: %s", name, noe_error());
    r->events = r->rows = 0, r->last = 0;
    g->events->watcher = see, g->events->ctx = r;
    return g;
}

/* Times that ascend, some of them in one step, from 0 to `until`. */
static int draw_times(double *t, double until, double h)
{
    int count = 0;
    for (double x = 0; x < until && count + 1 < MOST;
         x += (uniform() < 0.3 ? 3 : 0.4) * h * (0.01 + uniform()))
        t[count++] = x;
    t[count++] = until;
    return count;
}

/* The run with rows at these times; what is left behind the last whole step is a part of a step. */
static noe_integrator *timed(const noe_system *s, const char *name, double h, double *t, int count,
                             record *r)
{
    noe_integrator  *g = made(s, name, h, r);
    noe_output_times times = { .in_double = true };
    quad             left;
    double           until = t[count - 1], steps;
    bool             whole;
    assert_true(noe_output_times_list(&times, t, count));
    noe_timed_rows rows = { .times = times, .row = row, .ctx = r };
    noe_timed_rows_begin(&rows, g);
    if (noe_advance_count_steps(g, until, "until", &steps, &whole)) fail_msg("%s", noe_error());
    for (double k = 0; k < steps; k++) {
        noe_integrator_state_get(g, NOE_AT_T, &left);
        if (noe_fractional_step_mark(g) || noe_step(g) || noe_timed_rows_step(&rows, g, left))
            fail_msg("%s: %s", name, noe_error());
    }
    if (noe_timed_rows_rest(&rows, g, until)) fail_msg("%s: %s", name, noe_error());
    assert_int_equal(r->rows, count);
    for (int i = 0; i < count; i++) assert_true(r->t[i] == t[i]);
    noe_output_times_free(&times);
    if (g->events) g->events->passage = NULL; /* its context, the rows, ends here */
    return g;
}

/* A ball from height 1, with restitution: between impacts a parabola, which every method follows
 * exactly.  A row at the time of an impact would be the state before it. */
static void test_ball(void **unused)
{
    (void)unused;
    static const char *const names[] = { "simpson", "gauss 2", "verlet", "lobatto 3", "rk4" };
    for (int i = 0; i < 10; i++) {
        static record r;
        const double  c = 0.85 + 0.15 * uniform(), h = 0.03 + 0.2 * uniform();
        double        t[MOST];
        quad          impact = sqrtq(2), v = impact;
        char          text[300];
        int           before = 0;
        snprintf(text, sizeof text,
                 "coordinate y\nkinetic y'^2/2\npotential y\nstart y = 1\n"
                 "event floor: y = 0 falling then bounce %.17g\n",
                 c);
        noe_system     *s = parse(text);
        noe_integrator *g = timed(s, names[i % 5], h, t, draw_times(t, 9, h), &r);
        for (int k = 0; k < r.rows; k++) {
            while (t[k] > impact) v *= c, impact += 2 * v, before++;
            const quad since = t[k] - (impact - 2 * v),
                       y = before ? v * since - since * since / 2 : 1 - (quad)t[k] * t[k] / 2;
            small(r.q[k] - y, 1, 1e-14, "height between impacts");
            small(r.v[k] - (before ? v - since : -(quad)t[k]), 1, 1e-14,
                  "velocity between impacts");
            small(r.H[k] - v * v / 2, 1, 1e-14, "energy between impacts");
        }
        assert_true(before >= 3 && r.events == before);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* An oscillator against a wall at 0, |cos t|: rows have the order of the method, 2s. */
static void test_order(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int         order;
    } row_of[] = { { "verlet", 2 }, { "simpson", 4 }, { "gauss 2", 4 }, { "gauss 3", 6 } };
    noe_system *s = parse("coordinate q\nkinetic q'^2/2\npotential q^2/2\nstart q = 1\n"
                          "event wall: q = 0 falling then bounce 1\n");
    double      t[MOST];
    const int   count = draw_times(t, 8, 0.1);
    for (int i = 0; i < 4; i++) {
        double worst[2] = { 0, 0 };
        for (int half = 0; half < 2; half++) {
            static record   r;
            noe_integrator *g = timed(s, row_of[i].name, (i == 3 ? 0.5 : 0.2) / (1 + half), t,
                                      count, &r);
            for (int k = 0; k < count; k++)
                worst[half] = fmax(worst[half], fabs(r.q[k] - fabs(cos(t[k]))));
            noe_integrator_free(g);
        }
        const double order = log2(worst[0] / worst[1]);
        if (fabs(order - row_of[i].order) > 0.4)
            fail_msg("%s: order %.2f of rows between impacts", row_of[i].name, order);
    }
    noe_system_free(s);
}

static noe_system *bowl(void)
{
    char text[400];
    snprintf(text, sizeof text,
             "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential y + x^4/4\n"
             "start x = %.17g, y = 1, x' = 0.4\nevent floor: y = x/4 falling then bounce 0.97\n"
             "event middle: x = 0\n",
             0.3 + uniform() / 4);
    return parse(text);
}

/* The run is bit for bit what it is without rows, and so are its events. */
static void test_bits(void **unused)
{
    (void)unused;
    static const char *const names[] = { "simpson", "gauss 4", "verlet", "rk4" };
    for (int i = 0; i < 4; i++) {
        static record   with, without;
        noe_system     *s = bowl();
        double          t[MOST];
        const double    h = 0.05 + 0.1 * uniform();
        noe_integrator *g = timed(s, names[i], h, t, draw_times(t, 7.3 + uniform(), h), &with),
                       *f = made(s, names[i], h, &without);
        if (noe_run(f, noe_time(g) + h / 4, NULL, NULL)) fail_msg("%s", noe_error());
        assert_true(noe_time(f) == noe_time(g));
        assert_memory_equal(noe_q(f), noe_q(g), 2 * sizeof(double));
        assert_memory_equal(noe_p(f), noe_p(g), 2 * sizeof(double));
        assert_true(without.events > 4);
        /* The rest of the last step has its events, too, and a run that goes on does not tell them
         * again. */
        if (noe_run(g, 12, NULL, NULL) || noe_run(f, 12, NULL, NULL)) fail_msg("%s", noe_error());
        assert_int_equal(with.events, without.events);
        assert_memory_equal(with.event, without.event, (size_t)with.events * sizeof *with.event);
        assert_memory_equal(noe_p(f), noe_p(g), 2 * sizeof(double));
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(s);
    }
}

/* noe_at within the next step goes over its impacts, as the rows at these times do; the run and
 * its events are what they are without it. */
static void test_at(void **unused)
{
    (void)unused;
    static const char *const names[] = { "simpson", "gauss 4", "verlet", "rk4", "lobatto 3" };
    for (int i = 0; i < 10; i++) {
        static record   rows, with, without;
        noe_system     *s = bowl();
        double          t[MOST];
        const double    h = 0.05 + 0.1 * uniform();
        const int       count = draw_times(t, 9 + uniform(), h);
        const char     *name = names[i % 5];
        noe_integrator *r = timed(s, name, h, t, count, &rows), *g = made(s, name, h, &with),
                       *f = made(s, name, h, &without);
        for (int k = 0; k < count; k++) {
            double q[2], p[2];
            while (t[k] > noe_time(g) + h) {
                assert_int_equal(noe_step(g), NOE_OK);
                assert_int_equal(noe_step(f), NOE_OK);
                assert_memory_equal(noe_q(f), noe_q(g), 2 * sizeof(double));
                assert_memory_equal(noe_p(f), noe_p(g), 2 * sizeof(double));
            }
            if (noe_at(g, t[k], q, p)) fail_msg("%s: %s", name, noe_error());
            small(q[0] - rows.q[k], 1, 64 * 0x1p-53, "position at a time");
            small(p[0] - rows.v[k], 1, 64 * 0x1p-53, "momentum at a time");
            small(q[1] < q[0] / 4 ? q[1] - q[0] / 4 : 0, 1, 16 * 0x1p-53, "above the floor");
        }
        assert_int_equal(with.events, without.events);
        assert_memory_equal(with.event, without.event, (size_t)with.events * sizeof *with.event);
        assert_true(with.events > 4);
        for (int k = 0; k < s->model->events; k++)
            assert_true(g->events->tally[k].count == f->events->tally[k].count);
        noe_integrator_free(r), noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(s);
    }
}

/* A part of a step is made and taken back, at random times in it: no event twice, none lost. */
static void test_parts(void **unused)
{
    (void)unused;
    for (int i = 0; i < 6; i++) {
        static record   one, many;
        noe_system     *s = bowl();
        noe_integrator *g = made(s, "gauss 3", 0.2, &one), *f = made(s, "gauss 3", 0.2, &many);
        if (noe_run(g, 20, NULL, NULL)) fail_msg("%s", noe_error());
        while (noe_time(f) < 19.9) {
            double at = noe_time(f);
            while (uniform() < 0.8) {
                at += 0.05 * uniform();
                if (at < noe_time(f) + 0.2 && noe_advance_part(f, at)) fail_msg("%s", noe_error());
            }
            if (noe_step(f)) fail_msg("%s", noe_error());
        }
        assert_int_equal(one.events, many.events);
        assert_true(one.events > 10);
        assert_memory_equal(one.event, many.event, (size_t)one.events * sizeof *one.event);
        assert_memory_equal(noe_p(f), noe_p(g), 2 * sizeof(double));
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(s);
    }
}

/* A stop at an impact is that after it: the run goes on from there as if it had not stopped. */
static void test_stop_at_an_impact(void **unused)
{
    (void)unused;
    noe_system     *s = parse("coordinate y\nkinetic y'^2/2\npotential y\nstart y = 1\n"
                                  "event floor: y = 0 falling then bounce 1/2\n");
    static record   r;
    noe_integrator *g = made(s, "gauss 2", 0.1 + 0.05 * uniform(), &r);
    double          v = sqrt(2), t = sqrt(2);
    g->events->stop_at = 0;
    for (int k = 0; k < 5; k++) {
        assert_int_equal(noe_run(g, 100, NULL, NULL), NOE_STOPPED);
        assert_string_equal(noe_event_name(g), "floor");
        v /= 2;
        small(noe_time(g) - t, 1, 4e-15, "time of a stop at an impact");
        small(noe_v(g)[0] - v, 1, 4e-15, "velocity after it");
        t += 2 * v;
    }
    assert_int_equal(r.events, 5);
    noe_integrator_free(g);
    noe_system_free(s);
}

/* Three balls in a row, the last two touching: the first one hits, the impulse is handed on, and a
 * stop at the contact of the last two stops the run, behind the whole impact.  At the start of the
 * run it would be refused. */
static void test_stop_at_a_contact(void **unused)
{
    (void)unused;
    noe_system     *s = parse("coordinate a, b, c\nkinetic (a'^2 + b'^2 + c'^2)/2\n"
                                  "start a = -1, b = 1, c = 2, a' = 0.75\n"
                                  "event first: b - a = 1 falling then bounce 1\n"
                                  "event second: c - b = 1 falling then bounce 1\n");
    static record   r;
    noe_integrator *g = made(s, "gauss 2", 0.1 + 0.05 * uniform(), &r);
    if (noe_step(g)) fail_msg("%s", noe_error());
    g->events->stop_at = 1;
    assert_int_equal(noe_run(g, 5, NULL, NULL), NOE_STOPPED);
    assert_string_equal(noe_event_name(g), "second");
    assert_int_equal(r.events, 2);
    small(noe_time(g) - 4. / 3, 1, 4e-16, "time of the contact");
    small(noe_v(g)[2] - 0.75, 1, 4e-16, "velocity of the last ball");
    small(hypot(noe_v(g)[0], noe_v(g)[1]), 1, 4e-16, "velocity of the others");
    assert_int_equal(noe_run(g, 5, NULL, NULL), NOE_OK);
    assert_int_equal(r.events, 2);
    noe_integrator_free(g);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_at),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_stop_at_an_impact),
        cmocka_unit_test(test_stop_at_a_contact),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
