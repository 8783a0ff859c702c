/* Events within steps that follow a monitor: closed forms, impacts, each event told once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_step.h"
#include "laws.h"

enum { MOST = 256 };

typedef struct {
    int  count;
    quad t[MOST], energy[MOST];
} record;

static int remember(void *ctx, noe_integrator *at, int event)
{
    record *r = ctx;
    (void)event;
    if (r->count == MOST) return 1;
    noe_integrator_state_get(at, NOE_AT_T, &r->t[r->count]);
    noe_integrator_state_get(at, NOE_AT_ENERGY, &r->energy[r->count++]);
    return 0;
}

static noe_integrator *made(const noe_system *s, const char *name, quad h, int digits, record *r)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_make(s, m, h, digits);
    noe_method_free(m);
    if (!g || noe_integrator_start_ready(g) || noe_event_step_attach(g))
        fail_msg("%s: %s", name, noe_error());
    r->count = 0;
    if (g->events) g->events->watcher = remember, g->events->ctx = r;
    return g;
}

static const char *const forms[] = { "", " reversible" };

/* Kepler's problem, period 2 pi, from its perihelion. */
static noe_system *kepler(double e, const char *more)
{
    char text[500];
    snprintf(text, sizeof text,
             "parameter e = %.17g\ncoordinate x, y\nr = sqrt(x^2 + y^2)\n"
             "kinetic (x'^2 + y'^2)/2\npotential -1/r\n"
             "start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\n%s",
             e, more);
    return parse(text);
}

/* The perihelia are at multiples of the period, and events that change nothing leave all bits. */
static void test_sections(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const double e = 0.5 + 0.35 * random_number() * (i < 2);
        char         text[200];
        snprintf(text, sizeof text, "event apsis: x*x' + y*y' = 0 rising\nmonitor r^1.5%s\n",
                 forms[i % 2]);
        noe_system *s = kepler(e, text);
        snprintf(text, sizeof text, "monitor r^1.5%s\n", forms[i % 2]);
        noe_system     *plain = kepler(e, text);
        const quad      h = 0.05 * pow(1 - e, 1.5);
        record          r, none;
        noe_integrator *g = made(s, "gauss 8", h, 15, &r),
                       *f = made(plain, "gauss 8", h, 15, &none);
        if (noe_run(g, 50, NULL, NULL) || noe_run(f, 50, NULL, NULL)) fail_msg("%s", noe_error());
        assert_int_equal(r.count, 7);
        for (int k = 0; k < 7; k++)
            small(r.t[k] - 2 * (k + 1) * (quad)M_PI, 1, 1e-11, "time of a perihelion");
        assert_true(noe_time(g) == noe_time(f));
        assert_memory_equal(noe_q(g), noe_q(f), 2 * sizeof(double));
        assert_memory_equal(noe_p(g), noe_p(f), 2 * sizeof(double));
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(s), noe_system_free(plain);
    }
}

/* A ball from height H0 under gravity 1. */
static noe_system *ball(double height, double restitution, const char *form)
{
    char text[400];
    snprintf(text, sizeof text,
             "coordinate y\nkinetic y'^2/2\npotential y\nmonitor 1/(1 + (y - %.17g)^2)%s\n"
             "event floor: y = 0 falling then bounce %.17g\nstart y = %.17g\n",
             random_number(), form, restitution, height);
    return parse(text);
}

/* Impact k is at v (1 + 2 (c + .. + c^k)), v = sqrt(2 H0), the energy after it c^(2k) H0.  The
 * impacts accumulate at v (1 + c)/(1 - c), behind the end of the run. */
static void test_impacts(void **unused)
{
    (void)unused;
    for (int i = 0; i < 6; i++) {
        const int    wide = i / 4;
        const double height = 1 + round(512 * random_number()) / 1024,
                     c = i % 4 < 2 ? 1 : 0.93 + 0.05 * random_number();
        noe_system *s = ball(height, c, forms[i % 2]);
        record      r;
        /* The steps of gauss 8 in fictitious time have errors, those of simpson in time none. */
        noe_integrator *g = made(s, i % 2 ? "simpson" : "gauss 8", (quad)1 / 32, wide ? 33 : 15,
                                 &r);
        const quad      v = sqrtq(2 * (quad)height), bound = wide ? i % 2 ? 1e-30 : 1e-14 : 2e-13;
        quad            t = v, step = 2 * v, E = height;
        if (noe_run(g, 12, NULL, NULL)) fail_msg("%s", noe_error());
        assert_true(r.count >= 3);
        for (int k = 0; k < r.count; k++) {
            small(r.t[k] - t, 1, bound, "time of an impact");
            small(r.energy[k] - E, 1, bound, "energy before an impact");
            step *= c, t += step, E *= (quad)c * c;
        }
        noe_integrator_state_get(g, NOE_AT_ENERGY, &step);
        small(step - E, 1, bound, "energy behind the last impact");
        assert_true(t > 12);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* Runs in pieces tell the events of one run, bit for bit, and end in the same state. */
static void test_events_are_told_once(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        noe_system     *s = i < 2 ? ball(1.3, 0.9, forms[i % 2])
                                  : kepler(0.6, i % 2 ? "event a: x = 0.1\nmonitor r reversible\n"
                                                      : "event a: x = 0.1\nmonitor r\n");
        record          one, many;
        noe_integrator *g = made(s, "gauss 4", 0.04, 15, &one),
                       *f = made(s, "gauss 4", 0.04, 15, &many);
        if (noe_run(g, 15, NULL, NULL)) fail_msg("%s", noe_error());
        for (double t = 0; t < 15;) {
            t = fmin(15, t + 0.03 * (1 + random_number()));
            if (noe_run(f, fmax(t, noe_time(f)), NULL, NULL)) fail_msg("%s", noe_error());
        }
        assert_int_equal(one.count, many.count);
        assert_true(one.count > 4);
        for (int k = 0; k < one.count; k++) assert_true(one.t[k] == many.t[k]);
        assert_true(noe_time(g) == noe_time(f));
        assert_memory_equal(noe_q(g), noe_q(f), (size_t)s->dyn.n * sizeof(double));
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(s);
    }
}

/* A run that stops at an event goes on from there; noe_next_event goes from one to the next. */
static void test_stops(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        char         text[400];
        const double u = 0.3 + 0.1 * random_number(), w = 0.8 + 0.1 * random_number();
        const double E = (u * u + w * w) / 2 - 1, a = -1 / (2 * E),
                     far = a * (1 + sqrt(1 + 2 * E * w * w)), period = 2 * M_PI * pow(a, 1.5);
        snprintf(text, sizeof text,
                 "coordinate x, y\nr = sqrt(x^2 + y^2)\nkinetic (x'^2 + y'^2)/2\n"
                 "potential -1/r\nstart x = 1, x' = %.17g, y' = %.17g\n"
                 "event far: x*x' + y*y' = 0 falling stop\nmonitor r%s\n",
                 u, w, forms[i]);
        noe_system     *s = parse(text);
        record          r;
        noe_integrator *g = made(s, "gauss 8", 0.1, 15, &r), *f = made(s, "gauss 8", 0.1, 15, &r);
        double          last = 0;
        for (int k = 0; k < 4; k++) {
            if (noe_run(g, 50, NULL, NULL) != NOE_STOPPED) fail_msg("%s", noe_error());
            small(hypot(noe_q(g)[0], noe_q(g)[1]) - far, far, 1e-12, "distance of the apocentre");
            if (k) small(noe_time(g) - last - period, period, 1e-12, "time between apocentres");
            small(noe_get(g, "energy") - E, 1, 1e-12, "energy at the apocentre");
            last = noe_time(g);
            if (k) continue;
            noe_error_clear();
            const noe_integrator *at = noe_next_event(f, 50);
            if (!at) fail_msg("%s", noe_error());
            assert_true(noe_time(at) == last);
        }
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_impacts),
        cmocka_unit_test(test_events_are_told_once),
        cmocka_unit_test(test_stops),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g of it\n", tightest);
    return failed;
}
