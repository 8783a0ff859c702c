/* The scene of a model: what its draw statements say, and the columns that it takes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/scene.h"

#include "base/status.h"
#include "base/text.h"
#include "system/event_tapes.h"

#include <string.h>

/* The shapes of the draw statements. */
static bool drawings(noe_scene *x)
{
    const noe_model *m = x->model;
    x->deep = m->has_space_points;
    for (int k = 0; k < m->drawings; k++) {
        const noe_drawing *d = &m->drawing[k];
        noe_shape          s = { .kind = d->kind, .points = d->points, .across = d->across };
        if (d->kind == NOE_DRAW_BODY) {
            if (!noe_shape_body(x, m, d->solid)) return false;
            continue;
        }
        if (d->radius >= 0)
            s.radius = (double)noe_evaluate_constant(&x->model->graph, d->radius, m->param);
        if (!noe_shape_add(x, &s, m->point + d->first)) return false;
    }
    return true;
}

/* Finds out which coordinates and velocities the points depend on. */
static bool find_columns(noe_scene *x, const noe_system *s, noe_text *list, int *count)
{
    noe_model *m = x->model;
    noe_graph *g = &m->graph;
    x->q = noe_arena_take(x->arena, (size_t)(2 * m->n + 1) * sizeof *x->q);
    if (!x->q) return false;
    memset(x->q, 0, (size_t)(2 * m->n + 1) * sizeof *x->q);
    x->v = x->q + m->n;
    const int nodes = noe_evaluate_reach(g, *x->spot, 3 * x->spots);
    for (int k = 0; k < nodes; k++) {
        const noe_node *y = &g->node[g->list[k]];
        if (y->op != NOE_Q && y->op != NOE_V) continue;
        const char       *name = m->coordinate[y->a]->name;
        const noe_symbol *own = noe_model_find(s->model, name, strlen(name));
        if (!s->model->grouped && (!own || own->what != NOE_IS_COORDINATE))
            return noe_status_fail(NOE_INVALID,
                                   "--animate: the picture needs '%.60s', which has no mass and "
                                   "follows the other coordinates",
                                   name),
                   false;
        (y->op == NOE_Q ? x->q : x->v)[y->a] = (*count)++;
        noe_text_add(list, ",%.900s%s", name, y->op == NOE_Q ? "" : "'");
    }
    return true;
}

static bool columns(noe_scene *x, const noe_system *s)
{
    const bool changes = !s->dyn.autonomous || (s->events && s->events->shocks);
    noe_text   list = noe_text_new(x->arena);
    int        count = 2 + changes;
    x->balance = changes;
    noe_text_add(&list, "t,energy%s", changes ? ",balance" : "");
    if (x->model && !find_columns(x, s, &list, &count)) return false;
    for (int i = 0; i < x->spots && !x->model; i++) noe_text_add(&list, ",%.900s", x->label[i]);
    x->columns = list.data;
    return list.data != NULL;
}

bool noe_scene_make(noe_scene *x, const noe_system *s)
{
    *x = (noe_scene){ .arena = noe_arena_new() };
    if (!x->arena) return false;
    x->model = s->model ? s->model->picture : NULL;
    if (x->model ? !drawings(x) : !noe_scene_default(x, s)) return false;
    return columns(x, s);
}

void noe_scene_drop(noe_scene *x) { noe_arena_free(x->arena); }
