/* Two crossings within a step, one of them just beside a grid point, are both found.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On a straight motion, x = x_0 + v t; and on a fall, whose turn is beside a grid point. */
#include "event_record.h"

static const char *const names[] = {
    "simpson", "gauss 4", "verlet", "rk4", "midpoint", "lobatto 3"
};
enum { NAMES = sizeof names / sizeof *names };

static double power(double least, double most)
{
    return pow(10, least + (most - least) * (random_number() + 1) / 2);
}

/* Each of these times, once, in order. */
static void expect(const record *r, const char *name, const double *t, int count, double bound)
{
    bool ok = r->count == count;
    for (int i = 0; i < count && ok; i++) ok = fabs(r->t[i] - t[i]) <= bound;
    for (int i = 0; i < count && !ok; i++) print_message("expected t = %.17g\n", t[i]);
    for (int i = 0; i < r->count && !ok; i++) print_message("found    t = %.17g\n", r->t[i]);
    if (!ok) fail_msg("%s: %d events of %d", name, r->count, count);
}

/* The model, with numbers for v and x_0, has the coordinate x, or the velocity with `prime`,
 * x_0 + v t; one crossing of two is 1e-9 .. 1e-2 of a step beside the end of the fifth step or the
 * begin of the sixth.  bound: of the times, times (1 + |x_0|)/v. */
static void two_crossings(const char *model, const char *prime, double bound)
{
    for (int i = 0; i < 120; i++) {
        const int    side = i % 2 ? 1 : -1;
        const double h = 0.1, v = 1 + random_number() / 2, x = random_number(), grid = 5 * h,
                     near = grid + side * h * power(-9, -2),
                     far = near + side * h * power(-6, -0.5),
                     t[2] = { fmin(near, far), fmax(near, far) };
        char          text[400];
        static record r;
        const double  a = x + v * t[0], b = x + v * t[1];
        int           n = snprintf(text, sizeof text, model, v, x);
        snprintf(text + n, sizeof text - (size_t)n, "event e: (x%s - %.17g)*(x%s - %.17g) = 0\n",
                 prime, a, prime, b);
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, names[i / 2 % NAMES], h, 15, &r);
        r.count = 0;
        for (int k = 0; k < 10; k++)
            if (noe_step(g)) fail_msg("%s", noe_error());
        expect(&r, names[i / 2 % NAMES], t, 2, bound * (1 + fabs(x)) / v);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

static void test_straight(void **unused)
{
    (void)unused;
    two_crossings("coordinate x\nkinetic x'^2/2\nstart x' = %.17g, x = %.17g\n", "", 20 * 0x1p-53);
}

/* The same of the velocity of a fall, of which the state alone gives no rate. */
static void test_velocity(void **unused)
{
    (void)unused;
    two_crossings("coordinate x\nkinetic x'^2/2\npotential -%.17g*x\nstart x = 1, x' = %.17g\n",
                  "'",
                  20 * 0x1p-53 / 0.1 /* momenta are differences of positions, over the step */);
}

/* x = x_0 + v t - t^2/2 comes above the height by `over` for a short time, beside a grid point. */
static void test_fall(void **unused)
{
    (void)unused;
    for (int i = 0; i < 120; i++) {
        static record r;
        const int     side = i % 2 ? 1 : -1;
        const double  h = 0.1, grid = 5 * h, half = h * power(-4, -1.5),
                     v = grid + side * (half + h * power(-9, -2)), /* the turn, at t = v */
            top = v * v / 2, over = half * half / 2, t[2] = { v - half, v + half };
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\npotential x\nstart x = 0, x' = %.17g\n"
                 "event e: x = %.17g\n",
                 v, top - over);
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, names[i / 2 % NAMES], h, 15, &r);
        r.count = 0;
        for (int k = 0; k < 10; k++)
            if (noe_step(g)) fail_msg("%s", noe_error());
        expect(&r, names[i / 2 % NAMES], t, 2, 20 * 0x1p-53 / half);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_straight),
                                        cmocka_unit_test(test_velocity),
                                        cmocka_unit_test(test_fall) };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
