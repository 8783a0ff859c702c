/* panel = axes and the curves (x, y) in them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lab/panel.h"

#include "lab/gnuplot.h"
#include "lab/thin.h"
#include "run/utf8.h"

#include <math.h>
#include <string.h>

enum { POINTS = 4000, ALL_POINTS = 120000, FEW = 60, LETTERS = 26, LEGEND = 24 };

void noe_panel_measure(noe_panel *p)
{
    p->x = p->y = noe_axis_empty();
    for (int i = 0; i < p->curves; i++) {
        noe_axis_include(&p->x, p->curve[i].x, p->rows);
        noe_axis_include(&p->y, p->curve[i].y, p->rows);
    }
    noe_axis_finish(&p->x, p->time ? 0 : 0.04, 0);
    noe_axis_finish(&p->y, 0.06, p->least);
}

void noe_panel_equal(noe_panel *p)
{
    double width = 3 * (p->right - p->left), height = 2 * (p->top - p->bottom); /* pictures are 3 : 2 */
    double x = (p->x.hi - p->x.lo) / width, y = (p->y.hi - p->y.lo) / height;
    if (!p->equal || x > 4 * y || y > 4 * x) return;
    if (x < y) noe_axis_widen(&p->x, y * width);
    else noe_axis_widen(&p->y, x * height);
}

static int letters(const char *s)
{
    int n = 0;
    for (int k; *s; s += k ? k : 1, n++) k = noe_utf8(s);
    return n;
}

double noe_panel_legend(const noe_panel *p)
{
    int longest = 0;
    for (int i = 0; i < p->curves && p->curves > 1; i++)
        if (letters(p->curve[i].label) > longest) longest = letters(p->curve[i].label);
    return longest ? 0.045 + 0.008 * (longest < LETTERS ? longest : LETTERS) : 0;
}

/* Up to eight curves: colours told apart, muted; more: a scale from the first to the last. */
static unsigned colour(int i, int n)
{
    static const unsigned apart[] = {0x3b6ea5, 0xd1792c, 0x4f9d69, 0xb8474c, 0x7c68ae, 0x8a6d5c, 0xcf83b4, 0x7d7f86};
    static const unsigned scale[] = {0x46327e, 0x365c8d, 0x277f8e, 0x1fa187, 0x6cc04a, 0xd0b92c};
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

static const char *skip(const char *s, int n)
{
    for (; *s && n > 0; n--) s += noe_utf8(s) ? noe_utf8(s) : 1;
    return s;
}

/* A long text loses its middle: the end often has the index. */
static void put_text(FILE *f, const char *s, int most)
{
    char text[4 * LONGEST + 8];
    int  n = letters(s), head = n > most ? most / 2 : n, tail = n > most ? most - most / 2 - 1 : 0;
    size_t bytes = (size_t)(skip(s, head) - s);
    memcpy(text, s, bytes);
    text[bytes] = 0;
    if (n > most) strcat(strcat(text, "\u2026"), skip(s, n - tail));
    noe_gnuplot_text(f, text);
}

/* A long legend names only some of its curves, the last among them. */
static void put_title(FILE *f, const noe_panel *p, int i)
{
    int every = (p->curves + LEGEND - 1) / LEGEND;
    if (p->curves == 1 || (i % every && i < p->curves - 1)) {
        fputs("notitle", f);
        return;
    }
    fputs("title ", f);
    put_text(f, p->curve[i].label, LETTERS);
}

static void put_axis(FILE *f, char name, const noe_axis *a)
{
    fprintf(f, "set %crange [%.17g:%.17g]\n", name, a->lo / a->unit, a->hi / a->unit);
    fprintf(f, "set format %c '%%.%dg'\n", name, a->digits);
}

static void put_label(FILE *f, int number, const char *text, const noe_axis *a, int most)
{
    char unit[64];
    char whole[4 * LONGEST + 80];
    noe_axis_unit(a, unit, sizeof unit);
    fprintf(f, "set label %d ", number);
    snprintf(whole, sizeof whole, "%.*s%s", (int)(skip(text, most) - text), text, unit);
    put_text(f, whole, most);
}

/* Labels stand at fixed places, so that those of two panels are in line. */
static void put_frame(FILE *f, const noe_panel *p)
{
    fprintf(f, "set tmargin at screen %g\nset bmargin at screen %g\n", p->top, p->bottom);
    fprintf(f, "set lmargin at screen %g\nset rmargin at screen %g\n", p->left, p->right);
    fprintf(f, "set key at screen %g,%g left top Left reverse samplen 1.6 spacing 1.2 width 0\n", p->right + 0.012, p->top);
    put_axis(f, 'x', &p->x);
    put_axis(f, 'y', &p->y);
}

static void put_points(FILE *f, const noe_panel *p, int i, const size_t *keep, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (keep[k] == NOE_THIN_GAP) fputs("\n", f);
        else fprintf(f, "%.9g %.*g\n", p->curve[i].x[keep[k]] / p->x.unit, p->y.digits + 4,
                     p->curve[i].y[keep[k]] / p->y.unit);
    }
    fputs("e\n", f);
}

noe_status noe_panel_draw(const noe_panel *p, FILE *f, noe_arena *memory)
{
    size_t most = (size_t)(ALL_POINTS / p->curves), room;
    most = most > POINTS ? POINTS : most < 400 ? 400 : most;
    room = NOE_THIN_ROOM(most);
    size_t  *n = noe_arena_take(memory, (size_t)p->curves * sizeof *n);
    size_t **keep = noe_arena_take(memory, (size_t)p->curves * sizeof *keep);
    if (!n || !keep) return NOE_NO_MEMORY;
    put_frame(f, p);
    for (int i = 0; i < p->curves; i++) {
        const noe_curve *c = &p->curve[i];
        bool             dots = false;
        if (!(keep[i] = noe_arena_take(memory, room * sizeof **keep))) return NOE_NO_MEMORY;
        n[i] = p->time ? noe_thin_time(c->x, c->y, p->rows, most, keep[i])
                       : noe_thin_path(c->x, c->y, p->rows, most, keep[i], &dots);
        const char *style = dots ? "points pt 7 ps 0.2" : p->rows <= FEW ? "linespoints pt 7 ps 0.45 lw 1.5" : "lines lw 1.5";
        fprintf(f, "%s '-' with %s lc rgb '#%06x' ", i ? "," : "plot", style, colour(i, p->curves));
        put_label(f, p, i);
    }
    putc('\n', f);
    for (int i = 0; i < p->curves; i++) put_points(f, p, i, keep[i], n[i]);
    return NOE_OK;
}
