/* The load f(t) = sum_k w_k g_k(t) of a structure, from forces and the acceleration of the ground.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads that differ by a constant factor share their function g: a record of the ground is
 * evaluated once for all coordinates. */
#include "system/structure_load.h"

#include "base/status.h"
#include "tape/tape.h"

#include <stdlib.h>
#include <string.h>

static bool put(noe_structure_load *x, int row, int of, double w)
{
    if (w == 0) return true;
    if (x->count == x->capacity) {
        const int     capacity = x->capacity ? 2 * x->capacity : 64;
        noe_row_load *more = realloc(x->term, (size_t)capacity * sizeof *more);
        if (!more)
            return noe_status_fail(NOE_NO_MEMORY, "out of memory: the loads of %d coordinates",
                                   x->count),
                   false;
        x->term = more, x->capacity = capacity;
    }
    x->term[x->count++] = (noe_row_load){ row, of, w };
    return true;
}

/* The number of g in ex = w g, with the constant factors of ex in w. */
static int function_number(noe_structure_load *x, noe_model *m, noe_ex ex, quad *w)
{
    noe_graph *g = &m->graph;
    for (*w = 1;;) {
        const noe_node *y = &g->node[ex];
        if (y->op == NOE_NEG) *w = -*w, ex = y->a;
        else if (y->op == NOE_MUL && !noe_graph_moves(g, y->a)) {
            *w *= noe_evaluate_constant(g, y->a, m->param);
            ex = g->node[ex].b;
        } else break;
    }
    if (!noe_graph_moves(g, ex)) {
        *w *= noe_evaluate_constant(g, ex, m->param);
        ex = noe_graph_number(g, 1);
    }
    for (int k = 0; k < x->functions; k++)
        if (x->g[k] == ex) return k;
    x->g[x->functions] = ex;
    return x->functions++;
}

/* Room for the functions of so many more statements; what fails afterwards jumps to graph.stop. */
static bool reserve(noe_structure_load *x, int more)
{
    noe_ex *g = realloc(x->g, (size_t)(x->functions + more + 1) * sizeof *g);
    if (!g) return noe_status_fail(NOE_NO_MEMORY, "out of memory: %d loads", more), false;
    x->g = g;
    return true;
}

bool noe_structure_load_forces(noe_structure_load *x, noe_model *m)
{
    if (!reserve(x, m->forces)) return false;
    for (int k = 0; k < m->forces; k++) {
        quad      w;
        const int of = function_number(x, m, m->force[k].ex, &w);
        if (!put(x, m->force[k].index, of, (double)w)) return false;
    }
    return true;
}

bool noe_structure_load_ground(noe_structure_load *x, noe_model *m, const noe_sparse *M)
{
    if (!m->grounds) return true;
    const int     first = x->functions, n = M->n;
    double       *r = noe_status_alloc(2 * (size_t)n, sizeof *r), *f = r ? r + n : NULL;
    noe_row_load *own = noe_status_alloc((size_t)m->grounds, sizeof *own);
    bool          ok = r && own && reserve(x, m->grounds);
    for (int k = 0; ok && k < m->grounds; k++) {
        quad w;
        own[k].row = m->ground[k].index;
        own[k].of = function_number(x, m, m->ground[k].ex, &w);
        own[k].w = (double)w;
    }
    for (int of = 0; ok && of < x->functions; of++) {
        bool any = of >= first;
        memset(r, 0, (size_t)n * sizeof *r);
        for (int k = 0; k < m->grounds; k++)
            if (own[k].of == of) {
                r[own[k].row] += own[k].w;
                any = true;
            }
        if (!any) continue;
        noe_sparse_times(M, r, f);
        for (int i = 0; i < m->n && ok; i++) ok = put(x, i, of, -f[m->row[i]]);
    }
    free(r);
    free(own);
    return ok;
}

bool noe_structure_load_condense(noe_structure_load *x, const noe_condensation *c)
{
    const int own = x->count;
    int      *place = noe_status_alloc((size_t)c->n, sizeof *place), count = 0;
    bool      ok = place != NULL;
    for (int a = 0; ok && a < c->kept; a++) place[c->keep[a]] = a;
    for (int b = 0; ok && b < c->eliminated; b++) place[c->eliminated_index[b]] = -1 - b;
    for (int k = 0; ok && k < own; k++) {
        const noe_row_load t = x->term[k];
        const int          b = -1 - place[t.row];
        if (b < 0) continue;
        for (int a = 0; ok && a < c->kept; a++)
            ok = put(x, c->keep[a], t.of, t.w * c->S[(size_t)b * (size_t)c->kept + (size_t)a]);
    }
    for (int k = 0; ok && k < x->count; k++)
        if (place[x->term[k].row] >= 0) {
            x->term[count] = x->term[k];
            x->term[count++].row = place[x->term[k].row];
        }
    x->count = count;
    free(place);
    return ok;
}

void noe_structure_load_free(noe_structure_load *x)
{
    free(x->term);
    free(x->g);
}

/* ---- the load as the structure evaluates it ---- */

typedef struct {
    noe_tape     *tape;
    noe_row_load *term;
    int           n, count; /* rows of the structure; terms */
} load;

enum { ROOM = 4096 };

/* Evaluates f(t) in binary128; several threads may call it at once. */
static void evaluate_loads(double t, double *f, void *ctx)
{
    const load  *x = ctx;
    const size_t need = (size_t)(x->tape->outputs + x->tape->inputs + x->tape->slots);
    quad         few[ROOM], *slot = need <= ROOM ? few : malloc(need * sizeof *slot);
    memset(f, 0, (size_t)x->n * sizeof *f);
    if (!slot) {
        f[0] = __builtin_nan(""); /* the run ends there */
        return;
    }
    quad *input = slot + x->tape->slots, *g = input + x->tape->inputs;
    memset(input, 0, (size_t)x->tape->inputs * sizeof *input);
    input[0] = t;
    noe_tape_quad_run(x->tape, input, slot, g);
    for (int k = 0; k < x->count; k++) f[x->term[k].row] += x->term[k].w * (double)g[x->term[k].of];
    if (slot != few) free(slot);
}

static void drop(void *ctx)
{
    load *x = ctx;
    free(x->tape);
    free(x->term);
    free(x);
}

bool noe_structure_load_hang(noe_structure_load *x, noe_model *m, noe_structure *s)
{
    if (!x->count) return true;
    load *y = noe_status_alloc(1, sizeof *y);
    if (!y) return false;
    *y = (load){ .term = x->term, .n = m->n, .count = x->count };
    x->term = NULL;
    /* t is all that it reads: one coordinate is enough of a place for the others */
    y->tape = noe_tape_new(&m->graph, m->param, 1, x->g, x->functions);
    if (!y->tape) return drop(y), false;
    s->load = evaluate_loads, s->ctx = y, s->drop = drop;
    return true;
}
