/* The systems whose events change the motion, against what is known of them in closed form.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event_record.h"

/* A system and a method that suits it, with the step suggested, from the start of the model. */
static noe_integrator *suggested(const noe_system *s, const char *name, record *r)
{
    noe_integrator *g = make(s, name, suggested_step(s), 15, r);
    if (!g) fail_msg("%s", noe_error());
    return g;
}

/* Every model of the library with events that change the motion is one of these. */
static void test_all_are_known(void **unused)
{
    (void)unused;
    glob_t found;
    int    shocked = 0;
    assert_int_equal(glob("systems/*.lag", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        noe_system *s = load(found.gl_pathv[i]);
        shocked += s->events && s->events->shocks;
        noe_system_free(s);
    }
    globfree(&found);
    assert_int_equal(shocked, 3);
}

/* Impact k is at sqrt(2 y/g) (1 + 2 (e + .. + e^k)), the energy of the height after it e^(2k) of
 * that before; their limit is sqrt(2 y/g) (1 + e)/(1 - e). */
static void test_bouncing_ball(void **unused)
{
    (void)unused;
    static const char *const names[] = { "simpson", "verlet", "gauss 3", "rk4" };
    static record            r;
    for (int i = 0; i < 4; i++) {
        noe_system     *s = load("systems/bouncing_ball.lag");
        noe_integrator *g = suggested(s, names[i], &r);
        quad            t = sqrtq(2 / number("9.81")), fall = t, v = number("9.81") * t;
        int             floors = 0;
        assert_int_equal(noe_run(g, 4, NULL, NULL), NOE_OK);
        for (int k = 0; k < r.count; k++) {
            if (r.event[k]) continue;
            small(r.exact[k] - t, 1, 40 * 0x1p-53, "time of an impact");
            small(r.p[k][1] + v, 1, 80 * 0x1p-53, "momentum before it");
            v *= number("0.8"), t += 2 * v / number("9.81"), floors++;
        }
        assert_int_equal(floors, 19);
        assert_int_equal(noe_run(g, 4.1, NULL, NULL), NOE_NOT_CONVERGED);
        small(strtod(strstr(noe_error(), "t = ") + 4, NULL) - 9 * fall, 1, 1e-12, "limit");
        noe_error_clear();
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* The table at the velocity w = g (1 - e)/(2 f (1 + e)) upwards, that is at the phase
 * arccos(w/(2 pi f A))/(2 pi): one impact a period, the ball with -+ g/(2 f). */
static void test_vibrating_table(void **unused)
{
    (void)unused;
    static record r;
    for (int i = 0; i < 4; i++) {
        const double    A = 0.0029 + 0.0006 * (1 + random_number()) / 2;
        noe_system     *s = load("systems/vibrating_table.lag"), *own = noe_system_with(s, "A", A);
        noe_integrator *g = suggested(own, i % 2 ? "gauss 2" : "simpson", &r);
        assert_int_equal(noe_run(g, 40, NULL, NULL), NOE_OK);
        assert_true(r.count > 300);
        const double w = 9.81 / 20 / 3, phase = acos(w / (20 * M_PI * A)) / (2 * M_PI);
        for (int k = r.count - 20; k < r.count; k++) {
            small(r.t[k] * 10 - floor(r.t[k] * 10) - phase, 1, 1e-11, "phase of the impacts");
            small(r.p[k][0] + 9.81 / 20, 1, 1e-12, "velocity before them");
        }
        noe_integrator_free(g);
        noe_system_free(own), noe_system_free(s);
    }
}

/* The mean path between impacts of a billiard is pi times its area over the length of its wall, for
 * almost every orbit of an ergodic one; the angular momentum of a circle is conserved. */
static void test_stadium(void **unused)
{
    (void)unused;
    static record r;
    noe_system   *s = load("systems/stadium.lag");
    double        path = 0, impacts = 0, square = 0;
    for (int i = 0; i < 8; i++) {
        noe_integrator *g = make(s, "simpson", 0.1, 15, &r);
        const double    angle = M_PI * random_number(),
                     q[] = { random_number() / 2, random_number() / 2 },
                     v[] = { cos(angle), sin(angle) };
        assert_int_equal(noe_start(g, 0, q, v), NOE_OK);
        assert_int_equal(noe_run(g, 1000, NULL, NULL), NOE_OK);
        assert_in_range(r.count, 300, 4000);
        const double own = (r.t[r.count - 1] - r.t[0]) / (r.count - 1);
        path += own / 8, square += own * own / 8, impacts += r.count;
        small(noe_get(g, "energy") - 0.5, 1, 6 * 0x1p-53 * sqrt(r.count), "energy");
        noe_integrator_free(g);
    }
    const double mean = M_PI * (M_PI + 4) / (2 * M_PI + 4),
                 deviation = sqrt(fmax(0, square - path * path) / 7);
    if (!(fabs(path - mean) < 5 * deviation + 0.004 * mean))
        fail_msg("mean path %.5f +- %.5f, %.5f expected", path, deviation, mean);
    noe_system     *circle = noe_system_with(s, "a", 0);
    noe_integrator *g = make(circle, "gauss 2", 0.1, 15, &r);
    const double    L = noe_get(g, "angular_momentum");
    assert_int_equal(noe_run(g, 1000, NULL, NULL), NOE_OK);
    small(noe_get(g, "angular_momentum") - L, 1, 6 * 0x1p-53 * sqrt(r.count), "of the circle");
    noe_integrator_free(g);
    noe_system_free(circle), noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_are_known),
        cmocka_unit_test(test_bouncing_ball),
        cmocka_unit_test(test_vibrating_table),
        cmocka_unit_test(test_stadium),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
