/* "gauss 3" -> a method, or a message that says what to do.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tableau_step.h"
#include "method/stability.h"

static void test_names(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *canonical;
        int         s, r;
    } rows[] = {
        { "simpson", "simpson", 2, 3 },
        { "Simpson ", "simpson", 2, 3 },
        { "lobatto 2", "simpson", 2, 3 },
        { "P2 lobatto 3", "simpson", 2, 3 },
        { "midpoint", "midpoint", 1, 1 },
        { "newmark", "midpoint", 1, 1 },
        { "gauss 1", "midpoint", 1, 1 },
        { "\tGAUSS\n3", "gauss 3", 3, 3 },
        { "gauss3", "gauss 3", 3, 3 },
        { "p 3 gauss 003", "gauss 3", 3, 3 },
        { "lobatto 1", "lobatto 1", 1, 2 },
        { "lobatto3", "lobatto 3", 3, 4 },
        { "P4 gauss 6", "P4 gauss 6", 4, 6 },
        { "p4gauss6", "P4 gauss 6", 4, 6 },
        { "gauss 12", "gauss 12", 12, 12 },
        { "P12 gauss 32", "P12 gauss 32", 12, 32 },
        { "P2 lobatto 2", "P2 lobatto 2", 2, 2 },
        { "P4 clenshaw 5", "P4 clenshaw 5", 4, 5 },
        { "P3 Radau-Left 3", "P3 radau-left 3", 3, 3 },
        { "P3radau-right4", "P3 radau-right 4", 3, 4 },
        { "P12 radau-right 32", "P12 radau-right 32", 12, 32 },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        noe_method *m = parse(rows[k].name), *again = parse(noe_method_name(m));
        assert_string_equal(noe_method_name(m), rows[k].canonical);
        assert_int_equal(m->s, rows[k].s);
        assert_int_equal(m->r, rows[k].r);
        assert_memory_equal(m->name, again->name, sizeof m->name);
        assert_memory_equal(m->X, again->X, sizeof m->X);
        noe_method_free(m);
        noe_method_free(again);
    }
}

static void test_errors_say_what_to_do(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *says;
    } rows[] = {
        { "", "expected a name" },
        { "  ", "expected a name" },
        { "42", "expected a name" },
        { "-gauss 3", "expected a name" },
        { "gaus 3", "did you mean 'gauss'" },
        { "sympson", "did you mean 'simpson'" },
        { "qqq", "known are simpson, midpoint, newmark, gauss, lobatto" },
        { "P4 labatto 5", "did you mean 'lobatto'" },
        { "P4 qqq 5", "known are gauss, lobatto, radau-left, radau-right, clenshaw" },
        { "P4 5", "unknown quadrature ''" },
        { "radau- 3", "noether has no Radau IIA" },
        { "gauss", "degree must be" },
        { "gauss 0", "degree must be a number from 1 to 12" },
        { "gauss 13", "degree must be" },
        { "gauss -1", "degree must be" },
        { "P gauss 3", "degree must be" },
        { "gauss 99999999999999999999", "degree must be" },
        { "P4 gauss", "points must be from 1 to 32" },
        { "P4 gauss 33", "points must be from 1 to 32" },
        { "P1 lobatto 1", "points must be from 2 to 32" },
        { "P4 clenshaw 99999999999999999999", "points must be from 2 to 32" },
        { "P4 gauss 3", "singular; take at least 4 points" },
        { "P12 radau-left 11", "singular; take at least 12 points" },
        { "gauss 3x", "'x' is left over" },
        { "gauss 3 4", "'4' is left over" },
        { "gauss 3.5", "'.5' is left over" },
        { "simpson 2", "'2' is left over" },
        { "P4 gauss 6;", "';' is left over" },
        { "midpoint\xc3\xa9", "is left over" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        noe_error_clear();
        assert_null(noe_method_parse(rows[k].name));
        if (!noe_error() || !strstr(noe_error(), rows[k].says))
            fail_msg("'%s' gives: %s", rows[k].name, noe_error() ? noe_error() : "no message");
    }
    noe_error_clear();
}

static void test_null_passes_through(void **unused)
{
    (void)unused;
    noe_error_clear();
    assert_null(noe_method_parse(NULL));
    assert_null(noe_method_name(NULL));
    assert_int_equal(noe_method_order(NULL), 0);
    assert_int_equal(noe_stability_windows(NULL, 1, NULL, 0), 0);
    noe_method_free(NULL);
    assert_null(noe_error());
}

/* Any bytes at all: a method or a message, never both, never neither. */
static void test_random_text(void **unused)
{
    (void)unused;
    static const char *pieces[] = { "p",    "P",        "gauss",   "lobatto", "radau-",
                                    "left", "clenshaw", "simpson", " ",       "1",
                                    "2",    "3",        "7",       "0",       "-",
                                    "\xff", "\n",       "gauzz",   "%s%n",    "midpoint" };
    for (int n = 0; n < 2000; n++) {
        char text[100] = "";
        int  count = (int)(4 + 4 * random_number());
        for (int k = 0; k < count; k++) strcat(text, pieces[(int)(10 + 10 * random_number()) % 20]);
        noe_error_clear();
        noe_method *m = noe_method_parse(text);
        assert_true(!m == !!noe_error());
        noe_method_free(m);
    }
    char text[5000];
    memset(text, 'g', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_null(noe_method_parse(text));
    noe_error_clear();
}

/* The name of Newmark's method has all twelve digits of both numbers, also with an exponent. */
static void test_newmark_numbers(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        double x[2];
        char   name[80];
        for (int k = 0; k < 2; k++)
            x[k] = fabs(random_number()) * pow(10, -4 * fabs(random_number()) - (k ? 0 : 4));
        snprintf(name, sizeof name, "newmark %.12g %.12g", x[0], x[1]);
        noe_method *m = noe_method_parse(name), *again = m ? noe_method_parse(m->name) : NULL;
        if (!m || !again) fail_msg("%s: %s", name, noe_error());
        assert_string_equal(m->name, name);
        assert_true(m->beta == again->beta && m->gamma == again->gamma);
        noe_method_free(m), noe_method_free(again);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_errors_say_what_to_do),
        cmocka_unit_test(test_null_passes_through),
        cmocka_unit_test(test_random_text),
        cmocka_unit_test(test_newmark_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
