/* Memory that runs out while a model is read: a message, nothing lost.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "failing.h"
#include "laws.h"

static const char small_model[] = "parameter m = 1, g = 9.81\ncoordinate q, s\nx = s + sin(q)\n"
                                  "kinetic m*(x'^2 + s'^2 + q'^2)\npotential g*cos(q)\n"
                                  "observe a = p(q)\nstart q = 1\nsuggest step = g/100\n";

/* Calls until no call of malloc fails any more; each failure is NULL and a message. */
static void starve(void *(*make)(const noe_system *), void (*drop)(void *), const noe_system *s)
{
    for (long k = 0;; k++) {
        noe_error_clear();
        calls_left = k;
        void      *made = make(s);
        const bool failed = calls_left < 0;
        calls_left = -1;
        if (made) drop(made);
        if (made && !failed) return;
        if (failed && !made) assert_non_null(noe_error());
        if (failed && !made && !strstr(noe_error(), "memory"))
            fail_msg("call %ld: %s", k, noe_error());
        assert_true(k < 10000);
    }
}

static void *make_system(const noe_system *s) { return (void)s, noe_system_parse(small_model); }

static void *make_load(const noe_system *s)
{
    return (void)s, noe_system_load("systems/pendulum.lag");
}

static void *make_with(const noe_system *s) { return noe_system_with(s, "g", 3); }
static void *make_let(const noe_system *s) { return noe_system_let(s, "q.v = g"); }
static void *make_c(const noe_system *s) { return noe_system_emit(s, "small"); }

static void *make_value(const noe_system *s)
{
    static quad value;
    return noe_parse_model_value(s->model, "step", "g/100", &value) ? &value : NULL;
}

static void drop_system(void *s) { noe_system_free(s); }
static void drop_nothing(void *x) { (void)x; }

static void test_no_memory(void **state)
{
    (void)state;
    noe_system *s = parse(small_model);
    starve(make_system, drop_system, s);
    starve(make_load, drop_system, s);
    starve(make_with, drop_system, s);
    starve(make_let, drop_system, s);
    starve(make_c, free, s);
    starve(make_value, drop_nothing, s);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
