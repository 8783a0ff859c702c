/* Charts of points (x, y) on logarithmic or linear axes, with straight guides C x^p.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/figure.h"

#include "plot/gnuplot.h"
#include "plot/plot.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <string.h>

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

static unsigned colour(int i)
{
    static const unsigned of[] = { 0x1f6fb4, 0xd1495b, 0x2a9d5c, 0xe08a1e,
                                   0x7a4fb5, 0x4b5563, 0x00a3a3, 0xb8609a };
    return of[i % 8];
}

static void put_series(FILE *f, const noe_chart *c, int i, bool legend)
{
    const noe_series *s = &c->series[i];
    const bool        guide = s->slope != 0 && s->guide < s->points
                    && drawn(c, s->x[s->guide], s->y[s->guide]);
    const bool few = s->points <= 64;
    fprintf(f, "%s'-' with %s pt %d ps %g lw 1.8 lc rgb '#%06x' ", i ? ", " : "plot ",
            s->dots ? "points"
            : few   ? "linespoints"
                    : "lines",
            5 + 2 * (s->colour % 5), s->dots ? 0.4 : 0.7, colour(s->colour));
    if (legend) fputs("title ", f), noe_gnuplot_text(f, s->label, 18);
    else fputs("notitle", f);
    if (guide)
        fprintf(f, ", %.17g*(x/%.17g)**%.17g with lines dt 3 lw 1.1 lc rgb '#%06x' notitle",
                s->y[s->guide], s->x[s->guide], s->slope, colour(s->colour));
}

static void put_points(FILE *f, const noe_chart *c, const noe_series *s)
{
    int left = 0;
    for (int k = 0; k < s->points; k++)
        if (drawn(c, s->x[k], s->y[k])) fprintf(f, "%.10g %.10g\n", s->x[k], s->y[k]), left++;
    if (!left) fputs("NaN NaN\n", f);
    fputs("e\n", f);
}

static void put_chart(FILE *f, const noe_chart *c, int at, int charts, bool legend)
{
    const int columns = charts > 4 ? 3
                      : charts > 1 ? 2
                                   : 1,
              rows = (charts + columns - 1) / columns;
    const double right = 0.83, top = 0.9, w = right / columns, h = top / rows, x = at % columns * w,
                 y = top - at / columns * h;
    range of_x, of_y;
    measure(c, &of_x, &of_y);
    fprintf(f,
            "set lmargin at screen %g\nset rmargin at screen %g\nset tmargin at screen %g\nset "
            "bmargin at screen %g\n",
            x + 0.075, x + w - 0.015, y - 0.05, y - h + 0.085);
    put_axis(f, 'x', &of_x);
    put_axis(f, 'y', &of_y);
    fputs("set title ", f), noe_gnuplot_text(f, c->title, 100 / columns),
        fputs(" offset 0,-0.6\n", f);
    fputs("set xlabel ", f), noe_gnuplot_text(f, c->x, 60), fputs(" offset 0,0.3\n", f);
    fputs("set ylabel ", f), noe_gnuplot_text(f, c->y, 50), fputs(" offset 1,0\n", f);
    fprintf(f, "set key at screen %g,%g left top Left reverse samplen 1.6 spacing 1.2 width 0\n",
            right + 0.01, top - 0.04);
    for (int i = 0; i < c->count; i++) put_series(f, c, i, legend);
    fputc('\n', f);
    for (int i = 0; i < c->count; i++) put_points(f, c, &c->series[i]);
}

static noe_status write(FILE *f, const char *terminal, const char *title, const noe_chart *chart,
                        int charts)
{
    fprintf(f, "set encoding utf8\nset terminal %s\nset multiplot\n", terminal);
    fputs("set border 3 lc rgb '#8a8f98' lw 0.8\nset tics nomirror out scale 0.5 textcolor rgb "
          "'#3c4048'\n"
          "set grid lt 1 lc rgb '#e4e6ea' lw 0.7\n",
          f);
    fputs("set label 1 ", f), noe_gnuplot_text(f, title, 110);
    fputs(" at screen 0.02,0.965 left textcolor rgb '#20242c'\n", f);
    for (int i = 0; i < charts; i++) {
        put_chart(f, &chart[i], i, charts, i == 0);
        fputs("unset label 1\n", f);
    }
    fputs("unset multiplot\n", f);
    return fflush(f) || ferror(f) ? noe_status_fail(
               NOE_IO, "cannot write a temporary file for gnuplot: %s", strerror(errno))
                                  : NOE_OK;
}

noe_status noe_figure_draw(const char *path, const char *title, const noe_chart *chart, int charts)
{
    const char *terminal = noe_plot_terminal(path);
    FILE       *script = terminal ? tmpfile() : NULL;
    if (!terminal) return NOE_INVALID;
    if (!script)
        return noe_status_fail(NOE_IO, "cannot make a temporary file for gnuplot: %s",
                               strerror(errno));
    locale_t   plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    noe_status s = write(script, terminal, title, chart,
                         charts < NOE_CHARTS_MOST ? charts : NOE_CHARTS_MOST);
    uselocale(before);
    freelocale(plain);
    if (!s) s = noe_gnuplot_run(script, path);
    fclose(script);
    return s;
}

noe_status noe_figure_check(const char *path) { return noe_plot_check(path, NULL); }
