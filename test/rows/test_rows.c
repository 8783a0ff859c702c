/* Output times from lists, ranges and files; rows into the caller's array; rows of eight at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rows/column_list.h"
#include "rows/output_times.h"
#include "rows/row_buffer.h"
#include "failing.h"
#include "laws.h"
#include "scratch.h"

#include "base/status.h"

static noe_model *small_model(void)
{
    static const char text[] = "parameter a = 3\ncoordinate x\nkinetic x'^2/2\n";
    noe_model        *m = noe_parse_model_text("test", text, strlen(text), NULL, 0);
    assert_non_null(m);
    return m;
}

/* ---- output times ---- */

static void expect(const noe_model *m, const char *text, int count, const double *is)
{
    noe_output_times x = { .in_double = true };
    quad             t;
    if (!noe_output_times_parse(&x, m, text)) fail_msg("%s", noe_error());
    assert_true(noe_output_times_within(&x, is[0], is[count - 1]));
    assert_true(x.count == count && noe_output_times_last(&x) == is[count - 1]);
    for (int i = 0; i < count; i++) {
        assert_true(noe_output_times_next(&x, &t));
        assert_true(t == is[i]);
    }
    assert_false(noe_output_times_next(&x, &t));
    noe_output_times_free(&x);
}

static void test_lists(void **unused)
{
    (void)unused;
    noe_model *m = small_model();
    expect(m, "1", 1, (double[]){ 1 });
    expect(m, "0, 0.1, 1..3 in 5", 7, (double[]){ 0, 0.1, 1, 1.5, 2, 2.5, 3 });
    expect(m, " a/3 , max(2, a)..a^2 in 3,10 ", 5, (double[]){ 1, 3, 6, 9, 10 });
    expect(m, "0..1 in 3, 1..2 in 3", 5, (double[]){ 0, 0.5, 1, 1.5, 2 });
    expect(m, "0..1 in 11", 11, (double[]){ 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1 });
    expect(m, "2..-2 in 3, -4", 4, (double[]){ 2, 0, -2, -4 });
    put("times.txt", "# a file\n0, 1\n\n2 # two\n3..5 in 3,\n");
    expect(m, in_scratch("times.txt"), 6, (double[]){ 0, 1, 2, 3, 4, 5 });
    noe_model_free(m);
}

static void test_memory_of_a_file(void **unused)
{
    (void)unused;
    noe_model *m = small_model();
    put("times.txt", "0, 1\n");
    long failed = 0;
    for (bool through = false; !through; failed++) {
        noe_output_times x = { .in_double = true };
        noe_error_clear();
        calls_left = failed;
        const bool ok = noe_output_times_parse(&x, m, in_scratch("times.txt"));
        through = calls_left >= 0, calls_left = -1;
        if (!through && (ok || !strstr(noe_error(), "out of memory")))
            fail_msg("call %ld of malloc: %s", failed, noe_error());
        assert_true(ok == through);
        noe_output_times_free(&x);
    }
    assert_true(failed > 1);
    noe_error_clear();
    noe_model_free(m);
}

/* Ten million times take no memory. */
static void test_a_long_range(void **unused)
{
    (void)unused;
    noe_model       *m = small_model();
    noe_output_times x = { .in_double = true };
    quad             t, before = -1, sum = 0;
    assert_true(noe_output_times_parse(&x, m, "0..1 in 10000001"));
    assert_int_equal(x.ranges, 1);
    while (noe_output_times_next(&x, &t)) {
        assert_true(t > before);
        before = t, sum += t;
    }
    assert_true(t == 1);
    close_to(sum, 10000001 / 2.0, 1e-6);
    noe_output_times_free(&x);
    noe_model_free(m);
}

static void test_bad_lists(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *says;
    } bad[] = {
        { "", "--times is empty" },
        { "  ", "--times is empty" },
        { "1,", "--times '': expected times and ranges" },
        { "1,,2", "--times '': expected times and ranges" },
        { "1..2", "'1..2': expected a range FIRST..LAST in COUNT" },
        { "1...2 in 3", "'1...2 in 3': expected a range" },
        { "1..2 in 1", "COUNT from 2 to" },
        { "1..2 in 2.5", "COUNT from 2 to" },
        { "1..2 in 3 4", "COUNT from 2 to" },
        { "1..1 in 3", "a range whose ends differ" },
        { "1, 1", "--times '1': expected another time than the one before" },
        { "1e999", "expected a finite time" },
        { "b", "unknown name 'b'" },
        { "2, 1", "1 comes after 2: expected times that ascend" },
        { "1..2 in 2, 0..3 in 2", "0 comes after 2: expected times that ascend" },
        { "2..1 in 2", "the range 2..1 goes the other way" },
        { "-1, 2", "-1 lies outside the run, from 0 to 4" },
        { "1, 5", "5 lies outside the run, from 0 to 4" },
        { "none.txt", "--times none.txt: no such file" },
        { "bad", "bad:2: '1 .. 2': expected a range FIRST..LAST in COUNT" },
        { "nothing", "nothing: the file has no times" },
    };
    noe_model *m = small_model();
    put("bad", "0\n1 .. 2\n");
    put("nothing", "# none\n\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        noe_output_times x = { .in_double = true };
        const bool       file = !strcmp(bad[i].text, "bad") || !strcmp(bad[i].text, "nothing");
        noe_error_clear();
        if (noe_output_times_parse(&x, m, file ? in_scratch(bad[i].text) : bad[i].text)
            && noe_output_times_within(&x, 0, 4))
            fail_msg("'%s' is taken", bad[i].text);
        if (!strstr(noe_error(), bad[i].says)) fail_msg("'%s': %s", bad[i].text, noe_error());
        noe_output_times_free(&x);
    }
    noe_error_clear();
    noe_model_free(m);
}

/* ---- rows into an array ---- */

static void test_rows_are_those_of_the_steps(void **unused)
{
    (void)unused;
    enum { STEPS = 50, EVERY = 3 };
    static const char *const file[] = {
        "systems/double_pendulum.lag", "systems/linear_double_pendulum.lag",
        "systems/fput_beta.lag",       "systems/kepler.lag",
        "systems/bouncing_ball.lag",   "systems/vibrating_table.lag"
    };
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        noe_system     *s = noe_system_load(file[i]);
        noe_method     *m = noe_method_parse("simpson");
        noe_integrator *g = noe_integrator_new(s, m, 0.01), *r = noe_integrator_new(s, m, 0.01);
        const size_t    n = (size_t)noe_system_dim(s), wide = 1 + 2 * n;
        double         *out = calloc(STEPS * wide, sizeof *out);
        assert_non_null(r);
        assert_int_equal(noe_rows(g, STEPS, EVERY, out), NOE_OK);
        for (int k = 1; k <= STEPS; k++) {
            assert_int_equal(noe_step(r), NOE_OK);
            if (k % EVERY) continue;
            const double *row = out + (size_t)(k / EVERY - 1) * wide;
            assert_true(row[0] == noe_time(r));
            assert_int_equal(memcmp(row + 1, noe_q(r), n * sizeof *row), 0);
            assert_int_equal(memcmp(row + 1 + n, noe_p(r), n * sizeof *row), 0);
        }
        assert_true(out[STEPS / EVERY * wide] == 0); /* no further row */
        assert_true(noe_time(g) == noe_time(r));
        assert_int_equal(noe_rows(g, -1, 1, out), NOE_INVALID);
        assert_non_null(strstr(noe_error(), "-1 steps: expected 0 or more"));
        noe_error_clear();
        assert_int_equal(noe_rows(g, 1, 0, out), NOE_INVALID);
        assert_non_null(strstr(noe_error(), "every 0-th row: expected 1 or more"));
        noe_error_clear();
        free(out);
        noe_integrator_free(g), noe_integrator_free(r), noe_method_free(m), noe_system_free(s);
    }
}

/* ---- rows of eight states at once ---- */

static long buffered;

/* Rows of a buffer are the columns read one by one, and the run goes on with the same bits. */
static void same_rows(const noe_system *s, const char *path)
{
    static const char *const methods[] = { "simpson",           "gauss 3", "gauss 8",
                                           "compose 6 simpson", "verlet",  "rk4" };
    enum { STEPS = 29 };
    for (int i = 0; i < 6; i++) {
        char list[4000] = "t,energy";
        for (int j = 0; j < s->dyn.n && j < 16; j++) {
            const char *q = noe_system_name(s, j);
            sprintf(list + strlen(list), ",%s,p(%s),%s'", q, q, q);
        }
        noe_method     *m = noe_method_parse(methods[i]);
        const double    h = (double)suggested_step(s);
        noe_integrator *g = noe_integrator_new(s, m, h), *r = noe_integrator_new(s, m, h);
        noe_columns    *x = noe_column_list_parse(s, list);
        noe_error_clear();
        noe_row_buffer *y = g && r && !noe_integrator_start_ready(g)
                                 && !noe_integrator_start_ready(r)
                              ? noe_row_buffer_new(g, x)
                              : NULL;
        double         *own = calloc(8 * (size_t)x->count, sizeof *own);
        for (int k = 0; y && k < STEPS; k++) {
            const double *rows;
            double        energy[NOE_ROW_BUFFER_MOST];
            if (noe_step(g) || noe_step(r)) break;
            const bool taken = noe_row_buffer_take(y, g);
            if (taken)
                for (int c = 0; c < x->count; c++)
                    own[(noe_row_buffer_count(y) - 1) * x->count + c] =
                        noe_integrator_column_in_double(r, &x->column[c]);
            const int count = noe_row_buffer_count(y);
            if (count < 8 && k + 1 < STEPS && taken && bits() % 5) continue;
            assert_int_equal(noe_row_buffer_compute(y, g, &rows, energy), count);
            for (int j = 0; j < count; j++) assert_true(energy[j] == rows[j * x->count + 1]);
            if (memcmp(rows, own, (size_t)(count * x->count) * sizeof *own))
                fail_msg("%s, %s: rows of a buffer differ", path, methods[i]);
            buffered += count;
        }
        if (g && r && y)
            for (int c = 0; c < x->count; c++)
                assert_true(noe_integrator_column_in_double(g, &x->column[c])
                            == noe_integrator_column_in_double(r, &x->column[c]));
        noe_row_buffer_free(y);
        free(own), free(x);
        noe_integrator_free(g), noe_integrator_free(r), noe_method_free(m);
        noe_error_clear();
    }
}

static void test_rows_of_eight_states(void **unused)
{
    (void)unused;
    buffered = 0;
    every_system(same_rows);
    assert_true(buffered > 20 * 29);
}

/* A table of rows of eight states against one of rows read one by one, which the column `work`
 * makes them: the same numbers, the same state and message where a step fails or the energy is not
 * finite, as it is where a step ends behind the root's zero while its nodes lie before it. */
static void test_records_end_alike(void **unused)
{
    (void)unused;
    enum { RUNS = 40, STEPS = 20000 };
    int failed = 0, whole = 0;
    for (int i = 0; i < RUNS; i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential sqrt(%.17g - x) + (y - 1/%d)^4\n"
            "start x' = 1, y = 0.3\n",
            1 + 0.5 * random_number(), 2 + i % 7);
        const double    h = 1e-4 * (1 + 0.4 * random_number());
        const int       every = 1 + (int)(bits() % 2);
        noe_system     *s = noe_system_parse(text);
        noe_method     *m = noe_method_parse(i % 3 ? "gauss 2" : "gauss 3");
        noe_integrator *g = noe_integrator_new(s, m, h), *r = noe_integrator_new(s, m, h);
        assert_non_null(r);
        noe_table *a = noe_record(g, STEPS * h, every, "t,x,y',p(y),energy");
        char       why[1000];
        snprintf(why, sizeof why, "%s", noe_error() ? noe_error() : "");
        noe_error_clear();
        noe_table *b = noe_record(r, STEPS * h, every, "t,x,y',p(y),energy,work");
        assert_string_equal(why, noe_error() ? noe_error() : "");
        noe_error_clear();
        failed += *why != 0, whole += !*why;
        assert_int_equal(noe_table_rows(a), noe_table_rows(b));
        for (size_t c = 0; c < 5; c++)
            assert_memory_equal(noe_table_column(a, noe_table_name(a, c)),
                                noe_table_column(b, noe_table_name(a, c)),
                                noe_table_rows(a) * sizeof(double));
        assert_true(noe_time(g) == noe_time(r));
        assert_memory_equal(noe_q(g), noe_q(r), 2 * sizeof(double));
        assert_memory_equal(noe_v(g), noe_v(r), 2 * sizeof(double));
        noe_table_free(a), noe_table_free(b);
        noe_integrator_free(g), noe_integrator_free(r), noe_method_free(m), noe_system_free(s);
    }
    printf("%d runs to their end, %d failed\n", whole, failed);
    assert_true(failed > RUNS / 4);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lists),
                                        cmocka_unit_test(test_memory_of_a_file),
                                        cmocka_unit_test(test_a_long_range),
                                        cmocka_unit_test(test_bad_lists),
                                        cmocka_unit_test(test_rows_are_those_of_the_steps),
                                        cmocka_unit_test(test_rows_of_eight_states),
                                        cmocka_unit_test(test_records_end_alike) };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
