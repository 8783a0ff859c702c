/* Graphs on the sheet: coordinates against time, a family against its index, the energy error.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/flat_scale.h"
#include "animate/flat_sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 800, BALLS = 80 }; /* of a path; most sites of a wave that are balls */

/* Affine maps from numbers to the sheet, one for each axis. */
typedef struct {
    double from[2], until[2]; /* ranges of both axes */
    double at[2][2];          /* on the sheet, of from and of until */
} graph_axes;

static double place(const graph_axes *g, int c, double value)
{
    return g->at[0][c]
         + (value - g->from[c]) / (g->until[c] - g->from[c]) * (g->at[1][c] - g->at[0][c]);
}

static void widen(double range[2], const double *list, long count, long stride)
{
    for (long k = 0; k < count; k++) {
        const double v = list[k * stride];
        if (!isfinite(v)) continue;
        if (!(range[0] <= v)) range[0] = v;
        if (!(range[1] >= v)) range[1] = v;
    }
}

/* A margin about a range; one of no length gets some. */
static void settle(double range[2])
{
    if (!(range[0] <= range[1])) range[0] = -1, range[1] = 1;
    double m = 0.06 * (range[1] - range[0]);
    if (!(m > 0)) m = range[0] ? 0.1 * fabs(range[0]) : 1e-16;
    range[0] -= m, range[1] += m;
}

/* Axes in frame k: lines across at ticks of the upright axis, numbers at both. */
static bool draw_axes(noe_flat_picture *x, graph_axes *g, int k, const double *across,
                      const double *up, double ticks)
{
    const double *f = x->frame[k];
    const double  at[2][2] = { { f[0] + 66, f[1] + f[3] - 24 }, { f[0] + f[2] - 18, f[1] + 28 } };
    for (int c = 0; c < 2; c++) {
        const double *range = c ? up : across;
        g->from[c] = range[0], g->until[c] = range[1];
        for (int e = 0; e < 2; e++) g->at[e][c] = at[e][c];
        double step = noe_flat_scale_step((range[1] - range[0]) / (c ? ticks : 5));
        if (floor(range[1] / step) - ceil(range[0] / step) < 1) /* two ticks at least */
            step = noe_flat_scale_step(step / 2.5);
        for (double v = ceil(range[0] / step - 1e-9) * step; v <= range[1] + 1e-9 * step;
             v += step) {
            const double shown = fabs(v) < 1e-9 * step ? 0 : v, p = place(g, c, v);
            if (c) {
                double line[2][2] = { { at[0][0], p }, { at[1][0], p } };
                if (!noe_flat_picture_line(x, line, 2, "floor")) return false;
                noe_flat_picture_write(x, at[0][0] - 6, p + 4, 'e', "soft", "%.4g", shown);
            } else noe_flat_picture_write(x, p, at[0][1] + 17, 'm', "soft", "%.4g", shown);
        }
    }
    return true;
}

/* A list of numbers against its times. */
typedef struct {
    long          rows;          /* of the table */
    const double *t, *value;     /* t[k width], value[k stride] */
    long          width, stride; /* numbers from a time to the next; from a value to the next */
} graph_list;

/* A curve value(t) in the axes, drawn up to the present time, with a ball at its head. */
static bool add_curve(noe_flat_picture *x, const graph_axes *g, const graph_list *y,
                      const char *style, double radius)
{
    const int points = y->rows < SAMPLES ? (int)y->rows : SAMPLES;
    double   *at = noe_arena_take(x->arena, (size_t)points * 2 * sizeof *at);
    if (!at) return false;
    for (long i = 0, r = 0; i < points; i++) {
        const double part = points > 1 ? (double)i / (points - 1) : 0;
        const double now = x->from + part * (x->until - x->from);
        while (r + 2 < y->rows && y->t[(r + 1) * y->width] <= now) r++;
        const long   s = r + 1 < y->rows ? r + 1 : r;
        const double a = y->t[r * y->width], b = y->t[s * y->width];
        const double w = b > a ? fmin(1, (now - a) / (b - a)) : 0;
        const double u = y->value[r * y->stride], v = y->value[s * y->stride];
        at[2 * i] = place(g, 0, fmin(now, y->t[(y->rows - 1) * y->width]));
        at[2 * i + 1] = place(g, 1, u + w * (v - u));
    }
    if (!noe_flat_picture_path(x, at, points, style)) return false;
    noe_mark *m = noe_flat_picture_add(x, NOE_MARK_CIRCLE, NOE_MARK_HEAD, x->marks - 1, 1, style);
    if (m) m->radius = radius;
    return m;
}

static void time_range(const noe_flat_picture *x, double range[2])
{
    range[0] = x->from, range[1] = x->until > x->from ? x->until : x->from + 1;
}

bool noe_flat_graph_curves(noe_flat_picture *x)
{
    const noe_film *f = x->film;
    const int       n = f->scene.spots;
    graph_axes      g;
    double          time[2], up[2] = { NAN, NAN };
    time_range(x, time);
    widen(up, f->point, f->rows * n, 1);
    settle(up);
    if (!draw_axes(x, &g, 0, time, up, 6)) return false;
    for (int k = 0; k < n; k++) {
        char style[16];
        snprintf(style, sizeof style, "c%d", k % 8);
        noe_flat_picture_write(x, g.at[0][0] + 70 * k, x->frame[0][1] + 20, 's', style, "%s",
                               f->scene.label[k]);
        const graph_list list = { f->rows, f->row, f->point + k, f->width, n };
        if (!add_curve(x, &g, &list, style, 6)) return false;
    }
    return true;
}

bool noe_flat_graph_wave(noe_flat_picture *x)
{
    const noe_film *f = x->film;
    const int       n = f->scene.spots;
    graph_axes      g;
    const int      *index = f->scene.index;
    double          across[2] = { index[0], n > 1 ? index[1] : index[0] + 1 }, up[2] = { NAN, NAN };
    const double    apart = n > 1 ? (double)(index[1] - index[0]) / (n - 1) : 1; /* of two sites */
    widen(up, f->point, f->rows * n, 1);
    settle(up);
    if (!draw_axes(x, &g, 0, across, up, 6)) return false;
    noe_flat_picture_write(x, g.at[0][0], x->frame[0][1] + 20, 's', "ink", "%.50s .. %.50s",
                           f->scene.label[0], f->scene.label[n - 1]);
    double *unit = noe_arena_take(x->arena, 4 * sizeof *unit);
    if (!unit) return false;
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 2; c++) unit[2 * e + c] = place(&g, c, c ? e : index[0] + e * apart);
    noe_mark *m = noe_flat_picture_add(x, NOE_MARK_LINE, NOE_MARK_WAVE, 0, n, "c0");
    if (!m) return false;
    m->at = unit;
    for (int i = 0; i < n && n <= BALLS; i++) {
        m = noe_flat_picture_add(x, NOE_MARK_CIRCLE, NOE_MARK_WAVE, i, 1, "c0");
        if (!m) return false;
        m->at = unit, m->radius = fmin(6, fmax(3, 180.0 / n));
    }
    return true;
}

bool noe_flat_graph_energy(noe_flat_picture *x)
{
    const noe_film *f = x->film;
    graph_axes      g;
    double          time[2], up[2] = { NAN, NAN };
    const double    least[2] = { -0x1p-52, 0x1p-52 }; /* so that rounding appears small */
    time_range(x, time);
    widen(up, f->error, f->rows, 1);
    widen(up, f->other_error, f->others, 1);
    if (f->scale > 0) widen(up, least, 2, 1);
    settle(up);
    if (!draw_axes(x, &g, 1, time, up, 3)) return false;
    char style[2][16];
    snprintf(style[0], sizeof style[0], "c%d", f->colour);
    snprintf(style[1], sizeof style[1], "c%d", f->other_colour);
    noe_flat_picture_write(x, g.at[0][0], x->frame[1][1] + 19, 's', "ink", "%s%s",
                           f->scale > 0 ? "relative " : "",
                           f->scene.balance ? "energy balance" : "energy error");
    double *ends = noe_arena_take(x->arena, sizeof g.at);
    if (!ends) return false;
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 2; c++) ends[2 * e + c] = g.at[e][c];
    noe_mark *m = noe_flat_picture_add(x, NOE_MARK_LINE, NOE_MARK_PLAYHEAD, 0, 2, "axis");
    if (!m) return false;
    m->at = ends;
    const graph_list own = { f->rows, f->row, f->error, f->width, 1 };
    const graph_list other = { f->others, f->other_time, f->other_error, 1, 1 };
    if (f->others) { /* names at the right, and the other curve below */
        const char *name = strstr(f->caption, ": ");
        name = name ? name + 2 : "";
        noe_flat_picture_write(x, g.at[1][0], x->frame[1][1] + 19, 'e', style[1], "%s", f->other);
        noe_flat_picture_write(x, g.at[1][0] - 12 - 7.0 * (double)strlen(f->other),
                               x->frame[1][1] + 19, 'e', style[0], "%.*s", (int)strcspn(name, ","),
                               name);
        if (!add_curve(x, &g, &other, style[1], 4)) return false;
    }
    return add_curve(x, &g, &own, style[0], 4);
}
