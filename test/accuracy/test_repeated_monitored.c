/* A run whose steps follow a monitor, and that ends elsewhere than with half the step, says so.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "accuracy/coarse_run.h"
#include "accuracy/repeated_run.h"

/* The difference from Kepler's orbit of eccentricity e and major axis 2 at time t after the
 * pericentre, in positions and, unless they are NULL, velocities by their ranges, the largest. */
static double difference(double e, double t, const double *q, const double *v)
{
    double       E = t + e * sin(t);
    const double root = sqrt(1 - e * e);
    for (int k = 0; k < 100; k++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    const double pace = 1 - e * cos(E), x = fabs(q[0] - cos(E) + e) / 2,
                 y = fabs(q[1] - root * sin(E)) / (2 * root);
    if (!v) return fmax(x, y);
    const double vx = fabs(v[0] + sin(E) / pace) * root / 2,
                 vy = fabs(v[1] - root * cos(E) / pace) * root / 2;
    return fmax(fmax(x, y), fmax(vx, vy));
}

typedef struct {
    double e,  /* eccentricity */
        error, /* at the end */
        way;   /* of positions, the largest at any step */
    noe_repeated_run again;
    noe_coarse_run   judged;
} outcome;

static int look(void *ctx, const noe_integrator *g)
{
    outcome *y = ctx;
    y->way = fmax(y->way, difference(y->e, noe_time(g), noe_q(g), NULL));
    return 0;
}

static outcome of_orbit(double e, const char *monitor, const char *name, double h, double until)
{
    char text[400];
    snprintf(text, sizeof text,
             "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n"
             "monitor %s\nstart x = %.17g, y' = %.17g\n",
             monitor, 1 - e, sqrt((1 + e) / (1 - e)));
    noe_system     *s = parse(text);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    outcome         y = { .e = e };
    if (noe_run(g, until, look, &y)) fail_msg("%s", noe_error());
    y.error = difference(e, noe_time(g), noe_q(g), noe_v(g));
    y.again = noe_repeated_run_make(g, m, 1e6);
    if (y.again.t != noe_time(g) && y.again.apart < 0.05)
        fail_msg("compared at t = %.17g, not at the end, %.17g", y.again.t, noe_time(g));
    noe_coarse_run_find(&y.judged, g, m), noe_coarse_run_note(&y.judged, g, m);
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    return y;
}

/* The phase is not in the energy: by methods of order 2 it is lost where the energy is kept. */
static void test_lost_phase(void **unused)
{
    (void)unused;
    static const char *const name[] = { "midpoint", "verlet", "simpson", "gauss 3" };
    static const char *const monitor[] = { "(x^2 + y^2)^0.75", "(x^2 + y^2)^0.75 reversible",
                                           "sqrt(x^2 + y^2)" };
    int                      wrong = 0, right = 0;
    for (int k = 0; k < 48; k++) {
        const char  *by = name[k % 4];
        const bool   second = k % 4 < 2;
        const double e = 0.8 + 0.15 * random_number(), until = 60 + 50 * random_number(),
                     h = pow(1 - e, 1.5) * pow(10, (second ? -0.9 : -1.3) + 0.5 * random_number());
        const char   *G = monitor[k % 4 == 1 ? 1 : k / 4 % 3];
        const outcome y = of_orbit(e, G, by, h, until);
        if (y.error > 0.1 && !*y.judged.warning && !*y.judged.note)
            fail_msg("e = %g, %s, %s, step %g until %g: wrong by %g in silence (%g)", e, G, by, h,
                     until, y.error, y.again.apart);
        const bool sound = y.error < 0.01 && y.way < 0.05;
        if (sound && (*y.judged.warning || *y.judged.note))
            fail_msg("e = %g, %s, %s, step %g: right to %g: %s%s", e, G, by, h, y.error,
                     y.judged.warning, y.judged.note);
        /* Half the step has a quarter of the error, but for orbits that were lost and met again. */
        if (second && y.error > 1e-3 && y.error < 0.05 && !(y.again.apart > 0.25 * y.error))
            fail_msg("e = %g, %s, %s, step %g: wrong by %g, apart by %g", e, G, by, h, y.error,
                     y.again.apart);
        wrong += y.error > 0.1, right += sound;
    }
    printf("%d orbits wrong, %d right\n", wrong, right);
    assert_true(wrong >= 4 && right >= 4); /* measured: 9 .. 19, 23 .. 28 */
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lost_phase) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
