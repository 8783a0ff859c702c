/* A step whose events cannot be found is not made: the state is that before it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_step.h"
#include "integrator.h"

enum { ROOM = 8 };

static void read_state(noe_integrator *g, quad *to)
{
    noe_integrator_state_get(g, NOE_AT_T, to);
    noe_integrator_state_get(g, NOE_AT_COUNT, to + 1);
    noe_integrator_state_get(g, NOE_AT_Q, to + 2);
    noe_integrator_state_get(g, NOE_AT_P, to + 4);
}

/* x grows from below 0 to beyond 1, where the event function has no value.  Events that report
 * alone, or with an impact elsewhere; a monitor, or none. */
static void test_not_finite(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "gauss 3", "verlet", "rk4", "lobatto 4" };
    for (int k = 0; k < 60; k++) {
        char       text[500];
        const bool monitored = k % 3 == 2 && k % 5 < 2;
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                 "potential %.9g*cos(y) + %.9g*sin(x)\n%s"
                 "start x = %.9g, x' = %.9g, y = 1, y' = %.9g\n"
                 "event early: x = 0.1\nevent root: sqrt(1 - x) = 0.9\n%s",
                 random_number(), random_number() / 4, monitored ? "monitor 1 + x^2\n" : "",
                 -0.5 + 0.1 * random_number(), 1.3 + 0.3 * random_number(), random_number(),
                 k % 2 ? "event wall: y = -50 falling then bounce 1\n" : "");
        noe_system     *s = parse(text);
        noe_integrator *g = integrator(s, name[k % 5], (quad)0.11 + 0.04 * (quad)random_number(),
                                       k % 4 == 3 ? 33 : 15);
        assert_int_equal(noe_event_step_attach(g), NOE_OK);
        quad       before[ROOM] = { 0 }, after[ROOM] = { 0 };
        noe_status status = NOE_OK;
        int        made = -1;
        for (; !status && made < 100; made++) {
            read_state(g, before);
            status = noe_step(g);
        }
        for (int again = 0; again < 2; again++) {
            if (status != NOE_NOT_FINITE || !strstr(noe_error(), "the event 'root' is not finite"))
                fail_msg("%s: %s", name[k % 5], status ? noe_error() : "no failure");
            read_state(g, after);
            assert_memory_equal(before, after, sizeof before);
            status = noe_step(g);
        }
        assert_true(made > 3);
        noe_integrator_free(g), noe_system_free(s);
    }
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_not_finite) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
