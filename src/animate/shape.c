/* Adds a shape to a scene; the shape of a rigid body by its moments of inertia.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A brick of mass m and sides a, b, c has the moment A = m (b^2 + c^2)/12 about the first axis, so
 * that a^2 = 6 (B + C - A)/m; a cylinder has C = m R^2/2 and A = m (3 R^2 + H^2)/12. */
#include "animate/scene.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool noe_shape_add(noe_scene *x, const noe_shape *s, noe_ex (*spot)[3])
{
    noe_shape *shapes = noe_arena_take(x->arena, (size_t)(x->shapes + 1) * sizeof *shapes);
    void      *spots = noe_arena_take(x->arena, (size_t)(x->spots + s->points + 1) * sizeof *spot);
    if (!shapes || !spots) return false;
    if (x->shapes) memcpy(shapes, x->shape, (size_t)x->shapes * sizeof *shapes);
    if (x->spots) memcpy(spots, x->spot, (size_t)x->spots * sizeof *spot);
    x->shape = shapes, x->spot = spots;
    memcpy(x->spot + x->spots, spot, (size_t)s->points * sizeof *spot);
    x->shape[x->shapes] = *s;
    x->shape[x->shapes++].first = x->spots;
    x->spots += s->points;
    return true;
}

static double constant(noe_model *m, noe_ex x)
{
    return (double)noe_evaluate_constant(&m->graph, x, m->param);
}

/* The vector NAME.quantity of a body. */
static const noe_symbol *vector(const noe_model *m, const char *name, const char *quantity)
{
    char text[300];
    snprintf(text, sizeof text, "%s.%s", name, quantity);
    return noe_model_find(m, text, strlen(text));
}

bool noe_shape_body(noe_scene *x, const noe_model *owner, int solid)
{
    static const char *const of[] = { "r", "e1", "e2", "e3" };
    noe_model               *m = x->model;
    const noe_solid         *b = &owner->solid[solid];
    noe_shape                s = { .kind = NOE_DRAW_BODY, .points = 4 };
    noe_ex                   spot[4][3];
    double                   I[3], mass = constant(m, b->mass), most = 0;
    for (int k = 0; k < 4; k++) {
        const noe_symbol *v = vector(m, b->name, of[k]);
        if (!v)
            return noe_status_fail(NOE_INVALID, "the body '%.60s' is not there", b->name), false;
        for (int c = 0; c < 3; c++)
            spot[k][c] = k ? noe_simplify_make(&m->graph, NOE_ADD, spot[0][c], v->component[c]->ex,
                                               0)
                           : v->component[c]->ex;
    }
    for (int c = 0; c < 3; c++) I[c] = constant(m, b->inertia[c]);
    s.round = fabs(I[0] - I[1]) <= 1e-9 * I[0];
    for (int c = 0; c < 3; c++)
        s.size[c] = sqrt(fmax(0, 6 * (I[(c + 1) % 3] + I[(c + 2) % 3] - I[c]) / mass));
    if (s.round) {
        s.size[0] = s.size[1] = sqrt(2 * I[2] / mass);
        s.size[2] = sqrt(fmax(0, 3 * (I[0] - I[2] / 2) / mass));
    }
    for (int c = 0; c < 3; c++) most = fmax(most, s.size[c]);
    for (int c = 0; c < 3; c++)
        s.size[c] = fmax(s.size[c], 0.04 * most); /* flat ones can be seen */
    return noe_shape_add(x, &s, spot);
}
