/* Random systems with random event functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same events as changes of sign in a run in binary128 with a thousandth of the step, whose
 * method is another.  NOE_LONG=1: thirty systems. */
#include "event/event_step.h"
#include "laws.h"

enum { EVENTS = 3, MOST = 400, DENSE = 1000, SYSTEMS = 3, STEPS = 160, NEAR = 20 };

static const double TOUCHING = 1e-5; /* of the function: a contact, which may be two crossings */

typedef struct {
    int    count[EVENTS];
    double t[EVENTS][MOST];
    double slope[EVENTS][MOST]; /* of the function there, a unit of time */
    bool   doubtful[EVENTS];    /* a near contact: the number is not certain */
} times;

static int remember(void *ctx, noe_integrator *at, int event)
{
    times *r = ctx;
    if (r->count[event] < MOST) r->t[event][r->count[event]++] = noe_time(at);
    return 0;
}

static double positive(void) { return 0.6 + 0.4 * random_number(); }

/* A function of the state of a few kinds. */
static void function(char *to, size_t room)
{
    const double a = random_number(), b = random_number(), c = random_number();
    switch (bits() % 7) {
    case 0: snprintf(to, room, "%.6f*x + %.6f*y = %.6f", a, b, c / 5); break;
    case 1: snprintf(to, room, "%.6f*x' + %.6f*y' = %.6f", a, b, c / 5); break;
    case 2: snprintf(to, room, "x*y' - y*x' = %.6f", c / 20); break;
    case 3: snprintf(to, room, "sin(%.6f*x) = %.6f*y + %.6f", 9 * a, b, c / 5); break;
    case 4: snprintf(to, room, "p(x) = %.6f*sin(%.6f*t) + %.6f", a, 3 * b, c / 10); break;
    case 5: snprintf(to, room, "x^2 + y^2 = %.6f", 0.15 + 0.1 * c); break;
    default: snprintf(to, room, "p(x)*p(y) = %.6f", c / 20);
    }
}

static noe_system *random_system(char text[1200])
{
    char f[EVENTS][160];
    for (int k = 0; k < EVENTS; k++) function(f[k], sizeof f[k]);
    snprintf(text, 1200,
             "coordinate x, y\nkinetic (1 + x^2/4)*x'^2/2 + %.6f*y'^2 + %.6f*x'*y'\n"
             "potential %.6f*x^2 + %.6f*y^2 + %.6f*x^2*y + x^4 + y^4\n"
             "start x = %.6f, y = %.6f, x' = %.6f, y' = %.6f\n"

             "event a: %s\nevent b: %s\nevent c: %s\n",
             positive(), random_number() / 4, 2 * positive(), 2 * positive(), random_number(),
             random_number() / 2, random_number() / 2, random_number() / 2, random_number() / 2,
             f[0], f[1], f[2]);
    return parse(text);
}

static void found(const noe_system *s, const char *name, double h, double until, times *r)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_make(s, m, h, 15);
    memset(r, 0, sizeof *r);
    assert_false(noe_event_step_attach(g));
    g->events->watcher = remember, g->events->ctx = r;
    if (noe_run(g, until, NULL, NULL)) fail_msg("%s", noe_error());
    noe_method_free(m);
    noe_integrator_free(g);
}

/* The position of the root among the last four samples f, in steps behind the last one: inverse
 * interpolation of the third degree. */
static quad root_behind(const quad f[4])
{
    quad at = 0;
    for (int i = 0; i < 4; i++) {
        quad weight = -i;
        for (int j = 0; j < 4; j++)
            if (j != i) weight *= f[j] / (f[j] - f[i]);
        at += weight;
    }
    return at;
}

/* The changes of sign on a dense grid, in binary128; the functions of the events are evaluated
 * where the integrator stands, nothing is searched.  f[0] is the last value, f[3] the third before
 * it. */
static void sampled(const noe_system *s, double h, double until, times *r)
{
    noe_method      *m = method("gauss 2");
    noe_integrator  *g = noe_integrator_make(s, m, h / DENSE, 33);
    noe_event_state *x = NULL;
    quad             values[EVENTS][4] = { { 0 } };
    const double     dt = h / DENSE;
    memset(r, 0, sizeof *r);
    assert_false(noe_integrator_start_ready(g));
    x = noe_event_state_new(g);
    for (int k = 0; k < (int)rint(until / dt) + 1; k++) {
        const double t = noe_time(g);
        for (int e = 0; e < EVENTS; e++) {
            quad *f = values[e];
            memmove(f + 1, f, 3 * sizeof *f);
            f[0] = noe_event_state_value(x, g, e);
            if (k && (f[1] > 0) != (f[0] > 0) && r->count[e] < MOST) {
                const double at = t + dt * (double)root_behind(f);
                const int    n = r->count[e]++;
                if (k < 3 || at > until - dt) r->doubtful[e] = true;
                if (n && at - r->t[e][n - 1] < NEAR * dt) r->doubtful[e] = true;
                r->t[e][n] = at;
                r->slope[e][n] = (double)fabsq(f[0] - f[1]) / dt;
            }
            const bool extremum = k > 1 && (f[0] - f[1]) * (f[1] - f[2]) <= 0;
            if (extremum && fabsq(f[1]) < TOUCHING) r->doubtful[e] = true;
        }
        assert_false(noe_smooth_step(g));
    }
    noe_event_memory_free(x);
    noe_method_free(m);
    noe_integrator_free(g);
}

static void test_random_events(void **unused)
{
    (void)unused;
    /* The error of the function at the end of 160 steps of 0.05: the largest of 262 events each was
     * 5e-13, 4e-15, 1e-13, 2.5e-13, 3.8e-9. */
    static const struct {
        const char *method;
        double      bound;
    } of[] = { { "gauss 4", 1e-11 },
               { "gauss 6", 1e-13 },
               { "lobatto 4", 3e-12 },
               { "P4 gauss 6", 5e-12 },
               { "compose 6 simpson", 1e-7 } };
    const int    systems = getenv("NOE_LONG") ? 10 * SYSTEMS : SYSTEMS;
    const double h = 0.05, until = STEPS * h;
    int          compared = 0, events = 0;
    for (int i = 0; i < systems; i++) {
        char        text[1200];
        noe_system *s = random_system(text);
        times       exact, r;
        sampled(s, h, until, &exact);
        for (int j = 0; j < 5; j++) {
            found(s, of[j].method, h, until, &r);
            for (int e = 0; e < EVENTS; e++) {
                if (exact.doubtful[e]) continue;
                compared++;
                if (r.count[e] != exact.count[e])
                    fail_msg("%s, event %d of\n%s: %d events, %d by sampling", of[j].method, e,
                             text, r.count[e], exact.count[e]);
                for (int k = 0; k < r.count[e]; k++, events++)
                    if (!(fabs(r.t[e][k] - exact.t[e][k]) * exact.slope[e][k] < of[j].bound))
                        fail_msg("%s, event %d of\n%s: at %.17g, by sampling %.17g", of[j].method,
                                 e, text, r.t[e][k], exact.t[e][k]);
            }
        }
        noe_system_free(s);
    }
    printf("%d functions compared, %d events\n", compared, events);
    assert_true(compared > systems * 5);
    assert_true(events > 0);
}

/* The events of half the step are the same ones, nearer to the truth by the order.  The order is
 * that of the largest difference among all events of a system, if these are at least ten: of a few
 * the leading term may happen to vanish. */
static void test_half_the_step(void **unused)
{
    (void)unused;
    for (int judged = 0, tried = 0; judged < SYSTEMS; tried++) {
        char        text[1200];
        noe_system *s = random_system(text);
        times       one, half, quarter;
        double      first = 0, second = 0;
        int         compared = 0;
        found(s, "simpson", 0.04, 6.4, &one);
        found(s, "simpson", 0.02, 6.4, &half);
        found(s, "simpson", 0.01, 6.4, &quarter);
        for (int e = 0; e < EVENTS; e++) {
            bool simple = one.count[e] == half.count[e] && half.count[e] == quarter.count[e];
            for (int k = 1; k < one.count[e]; k++)
                if (one.t[e][k] - one.t[e][k - 1] < 0.1) simple = false;
            for (int k = 0; k < one.count[e] && simple; k++, compared++) {
                first = fmax(first, fabs(one.t[e][k] - half.t[e][k]));
                second = fmax(second, fabs(half.t[e][k] - quarter.t[e][k]));
            }
        }
        if (compared >= 10) {
            judged++;
            if (!(first / second > 11 && first / second < 23))
                fail_msg("events of\n%s: differences %.3g and %.3g", text, first, second);
        }
        noe_system_free(s);
        assert_true(tried < 20 * SYSTEMS);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random_events),
                                        cmocka_unit_test(test_half_the_step) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
