/* Pictures of any table, and no text in one is a command.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/table.h"
#include "failing.h"
#include "plot/heat_map.h"
#include "plot/plot.h"
#include "scratch.h"

#include <math.h>
#include <sys/stat.h>

static const char *const names[] = { "t", "q1", "x[2]", "p(q1)", "energy" };

static noe_table *pendulum(size_t rows)
{
    noe_table *t = noe_table_new(5, names);
    for (size_t i = 0; i < rows; i++) {
        double s = 0.02 * (double)i,
               row[] = { s, sin(s), cos(3 * s), cos(s), -0.5 + 1e-9 * sin(s) };
        noe_table_add(t, row);
    }
    return t;
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *s = text; (s = strstr(s, word)); s++) n++;
    return n;
}

/* The picture as text, which the caller frees; skips where there is no gnuplot. */
static char *draw(const noe_table *t, const char *name, const char *columns, const char *title)
{
    const noe_plot_words words = { .title = title };
    noe_status           s = noe_plot_draw(in_scratch(name), t, columns, &words);
    if (s && strstr(noe_error(), "gnuplot is not installed")) skip();
    if (s) fail_msg("%s", noe_error());
    return slurp(in_scratch(name));
}

static void test_svg(void **state)
{
    (void)state;
    noe_table *t = pendulum(5000);
    char      *all = draw(t, "a.svg", NULL, "the title");
    assert_non_null(strstr(all, "<text>the title</text>"));
    assert_non_null(strstr(all, "<text>x[2]</text>"));
    assert_non_null(strstr(all, "energy error / 10\u207B\u2079"));
    assert_non_null(strstr(all, "relative to |energy(0)| = 0.5"));
    assert_null(strstr(all, "p(q1)"));
    assert_true(count(all, "L") > 3000); /* three curves of more than a thousand lines */
    char *phase = draw(t, "b.svg", "q1:q1.p , x.2:q1.p", NULL);
    assert_non_null(strstr(phase, "<text>q1 : q1.p</text>"));
    assert_null(strstr(phase, "energy"));
    assert_true(count(phase, "L") > 500);
    char *one = draw(t, "c.svg", "q1", NULL);
    assert_true(strlen(one) < strlen(all));
    free(all);
    free(phase);
    free(one);
    noe_table_free(t);
}

/* Members 2, 4 and 8 of a family, of rows that are not equally far apart: x[i] = 1000 i + number
 * of the row. */
static noe_table *waves(size_t rows)
{
    static const char *const list[] = { "t", "x[2]", "x[4]", "x[8]", "energy" };
    noe_table               *t = noe_table_new(5, list);
    for (size_t k = 0; k < rows; k++) {
        const double r = (double)k;
        noe_table_add(t, (double[]){ 1 + 1e-4 * r * r, 2000 + r, 4000 + r, 8000 + r, -1 });
    }
    return t;
}

/* Every cell of a map is the number of the row nearest to its time; a member that is not there
 * leaves a gap. */
static void test_map_cells(void **state)
{
    (void)state;
    enum { ROWS = 900, CELLS = 600 };
    noe_table    *t = waves(ROWS);
    const double *now = noe_table_column(t, "t");
    noe_arena    *memory = noe_arena_new();
    noe_panel     p;
    FILE         *f = fopen(in_scratch("map"), "w");
    assert_int_equal(noe_heat_map_panel(&p, memory, t, "x[*]"), NOE_OK);
    assert_true(p.sites == 4 && p.first == 2 && p.apart == 2);
    noe_panel_measure(&p);
    assert_int_equal(noe_heat_map_draw(&p, f, memory), NOE_OK);
    fclose(f);
    char *text = slurp(in_scratch("map")), *at = strstr(text, "with image notitle\n");
    assert_non_null(at);
    at += strlen("with image notitle\n");
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < CELLS; c++) {
            const double x = strtod(at, &at),
                         when = now[0] + c * (now[ROWS - 1] - now[0]) / (CELLS - 1);
            double least = INFINITY;
            assert_true(isnan(x) == (i == 2));
            if (isnan(x)) continue;
            const size_t row = (size_t)(x - 1000 * (2 + 2 * i));
            assert_true(row < ROWS && x == 1000 * (2 + 2 * i) + (double)row);
            for (size_t k = 0; k < ROWS; k++) least = fmin(least, fabs(now[k] - when));
            assert_true(fabs(now[row] - when) <= least + 1e-12 * now[ROWS - 1]);
        }
    assert_int_equal(strncmp(at, " \ne\n", 4), 0);
    free(text);
    remove(in_scratch("map"));
    noe_arena_free(memory);
    noe_table_free(t);
}

static void test_maps(void **state)
{
    (void)state;
    noe_table *t = waves(100);
    char      *map = draw(t, "a.svg", "x[*]", NULL), *curves = draw(t, "c.svg", NULL, NULL);
    assert_true(count(map, "<image") == 1 && count(curves, "<image") == 0);
    assert_non_null(strstr(map, "<text>x[i]</text>"));
    free(map), free(curves);
    assert_int_equal(noe_plot_draw(in_scratch("d.svg"), t, "y[*]", NULL), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "'y[*]': a map needs two members of a family"));
    noe_error_clear();
    noe_table_free(t);
}

static void test_png_and_pdf(void **state)
{
    (void)state;
    noe_table  *t = pendulum(500);
    char       *text = draw(t, "a.png", NULL, "a");
    struct stat png, pdf;
    assert_memory_equal(text, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(text + 16, "\0\0\x04\xB0\0\0\x03\x20", 8); /* 1200 x 800 */
    free(text);
    text = draw(t, "a.PDF", NULL, "a");
    assert_memory_equal(text, "%PDF-", 5);
    free(text);
    stat(in_scratch("a.png"), &png);
    stat(in_scratch("a.PDF"), &pdf);
    assert_true(png.st_size > 20000 && pdf.st_size > 5000);
    noe_table_free(t);
}

/* Nothing in a title or a name runs or breaks the picture. */
static void test_hostile_texts(void **state)
{
    (void)state;
    char title[600], name[200];
    snprintf(title, sizeof title,
             "it's `touch %s/evil1` <b>&\n!touch %s/evil1\nsystem('touch %s/evil1')\\n\xff",
             scratch, scratch, scratch);
    snprintf(name, sizeof name, "q'.system('touch %s/evil2').'\n", scratch);
    const char *const list[] = { "t", name, "@q", "energy" };
    noe_table        *t = noe_table_new(4, list);
    for (int i = 0; i < 100; i++) noe_table_add(t, (double[]){ i, sin(i), cos(i), 1 });
    char *text = draw(t, "h.svg", NULL, title);
    assert_non_null(strstr(text, "&lt;b&gt;&amp;"));
    assert_non_null(strstr(text, "it's `touch"));
    assert_int_not_equal(access(in_scratch("evil1"), F_OK), 0);
    assert_int_not_equal(access(in_scratch("evil2"), F_OK), 0);
    free(text);
    noe_table_free(t);
}

static void test_odd_tables(void **state)
{
    (void)state;
    const double odd[][4] = { { 1, 1, 1, 1 },
                              { NAN, NAN, NAN, NAN },
                              { 0, 0, 0, 0 },
                              { 1e308, -1e308, 1e308, 1 },
                              { 5e-324, 0, 5e-324, 0 },
                              { INFINITY, 1, NAN, -INFINITY },
                              { 1e-20, 1e-20, 1e-20, 1e-20 } };
    for (size_t k = 0; k < 2 * sizeof odd / sizeof *odd; k++) { /* a single row, then a hundred */
        noe_table *t = noe_table_new(5, names);
        for (size_t i = 0; i < (k % 2 ? 100 : 1); i++) {
            const double *x = odd[k / 2];
            noe_table_add(t, (double[]){ (double)i, x[i % 4], x[(i + 1) % 4], x[(i + 2) % 4],
                                         x[(i + 3) % 4] });
        }
        free(draw(t, "o.svg", NULL, NULL));
        free(draw(t, "o.svg", "q1:q1.p", NULL));
        noe_table_free(t);
    }
    char        name[101][48];
    const char *many[101] = { "t" };
    double      row[101] = { 0 };
    for (int i = 1; i < 101; i++) {
        snprintf(name[i], sizeof name[i], "a_rather_long_name_of_a_coordinate[%d]", i);
        many[i] = name[i];
        row[i] = i;
    }
    noe_table *t = noe_table_new(101, many);
    noe_table_add(t, row);
    char *text = draw(t, "many.svg", NULL, NULL);
    assert_int_equal(count(text, "<text>a_rather_lo\u2026rdinate[1]</text>"), 1);
    assert_int_equal(count(text, "<text>a_rather_lo\u2026inate[100]</text>"), 1);
    free(text);
    noe_table_free(t);
}

static void expect_refusal(const noe_table *t, const char *name, const char *columns, noe_status s,
                           const char *message)
{
    int before = count_scratch();
    assert_int_equal(noe_plot_draw(in_scratch(name), t, columns, NULL), s);
    if (!strstr(noe_error(), message)) fail_msg("%s", noe_error());
    assert_int_equal(count_scratch(), before);
    noe_error_clear();
}

static void test_refusals(void **state)
{
    (void)state;
    noe_table *t = pendulum(10), *empty = pendulum(0);
    expect_refusal(t, "r.gif", NULL, NOE_INVALID, "must end in .svg, .png or .pdf");
    expect_refusal(empty, "r.svg", NULL, NOE_INVALID, "no rows");
    expect_refusal(t, "r.svg", "q7", NOE_INVALID, "no column 'q7'");
    expect_refusal(t, "r.svg", "q1:q7", NOE_INVALID, "no column 'q7'");
    expect_refusal(t, "r.svg", "q1:x[2],q1", NOE_INVALID, "no partner for 'q1'");
    expect_refusal(t, "r.svg", "q1:x[2]:q1", NOE_INVALID, "between two colons");
    expect_refusal(t, "r.svg", "", NOE_INVALID, "no column ''");
    expect_refusal(t, "none/r.svg", NULL, NOE_IO, "No such file or directory");
    const char *const only[] = { "t", "p(q)" };
    noe_table        *nothing = noe_table_new(2, only);
    noe_table_add(nothing, (double[]){ 0, 1 });
    expect_refusal(nothing, "r.svg", NULL, NOE_INVALID, "nothing to draw");
    assert_int_equal(noe_plot_draw(NULL, t, NULL, NULL), NOE_INVALID);
    assert_int_equal(noe_plot_draw("a.svg", NULL, NULL, NULL), NOE_INVALID);
    assert_null(noe_error());
    noe_table_free(nothing);
    noe_table_free(t);
    noe_table_free(empty);
}

/* What can be told before there is a table is told then, and nothing is left in the folder. */
static void test_check(void **state)
{
    (void)state;
    static const char *const bad[][3] = { { "r.gif", "q1", "must end in" },
                                          { "r.svg", "q1:q2,q3", "no partner for 'q3'" },
                                          { "none/r.svg", NULL, "No such file or directory" } };
    int                      before = count_scratch();
    assert_int_equal(noe_plot_check(in_scratch("r.svg"), "q1:q2"), NOE_OK);
    assert_int_equal(noe_plot_check(in_scratch("r.svg"), NULL), NOE_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(noe_plot_check(in_scratch(bad[i][0]), bad[i][1]), NOE_OK);
        assert_non_null(strstr(noe_error(), bad[i][2]));
        noe_error_clear();
    }
    assert_int_equal(count_scratch(), before);
}

/* Without gnuplot, and with one that fails. */
static void test_gnuplot_missing(void **state)
{
    (void)state;
    noe_table *t = pendulum(10);
    char       path[4096];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", scratch, 1);
    expect_refusal(t, "g.svg", NULL, NOE_IO,
                   "gnuplot is not installed: apt-get install gnuplot-nox");
    FILE *f = fopen(in_scratch("gnuplot"), "w");
    fputs("#!/bin/sh\necho; echo 'line 3: unknown terminal' >&2; exit 1\n", f);
    fclose(f);
    chmod(in_scratch("gnuplot"), 0755);
    expect_refusal(t, "g.svg", NULL, NOE_IO, "g.svg: line 3: unknown terminal");
    setenv("PATH", path, 1);
    remove(in_scratch("gnuplot"));
    noe_table_free(t);
}

static void test_no_memory(void **state)
{
    (void)state;
    noe_table *t = pendulum(20000);
    free(draw(t, "m.svg", NULL, NULL));
    int before = count_scratch(), failures = 0;
    for (long k = 0;; k++, failures++) {
        calls_left = k;
        noe_status s = noe_plot_draw(in_scratch("m.svg"), t, "q1:q1.p",
                                     &(noe_plot_words){ .title = "title" });
        bool       whole = calls_left >= 0;
        calls_left = -1;
        assert_int_equal(count_scratch(), before);
        if (whole) break;
        assert_int_equal(s, NOE_NO_MEMORY);
        noe_error_clear();
    }
    assert_true(failures >= 4);
    assert_null(noe_error());
    noe_table_free(t);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_cells),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_svg),
        cmocka_unit_test(test_png_and_pdf),
        cmocka_unit_test(test_hostile_texts),
        cmocka_unit_test(test_odd_tables),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_gnuplot_missing),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
