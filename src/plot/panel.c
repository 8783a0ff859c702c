/* A panel of a picture: axes and the curves (x, y) in them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/panel.h"

#include "plot/decimate.h"
#include "plot/frames.h"
#include "plot/gnuplot.h"
#include "plot/heat_map.h"
#include "plot/reduced.h"
#include "plot/style.h"

#include <string.h>

/* Units are not made equal where the curves would then fill less than 1/STRIP of an axis. */
enum { STRIP = 6 };
enum { NAME = 22 };                               /* most letters of a name in a legend */
enum { SAMPLE = 44, GAP = 14, SMALL_LETTER = 8 }; /* of a legend; of notes */

void noe_panel_measure(noe_panel *p)
{
    p->x = p->y = noe_axis_empty();
    for (int i = 0; i < p->curves; i++) {
        noe_axis_include(&p->x, p->curve[i].x, p->rows);
        noe_axis_include(&p->y, p->curve[i].y, p->rows);
        if (p->curve[i].upper) noe_axis_include(&p->y, p->curve[i].upper, p->rows);
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
    double width = NOE_STYLE_WIDTH * (p->right - p->left),
           height = p->height * (p->top - p->bottom);
    double x = (p->x.hi - p->x.lo) / width, y = (p->y.hi - p->y.lo) / height;
    if (!p->equal || x > STRIP * y || y > STRIP * x) return;
    if (x < y) noe_axis_widen(&p->x, y * width);
    else noe_axis_widen(&p->y, x * height);
}

void noe_panel_scale(noe_panel *p)
{
    for (int i = 0; i < p->curves; i++) {
        p->curve[i].colour = p->curves > NOE_STYLE_COLOURS ? NOE_PANEL_SCALED : i;
        p->curve[i].at = i + 1;
    }
    if (p->curves > NOE_STYLE_COLOURS)
        p->bar = (noe_colour_bar){ .shown = true,
                                   .first = p->curve[0].label,
                                   .last = p->curve[p->curves - 1].label,
                                   .lo = 1,
                                   .hi = p->curves };
}

/* ---- legend ---- */

/* *longest: letters of the longest name; returns the number of names. */
static int names(const noe_panel *p, int *longest)
{
    int count = 0;
    *longest = 0;
    for (int i = 0; i < p->curves && !p->bar.shown; i++) {
        const int n = p->curve[i].label ? noe_gnuplot_letters(p->curve[i].label) : 0;
        count += n > 0;
        if (n > *longest) *longest = n < NAME ? n : NAME;
    }
    return count > 1 ? count : 0;
}

static int least(int a, int b) { return a < b ? a : b; }

double noe_panel_legend(noe_panel *p, double width)
{
    int       longest;
    const int count = names(p, &longest);
    if (p->sites) return 84;
    if (p->bar.shown) {
        const int first = p->bar.first ? noe_gnuplot_letters(p->bar.first) : 6,
                  last = p->bar.last ? noe_gnuplot_letters(p->bar.last) : 6;
        return 46 + NOE_STYLE_LETTER * least(first > last ? first : last, NAME);
    }
    const double head = NOE_STYLE_LETTER * (noe_gnuplot_letters(p->y_label) + 8)
                      + (p->note ? SMALL_LETTER * noe_gnuplot_letters(p->note) : 0);
    p->above = count && head + count * (SAMPLE + NOE_STYLE_LETTER * longest) + GAP < width;
    return count && !p->above ? SAMPLE + GAP + NOE_STYLE_LETTER * longest : 0;
}

/* ---- axes and labels ---- */

static void put_axis(FILE *f, char name, const noe_axis *a)
{
    fprintf(f, "set %crange [%.17g:%.17g]\n", name, a->lo / a->unit, a->hi / a->unit);
    fprintf(f, "set format %c '%%.%dg'\n", name, a->digits);
}

static void put_label(FILE *f, int number, const char *text, const noe_axis *a, double room,
                      const char *where)
{
    char      unit[64];
    const int most = (int)(room / NOE_STYLE_LETTER);
    noe_axis_unit(a, unit, sizeof unit);
    fprintf(f, "set label %d ", number);
    noe_gnuplot_text(f, text, most > 12 ? most : 12);
    fprintf(f, ".'%s' at screen %s textcolor rgb '" NOE_STYLE_TEXT "'\n", unit, where);
}

static void put_note(FILE *f, int number, const char *text, double right, double y)
{
    fprintf(f, "set label %d ", number);
    noe_gnuplot_text(f, text, 60);
    fprintf(f, " at screen %g,%g right textcolor rgb '" NOE_STYLE_SOFT "'\n", right, y);
}

static void put_key(FILE *f, const noe_panel *p)
{
    if (p->above)
        fprintf(f, "set key at screen %g,%g right top Left reverse horizontal", p->right,
                p->top + 28 / p->height);
    else
        fprintf(f, "set key at screen %g,%g left top Left reverse vertical",
                p->right + 8.0 / NOE_STYLE_WIDTH, p->top);
    fputs(" samplen 1.4 spacing 1.15 width 0 maxrows 0\n", f);
}

/* dots: every dots-th row is drawn as a point; 0: lines. */
static void put_frame(FILE *f, const noe_panel *p, size_t dots)
{
    const double width = NOE_STYLE_WIDTH * (p->right - p->left);
    char         where[80], foot[80] = "";
    fprintf(f, "set tmargin at screen %g\nset bmargin at screen %g\n", p->top, p->bottom);
    fprintf(f, "set lmargin at screen %g\nset rmargin at screen %g\n", p->left, p->right);
    put_key(f, p);
    put_axis(f, 'x', &p->x);
    put_axis(f, 'y', &p->y);
    fputs("set xtics offset 0,0.4\n", f);
    if (!p->numbers) fputs("set format x ''\n", f);
    const double low = p->bottom - 48 / p->height, high = p->top + 17 / p->height;
    if (dots) snprintf(foot, sizeof foot, "points: every %zu-th row", dots);
    if (p->ends && !dots) strcpy(foot, "\u25CB start \u25CF end");
    if (p->numbers) {
        snprintf(where, sizeof where, "%g,%g center", (p->left + p->right) / 2, low);
        put_label(f, 12, p->x_label, &p->x, *foot ? width - 400 : width - 60, where);
    }
    if (*foot) put_note(f, 15, foot, p->right, low);
    snprintf(where, sizeof where, "%g,%g left", 20.0 / NOE_STYLE_WIDTH, high);
    const double taken = p->note ? SMALL_LETTER * noe_gnuplot_letters(p->note) + 90 : 90;
    put_label(f, 13, p->y_label, &p->y, width - (p->above ? 90 : taken), where);
    if (p->note && !p->sites && !p->above) put_note(f, 14, p->note, p->right, high);
}

static void put_bar(FILE *f, const noe_panel *p)
{
    const noe_colour_bar *b = &p->bar;
    noe_style_palette(f);
    fprintf(f, "set cbrange [%.17g:%.17g]\n", b->lo, b->hi);
    fprintf(f, "set colorbox user origin screen %g,%g size screen %g,%g noborder\n",
            p->right + 14.0 / NOE_STYLE_WIDTH, p->bottom, 13.0 / NOE_STYLE_WIDTH,
            p->top - p->bottom);
    if (b->first) {
        fputs("set cbtics (", f), noe_gnuplot_text(f, b->first, NAME);
        fprintf(f, " %.17g, ", b->lo), noe_gnuplot_text(f, b->last, NAME);
        fprintf(f, " %.17g)\n", b->hi);
    } else fputs("set cbtics autofreq\nset format cb '%.5g'\n", f);
    if (!b->name) return;
    fputs("set label 16 ", f), noe_gnuplot_text(f, b->name, 14);
    fprintf(f, " at screen %g,%g left textcolor rgb '" NOE_STYLE_TEXT "'\n",
            p->right + 8.0 / NOE_STYLE_WIDTH, p->top + 17 / p->height);
}

/* ---- curves ---- */

static void put_colour(FILE *f, const noe_panel *p, const noe_curve *c)
{
    const double span = p->bar.hi - p->bar.lo;
    if (c->colour == NOE_PANEL_SCALED)
        fprintf(f, "lc rgb '#%06x' ", noe_style_scale(span > 0 ? (c->at - p->bar.lo) / span : 0));
    else fprintf(f, "lc rgb '%s' ", noe_style_colour[c->colour % NOE_STYLE_COLOURS]);
}

static void put_title(FILE *f, const noe_panel *p, int i)
{
    int longest;
    if (p->curve[i].label && names(p, &longest)) {
        fputs("title ", f);
        noe_gnuplot_text(f, p->curve[i].label, NAME);
    } else {
        fputs("notitle", f);
    }
}

static void put_style(FILE *f, const noe_panel *p, int i, const noe_reduced *r)
{
    const noe_curve *c = &p->curve[i];
    fputs(i ? ", " : "plot ", f);
    if (r->dots) { /* small points; larger ones in the legend */
        const double size = r->count <= 60 ? 0.7 : r->count <= 2000 ? 0.4 : 0.2;
        fprintf(f, "'-' with points pt 7 ps %g ", size);
        put_colour(f, p, c);
        fputs("notitle, NaN with points pt 7 ps 0.8 ", f);
    } else if (c->upper) fputs("'-' using 1:2:3 with filledcurves fs solid 0.25 noborder ", f);
    else if (p->rows <= NOE_REDUCED_MARKED && p->curves <= NOE_STYLE_COLOURS)
        fputs("'-' with linespoints pt 7 ps 0.4 lw 2 ", f);
    else fprintf(f, "'-' with lines lw %g ", p->curves > NOE_STYLE_COLOURS ? 1.2 : 2.0);
    put_colour(f, p, c);
    put_title(f, p, i);
}

static void put_number(FILE *f, const noe_axis *a, double x)
{
    fprintf(f, "%.*g ", a->digits + 4, x / a->unit);
}

static void put_rows(FILE *f, const noe_panel *p, const noe_curve *c, const size_t *keep, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (keep[k] != NOE_DECIMATE_GAP) {
            put_number(f, &p->x, c->x[keep[k]]), put_number(f, &p->y, c->y[keep[k]]);
            if (c->upper) put_number(f, &p->y, c->upper[keep[k]]);
        }
        putc('\n', f);
    }
    if (!n) fputs("NaN NaN NaN\n", f);
    fputs("e\n", f);
}

/* The first and the last row that can be drawn; false where there is none. */
static bool find_ends(const noe_panel *p, const noe_curve *c, size_t end[2])
{
    size_t i = 0, k = p->rows;
    while (i < k && !(noe_decimate_drawable(c->x[i]) && noe_decimate_drawable(c->y[i]))) i++;
    while (k > i && !(noe_decimate_drawable(c->x[k - 1]) && noe_decimate_drawable(c->y[k - 1])))
        k--;
    end[0] = i, end[1] = k - 1;
    return i < k;
}

static noe_status put_curves(FILE *f, const noe_panel *p, const noe_reduced *r)
{
    for (int i = 0; i < p->curves; i++) put_style(f, p, i, &r[i]);
    const bool ends = p->ends && !r[0].dots;
    for (int i = 0; i < p->curves && ends; i++)
        for (int e = 0; e < 2; e++) {
            fprintf(f, ", '-' with points pt %d ps %g lw 1.5 ", e ? 7 : 6, e ? 0.8 : 1.1);
            put_colour(f, p, &p->curve[i]);
            fputs("notitle", f);
        }
    if (p->bar.shown) fputs(", NaN with points pt 7 ps 0 lc palette z notitle", f);
    putc('\n', f);
    for (int i = 0; i < p->curves; i++) put_rows(f, p, &p->curve[i], r[i].keep, r[i].count);
    for (int i = 0; i < p->curves && ends; i++) {
        size_t     end[2];
        const bool any = find_ends(p, &p->curve[i], end);
        for (int e = 0; e < 2; e++) put_rows(f, p, &p->curve[i], &end[e], any);
    }
    return NOE_OK;
}

noe_status noe_panel_draw(const noe_panel *p, FILE *f, noe_arena *memory)
{
    if (p->across) return noe_frames_draw(p, f, memory);
    noe_reduced *r = noe_arena_take(memory, (size_t)(p->curves + 1) * sizeof *r);
    if (!r) return NOE_NO_MEMORY;
    r[0].dots = 0;
    noe_status s = NOE_OK;
    for (int i = 0; i < p->curves && !s; i++)
        s = noe_reduced_make(&r[i], memory, p->curve[i].x, p->curve[i].y, p->rows, p->curves,
                             p->points ? NOE_REDUCED_POINTS
                             : p->time ? NOE_REDUCED_TIME
                                       : NOE_REDUCED_PATH);
    if (s) return s;
    put_frame(f, p, p->points ? 0 : r[0].dots);
    if (p->bar.shown) put_bar(f, p);
    s = p->sites ? noe_heat_map_draw(p, f, memory) : put_curves(f, p, r);
    for (int label = 12; label <= 16; label++) fprintf(f, "unset label %d\n", label);
    if (p->bar.shown) fputs("unset colorbox\n", f);
    return s;
}
