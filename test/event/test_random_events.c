/* Random systems with random event functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same events as changes of sign on a grid 50 times as dense. */
#include "event/event_step.h"
#include "laws.h"

enum { EVENTS = 3, MOST = 400, DENSE = 50, SYSTEMS = 6, STEPS = 160 };

typedef struct {
    int    count[EVENTS];
    double t[EVENTS][MOST];
    bool   doubtful[EVENTS]; /* a near contact: the number is not certain */
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

/* The changes of sign on a dense grid, in binary128, by linear interpolation; the functions of the
 * events are evaluated where the integrator stands, nothing is searched. */
static void sampled(const noe_system *s, double h, double until, times *r)
{
    noe_method      *m = method("gauss 4");
    noe_integrator  *g = noe_integrator_make(s, m, h / DENSE, 33);
    noe_event_state *x = NULL;
    quad             before[EVENTS] = { 0 }, second[EVENTS] = { 0 };
    memset(r, 0, sizeof *r);
    assert_false(noe_integrator_start_ready(g));
    x = noe_event_state_new(g);
    for (int k = 0; k < (int)rint(until / h * DENSE) + 1; k++) {
        const double t = noe_time(g);
        for (int e = 0; e < EVENTS; e++) {
            const quad now = noe_event_state_value(x, g, e);
            if (k && (before[e] > 0) != (now > 0) && r->count[e] < MOST) {
                const double share = (double)(before[e] / (before[e] - now)),
                             at = t - h / DENSE * (1 - share);
                if (r->count[e] && at - r->t[e][r->count[e] - 1] < 3 * h / DENSE)
                    r->doubtful[e] = true;
                if (at > until - h / DENSE || at < h / DENSE) r->doubtful[e] = true;
                r->t[e][r->count[e]++] = at;
            }
            /* An extremum near 0. */
            if (k > 1 && (now - before[e]) * (before[e] - second[e]) <= 0
                && fabsq(before[e]) < 1e-4)
                r->doubtful[e] = true;
            second[e] = before[e], before[e] = now;
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
    static const char *const names[] = { "gauss 4", "gauss 6", "lobatto 4", "P4 gauss 6",
                                         "compose 6 simpson" };
    const double             h = 0.05, until = STEPS * h;
    int                      compared = 0, events = 0;
    for (int i = 0; i < SYSTEMS; i++) {
        char        text[1200];
        noe_system *s = random_system(text);
        times       exact, r;
        sampled(s, h, until, &exact);
        for (int j = 0; j < 5; j++) {
            found(s, names[j], h, until, &r);
            for (int e = 0; e < EVENTS; e++) {
                if (exact.doubtful[e]) continue;
                compared++;
                if (r.count[e] != exact.count[e])
                    fail_msg("%s, event %d of\n%s: %d events, %d by sampling", names[j], e, text,
                             r.count[e], exact.count[e]);
                for (int k = 0; k < r.count[e]; k++, events++)
                    if (!(fabs(r.t[e][k] - exact.t[e][k]) < 0.05 * h))
                        fail_msg("%s, event %d of\n%s: at %.12g, by sampling %.12g", names[j], e,
                                 text, r.t[e][k], exact.t[e][k]);
            }
        }
        noe_system_free(s);
    }
    printf("%d functions compared, %d events\n", compared, events);
    assert_true(compared > SYSTEMS * 5);
    assert_true(events > 20 * SYSTEMS);
}

/* The events of half the step are the same ones, nearer to the truth by the order.  The order is
 * that of the largest difference among all events of a system, if these are at least ten: of a few
 * the leading term may happen to vanish. */
static void test_half_the_step(void **unused)
{
    (void)unused;
    for (int judged = 0, tried = 0; judged < SYSTEMS / 2; tried++) {
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
