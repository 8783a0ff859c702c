/* Projection of a scene on a sheet: the box of all frames, and a perspective for what is in space.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * f = 1/(1 - min(d/size, 2)/6), d the distance towards the eye */
#include "animate/flat_view.h"

#include <math.h>

#define YAW (-0.62)
#define PITCH 0.42

static double radius_of(const noe_shape *s)
{
    if (s->kind != NOE_DRAW_BODY) return s->radius;
    return sqrt(s->size[0] * s->size[0] + s->size[1] * s->size[1] + s->size[2] * s->size[2])
         * (s->round ? 1 : 0.5);
}

/* Calls visit for every point that is seen; of a body that is its centre. */
static void for_points(const noe_film *f, void *to, void (*visit)(void *, const double *, double))
{
    const noe_scene *x = &f->scene;
    for (int k = 0; k < x->shapes; k++) {
        const noe_shape *s = &x->shape[k];
        const int        count = s->kind == NOE_DRAW_BODY ? 1 : s->points;
        for (int i = s->first; i < s->first + count; i++)
            for (long r = 0; r < f->rows; r++)
                visit(to, f->point + 3 * (r * x->spots + i), radius_of(s));
    }
}

static void widen_box(void *to, const double *p, double radius)
{
    noe_flat_view *v = to;
    for (int c = 0; c < 3; c++) {
        if (!isfinite(p[c])) continue;
        if (!(v->lo[c] <= p[c] - radius)) v->lo[c] = p[c] - radius;
        if (!(v->hi[c] >= p[c] + radius)) v->hi[c] = p[c] + radius;
    }
}

/* What is in space, on a sheet with the centre of the box at 0. */
typedef struct {
    noe_flat_view view;    /* of scale 1 */
    double        half[2]; /* half the width and the height */
} extent;

static void widen_extent(void *to, const double *p, double radius)
{
    extent *x = to;
    double  at[3];
    noe_flat_view_project(&x->view, p, at);
    for (int c = 0; c < 2; c++) {
        const double reach = fabs(at[c]) + radius * noe_flat_view_magnify(&x->view, at[2]);
        if (reach > x->half[c]) x->half[c] = reach;
    }
}

void noe_flat_view_fit(noe_flat_view *v, const noe_film *f, const double rectangle[4],
                       double margin)
{
    *v = (noe_flat_view){ .deep = f->scene.deep, .scale = 1 };
    for (int c = 0; c < 3; c++) v->lo[c] = INFINITY, v->hi[c] = -INFINITY;
    for_points(f, v, widen_box);
    if (!v->deep) v->lo[2] = v->hi[2] = 0;
    for (int c = 0; c < 3; c++) {
        if (!(v->lo[c] <= v->hi[c])) v->lo[c] = -1, v->hi[c] = 1;
        v->centre[c] = (v->lo[c] + v->hi[c]) / 2;
        v->size = fmax(v->size, v->hi[c] - v->lo[c]);
    }
    if (!(v->size > 0)) v->size = 1;
    double half[2] = { (v->hi[0] - v->lo[0]) / 2, (v->hi[1] - v->lo[1]) / 2 };
    if (v->deep) {
        extent x = { *v, { 1e-9 * v->size, 1e-9 * v->size } };
        for_points(f, &x, widen_extent);
        half[0] = x.half[0], half[1] = x.half[1];
    }
    const double room[2] = { rectangle[2] / 2 - margin, rectangle[3] / 2 - margin };
    v->scale = INFINITY;
    for (int c = 0; c < 2; c++)
        v->scale = fmin(v->scale, room[c] / (half[c] > 0 ? half[c] : v->size));
    v->middle[0] = rectangle[0] + rectangle[2] / 2;
    v->middle[1] = rectangle[1] + rectangle[3] / 2;
}

double noe_flat_view_magnify(const noe_flat_view *v, double towards)
{
    return v->deep ? 1 / (1 - fmin(towards / v->size, 2) / 6) : 1;
}

void noe_flat_view_project(const noe_flat_view *v, const double *point, double to[3])
{
    double p[3];
    for (int c = 0; c < 3; c++) p[c] = point[c] - v->centre[c];
    double across = p[0], up = p[1], towards = 0;
    if (v->deep) {
        const double b = p[0] * sin(YAW) + p[1] * cos(YAW);
        across = p[0] * cos(YAW) - p[1] * sin(YAW);
        up = p[2] * cos(PITCH) + b * sin(PITCH);
        towards = p[2] * sin(PITCH) - b * cos(PITCH);
    }
    const double f = v->scale * noe_flat_view_magnify(v, towards);
    to[0] = v->middle[0] + across * f;
    to[1] = v->middle[1] - up * f;
    to[2] = towards;
}
