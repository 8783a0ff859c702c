/* The marks of a scene between points: ground, traces, rods, springs, disks, bodies, supports.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/flat_scale.h"
#include "animate/flat_sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 1200, SPRING_POINTS = 15 }; /* of a path, in equal times; of a spring's line */

static const double *spot_of(const noe_film *f, long row, int spot)
{
    return f->point + 3 * (row * f->scene.spots + spot);
}

/* Does a point never move? */
static bool is_fixed(const noe_flat_picture *x, int spot)
{
    const double *start = spot_of(x->film, 0, spot);
    for (long r = 1; r < x->film->rows; r++)
        for (int c = 0; c < 3; c++)
            if (!(fabs(spot_of(x->film, r, spot)[c] - start[c]) <= 1e-6 * x->view.size))
                return false;
    return true;
}

static bool are_same(const noe_film *f, int a, int b)
{
    for (long r = 0; r<f->rows; r += f->rows> 32 ? f->rows / 32 : 1)
        if (memcmp(spot_of(f, r, a), spot_of(f, r, b), 3 * sizeof(double))) return false;
    return true;
}

/* What moves by itself has a colour of its own; the trace of a point has that of its disk. */
static int *choose_colours(noe_flat_picture *x)
{
    const noe_scene *s = &x->film->scene;
    int             *colour = noe_arena_take(x->arena, (size_t)(s->spots + 1) * sizeof *colour);
    int              count = 0;
    if (!colour) return NULL;
    for (int i = 0; i < s->spots; i++) colour[i] = -1;
    for (int k = 0; k < s->shapes; k++) {
        const noe_shape *y = &s->shape[k];
        if (y->kind != NOE_DRAW_DISK && y->kind != NOE_DRAW_BODY) continue;
        const int points = y->kind == NOE_DRAW_BODY ? 1 : y->points;
        for (int i = y->first; i < y->first + points; i++) colour[i] = count++ % 8;
    }
    const int disks = count;
    for (int k = 0; k < s->shapes; k++) {
        const noe_shape *y = &s->shape[k];
        for (int i = y->first; y->kind == NOE_DRAW_TRACE && i < y->first + y->points; i++) {
            for (int j = 0; j < s->spots && disks && colour[i] < 0; j++)
                if (j != i && colour[j] >= 0 && are_same(x->film, i, j)) colour[i] = colour[j];
            if (colour[i] < 0) colour[i] = count++ % 8;
        }
    }
    return colour;
}

static bool add_trace(noe_flat_picture *x, int spot, int colour)
{
    const int points = x->film->rows < SAMPLES ? (int)x->film->rows : SAMPLES;
    double   *at = noe_arena_take(x->arena, (size_t)points * 2 * sizeof *at), to[3];
    char      style[16];
    if (!at) return false;
    for (int i = 0; i < points; i++) {
        const double u = points > 1 ? (double)i / (points - 1) : 0;
        noe_flat_picture_state(x, x->from + u * (x->until - x->from), x->state);
        noe_flat_view_project(&x->view, x->state + 3 * spot, to);
        at[2 * i] = to[0], at[2 * i + 1] = to[1];
    }
    snprintf(style, sizeof style, "c%d", colour);
    noe_mark *m = noe_flat_picture_path(x, at, points, style);
    if (m) m->recent = 0.15;
    return m;
}

static bool add_circle(noe_flat_picture *x, int spot, double radius, const char *style)
{
    noe_mark *m = noe_flat_picture_add(x, NOE_MARK_CIRCLE, NOE_MARK_SPOTS, spot, 1, style);
    if (m) m->radius = radius;
    return m;
}

/* The grid on the floor of what is in space, and a scale. */
static bool add_ground(noe_flat_picture *x)
{
    const noe_flat_view *v = &x->view;
    const double         step = noe_flat_scale_step(v->size / 6), *f = x->frame[0];
    double               from[2], until[2], at[2][2], to[3];
    for (int c = 0; c < 2; c++) {
        from[c] = (floor(v->lo[c] / step - 0.5)) * step;
        until[c] = (ceil(v->hi[c] / step + 0.5)) * step;
    }
    for (int c = 0; c < 2 && v->deep; c++)
        for (double u = from[c]; u <= until[c] + step / 2; u += step) {
            for (int e = 0; e < 2; e++) {
                double p[3] = { 0, 0, v->lo[2] };
                p[c] = u, p[1 - c] = e ? until[1 - c] : from[1 - c];
                noe_flat_view_project(v, p, to);
                at[e][0] = to[0], at[e][1] = to[1];
            }
            if (!noe_flat_picture_line(x, at, 2, "floor")) return false;
        }
    const double l = noe_flat_scale_step(100 / v->scale), left = f[0] + 17, foot = f[1] + f[3] - 14;
    double       bar[4][2] = { { left, foot - 4 },
                               { left, foot },
                               { left + l * v->scale, foot },
                               { left + l * v->scale, foot - 4 } };
    noe_flat_picture_write(x, left + 6, foot - 5, 's', "soft", "%.4g", l);
    return noe_flat_picture_line(x, bar, 4, "axis");
}

/* The lines of a surface along both indices. */
static bool add_surface(noe_flat_picture *x, const noe_shape *s)
{
    const int rows = s->points / s->across;
    for (int i = 0; i < rows; i++)
        if (!noe_flat_picture_add(x, NOE_MARK_LINE, NOE_MARK_SPOTS, s->first + i * s->across,
                                  s->across, "c0 mesh"))
            return false;
    for (int j = 0; j < s->across; j++) {
        noe_mark *m = noe_flat_picture_add(x, NOE_MARK_LINE, NOE_MARK_SPOTS, s->first + j, rows,
                                           "c0 mesh");
        if (!m) return false;
        m->stride = s->across;
    }
    return true;
}

static bool add_shape(noe_flat_picture *x, const noe_shape *s, const int *colour)
{
    char style[16];
    switch (s->kind) {
    case NOE_DRAW_LINE:
        return noe_flat_picture_add(x, NOE_MARK_LINE, NOE_MARK_SPOTS, s->first, s->points, "rod");
    case NOE_DRAW_SPRING:
        return noe_flat_picture_add(x, NOE_MARK_LINE, NOE_MARK_SPRING, s->first, SPRING_POINTS,
                                    "spring");
    case NOE_DRAW_BODY: return noe_flat_body_add(x, s, colour[s->first]);
    case NOE_DRAW_SURFACE: return add_surface(x, s);
    case NOE_DRAW_DISK:
        for (int i = s->first; i < s->first + s->points; i++) {
            snprintf(style, sizeof style, "c%d", colour[i]);
            const double r = s->radius > 0 ? fmax(3.5, s->radius * x->view.scale) : 8;
            if (!add_circle(x, i, r, style)) return false;
        }
        return true;
    default: return true; /* traces lie below */
    }
}

/* Rings where a rod begins or ends at a point that does not move. */
static bool add_supports(noe_flat_picture *x)
{
    const noe_scene *s = &x->film->scene;
    for (int k = 0; k < s->shapes; k++) {
        const noe_shape *y = &s->shape[k];
        if (y->kind != NOE_DRAW_LINE && y->kind != NOE_DRAW_SPRING) continue;
        const int  last = y->first + y->points - 1;
        const bool a = is_fixed(x, y->first), b = is_fixed(x, last);
        if (a == b) continue;
        if (!add_circle(x, a ? y->first : last, 5, "support")) return false;
    }
    return true;
}

bool noe_flat_scene_add(noe_flat_picture *x)
{
    const noe_scene *s = &x->film->scene;
    noe_flat_view_fit(&x->view, x->film, x->frame[0], 34);
    const int *colour = choose_colours(x);
    if (!colour || !add_ground(x)) return false;
    for (int k = 0; k < s->shapes; k++) {
        const noe_shape *y = &s->shape[k];
        for (int i = y->first; y->kind == NOE_DRAW_TRACE && i < y->first + y->points; i++)
            if (!add_trace(x, i, colour[i])) return false;
    }
    for (int k = 0; k < s->shapes; k++)
        if (!add_shape(x, &s->shape[k], colour)) return false;
    return add_supports(x);
}
