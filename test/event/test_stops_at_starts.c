/* A run that begins on the surface of the event that stops it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_step.h"
#include "integrator.h"

/* A start on the surface of a stop is refused where it is left in the direction that stops the run;
 * else the run goes to the next one. */
static void test_stop_at_the_start(void **unused)
{
    (void)unused;
    static const struct {
        const char *way;
        int         sign; /* of the velocity at the start, along the steps */
        noe_status  end;
    } row[] = { { "rising stop", 1, NOE_INVALID },   { "rising stop", -1, NOE_STOPPED },
                { "falling stop", -1, NOE_INVALID }, { "falling stop", 1, NOE_STOPPED },
                { "stop", 1, NOE_INVALID },          { "stop", -1, NOE_INVALID },
                { "rising stop", 0, NOE_OK },        { "falling stop", 0, NOE_INVALID } };
    for (int i = 0; i < 48; i++) {
        const int    j = i / 2 % 8, back = i % 2 ? -1 : 1;
        const double at = random_number(), v = row[j].sign * back * (0.6 + 0.5 * random_number()),
                     k = 1 + 0.5 * random_number();
        char text[400], V[100];
        /* What begins at rest falls for ever: a spring would lead it back to a contact, which
         * rounding makes an event or none. */
        snprintf(V, sizeof V, row[j].sign ? "%.17g*(y - %.17g + 0.5)^2/2" : "%.17g*(y - %.17g)", k,
                 at);
        snprintf(text, sizeof text,
                 "coordinate y\nkinetic y'^2/2\npotential %s\n"
                 "start y = %.17g, y' = %.17g\nevent e: y = %.17g %s\n",
                 V, at, v, at, row[j].way);
        noe_system     *s = parse(text);
        noe_integrator *g = integrator(s, i % 3 ? "gauss 4" : "verlet", back * (quad)0.1, 15);
        assert_int_equal(noe_event_step_attach(g), NOE_OK);
        const noe_status end = noe_run(g, back * 20, NULL, NULL);
        if (end != row[j].end)
            fail_msg("%s, velocity %g, %g: %s", row[j].way, v, (double)back,
                     noe_error() ? noe_error() : "no error");
        if (end == NOE_INVALID) assert_non_null(strstr(noe_error(), "is at its start"));
        if (end == NOE_STOPPED) {
            assert_true(fabs(noe_q(g)[0] - at) < 1e-13);
            assert_true(back * noe_v(g)[0] * (row[j].way[0] == 'r' ? 1 : -1) > 0);
            assert_true(back * noe_time(g) > 0.3 / sqrt(k));
        }
        noe_error_clear();
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_stop_at_the_start) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
