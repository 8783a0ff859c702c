/* table: what was added is what is there, row by row and column by column.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/spelling.h"
#include "base/table.h"
#include "failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const three[] = { "t", "p(x[3])", "q1'" };

static double entry(size_t i, size_t j) { return (double)i * 1.25 - (double)(j * j); }

static void test_rows_and_columns(void **state)
{
    (void)state;
    noe_table *t = noe_table_new(3, three);
    assert_non_null(noe_table_column(t, "t")); /* also without a row */
    for (size_t i = 0; i < 1000; i++) {
        double row[] = { entry(i, 0), entry(i, 1), entry(i, 2) };
        assert_int_equal(noe_table_rows(t), i);
        assert_int_equal(noe_table_add(t, row), NOE_OK);
        if (i < 70 || i == 999) /* past several doublings: 16, 32, 64, .. */
            for (size_t j = 0; j < 3; j++)
                for (size_t k = 0; k <= i; k++)
                    assert_true(noe_table_column(t, three[j])[k] == entry(k, j));
    }
    assert_int_equal(noe_table_columns(t), 3);
    for (size_t j = 0; j < 3; j++) assert_string_equal(noe_table_name(t, j), three[j]);
    assert_null(noe_table_name(t, 3));
    noe_table_free(t);
}

/* Memory that was reserved, early or late, changes no number; rows beyond it are added as ever. */
static void test_reserved(void **state)
{
    (void)state;
    for (size_t when = 0; when <= 40; when += 20) {
        noe_table *t = noe_table_new(3, three);
        for (size_t i = 0; i < 500; i++) {
            double row[] = { entry(i, 0), entry(i, 1), entry(i, 2) };
            if (i == when) assert_int_equal(noe_table_reserve(t, 333), NOE_OK);
            if (i == when + 100) assert_int_equal(noe_table_reserve(t, 7), NOE_OK);
            assert_int_equal(noe_table_add(t, row), NOE_OK);
        }
        for (size_t j = 0; j < 3; j++)
            for (size_t k = 0; k < 500; k++)
                assert_true(noe_table_column(t, three[j])[k] == entry(k, j));
        noe_table_free(t);
    }
}

static void test_names_are_copies(void **state)
{
    (void)state;
    char        name[] = "energy";
    const char *list[] = { name };
    noe_table  *t = noe_table_new(1, list);
    strcpy(name, "other!");
    assert_string_equal(noe_table_name(t, 0), "energy");
    noe_table_free(t);
}

static void test_two_spellings(void **state)
{
    (void)state;
    static const char *const same[][2] = { { "q1'", "q1.v" },
                                           { "p(q1)", "q1.p" },
                                           { "x[3]", "x.3" },
                                           { "x[3]'", "x.3.v" },
                                           { "p(x[13])", "x.13.p" },
                                           { "p(x[3])", "x[3].p" },
                                           { "a[1][2]", "a.1.2" },
                                           { "a[1, 2]", "a[1][2]" },
                                           { "x", "x" },
                                           { "\xCE\xB8'", "\xCE\xB8.v" } };
    static const char *const other[][2] = {
        { "q1", "q1.v" }, { "q1.p", "q1.v" }, { "x[3]", "x.33" }, { "x3", "x.3" },  { "p", "p(q)" },
        { "q1", "q" },    { "", "x" },        { ".v", "'" },      { "x.1", "x.11" }
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_true(noe_spelling_same(same[i][0], same[i][1]));
        assert_true(noe_spelling_same(same[i][1], same[i][0]));
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        assert_false(noe_spelling_same(other[i][0], other[i][1]));
        assert_false(noe_spelling_same(other[i][1], other[i][0]));
    }
    assert_int_equal(noe_spelling_kind("q1"), 'q');
    assert_int_equal(noe_spelling_kind("x[3].v"), 'v');
    assert_int_equal(noe_spelling_kind("p(x[3])"), 'p');
    noe_table *t = noe_table_new(3, three);
    assert_ptr_equal(noe_table_column(t, "x.3.p"), noe_table_at(t, 1));
    assert_ptr_equal(noe_table_column(t, "q1.v"), noe_table_at(t, 2));
    noe_table_free(t);
}

static void test_unknown_and_null(void **state)
{
    (void)state;
    noe_error_clear();
    double     row[3] = { 0 };
    noe_table *t = noe_table_new(3, three);
    assert_null(noe_table_new(3, NULL));
    assert_int_equal(noe_table_add(NULL, row), NOE_INVALID);
    assert_int_equal(noe_table_add(t, NULL), NOE_INVALID);
    assert_int_equal(noe_table_head(t, NULL), NOE_INVALID);
    assert_null(noe_table_about(NULL));
    assert_null(noe_table_name(NULL, 0));
    assert_null(noe_table_column(NULL, "t"));
    assert_null(noe_table_column(t, NULL));
    assert_null(noe_table_at(t, 3));
    assert_int_equal(noe_table_rows(NULL), 0);
    assert_int_equal(noe_table_columns(NULL), 0);
    noe_table_free(NULL);
    assert_null(noe_error()); /* NULL in leaves the message alone */
    assert_null(noe_table_column(t, "speed"));
    assert_non_null(strstr(noe_error(), "no column 'speed'"));
    noe_error_clear();
    assert_null(noe_table_new(0, three));
    assert_non_null(noe_error());
    noe_table_free(t);
    noe_error_clear();
}

static void test_head(void **state)
{
    (void)state;
    char     model[] = "coordinate q";
    noe_head h = {
        .columns = 99, .digits = 33, .model = model, .changes = "g=2", .step = (quad)1 / 3, .t0 = -1
    };
    noe_table *t = noe_table_new(3, three);
    assert_int_equal(noe_table_head(t, &h), NOE_OK);
    model[0] = 'X';
    const noe_head *kept = noe_table_about(t);
    assert_string_equal(kept->model, "coordinate q");
    assert_string_equal(kept->changes, "g=2");
    assert_null(kept->method);
    assert_true(kept->step == h.step && kept->t0 == -1);
    assert_int_equal(kept->columns, 3);
    assert_int_equal(kept->digits, 15);
    assert_string_equal(kept->name[1], "p(x[3])");
    noe_table_free(t);
}

/* Every allocation on the way fails once; the table that survives has its earlier rows. */
static void test_no_memory(void **state)
{
    (void)state;
    char *big = calloc(1, 100001);
    memset(big, 'm', 100000);
    noe_head h = { .model = big, .method = "simpson" };
    int      failures = 0;
    for (long k = 0, whole = 0; !whole; k++) {
        noe_error_clear();
        calls_left = k;
        noe_table *t = noe_table_new(3, three);
        noe_status s = t ? noe_table_head(t, &h) : NOE_NO_MEMORY;
        size_t     n = 0;
        for (; n < 100 && !s; n++) {
            double row[] = { (double)n, 1, 2 };
            s = noe_table_add(t, row);
        }
        whole = calls_left >= 0;
        calls_left = -1;
        if (s) {
            failures++;
            assert_int_equal(s, NOE_NO_MEMORY);
            assert_non_null(strstr(noe_error(), "out of memory"));
        }
        if (t) assert_int_equal(noe_table_rows(t), s && n ? n - 1 : n);
        for (size_t i = 0; t && i < noe_table_rows(t); i++)
            assert_true(noe_table_column(t, "t")[i] == (double)i);
        noe_table_free(t);
    }
    assert_true(failures >= 6); /* handle, arena, rows, model, three doublings */
    free(big);
    noe_error_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_and_columns), cmocka_unit_test(test_reserved),
        cmocka_unit_test(test_names_are_copies), cmocka_unit_test(test_two_spellings),
        cmocka_unit_test(test_unknown_and_null), cmocka_unit_test(test_head),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
