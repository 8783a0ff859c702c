/* Charts of points (x, y) on logarithmic or linear axes, with straight guides C x^p.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/figure.h"

#include "plot/gnuplot.h"
#include "plot/picture.h"

#include <math.h>
#include <string.h>

/* Lengths about a chart; most letters of a name in the legend, and most names. */
enum { LEFT = 66, RIGHT = 18, HEAD = 30, FOOT = 62, SAMPLE = 58, NAME = 20, NAMES = 24 };

typedef struct {
    double lo, hi; /* range of the axis */
    bool   log;    /* the axis is logarithmic */
} range;

static bool drawn(const noe_chart *c, double x, double y)
{
    return isfinite(x) && isfinite(y) && (!c->log_x || x > 0) && (!c->log_y || y > 0);
}

static void include(range *r, double x)
{
    r->lo = fmin(r->lo, x);
    r->hi = fmax(r->hi, x);
}

/* The number 1, 2 or 5 times a power of ten next to x, above or below. */
static double mark(double x, bool above)
{
    static const double step[] = { 1, 2, 5, 10 };
    const double        ten = pow(10, floor(log10(x)));
    int                 k = above ? 0 : 3;
    while (above && k < 3 && step[k] * ten < x * (1 - 1e-12)) k++;
    while (!above && k > 0 && step[k] * ten > x * (1 + 1e-12)) k--;
    return step[k] * ten;
}

static void measure(const noe_chart *c, range *x, range *y)
{
    *x = (range){ INFINITY, -INFINITY, c->log_x };
    *y = (range){ INFINITY, -INFINITY, c->log_y };
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->series[i].points; k++)
            if (drawn(c, c->series[i].x[k], c->series[i].y[k]))
                include(x, c->series[i].x[k]), include(y, c->series[i].y[k]);
    for (range *r = x;; r = y) {
        if (!(r->lo <= r->hi)) r->lo = r->log ? 0.1 : 0, r->hi = 1;
        /* a range within a decade may contain no label */
        if (r->log && r->hi < 10 * r->lo) r->lo = mark(r->lo, false), r->hi = mark(r->hi, true);
        const double pad = r->log ? pow(r->hi / r->lo, 0.06) * 1.1
                                  : 0.05 * (r->hi - r->lo) + 1e-300 + 1e-12 * fabs(r->hi);
        r->lo = r->log ? r->lo / pad : r->lo - pad;
        r->hi = r->log ? r->hi * pad : r->hi + pad;
        if (r == y) break;
    }
}

/* Labels at 1, 2, 5, 10, .. for short ranges; at every k-th power of ten for long ones. */
static void put_log_tics(FILE *f, char axis, const range *r)
{
    static const double step[] = { 1, 2, 5 };
    const int           first = (int)floor(log10(r->lo)), last = (int)ceil(log10(r->hi)),
              decades = last - first;
    const int every = decades > 10 ? (decades + 7) / 8 : 1,
              fine = log10(r->hi / r->lo) < 1.3 ? 3 : 1;
    const char *before = "";
    fprintf(f, "set %ctics (", axis);
    for (int e = first; e <= last; e++)
        for (int k = 0; k < fine; k++) {
            const double x = step[k] * pow(10, e);
            if (x < r->lo || x > r->hi || e % every) continue;
            if (decades <= 4 && e > -4 && e < 5) fprintf(f, "%s'%g' %.17g", before, x, x);
            else fprintf(f, "%s'%.0fe%d' %.17g", before, step[k], e, x);
            before = ", ";
        }
    fputs(")\n", f);
}

static void put_axis(FILE *f, char axis, const range *r)
{
    fprintf(f, "set %crange [%.17g:%.17g]\n", axis, r->lo, r->hi);
    fprintf(f, r->log ? "set logscale %c\n" : "unset logscale %c\nset %ctics autofreq\n", axis,
            axis);
    if (r->log) put_log_tics(f, axis, r);
}

static void put_series(FILE *f, const noe_chart *c, int i, bool legend)
{
    const noe_series *s = &c->series[i];
    const bool        guide = s->slope != 0 && s->guide < s->points
                    && drawn(c, s->x[s->guide], s->y[s->guide]);
    const bool        few = s->points <= 64;
    const char *const colour = noe_style_colour[s->look.colour % NOE_STYLE_COLOURS];
    fprintf(f, "%s'-' with %s ", i ? ", " : "plot ",
            s->dots ? "points"
            : few   ? "linespoints"
                    : "lines");
    if (s->dots || few)
        fprintf(f, "pt %d ps %g ", noe_style_point(s->look.mark), s->dots ? 0.35 : 0.6);
    fprintf(f, "lw 2 lc rgb '%s' ", colour);
    if (legend && *s->label) fputs("title ", f), noe_gnuplot_text(f, s->label, NAME);
    else fputs("notitle", f);
    if (guide)
        fprintf(f, ", %.17g*(x/%.17g)**%.17g with lines dt 3 lw 1.2 lc rgb '%s' notitle",
                s->y[s->guide], s->x[s->guide], s->slope, colour);
}

static void put_points(FILE *f, const noe_chart *c, const noe_series *s)
{
    int left = 0;
    for (int k = 0; k < s->points; k++)
        if (drawn(c, s->x[k], s->y[k])) fprintf(f, "%.10g %.10g\n", s->x[k], s->y[k]), left++;
    if (!left) fputs("NaN NaN\n", f);
    fputs("e\n", f);
}

/* ---- the sheet ---- */

typedef struct {
    const noe_chart *chart;                 /* [charts] */
    int              charts, columns, rows; /* of the sheet's charts: columns, rows */
    double           legend, top, height;   /* width at the right; head; of the picture */
} sheet;

/* Names in the legend, and the letters of the longest. */
static int names(const noe_chart *c, int *longest)
{
    int count = 0;
    *longest = 0;
    for (int i = 0; i < c->count; i++) {
        const int n = noe_gnuplot_letters(c->series[i].label);
        count += n > 0;
        if (n > *longest) *longest = n < NAME ? n : NAME;
    }
    return count > 1 ? count : 0;
}

/* Edges of chart number `at`: left, right, top, bottom, in units of the style. */
static void put_edges(FILE *f, const sheet *x, int at, double edge[4])
{
    const double w = (NOE_STYLE_WIDTH - x->legend) / x->columns, h = (x->height - x->top) / x->rows;
    edge[0] = at % x->columns * w + LEFT, edge[1] = (at % x->columns + 1) * w - RIGHT;
    edge[2] = x->height - x->top - at / x->columns * h - HEAD;
    edge[3] = x->height - x->top - (at / x->columns + 1) * h + FOOT;
    fprintf(f,
            "set lmargin at screen %g\nset rmargin at screen %g\nset tmargin at screen %g\nset "
            "bmargin at screen %g\n",
            edge[0] / NOE_STYLE_WIDTH, edge[1] / NOE_STYLE_WIDTH, edge[2] / x->height,
            edge[3] / x->height);
}

static void put_chart(FILE *f, const sheet *x, int at)
{
    const noe_chart *c = &x->chart[at];
    double           edge[4];
    range            of_x, of_y;
    int              longest;
    const int        count = at ? 0 : names(c, &longest), every = (count + NAMES - 1) / NAMES;
    measure(c, &of_x, &of_y);
    put_edges(f, x, at, edge);
    put_axis(f, 'x', &of_x);
    put_axis(f, 'y', &of_y);
    fputs("set xtics offset 0,0.4\nset label 11 ", f);
    noe_gnuplot_text(f, c->title, (int)((edge[1] - edge[0] + LEFT - 20) / NOE_STYLE_LETTER));
    fprintf(f, " at screen %g,%g left textcolor rgb '" NOE_STYLE_TEXT "'\n",
            (edge[0] - LEFT + 20) / NOE_STYLE_WIDTH, (edge[2] + 16) / x->height);
    fputs("set label 12 ", f);
    noe_gnuplot_text(f, c->x, (int)((edge[1] - edge[0]) / NOE_STYLE_LETTER));
    fprintf(f, " at screen %g,%g center textcolor rgb '" NOE_STYLE_TEXT "'\n",
            (edge[0] + edge[1]) / 2 / NOE_STYLE_WIDTH, (edge[3] - 46) / x->height);
    fprintf(f, "set key at screen %g,%g left top Left reverse samplen 1.4 spacing 1.15 width 0\n",
            1 - (x->legend - 6) / NOE_STYLE_WIDTH, edge[2] / x->height);
    for (int i = 0; i < c->count; i++)
        put_series(f, c, i, count && (i % every == 0 || i == c->count - 1));
    fputc('\n', f);
    for (int i = 0; i < c->count; i++) put_points(f, c, &c->series[i]);
    if (!at) fputs("unset label 1\n", f);
}

static noe_status body(void *what, FILE *f)
{
    const sheet *x = what;
    for (int i = 0; i < x->charts; i++) put_chart(f, x, i);
    return NOE_OK;
}

noe_status noe_figure_draw(const char *path, const char *title, const noe_chart *chart, int charts)
{
    char  about[600] = "";
    int   longest;
    sheet x = { .chart = chart, .charts = charts < NOE_CHARTS_MOST ? charts : NOE_CHARTS_MOST };
    x.columns = x.charts > 6 ? 3 : x.charts > 1 ? 2 : 1;
    x.rows = (x.charts + x.columns - 1) / x.columns;
    x.legend = names(&chart[0], &longest) ? SAMPLE + NOE_STYLE_LETTER * longest : 0;
    for (int i = 0; i < x.charts; i++)
        noe_status_append(about, sizeof about, "%s%.80s against %.40s", i ? "; " : "",
                          chart[i].title, chart[i].x);
    noe_picture picture = { .path = path, .title = title, .about = about };
    x.top = noe_picture_head(&picture);
    x.height = picture.height = x.top + (x.rows > 1 ? 330 * x.rows : x.columns > 1 ? 400 : 550);
    return noe_picture_draw(&picture, body, &x);
}
