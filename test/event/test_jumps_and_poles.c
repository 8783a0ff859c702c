/* Events where g jumps, has poles or is 0 for some time, on a straight motion: all known.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event_record.h"

/* Where events are, for x that grows: `first` + k `every`, all k, or that one alone. */
static const struct {
    const char *g;
    double      first, every;
} row[] = {
    { "1/(x - 0.5236) = 0", 99, 0 },                             /* a pole alone */
    { "1/(x - 0.13) = 5", 0.33, 0 },                             /* and a zero */
    { "tan(3*x) = 0", 0, M_PI / 3 },                             /* poles between zeros */
    { "atan2(sin(x), cos(x)) = 0", 0, M_PI },                    /* zeros, and the cut */
    { "atan2(sin(x), cos(x)) = 0 falling", M_PI, 2 * M_PI },     /* the cut */
    { "x mod 1 = 0.5", 0, 0.5 },                                 /* zeros and jumps */
    { "x mod 1 = 0.5 falling", 0, 1 },                           /* jumps */
    { "floor(x) = 0.5", 1, 0 },                                  /* a jump over 0 */
    { "sign(x - 0.25) = 0", 0.25, 0 },                           /* 0 at one point */
    { "floor(2*x) = 0", 0, 0 },                                  /* -1, 0 until 1/2, 1 */
    { "floor(2*x) = 0 falling", 99, 0 },                         /* it does not fall */
    { "-floor(-2*x) = 0", -0.5, 0 },                             /* 0 from -1/2 to 0 */
    { "max(x - 0.3, 0) + min(x + 0.3, 0) = 0", -0.3, 0 },        /* 0 from -0.3 to 0.3 */
    { "max(x - 0.3, 0) + min(x + 0.3, 0) = 0 rising", -0.3, 0 }, /* the same */
    { "0 = max(x - 0.3, 0) + min(x + 0.3, 0)", 0.3, 0 },         /* minus it */
    { "max(x, 0) = 0", 99, 0 },                                  /* 0, then positive */
    { "min(x - 0.2, 0) = 0", 0.2, 0 },                           /* negative, then 0 */
    { "min(abs(x) - 0.6, 0) = 0 rising", 0.6, 0 },               /* negative for a while */
    { "min(abs(x) - 0.6, 0) = 0 falling", -0.6, 0 },
};
enum { EVENTS = sizeof row / sizeof *row };

static noe_system *straight(double x, double v)
{
    char text[4000];
    int  n = snprintf(text, sizeof text,
                      "coordinate x\nkinetic x'^2/2\nstart x = %.17g, x' = %.17g\n", x, v);
    for (int k = 0; k < EVENTS; k++) {
        char        g[100];
        const char *way = "";
        snprintf(g, sizeof g, "%s", row[k].g);
        char *at = strstr(g, " rising") ? strstr(g, " rising") : strstr(g, " falling");
        if (at) way = (at[1] == 'r') == (v > 0) ? " rising" : " falling", *at = 0;
        n += snprintf(text + n, sizeof text - (size_t)n, "event e%d: %s%s\n", k, g, way);
    }
    return parse(text);
}

/* The events of number k must be at these places, each once. */
static void check(const record *r, int k, double x, double v, double t)
{
    const double lo = fmin(x, x + v * t), hi = fmax(x, x + v * t), every = row[k].every;
    double       place = row[k].first + (every > 0 ? every * ceil((lo - row[k].first) / every) : 0);
    int          expected = 0, found = 0;
    for (; place < hi && (every > 0 || !expected); place += every) {
        bool is_there = false;
        if (place <= lo) break;
        for (int i = 0; i < r->count; i++)
            is_there |= r->event[i] == k
                     && fabs(r->t[i] - (place - x) / v) < 20 * 0x1p-53 * (1 + t);
        if (!is_there) {
            for (int i = 0; i < r->count; i++)
                if (r->event[i] == k) print_message("x = %.17g\n", x + v * r->t[i]);
            fail_msg("%s from %g by %g: not at %.17g", row[k].g, x, v, place);
        }
        expected++;
    }
    for (int i = 0; i < r->count; i++) found += r->event[i] == k;
    for (int i = 0; i < r->count && found != expected; i++)
        if (r->event[i] == k) print_message("x = %.17g\n", x + v * r->t[i]);
    if (found != expected)
        fail_msg("%s from %g by %g: %d events instead of %d", row[k].g, x, v, found, expected);
}

static void pass_all(double x, double v, const char *name, double h, int steps, bool restores)
{
    static record   r, other;
    noe_system     *s = straight(x, v);
    noe_integrator *g = make(s, name, h, 15, &r), *next = make(s, name, h, 15, &other);
    for (int k = 0; k < steps; k++) {
        if (noe_step(g)) fail_msg("%s", noe_error());
        if (!restores) continue;
        size_t      bytes; /* each step by another integrator, from the state alone */
        const void *memory = g->engine->memory(g->work, &bytes);
        assert_true(noe_integrator_start_restore(next, memory, bytes));
        noe_integrator *const last = g;
        g = next, next = last;
        g->events->ctx = &r;
    }
    for (int k = 0; k < EVENTS; k++) check(&r, k, x, v, steps * h);
    noe_integrator_free(g), noe_integrator_free(next);
    noe_system_free(s);
}

static const char *const names[] = { "simpson", "gauss 4", "verlet", "rk4" };

/* From places where no event is, in steps that do not come to any. */
static void test_random_ways(void **unused)
{
    (void)unused;
    for (int i = 0; i < 40; i++) {
        const double way = i % 2 ? -1 : 1, h = 0.05 + 0.04 * random_number();
        pass_all(-way * (1.9 + 0.05 * random_number()), way * (1 + random_number() / 4),
                 names[i / 2 % 4], h, (int)(4 / h), i % 3 == 0);
    }
}

/* In round steps, which come to many of the places. */
static void test_round_ways(void **unused)
{
    (void)unused;
    static const double steps[] = { 0.1, 0.05, 0.25, 0.0125 };
    for (int i = 0; i < 32; i++) {
        const double way = i % 2 ? -1 : 1, h = steps[i / 8];
        pass_all(-way * 1.85, way, names[i / 2 % 4], h, (int)(4 / h), i % 3 == 0);
        pass_all(-way * 1.9, way * 2, names[i / 2 % 4], h, (int)(2 / h), i % 3 == 0);
    }
}

/* 1/(x - a) = 1/d, a within some roundings of a grid point: one event, at a + d. */
static void test_poles_at_grid_points(void **unused)
{
    (void)unused;
    for (int i = 0; i < 160; i++) {
        static record r;
        const double  h = 0.1, x = random_number(), v = 1.25 + 0.75 * random_number(),
                     d = (i % 2 ? 1 : -1) * (0.5 + 0.4 * random_number()) * h * v;
        const int steps = 10, k = 2 + i % 6;
        double    a = x + v * h * k;
        for (int j = i % 4; j > 0; j--) a = nextafter(a, i % 8 < 4 ? 9 : -9);
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\nstart x = %.17g, x' = %.17g\n"
                 "event e: 1/(x - %.17g) = %.17g\n",
                 x, v, a, 1 / d);
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, names[i / 2 % 4], h, 15, &r);
        int             made = 0;
        while (made < steps && !noe_step(g)) made++;
        /* where the grid point is the pole itself, the run is refused there */
        if (made < steps) assert_non_null(strstr(noe_error(), "is not finite at t = "));
        else if (r.count != 1 || fabs(r.q[0][0] - (a + d)) > 20 * 0x1p-53 * (1 + v))
            fail_msg("pole at %.17g, from %g by %g: %d events, at %.17g instead of %.17g", a, x, v,
                     r.count, r.q[0][0], a + d);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_ways),
        cmocka_unit_test(test_round_ways),
        cmocka_unit_test(test_poles_at_grid_points),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
