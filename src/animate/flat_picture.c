/* The motion on a sheet of paper: marks, and their points at a time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Times between two rows: the straight line, as in page.html. */
#include "animate/flat_picture.h"

#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static int numbers_of(const noe_film *f) { return (f->scene.model ? 3 : 1) * f->scene.spots; }

void noe_flat_picture_state(const noe_flat_picture *x, double t, double *state)
{
    const noe_film *f = x->film;
    const int       each = numbers_of(f);
    long            lo = 0, hi = f->rows - 1;
    while (hi - lo > 1) {
        const long m = (lo + hi) / 2;
        if (f->row[m * f->width] <= t) lo = m;
        else hi = m;
    }
    const double  a = f->row[lo * f->width], b = f->row[hi * f->width];
    const double  u = b > a ? fmin(1, fmax(0, (t - a) / (b - a))) : 0;
    const double *p = f->point + lo * each, *q = f->point + hi * each;
    for (int i = 0; i < each; i++) state[i] = u > 0 ? p[i] + u * (q[i] - p[i]) : p[i];
}

noe_mark *noe_flat_picture_add(noe_flat_picture *x, noe_mark_kind kind, noe_mark_source source,
                               int of, int points, const char *style)
{
    if (x->marks == x->room) {
        noe_mark *more = noe_arena_take(x->arena, (size_t)(2 * x->room + 64) * sizeof *more);
        if (!more) return NULL;
        if (x->marks) memcpy(more, x->mark, (size_t)x->marks * sizeof *more);
        x->mark = more, x->room = 2 * x->room + 64;
    }
    noe_mark *m = &x->mark[x->marks++];
    *m = (noe_mark){
        .kind = kind, .source = source, .of = of, .first = x->points, .points = points, .stride = 1
    };
    strncpy(m->style, style, sizeof m->style - 1);
    x->points += points;
    return m;
}

bool noe_flat_picture_line(noe_flat_picture *x, double (*at)[2], int points, const char *style)
{
    double   *copy = noe_arena_take(x->arena, (size_t)points * sizeof *at);
    noe_mark *m = noe_flat_picture_add(x, NOE_MARK_LINE, NOE_MARK_FIXED, 0, points, style);
    if (!copy || !m) return false;
    memcpy(copy, at, (size_t)points * sizeof *at);
    m->at = copy;
    return true;
}

void noe_flat_picture_write(noe_flat_picture *x, double a, double b, char anchor, const char *style,
                            const char *format, ...)
{
    if (x->texts == (int)(sizeof x->text / sizeof *x->text)) return;
    noe_mark_text *t = &x->text[x->texts++];
    va_list        list;
    *t = (noe_mark_text){ .x = a, .y = b, .anchor = anchor };
    strncpy(t->style, style, sizeof t->style - 1);
    va_start(list, format);
    vsnprintf(t->text, sizeof t->text, format, list);
    va_end(list);
}

noe_mark *noe_flat_picture_path(noe_flat_picture *x, const double *at, int points,
                                const char *style)
{
    double   *length = noe_arena_take(x->arena, (size_t)points * sizeof *length);
    noe_mark *m = noe_flat_picture_add(x, NOE_MARK_PATH, NOE_MARK_FIXED, 0, points, style);
    if (!length || !m) return NULL;
    length[0] = 0;
    for (int i = 1; i < points; i++)
        length[i] = length[i - 1] + hypot(at[2 * i] - at[2 * i - 2], at[2 * i + 1] - at[2 * i - 1]);
    m->at = at, m->length = length, m->recent = 1;
    return m;
}

/* Where among the samples of a path a time is: 0 .. points - 1. */
static double place_of(const noe_flat_picture *x, const noe_mark *m, double t)
{
    const double u = x->until > x->from ? (t - x->from) / (x->until - x->from) : 0;
    return fmin(1, fmax(0, u)) * (m->points - 1);
}

static double between(const double *list, int stride, double place, int last)
{
    const int i = (int)fmin(floor(place), fmax(0, last - 1)), next = last > 0 ? i + 1 : i;
    return list[i * stride] + (place - i) * (list[next * stride] - list[i * stride]);
}

double noe_flat_picture_drawn(const noe_flat_picture *x, const noe_mark *m, double t)
{
    const double all = m->length[m->points - 1];
    return all > 0 ? between(m->length, 1, place_of(x, m, t), m->points - 1) / all : 1;
}

/* A spring: a zigzag of `points` - 3 turns between two straight ends. */
static void place_spring(const double a[2], const double b[2], int points, double *xy)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], l = fmax(hypot(dx, dy), 1e-9);
    const double end = fmin(12, 0.14 * l), side = 7;
    const int    n = points - 3;
    for (int i = 0; i < points; i++) {
        const int    k = i - 1;
        const double u = i == 0 ? 0 : i == points - 1 ? 1 : (end + (l - 2 * end) * k / n) / l;
        const double w = i <= 1 || i >= points - 2 ? 0 : k % 2 ? side : -side;
        xy[2 * i] = a[0] + dx * u - dy / l * w;
        xy[2 * i + 1] = a[1] + dy * u + dx / l * w;
    }
}

/* A face of a body: seen from behind it shrinks to its first corner. */
static void place_face(const noe_flat_picture *x, const noe_mark *m, double *xy)
{
    const double *spot = x->state + 3 * m->of;
    double        axis[3][3], to[3], area = 0;
    for (int k = 0; k < 3; k++) {
        double length = 0;
        for (int c = 0; c < 3; c++) {
            axis[k][c] = spot[3 * (k + 1) + c] - spot[c];
            length += axis[k][c] * axis[k][c];
        }
        for (int c = 0; c < 3; c++) axis[k][c] /= length > 0 ? sqrt(length) : 1;
    }
    for (int i = 0; i < m->points; i++) {
        const double *q = m->corner + 3 * i;
        double        p[3];
        for (int c = 0; c < 3; c++)
            p[c] = spot[c] + q[0] * axis[0][c] + q[1] * axis[1][c] + q[2] * axis[2][c];
        noe_flat_view_project(&x->view, p, to);
        xy[2 * i] = to[0], xy[2 * i + 1] = to[1];
    }
    for (int i = 0; i < m->points; i++) {
        const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % m->points);
        area += a[0] * b[1] - b[0] * a[1];
    }
    for (int i = 1; i < m->points && area >= 0; i++) xy[2 * i] = xy[0], xy[2 * i + 1] = xy[1];
}

static void place_spots(const noe_flat_picture *x, int of, int points, int stride, double *xy)
{
    for (int i = 0; i < points; i++) {
        double to[3];
        noe_flat_view_project(&x->view, x->state + 3 * (of + i * stride), to);
        xy[2 * i] = to[0], xy[2 * i + 1] = to[1];
    }
}

static void place(const noe_flat_picture *x, const noe_mark *m, double t, double *xy)
{
    double ends[4];
    switch (m->source) {
    case NOE_MARK_FIXED: memcpy(xy, m->at, (size_t)m->points * 2 * sizeof *xy); break;
    case NOE_MARK_SPOTS: place_spots(x, m->of, m->points, m->stride, xy); break;
    case NOE_MARK_SPRING:
        place_spots(x, m->of, 2, 1, ends);
        place_spring(ends, ends + 2, m->points, xy);
        break;
    case NOE_MARK_SOLID: place_face(x, m, xy); break;
    case NOE_MARK_HEAD: {
        const noe_mark *path = &x->mark[m->of];
        const double    at = place_of(x, path, t);
        xy[0] = between(path->at, 2, at, path->points - 1);
        xy[1] = between(path->at + 1, 2, at, path->points - 1);
        break;
    }
    case NOE_MARK_PLAYHEAD: {
        const double u = x->until > x->from ? (t - x->from) / (x->until - x->from) : 0;
        xy[0] = xy[2] = m->at[0] + u * (m->at[2] - m->at[0]);
        xy[1] = m->at[1], xy[3] = m->at[3];
        break;
    }
    case NOE_MARK_WAVE:
        for (int i = 0; i < m->points; i++) {
            xy[2 * i] = m->at[0] + (m->of + i) * (m->at[2] - m->at[0]);
            xy[2 * i + 1] = m->at[1] + x->state[m->of + i] * (m->at[3] - m->at[1]);
        }
    }
}

void noe_flat_picture_at(noe_flat_picture *x, double t, double *xy)
{
    noe_flat_picture_state(x, t, x->state);
    for (int k = 0; k < x->marks; k++) place(x, &x->mark[k], t, xy + 2 * x->mark[k].first);
}

double noe_flat_picture_seconds(const noe_flat_picture *x)
{
    const double span = x->until - x->from;
    return span >= 3 && span <= 40 ? span : 20;
}

bool noe_flat_picture_make(noe_flat_picture *x, const noe_film *f)
{
    *x = (noe_flat_picture){ .film = f, .arena = noe_arena_new(), .width = 640, .height = 640 };
    if (!x->arena) return false;
    x->from = f->row[0], x->until = f->row[(f->rows - 1) * f->width];
    const double frames[2][4] = { { 1, 40, 638, 466 }, { 1, 515, 638, 124 } };
    memcpy(x->frame, frames, sizeof frames);
    x->state = noe_arena_take(x->arena, (size_t)numbers_of(f) * sizeof *x->state + 1);
    return x->state;
}

void noe_flat_picture_drop(noe_flat_picture *x) { noe_arena_free(x->arena); }
