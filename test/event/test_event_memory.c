/* Memory that runs out while an event is kept: a message, and the events after it are found.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "failing.h"
#include "integrator.h"

#include "event/event_step.h"

/* For k = 0, 1, ..: the call of malloc that fails in the first noe_next_event. */
static void test_next_event(void **unused)
{
    (void)unused;
    const double frequency = 2 + random_number();
    char         text[200];
    snprintf(text, sizeof text,
             "coordinate x\nkinetic x'^2/2\npotential %.9g*x^2/2 + x^4/8\nstart x' = %.9g\n"
             "event turn: x' = 0\n",
             frequency * frequency, 1 + random_number() / 2);
    noe_system *s = parse(text);
    int         lost = 0;
    bool        through = false;
    for (long k = 0; !through; k++) {
        noe_integrator *g = integrator(s, "gauss 2", 0.05, 15); /* it is at its start */
        calls_left = k;
        const noe_integrator *at = noe_next_event(g, 20);
        const bool            failed = calls_left < 0;
        calls_left = -1;
        if (failed && !at) {
            assert_non_null(strstr(noe_error(), "out of memory"));
            lost += strstr(noe_error(), "for the events of a step") != NULL;
            noe_error_clear();
            at = noe_next_event(g, 20);
        }
        if (!at) fail_msg("call %ld: %s", k, noe_error() ? noe_error() : "no event");
        assert_string_equal(noe_event_name(at), "turn");
        assert_true(fabs(noe_v(at)[0]) < 1e-12);
        through = !failed;
        noe_integrator_free(g);
        assert_true(k < 10000);
    }
    assert_int_equal(lost, 2); /* [capacity] states, [capacity] events */
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_next_event) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
