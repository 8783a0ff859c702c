/* noe_estimate: the numbers of the command as a table, and what it refuses.
 * SPDX-License-Identifier: BSD-3-Clause
 * Needs: cminpack. */
#include "fit/simulated.h"

static void table(void **state)
{
    (void)state;
    put("swing.lag", swing);
    simulate("d.csv", "swing.lag", NULL, "simpson", 0.05, 10, 50, 0.01, 0.1);
    const char *const  path = in_scratch("d.csv");
    noe_system        *s = noe_system_load(in_scratch("swing.lag"));
    noe_method        *f = noe_method_parse("simpson");
    const noe_measured to = { .data = &path, .files = 1, .vary = "l in 0.5..2, c, theta(0)" };
    noe_table         *t = noe_estimate(s, f, 0.05, &to);
    const noe_fit_job  j = job_of("swing.lag", "d.csv", to.vary);
    noe_fit            x;
    fit(&x, &j);
    assert_non_null(t);
    assert_int_equal(noe_table_rows(t), 3);
    assert_int_equal(noe_table_columns(t), 7);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(noe_table_label(t, i), x.name[i]);
        assert_string_equal(noe_table_name(t, 4 + i), x.name[i]);
        assert_true(noe_table_column(t, "value")[i] == x.x[i]);
        assert_true(noe_table_column(t, "error")[i] == x.error[i]);
        close_to(noe_table_column(t, "high")[i] - x.x[i], x.quantile * x.error[i], 1e-14);
        close_to(noe_table_column(t, "low")[i] - x.x[i], -x.quantile * x.error[i], 1e-14);
        for (size_t k = 0; k < 3; k++)
            assert_true(noe_table_column(t, x.name[k])[i] == x.correlation[3 * i + k]);
    }
    noe_fit_setup_drop(&x);
    noe_table_free(t);
    noe_method_free(f);
    noe_system_free(s);
}

static void says(noe_table *t, const char *text)
{
    assert_null(t);
    if (!noe_error() || !strstr(noe_error(), text)) fail_msg("%s: %s", text, noe_error());
    noe_error_clear();
}

static void refusals(void **state)
{
    (void)state;
    put("swing.lag", swing);
    simulate("d.csv", "swing.lag", NULL, "simpson", 0.05, 10, 50, 0.01, 0.1);
    const char *const path = in_scratch("d.csv");
    noe_system       *s = noe_system_load(in_scratch("swing.lag"));
    noe_method       *f = noe_method_parse("simpson");
    noe_measured      to = { .data = &path, .files = 1, .vary = "l, g" };
    noe_table        *t = noe_estimate(s, f, 0.05, &to);
    assert_non_null(t);
    assert_non_null(strstr(noe_error(), "cannot tell apart"));
    assert_true(isnan(noe_table_column(t, "error")[0]));
    noe_error_clear();
    noe_table_free(t);
    assert_null(noe_estimate(NULL, f, 0.05, &to));
    assert_null(noe_estimate(s, NULL, 0.05, &to));
    assert_null(noe_estimate(s, f, 0.05, NULL));
    assert_null(noe_error());
    to.files = 0;
    says(noe_estimate(s, f, 0.05, &to), "files of data");
    to.files = 1, to.vary = "k";
    says(noe_estimate(s, f, 0.05, &to), "'k' is neither");
    to.vary = "l";
    says(noe_estimate(s, f, -0.05, &to), "the step is -0.05");
    says(noe_estimate(s, f, NAN, &to), "the step is ");
    to.starts = 3;
    says(noe_estimate(s, f, 0.05, &to), "drawn between bounds");
    noe_method_free(f);
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(table, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(refusals, make_scratch, remove_scratch),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
