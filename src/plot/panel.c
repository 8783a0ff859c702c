/* A panel of a picture: axes and the curves (x, y) in them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/panel.h"

#include "plot/gnuplot.h"
#include "plot/heat_map.h"
#include "plot/decimate.h"

/* Most points of a curve; of all curves; of a curve with a mark at every point. */
enum { POINTS = 4000, ALL_POINTS = 120000, MARKED_POINTS = 60 };
/* Units are not made equal where the curves would then fill less than 1/STRIP of an axis. */
enum { STRIP = 6 };
enum { NAME = 26, NAMES = 24 }; /* largest number of characters of a name, of names in a legend */

void noe_panel_measure(noe_panel *p)
{
    p->x = p->y = noe_axis_empty();
    for (int i = 0; i < p->curves; i++) {
        noe_axis_include(&p->x, p->curve[i].x, p->rows);
        noe_axis_include(&p->y, p->curve[i].y, p->rows);
    }
    if (p->sites) {
        const double edge[] = { p->first - p->apart / 2, p->first + (p->sites - 0.5) * p->apart };
        noe_axis_include(&p->x, p->now, p->rows);
        noe_axis_include(&p->y, edge, 2);
    }
    noe_axis_finish(&p->x, p->time ? 0 : 0.04, 0);
    noe_axis_finish(&p->y, p->sites ? 0 : 0.06, p->least);
}

void noe_panel_equal(noe_panel *p)
{
    /* pictures are 3 : 2 */
    double width = 3 * (p->right - p->left), height = 2 * (p->top - p->bottom);
    double x = (p->x.hi - p->x.lo) / width, y = (p->y.hi - p->y.lo) / height;
    if (!p->equal || x > STRIP * y || y > STRIP * x) return;
    if (x < y) noe_axis_widen(&p->x, y * width);
    else noe_axis_widen(&p->y, x * height);
}

double noe_panel_legend(const noe_panel *p)
{
    int longest = 0;
    if (p->sites) return 0.085;
    for (int i = 0; i < p->curves && p->curves > 1; i++) {
        int n = noe_gnuplot_letters(p->curve[i].label);
        if (n > longest) longest = n < NAME ? n : NAME;
    }
    return longest ? 0.045 + 0.008 * longest : 0;
}

/* Colour of curve i of n: distinct colours for up to eight curves, else a continuous scale. */
static unsigned colour(int i, int n)
{
    static const unsigned apart[] = { 0x3b6ea5, 0xd1792c, 0x4f9d69, 0xb8474c,
                                      0x7c68ae, 0x8a6d5c, 0xcf83b4, 0x7d7f86 };
    static const unsigned scale[] = { 0x46327e, 0x365c8d, 0x277f8e, 0x1fa187, 0x6cc04a, 0xd0b92c };
    if (n <= 8) return apart[i];
    double   at = 5.0 * i / (n - 1);
    int      k = at < 4 ? (int)at : 4;
    unsigned mix = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double a = scale[k] >> shift & 255, b = scale[k + 1] >> shift & 255;
        mix |= (unsigned)(a + (at - k) * (b - a) + 0.5) << shift;
    }
    return mix;
}

static void put_axis(FILE *f, char name, const noe_axis *a)
{
    fprintf(f, "set %crange [%.17g:%.17g]\n", name, a->lo / a->unit, a->hi / a->unit);
    fprintf(f, "set format %c '%%.%dg'\n", name, a->digits);
}

static void put_label(FILE *f, int number, const char *text, const noe_axis *a, int most)
{
    char unit[64];
    noe_axis_unit(a, unit, sizeof unit);
    fprintf(f, "set label %d ", number);
    noe_gnuplot_text(f, text, most);
    fprintf(f, ".'%s' textcolor rgb '#3c4048' ", unit);
}

/* Axis labels have fixed positions, so that the labels of two panels are aligned. */
static void put_frame(FILE *f, const noe_panel *p)
{
    double height = p->top - p->bottom;
    fprintf(f, "set tmargin at screen %g\nset bmargin at screen %g\n", p->top, p->bottom);
    fprintf(f, "set lmargin at screen %g\nset rmargin at screen %g\n", p->left, p->right);
    fprintf(f, "set key at screen %g,%g left top Left reverse samplen 1.6 spacing 1.2 width 0\n",
            p->right + 0.012, p->top);
    put_axis(f, 'x', &p->x);
    put_axis(f, 'y', &p->y);
    if (!p->x_label) fputs("set format x ''\n", f);
    if (p->x_label) {
        put_label(f, 2, p->x_label, &p->x, 90);
        fprintf(f, "at screen %g,0.04 center\n", (p->left + p->right) / 2);
    }
    put_label(f, 3, p->y_label, &p->y, (int)(80 * height));
    fprintf(f, "at screen 0.022,%g center rotate by 90\n", (p->top + p->bottom) / 2);
    if (!p->note || p->sites) return;
    fputs("set label 4 ", f);
    noe_gnuplot_text(f, p->note, 90);
    fprintf(f, " at screen %g,%g right textcolor rgb '#8a8f98'\n", p->right, p->top + 0.02);
}

/* A long legend names only some of the curves, including the last. */
static void put_title(FILE *f, const noe_panel *p, int i)
{
    int every = (p->curves + NAMES - 1) / NAMES;
    if (p->curves > 1 && (i % every == 0 || i == p->curves - 1)) {
        fputs("title ", f);
        noe_gnuplot_text(f, p->curve[i].label, NAME);
    } else {
        fputs("notitle", f);
    }
}

static void put_style(FILE *f, const noe_panel *p, int i, bool dots)
{
    unsigned c = colour(i, p->curves);
    if (dots) { /* small points; larger ones in the legend */
        fprintf(f, "'-' with points pt 7 ps 0.2 lc rgb '#%06x' notitle, ", c);
        fprintf(f, "NaN with points pt 7 ps 0.8 lc rgb '#%06x' ", c);
        put_title(f, p, i);
        return;
    }
    fprintf(f, "'-' with %s lw 1.7 lc rgb '#%06x' ",
            p->rows <= MARKED_POINTS ? "linespoints pt 7 ps 0.5" : "lines", c);
    put_title(f, p, i);
}

static void put_points(FILE *f, const noe_panel *p, int i, const size_t *keep, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (keep[k] == NOE_DECIMATE_GAP) fputs("\n", f);
        else
            fprintf(f, "%.*g %.*g\n", p->x.digits + 4, p->curve[i].x[keep[k]] / p->x.unit,
                    p->y.digits + 4, p->curve[i].y[keep[k]] / p->y.unit);
    }
    fputs("e\n", f);
}

/* Every row, or as many as `most` at equal distances. */
static size_t pick_rows(size_t rows, size_t most, size_t *keep)
{
    const size_t apart = rows / most + 1;
    size_t       n = 0;
    for (size_t i = 0; i < rows; i += apart) keep[n++] = i;
    return n;
}

noe_status noe_panel_draw(const noe_panel *p, FILE *f, noe_arena *memory)
{
    size_t most = (size_t)(ALL_POINTS / (p->curves ? p->curves : 1));
    most = most > POINTS ? POINTS : most < POINTS / 10 ? POINTS / 10 : most;
    size_t  *n = noe_arena_take(memory, (size_t)p->curves * sizeof *n);
    size_t **keep = noe_arena_take(memory, (size_t)p->curves * sizeof *keep);
    if (!n || !keep) return NOE_NO_MEMORY;
    put_frame(f, p);
    if (p->sites) {
        const noe_status s = noe_heat_map_draw(p, f, memory);
        fputs("unset label\n", f);
        return s;
    }
    for (int i = 0; i < p->curves; i++) {
        const noe_curve *c = &p->curve[i];
        bool             dots = false;
        const size_t     all = p->points ? ALL_POINTS / 4 / (size_t)p->curves + 1 : most;
        keep[i] = noe_arena_take(memory, NOE_DECIMATE_ROOM(all) * sizeof **keep);
        if (!keep[i]) return NOE_NO_MEMORY;
        if (p->points) dots = true, n[i] = pick_rows(p->rows, all, keep[i]);
        else
            n[i] = p->time ? noe_decimate_time(c->x, c->y, p->rows, most, keep[i])
                           : noe_decimate_path(c->x, c->y, p->rows, most, keep[i], &dots);
        fputs(i ? ", " : "plot ", f);
        put_style(f, p, i, dots);
    }
    for (int i = 0; i < p->curves && p->ends; i++)
        fprintf(f, ", '-' with points pt 7 ps 0.9 lc rgb '#%06x' notitle", colour(i, p->curves));
    putc('\n', f);
    for (int i = 0; i < p->curves; i++) put_points(f, p, i, keep[i], n[i]);
    for (int i = 0; i < p->curves && p->ends; i++)
        put_points(f, p, i, (const size_t[]){ p->rows - 1 }, 1);
    fputs("unset label\n", f);
    return NOE_OK;
}
