/* What a picture shows, read from its SVG: texts inside the canvas, panels, ends, colours, words.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/table.h"
#include "plot/figure.h"
#include "plot/plot.h"
#include "random.h"
#include "scratch.h"

#include <math.h>

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *s = text; (s = strstr(s, word)); s++) n++;
    return n;
}

static char *take(noe_status s, const char *name)
{
    if (s && strstr(noe_error(), "gnuplot is not installed")) skip();
    if (s) fail_msg("%s", noe_error());
    return slurp(in_scratch(name));
}

static char *draw(const noe_table *t, const char *columns, const noe_plot_words *words)
{
    return take(noe_plot_draw(in_scratch("p.svg"), t, columns, words), "p.svg");
}

static size_t letters(const char *from, const char *to)
{
    size_t n = 0;
    for (; from < to; from++) n += (*from & 0xC0) != 0x80;
    return n;
}

/* No text reaches out of the canvas, by the width of an average letter of Helvetica, 0.52 of the
 * size; returns the number of texts. */
static int texts_inside(const char *svg)
{
    double w, h, x, y, size;
    int    texts = 0;
    assert_int_equal(sscanf(strstr(svg, "viewBox=\"0 0 ") + 13, "%lf %lf", &w, &h), 2);
    for (const char *s = svg; (s = strstr(s, "<g transform=\"translate(")); s++, texts++) {
        char        anchor[8];
        const char *font = strstr(s, "font-size=\""), *side = strstr(s, "text-anchor=\""),
                   *from = strstr(s, "<text>"), *to = strstr(s, "</text>");
        if (sscanf(s + 24, "%lf,%lf", &x, &y) != 2 || !font || !from) fail_msg("%.200s", s);
        assert_int_equal(sscanf(font + 11, "%lf", &size), 1);
        assert_int_equal(sscanf(side + 13, "%7[a-z]", anchor), 1);
        const double wide = 0.52 * size * (double)letters(from + 6, to),
                     left = x
                          - (*anchor == 's'   ? 0
                             : *anchor == 'm' ? wide / 2
                                              : wide);
        if (left < 0 || left + wide > w || y - 0.8 * size < 0 || y + 0.25 * size > h)
            fail_msg("%.*s at %g,%g reaches out of %g x %g", (int)(to - from - 6), from + 6, x, y,
                     w, h);
    }
    return texts;
}

/* Points of the longest path of the picture. */
static size_t longest_path(const char *svg)
{
    size_t most = 0;
    for (const char *s = svg; (s = strstr(s, " d='M")); s++) {
        size_t n = 1;
        for (const char *c = s + 4; *c && *c != '\''; c++) n += *c == 'L';
        if (n > most) most = n;
    }
    return most;
}

/* x(t), y(t), their velocities and an energy. */
static noe_table *orbit(size_t rows, double turns)
{
    static const char *const names[] = { "t", "x", "y", "x.v", "energy", "balance" };
    noe_table               *t = noe_table_new(6, names);
    for (size_t i = 0; i < rows; i++) {
        const double a = 6.283185307179586 * turns * (double)i / (double)(rows - 1),
                     r = 1 + 0.3 * cos(0.618 * a);
        noe_table_add(
            t, (double[]){ a, r * cos(a), r * sin(a), -sin(a), -2 + 1e-7 * sin(a), 1e-7 * sin(a) });
    }
    return t;
}

static void test_words(void **state)
{
    (void)state;
    noe_table           *t = orbit(300, 2);
    const noe_plot_words words = { .title = "a <title> & more",
                                   .parameters = "m = 1 kg, g = 9.81" };
    char                *svg = draw(t, NULL, &words);
    assert_int_equal(count(svg, "<title>"), 1);
    assert_non_null(strstr(svg, "<title>a &lt;title&gt; &amp; more</title>"));
    assert_non_null(strstr(svg, "<desc>x, y against t, 0 to 12.5664; energy balance against t"));
    assert_non_null(strstr(svg, "; 300 rows</desc>"));
    assert_null(strstr(svg, "Gnuplot"));
    assert_null(strstr(svg, "id=\"gnuplot_plot"));
    assert_non_null(strstr(svg, "<text>m = 1 kg, g = 9.81</text>"));
    assert_int_equal(count(svg, "@media (prefers-color-scheme:dark)"), 1);
    assert_int_equal(count(svg, "id=\"gnuplot_canvas\""), 1); /* what that rule is about */
    assert_true(texts_inside(svg) > 10);
    free(svg);
    noe_table_free(t);
}

/* Driven systems have a balance; its label is whole, and the error is not called an error. */
static void test_energy_balance(void **state)
{
    (void)state;
    noe_table *t = orbit(300, 2);
    char      *svg = draw(t, "x", NULL);
    assert_int_equal(count(svg, "<text>energy balance / 10\u207B\u2078</text>"), 1);
    assert_int_equal(count(svg, "<text>relative to the largest |energy| = 2</text>"), 1);
    assert_null(strstr(svg, "energy error"));
    free(svg);
    noe_table_free(t);
}

/* Columns of other kinds, or of other units, have panels of their own; those of one share it. */
static void test_panels(void **state)
{
    (void)state;
    static const char *const mixed[] = { "s", "m", "m", "m/s", "J", "J" }, *const angle[] = {
        "s", "m", "rad", "rad/s", NULL, NULL
    };
    noe_table *t = orbit(300, 2);
    char      *one = draw(t, "x,y", NULL), *two = draw(t, "x,x.v,y", NULL),
         *units = draw(t, "x,x.v,y", &(noe_plot_words){ .unit = mixed }),
         *three = draw(t, "x,y,x.v", &(noe_plot_words){ .unit = angle }),
         *phase = draw(t, "x:y", &(noe_plot_words){ .unit = angle });
    assert_true(count(one, "<text>x, y</text>") == 1 && count(two, "<text>x, y</text>") == 1);
    assert_true(count(one, "<text>x.v</text>") == 0 && count(two, "<text>x.v</text>") == 1);
    assert_true(count(units, "<text>x, y [m]</text>") == 1);
    assert_true(count(units, "<text>x.v [m/s]</text>") == 1);
    assert_true(count(units, "<text>t [s]</text>") == 1); /* one axis of time below them all */
    assert_true(count(units, "largest |energy| = 2 J</text>") == 1);
    assert_true(count(three, "<text>x [m]</text>") == 1 && count(three, "<text>y [rad]</text>") == 1
                && count(three, "<text>x.v [rad/s]</text>") == 1);
    assert_true(count(phase, "<text>x [m]</text>") == 1
                && count(phase, "<text>y [rad]</text>") == 1);
    for (int i = 0; i < 5; i++) {
        char *svg = (char *[]){ one, two, units, three, phase }[i];
        texts_inside(svg);
        free(svg);
    }
    noe_table_free(t);
}

/* Long smooth orbits are lines, with a ring at the start and a dot at the end; what is no curve, or
 * too long for one, is points, and the picture says so. */
static void test_orbits(void **state)
{
    (void)state;
    noe_table *t = orbit(150000, 100), *long_one = orbit(200000, 20000);
    char      *line = draw(t, "x:y", NULL),
         *points = draw(t, "x:y", &(noe_plot_words){ .points = true }),
         *many = draw(long_one, "x:y", NULL);
    assert_in_range(longest_path(line), 5000, 40000);
    assert_int_equal(count(line, "<use xlink:href='#gpPt5' transform"), 1);
    assert_int_equal(count(line, "<use xlink:href='#gpPt6' transform"), 1);
    assert_int_equal(count(line, "<text>\u25CB start \u25CF end</text>"), 1);
    assert_null(strstr(line, "-th row"));
    assert_true(longest_path(points) < 10 && count(points, "#gpPt6'") > 20000);
    assert_true(longest_path(many) < 10 && count(many, "<text>points: every 5-th row</text>") == 1);
    free(line), free(points), free(many);
    noe_table_free(t), noe_table_free(long_one);
}

/* More curves than colours: a bar with the first and the last name, and no legend. */
static void test_colour_bar(void **state)
{
    (void)state;
    for (int curves = 8; curves <= 20; curves += 12) {
        char        name[21][8];
        const char *list[21] = { "t" };
        double      row[21];
        for (int i = 1; i <= curves; i++) snprintf(name[i], 8, "x[%d]", i), list[i] = name[i];
        noe_table *t = noe_table_new(1 + curves, list);
        for (int k = 0; k < 100; k++) {
            for (int i = 0; i <= curves; i++) row[i] = i ? sin(0.1 * k + i) : k;
            noe_table_add(t, row);
        }
        char     *svg = draw(t, NULL, NULL);
        const int bar = curves > 8;
        assert_int_equal(count(svg, "<text>x[1]</text>"), 1);
        assert_int_equal(count(svg, "<text>x[4]</text>"), !bar);
        assert_int_equal(count(svg, bar ? "<text>x[20]</text>" : "<text>x[8]</text>"), 1);
        assert_int_equal(count(svg, "<polygon fill") > 40, bar);
        texts_inside(svg);
        free(svg);
        noe_table_free(t);
    }
}

/* Random long names, and numbers of any size, stay inside. */
static void test_inside(void **state)
{
    (void)state;
    for (int trial = 0; trial < 12; trial++) {
        static char  text[5][120], title[400], parameters[400];
        const char  *name[5] = { "t", text[1], text[2], "energy", "balance" };
        const double size = pow(10, 12 * random_number());
        for (int i = 1; i < 3; i++) {
            const int n = 1 + (int)(bits() % 100);
            for (int k = 0; k < n; k++) text[i][k] = (char)('a' + bits() % 26);
            text[i][n] = 0;
        }
        text[2][0] = 'A';
        memset(title, 'm', bits() % 400), memset(parameters, 'n', bits() % 400);
        noe_table *t = noe_table_new(5, name);
        for (int k = 0; k < 50; k++)
            noe_table_add(t, (double[]){ k * size, size * random_number(), random_number(),
                                         size * (3 + 1e-9 * k), 1e-9 * size * k });
        char pair[260];
        snprintf(pair, sizeof pair, "%s:%s", name[1], name[2]);
        for (int p = 0; p < 2; p++) {
            char *svg = draw(t, p ? pair : NULL,
                             &(noe_plot_words){ .title = title, .parameters = parameters });
            texts_inside(svg);
            free(svg);
        }
        noe_table_free(t);
    }
}

/* ---- charts ---- */

/* Colour and mark of a method are those of its name, wherever it is in a list. */
static void test_colours_of_methods(void **state)
{
    (void)state;
    static const char *const name[] = { "midpoint", "simpson", "rk4", "compose 8 gauss 3" };
    const double             h[] = { 0.1, 0.05, 0.025 }, e[] = { 1e-4, 1e-5, 1e-6 };
    noe_series               s[4];
    char                    *svg[2];
    for (int order = 0; order < 2; order++) {
        for (int i = 0; i < 4; i++) {
            const char *of = name[order ? 3 - i : i];
            s[i] = (noe_series){
                .label = of, .points = 3, .look = noe_style_of_method(of), .x = h, .y = e
            };
        }
        const noe_chart chart = { "error of q", "step h", true, true, s, 4 };
        svg[order] = take(noe_figure_draw(in_scratch("f.svg"), "a study", &chart, 1), "f.svg");
        texts_inside(svg[order]);
    }
    for (int i = 0; i < 4; i++) {
        char        text[40], colour[2][40];
        const char *at;
        snprintf(text, sizeof text, "<text>%s</text>", name[i]);
        for (int k = 0; k < 2; k++) {
            assert_non_null(at = strstr(svg[k], text));
            assert_non_null(at = strstr(at, "stroke='rgb(")); /* the sample beside the name */
            assert_int_equal(sscanf(at, "stroke='%39[^']", colour[k]), 1);
        }
        assert_string_equal(colour[0], colour[1]);
    }
    assert_non_null(
        strstr(svg[0], "<title>a study</title>\n<desc>error of q against step h</desc>"));
    free(svg[0]), free(svg[1]);
    static const char *const known[] = { "rk4",      "simpson",   "midpoint", "verlet",
                                         "gauss 2",  "gauss 3",   "gauss 4",  "lobatto 3",
                                         "yoshida4", "kahan-li8", "newmark" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (size_t k = 0; k < i; k++) {
            const noe_style_look a = noe_style_of_method(known[i]),
                                 b = noe_style_of_method(known[k]);
            assert_true(a.colour != b.colour || a.mark != b.mark);
        }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_energy_balance),
        cmocka_unit_test(test_panels),
        cmocka_unit_test(test_orbits),
        cmocka_unit_test(test_colour_bar),
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_colours_of_methods),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
