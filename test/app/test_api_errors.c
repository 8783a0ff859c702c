/* noether.h, what can go wrong: NULL everywhere, and the first cause of an error is kept.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "api.h"

#include <math.h>
#include <pthread.h>

static void call_with_null(const orbit *o, const noe_table *t)
{
    const double x[2] = { 1, 1 };
    assert_null(noe_system_load(NULL));
    assert_null(noe_system_parse(NULL));
    assert_null(noe_system_with(NULL, "mu", 1));
    assert_null(noe_system_with(o->s, NULL, 1));
    assert_null(noe_system_let(NULL, "mu = 1"));
    assert_null(noe_system_let(o->s, NULL));
    assert_null(noe_system_new(1, 0, NULL, NULL, NULL));
    assert_int_equal(noe_system_dim(NULL), 0);
    assert_null(noe_system_name(NULL, 0));
    assert_true(isnan(noe_system_get(NULL, "mu")));
    assert_true(isnan(noe_system_get(o->s, NULL)));
    assert_null(noe_system_suggest(NULL, "step"));
    assert_null(noe_system_suggest(o->s, NULL));
    assert_null(noe_system_emit(NULL, "kepler"));
    noe_system_free(NULL);
    assert_null(noe_method_parse(NULL));
    assert_null(noe_method_name(NULL));
    assert_int_equal(noe_method_order(NULL), 0);
    noe_method_free(NULL);
    assert_null(noe_integrator_new(NULL, o->f, 0.1));
    assert_null(noe_integrator_new(o->s, NULL, 0.1));
    assert_int_equal(noe_start(NULL, 0, x, x), NOE_INVALID);
    assert_int_equal(noe_start(o->g, 0, NULL, x), NOE_INVALID);
    assert_int_equal(noe_start(o->g, 0, x, NULL), NOE_INVALID);
    assert_int_equal(noe_start_momentum(NULL, 0, x, x), NOE_INVALID);
    assert_int_equal(noe_start_momentum(o->g, 0, NULL, x), NOE_INVALID);
    assert_int_equal(noe_start_momentum(o->g, 0, x, NULL), NOE_INVALID);
    assert_int_equal(noe_step(NULL), NOE_INVALID);
    assert_int_equal(noe_step_jacobian(NULL, (double[4]){ 0 }), NOE_INVALID);
    assert_int_equal(noe_step_jacobian(o->g, NULL), NOE_INVALID);
    assert_int_equal(noe_rows(NULL, 1, 1, (double[8]){ 0 }), NOE_INVALID);
    assert_int_equal(noe_rows(o->g, 1, 1, NULL), NOE_INVALID);
    assert_int_equal(noe_at(NULL, 0, (double[4]){ 0 }, (double[4]){ 0 }), NOE_INVALID);
    assert_int_equal(noe_at(o->g, 0, NULL, (double[4]){ 0 }), NOE_INVALID);
    assert_int_equal(noe_at(o->g, 0, (double[4]){ 0 }, NULL), NOE_INVALID);
    assert_null(noe_next_event(NULL, 1));
    assert_int_equal(noe_watch(NULL, NULL, NULL), NOE_INVALID);
    assert_null(noe_event_name(NULL));
    assert_null(noe_event_name(o->g));
    assert_int_equal(noe_run(NULL, 1, NULL, NULL), NOE_INVALID);
    assert_true(isnan(noe_time(NULL)));
    assert_null(noe_q(NULL));
    assert_null(noe_v(NULL));
    assert_null(noe_p(NULL));
    assert_true(isnan(noe_get(NULL, "t")));
    assert_true(isnan(noe_get(o->g, NULL)));
    assert_int_equal(noe_set(NULL, "step", 0.1), NOE_INVALID);
    assert_int_equal(noe_set(o->g, NULL, 0.1), NOE_INVALID);
    assert_null(noe_option_name(-1, NULL, NULL));
    assert_null(noe_option_name(1000, NULL, NULL));
    noe_integrator_free(NULL);
    assert_null(noe_record(NULL, 1, 1, NULL));
    assert_int_equal(noe_table_rows(NULL), 0);
    assert_int_equal(noe_table_columns(NULL), 0);
    assert_null(noe_table_name(NULL, 0));
    assert_null(noe_table_label(NULL, 0));
    assert_null(noe_check(NULL, o->f, 0.1));
    assert_null(noe_check(o->s, NULL, 0.1));
    assert_null(noe_table_column(NULL, "t"));
    assert_null(noe_table_column(t, NULL));
    assert_int_equal(noe_table_write(NULL, "a.csv"), NOE_INVALID);
    assert_int_equal(noe_table_write(t, NULL), NOE_INVALID);
    noe_table_free(NULL);
}

static void test_null(void **state)
{
    (void)state;
    orbit      o = begin(kepler, "simpson", 0.1);
    noe_table *t = noe_record(o.g, 1, 1, NULL);
    call_with_null(&o, t);
    assert_null(noe_error());
    noe_system_get(o.s, "nu");
    char first[256];
    snprintf(first, sizeof first, "%s", noe_error());
    call_with_null(&o, t);
    assert_string_equal(noe_error(), first);
    assert_true(equal_bits(noe_time(o.g), 1)); /* and the integrator is where it was */
    noe_error_clear();
    noe_table_free(t);
    end(o);
}

static void *errors_of_its_own(void *unused)
{
    (void)unused;
    if (noe_error()) return "a message of another thread";
    noe_method_parse("simson");
    return noe_error() && strstr(noe_error(), "simson") ? NULL : "no message of its own";
}

static void test_first_cause(void **state)
{
    (void)state;
    noe_error_clear();
    noe_system     *s = noe_system_load("no/such.lag");
    noe_method     *f = noe_method_parse("no such method");
    noe_integrator *g = noe_integrator_new(s, f, 0);
    noe_table      *t = noe_record(g, 1, 1, NULL);
    assert_int_equal(noe_table_write(t, "no.csv"), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "no/such.lag"));
    pthread_t thread;
    void     *wrong;
    pthread_create(&thread, NULL, errors_of_its_own, NULL);
    pthread_join(thread, &wrong);
    if (wrong) fail_msg("%s", (char *)wrong);
    says("no/such.lag");
    assert_null(noe_error());
    assert_null(noe_system_parse("coordinate x\nkinetic x'^2/2 + y\n"));
    says("model:2:18: unknown name 'y'");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_first_cause),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
