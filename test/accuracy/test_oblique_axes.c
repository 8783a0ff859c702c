/* An orbit in space in axes that are oblique to its plane: the same verdicts as in its own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The distance from the plane, and what is conserved of it, are rounding of the other motion. */
#include "laws.h"
#include "accuracy/coarse_run.h"
#include "accuracy/monitored_tolerance.h"
#include "certify/momentum_monitor.h"
#include "symmetry/symmetry.h"

/* A rotation, rounded to the digits of a text. */
static void random_rotation(double R[3][3])
{
    double q[4], size = 0;
    for (int i = 0; i < 4; i++) q[i] = random_number(), size += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
    const double a = q[0], b = q[1], c = q[2], d = q[3];
    const double of[3][3] = {
        { a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c) },
        { 2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b) },
        { 2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d }
    };
    memcpy(R, of, sizeof of);
}

/* In the plane, or with the distances a, b, c seen from oblique axes; the factor m of L. */
static void orbit(char *text, size_t room, bool oblique, const char *potential, double speed,
                  double m)
{
    double R[3][3] = { { 1 }, { 0, 1 }, { 0, 0, 1 } };
    int    at = snprintf(text, room, "coordinate x, y, z\n");
    if (oblique) random_rotation(R);
    for (int i = 0; i < 3; i++)
        at += snprintf(text + at, room - (size_t)at, "%c = %.17g*x + %.17g*y + %.17g*z\n", 'a' + i,
                       R[i][0], R[i][1], R[i][2]);
    snprintf(text + at, room - (size_t)at,
             "r2 = a^2 + b^2 + c^2\nkinetic %.17g*(x'^2 + y'^2 + z'^2)/2\npotential %.17g*(%s)\n"
             "start x = 1, y' = %.17g\n",
             m, m, potential, speed);
}

typedef struct {
    bool   warned, noted;
    double errors; /* what the local errors add up to */
    int    rotations, broken;
} verdict;

static verdict judge(const char *text, const char *name, double h)
{
    noe_system     *s = parse(text);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    noe_symmetries *y = noe_symmetry_find(s);
    assert_non_null(y);
    noe_momentum_monitor k;
    noe_coarse_run       c;
    verdict              v = { 0 };
    assert_true(noe_momentum_monitor_open(&k, y));
    noe_momentum_monitor_look(&k, g);
    const double steps = ceil(20 / h);
    for (int i = 0; i < steps; i++) {
        assert_int_equal(noe_step(g), NOE_OK);
        noe_momentum_monitor_look(&k, g);
    }
    noe_coarse_run_find(&c, g, m), noe_coarse_run_note(&c, g, m);
    v.warned = *c.warning, v.noted = *c.note, v.errors = c.accumulated_error;
    for (int i = 0; i < y->count; i++) v.rotations += y->found[i].kind != NOE_ENERGY;
    const double residual = m->kind == NOE_GALERKIN ? noe_get(g, "residual") : 0;
    v.broken = noe_momentum_monitor_broken(&k, m, 15, steps, residual);
    noe_momentum_monitor_close(&k), noe_symmetry_free(y);
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    return v;
}

static void test_same_verdicts(void **unused)
{
    (void)unused;
    static const char *const        methods[] = { "simpson", "gauss 4",  "gauss 6",  "verlet",
                                                  "rk4",     "midpoint", "lobatto 4" },
                             *const potentials[] = { "-1/sqrt(r2)", "r2/2 + r2^2/4" };
    enum { METHODS = sizeof methods / sizeof *methods };
    int right = 0, coarse = 0;
    for (int k = 0; k < 8 * METHODS; k++) {
        const char  *name = methods[k % METHODS], *potential = potentials[k / METHODS % 2];
        const double speed = 0.95 + 0.25 * random_number(), m = pow(10, 3 * random_number()),
                     h = 0.02 + 0.06 * fabs(random_number());
        char plane[1000], oblique[1000];
        orbit(plane, sizeof plane, false, potential, speed, m);
        orbit(oblique, sizeof oblique, true, potential, speed, m);
        const verdict is = judge(oblique, name, h), in_plane = judge(plane, name, h);
        /* other axes have other ranges: near the size from which it is told it may be either */
        const bool clear = !(in_plane.errors > 0.01 && in_plane.errors < 1);
        if (clear && (is.warned != in_plane.warned || is.noted != in_plane.noted))
            fail_msg("%s, step %g: warned %d, noted %d, and in the plane %d, %d\n%s", name, h,
                     is.warned, is.noted, in_plane.warned, in_plane.noted, oblique);
        if (is.rotations != 3 || in_plane.rotations != 3 || is.broken >= 0 || in_plane.broken >= 0)
            fail_msg("%s, step %g: %d rotations, and in the plane %d; broken %d, %d\n%s", name, h,
                     is.rotations, in_plane.rotations, is.broken, in_plane.broken, oblique);
        coarse += is.warned || is.noted, right += clear && !is.warned && !is.noted;
    }
    printf("%d right, %d coarse\n", right, coarse);
    assert_true(right > 20);
}

/* A rotation that is none by far more than rounding is not taken for one. */
static void test_not_quite_round(void **unused)
{
    (void)unused;
    for (int k = 0; k < 8; k++) {
        char text[1000];
        orbit(text, sizeof text, true, "-1/sqrt(r2 + 1e-11*c^2)", 1, 1);
        noe_system     *s = parse(text);
        noe_symmetries *y = noe_symmetry_find(s);
        int             rotations = 0;
        for (int i = 0; i < y->count; i++) rotations += y->found[i].kind != NOE_ENERGY;
        if (rotations != 1) fail_msg("%d rotations of\n%s", rotations, text);
        noe_symmetry_free(y), noe_system_free(s);
    }
}

/* Steps that follow a monitor reach their tolerance. */
static void test_tolerance(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        const double speed = 0.6 + 0.3 * random_number();
        double       steps[2];
        for (int oblique = 0; oblique < 2; oblique++) {
            char text[1000];
            orbit(text, sizeof text, oblique, "-1/sqrt(r2)", speed, 1);
            strcat(text, "monitor r2^0.75\n");
            noe_system          *s = parse(text);
            noe_tolerance_choice p;
            if (noe_monitored_tolerance_pick(s, 20, 1e-9, 15, 1, INFINITY, NULL, NULL, &p))
                fail_msg("%s\n%s", noe_error(), text);
            steps[oblique] = p.steps;
            noe_system_free(s);
        }
        if (!(steps[1] <= 1.5 * steps[0] + 5))
            fail_msg("%g steps, and in the plane %g", steps[1], steps[0]);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_same_verdicts),
                                        cmocka_unit_test(test_not_quite_round),
                                        cmocka_unit_test(test_tolerance) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
