/* The scene of a model that draws nothing: bodies, points (x, y), a family, or curves over time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "animate/scene.h"

#include "base/status.h"
#include "rows/column_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 100, CURVES = 8, SITES = 400, WAVE_FROM = 8 };

/* Is x[..] a position: a coordinate, or a definition without velocities? */
static bool is_position(const noe_model *m, const noe_symbol *s, noe_is_what what)
{
    const uint8_t has = !s || s->what != what || s->family ? 0 : m->graph.node[s->ex].has;
    return (has & NOE_HAS_Q) && !(has & (NOE_HAS_V | NOE_HAS_P));
}

/* The symbol of the same name with another letter in place of the one at `at`. */
static const noe_symbol *other(const noe_model *m, const char *name, size_t at, int distance)
{
    char         text[200];
    const size_t length = strlen(name);
    if (length >= sizeof text) return NULL;
    memcpy(text, name, length + 1);
    text[at] = (char)(text[at] + distance);
    return noe_model_find(m, text, length);
}

/* A disk and a trace for every x.. that has a y.., of coordinates or of definitions. */
static bool points(noe_scene *x, const noe_model *m, noe_is_what what)
{
    for (int i = 0; i < m->symbols && x->shapes < 2 * POINTS; i++) {
        const noe_symbol *s = m->symbol[i];
        if (!is_position(m, s, what)) continue;
        for (size_t at = 0; s->name[at]; at++) {
            const bool begins = !at || s->name[at - 1] == '_' || s->name[at - 1] == '.';
            if ((s->name[at] != 'x' && s->name[at] != 'X') || !begins) continue;
            const noe_symbol *y = other(m, s->name, at, 1), *z = other(m, s->name, at, 2);
            if (!is_position(m, y, what)) continue;
            const bool deep = is_position(m, z, what);
            noe_ex     spot[1][3] = { { s->ex, y->ex, deep ? z->ex : 0 } };
            if (!deep) spot[0][2] = noe_graph_number(&x->model->graph, 0);
            x->deep |= deep;
            if (!noe_shape_add(x, &(noe_shape){ .kind = NOE_DRAW_TRACE, .points = 1 }, spot)
                || !noe_shape_add(x, &(noe_shape){ .kind = NOE_DRAW_DISK, .points = 1 }, spot))
                return false;
            break;
        }
    }
    return true;
}

/* The largest family of coordinates, NULL: none of WAVE_FROM members. */
static const noe_symbol *largest(const noe_model *m)
{
    const noe_symbol *best = NULL;
    for (int i = 0; i < m->symbols; i++) {
        const noe_symbol *s = m->symbol[i];
        if (s->what != NOE_IS_COORDINATE || !s->family || s->hi - s->lo + 1 < WAVE_FROM) continue;
        if (!best || s->hi - s->lo > best->hi - best->lo) best = s;
    }
    return best;
}

/* The index of the sites at the ends: that between the brackets of a label where there is one. */
static void find_index(noe_scene *x)
{
    char end;
    for (int e = 0; e < 2; e++) {
        const char *at = strchr(x->label[e ? x->spots - 1 : 0], '[');
        if (!at || sscanf(at, "[%d%c", &x->index[e], &end) != 2 || end != ']') {
            x->index[0] = 0, x->index[1] = x->spots - 1;
            return;
        }
    }
}

/* Columns as values: of a family, or the coordinates. */
static bool values(noe_scene *x, const noe_system *s, const noe_symbol *family)
{
    char text[300];
    int  count = family ? 1 : s->dyn.n < CURVES ? s->dyn.n : CURVES;
    x->model = NULL;
    x->kind = family ? NOE_SCENE_WAVE : NOE_SCENE_CURVES;
    if (family) snprintf(text, sizeof text, "%.250s[*]", family->name);
    char *list = family ? noe_column_list_sampled(s, text, SITES) : NULL;
    if (family && !list) return false;
    for (const char *c = list; c && *c; c++) count += *c == ',';
    x->label = noe_arena_take(x->arena, (size_t)count * sizeof *x->label);
    if (!x->label) return free(list), false;
    for (char *at = list; x->spots < count;) {
        const char  *name = family ? at : noe_system_name(s, x->spots);
        const size_t length = family ? strcspn(at, ",") : strlen(name);
        if (!(x->label[x->spots++] = noe_arena_copy(x->arena, name, length))) break;
        if (family) at += length + (at[length] == ',');
    }
    free(list);
    if (!x->label[x->spots - 1]) return false;
    if (family) find_index(x);
    return true;
}

bool noe_scene_default(noe_scene *x, const noe_system *s)
{
    noe_model *m = s->model;
    if (m && !m->grouped && !m->matrix[NOE_MASS].path) {
        x->model = m;
        for (int k = 0; k < m->solids; k++)
            if (!noe_shape_body(x, m, k)) return false;
        x->deep = m->solids > 0;
        if (!m->solids && !points(x, m, NOE_IS_COORDINATE)) return false;
        if (!x->shapes && !points(x, m, NOE_IS_DEFINITION)) return false;
        if (x->shapes) return true;
    }
    return values(x, s, m ? largest(m) : NULL);
}
