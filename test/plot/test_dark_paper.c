/* Dark pictures: all colours are those of the filters that browsers apply, and no text changes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/table.h"
#include "plot/dark_paper.h"
#include "plot/gnuplot.h"
#include "plot/plot.h"
#include "random.h"
#include "scratch.h"

#include <math.h>

/* invert(.9), then the matrix of hue-rotate(angle) as the Filter Effects Module has it. */
static void by_filters(unsigned rgb, double out[3])
{
    static const double grey[3] = { 0.213, 0.715, 0.072 }, of_sine[3][3] = {
        { -0.213, -0.715, 0.928 }, { 0.143, 0.140, -0.283 }, { -0.787, 0.715, 0.072 }
    };
    const double angle = acos(-1);
    double       c[3];
    for (int k = 0; k < 3; k++) {
        const double x = (rgb >> (16 - 8 * k) & 255) / 255.0;
        c[k] = x * (1 - 0.9) + (1 - x) * 0.9;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++)
            out[i] += (grey[k] + cos(angle) * ((i == k) - grey[k]) + sin(angle) * of_sine[i][k])
                    * c[k];
        out[i] = 255 * fmin(fmax(out[i], 0), 1);
    }
}

static void test_colours(void **state)
{
    (void)state;
    for (int trial = 0; trial < 2000; trial++) {
        const unsigned rgb = (unsigned)(bits() & 0xffffff), dark = noe_dark_paper_colour(rgb);
        double         want[3];
        by_filters(rgb, want);
        for (int k = 0; k < 3; k++) /* rounded to whole numbers */
            assert_true(fabs((dark >> (16 - 8 * k) & 255) - want[k]) < 0.5 + 1e-9);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const char *const        yes[] = { "a.dark.png", "x/y.Dark.PDF", "orbit.dark.svg" },
                             *const no[] = { "dark.png",     ".dark",     "a.dark",
                                             "a.darker.png", "adark.png", "a.dark/b.png" };
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) assert_true(noe_dark_paper_named(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) assert_false(noe_dark_paper_named(no[i]));
}

/* A text is the same in the dark whatever it holds, a colour too. */
static void test_texts(void **state)
{
    (void)state;
    static const char *const piece[] = { "#ffffff", "'", "rgb ",          "background ",
                                         "''",      " ", "rgb '#123456'", "\\" };
    for (int trial = 0; trial < 200; trial++) {
        char text[200] = "", *before = NULL, *after = NULL, want[8];
        for (int k = (int)(bits() % 8); k >= 0; k--) strcat(text, piece[bits() % 8]);
        FILE *script = fopen(in_scratch("light"), "w+"), *dark = fopen(in_scratch("dark"), "w+");
        fputs("set label 1 ", script), noe_gnuplot_text(script, text, 200), putc('\n', script);
        noe_dark_paper_copy(script, dark);
        fclose(script), fclose(dark);
        before = slurp(in_scratch("light")), after = slurp(in_scratch("dark"));
        assert_string_equal(before, after);
        free(before), free(after);
        script = fopen(in_scratch("light"), "w+"), dark = fopen(in_scratch("dark"), "w+");
        noe_gnuplot_text(script, text, 200), fputs(" rgb '#1f6feb'\n", script);
        noe_dark_paper_copy(script, dark);
        fclose(script), fclose(dark);
        after = slurp(in_scratch("dark"));
        snprintf(want, sizeof want, "#%06x", noe_dark_paper_colour(0x1f6feb));
        assert_memory_equal(after + strlen(after) - 9, want, 7);
        free(after);
    }
}

/* The next colour of an .svg, "rgb( 31, 111, 235)" or "#ffffff"; NULL: none. */
static const char *next_colour(const char *s, unsigned *rgb)
{
    for (; *s; s++) {
        unsigned r, g, b;
        if (sscanf(s, "rgb(%u,%u,%u)", &r, &g, &b) == 3) return *rgb = r << 16 | g << 8 | b, s + 4;
        if (*s == '#' && strspn(s + 1, "0123456789abcdefABCDEF") >= 6
            && sscanf(s, "#%6x", rgb) == 1)
            return s + 1;
    }
    return NULL;
}

/* Curves, an orbit, a map and a bar of colours: colour by colour. */
static void test_pictures(void **state)
{
    (void)state;
    char        name[14][8] = { "t", "energy" };
    const char *list[14];
    double      row[14];
    for (int i = 0; i < 14; i++) {
        if (i > 1) snprintf(name[i], sizeof name[i], "x[%d]", i - 1);
        list[i] = name[i];
    }
    noe_table *t = noe_table_new(14, list);
    for (int k = 0; k < 60; k++) {
        for (int i = 0; i < 14; i++) row[i] = i ? sin(0.1 * k + i) : k;
        noe_table_add(t, row);
    }
    static const char *const columns[] = { NULL, "x[1],x[2]", "x[1]:x[2],x[2]:x[3]", "x[*]" };
    for (int i = 0; i < 4; i++) {
        const noe_plot_words words = { .title = "a title", .parameters = "m = 1" };
        char                *svg[2];
        for (int d = 0; d < 2; d++) {
            const char      *file = d ? "p.dark.svg" : "p.svg";
            const noe_status s = noe_plot_draw(in_scratch(file), t, columns[i], &words);
            if (s && strstr(noe_error(), "gnuplot is not installed")) skip();
            if (s) fail_msg("%s", noe_error());
            svg[d] = slurp(in_scratch(file));
        }
        assert_non_null(strstr(svg[0], "prefers-color-scheme"));
        assert_null(strstr(svg[1], "prefers-color-scheme"));
        unsigned    light = 0, dark = 0;
        int         colours = 0;
        const char *a = svg[0], *b = svg[1];
        /* gnuplot names its own colour for an image, which has no lines */
        while (a = next_colour(a, &light), b = next_colour(b, &dark), a && b) {
            /* gnuplot blends palettes after, steps of its own: a unit each */
            for (int k = 0; k < 24 && light != 0x9400d3; k += 8)
                if (abs((int)(noe_dark_paper_colour(light) >> k & 255) - (int)(dark >> k & 255))
                    > 2)
                    fail_msg("%s: #%06x became #%06x, not #%06x", columns[i], light, dark,
                             noe_dark_paper_colour(light));
            colours++;
        }
        assert_true(!a && !b && colours > 20);
        free(svg[0]), free(svg[1]);
    }
    noe_table_free(t);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_pictures),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
