/* Variants of a system: the same tapes with other values of parameters and initial conditions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ensemble/system_variant.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { OF_DYNAMICS = 10, KINDS = 2 * OF_DYNAMICS + 1 }; /* of tape() */

static noe_tape *tape(const noe_system *s, int i)
{
    const noe_dynamics *d = i < OF_DYNAMICS ? &s->dyn : &s->stepped;
    noe_tape *const     all[] = { d->gradient, d->hessian,  d->legendre, d->power, d->rate,
                                  d->inertial, d->singular, d->kink,     d->clock, d->canonical };
    _Static_assert(sizeof all == OF_DYNAMICS * sizeof *all, "OF_DYNAMICS");
    return i == 2 * OF_DYNAMICS ? s->observe : all[i % OF_DYNAMICS];
}

/* Address in the model of the number that value i sets. */
static quad *place(const noe_system_variant *x, int i)
{
    noe_model *m = x->system->model;
    const int  k = x->what[i].index;
    if (x->what[i].kind == NOE_COL_PARAMETER) return &m->param[k];
    return x->what[i].at == NOE_AT_Q ? &m->begin[k].q
         : x->what[i].at == NOE_AT_V ? &m->begin[k].v
                                     : &m->begin[k].p;
}

static bool is_place(const noe_system_variant *x, int i)
{
    const noe_column *c = &x->what[i];
    if (c->exact || c->by) return false;
    if (c->kind == NOE_COL_AT && (c->at == NOE_AT_V || c->at == NOE_AT_P))
        return (c->at == NOE_AT_V) == x->system->model->begin[c->index].has_v;
    return c->kind == NOE_COL_PARAMETER || (c->kind == NOE_COL_AT && c->at == NOE_AT_Q);
}

/* *to = the value of the expression x, where the model gives one. */
static void set_given(quad *to, const noe_graph *g, noe_ex x, bool has)
{
    *to = has ? g->number[x] : *to;
}

/* Evaluates all that is constant along a motion, from the given values of parameters and initial
 * conditions. */
static void work_out(noe_system_variant *x, const quad *value)
{
    noe_model *m = x->system->model;
    noe_graph *g = &m->graph;
    bool       own[m->params + 1];
    memset(own, 0, sizeof own);
    memset(g->done, 0, (size_t)g->count * sizeof *g->done); /* results of the previous values */
    for (int i = 0; i < x->names; i++) {
        *place(x, i) = value[i];
        if (x->what[i].kind == NOE_COL_PARAMETER) own[x->what[i].index] = true;
    }
    for (int k = 0; k < x->count; k++) {
        const noe_ex    i = x->list[k];
        const noe_node *y = &g->node[i];
        const int       arity = noe_graph_arity(y->op);
        if (y->op == NOE_PARAM && !own[y->a]) m->param[y->a] = g->number[m->given[y->a]];
        g->number[i] = y->op == NOE_NUM ? y->value
                     : y->op == NOE_PARAM
                         ? m->param[y->a]
                         : noe_evaluate_apply((noe_op)y->op, g->tables, g->number[y->a],
                                              g->number[arity > 1 ? y->b : y->a],
                                              g->number[arity > 2 ? y->c : y->a]);
    }
    for (int i = 0; i < m->params; i++)
        if (!own[i]) m->param[i] = g->number[m->given[i]];
    for (int i = 0; i < m->n; i++) {
        noe_begin *b = &m->begin[i];
        set_given(&b->q, g, b->ex_q, b->has_q), set_given(&b->v, g, b->ex_v, b->has_v),
            set_given(&b->p, g, b->ex_p, b->has_p);
    }
    set_given(&m->t0, g, m->ex_t0, m->has_t0);
    /* again: set_given() has put the model's own starts over them */
    for (int i = 0; i < x->names; i++) *place(x, i) = value[i];
    for (int k = 0; k < KINDS; k++) {
        noe_tape *t = tape(x->system, k);
        for (int i = NOE_TAPE_OWN; t && i < t->constants; i++)
            t->constant[i] = t->from[i] < 0 ? -g->number[~t->from[i]] : g->number[t->from[i]];
    }
}

static bool all_finite(const noe_system_variant *x)
{
    const noe_model *m = x->system->model;
    bool             all = finiteq(m->t0);
    for (int i = 0; i < m->params; i++) all &= finiteq(m->param[i]);
    for (int i = 0; i < m->n; i++)
        all &= finiteq(m->begin[i].q) && finiteq(m->begin[i].v) && finiteq(m->begin[i].p);
    return all;
}

bool noe_system_variant_set(noe_system_variant *x, const quad *value, quad *step, quad *until)
{
    work_out(x, value);
    *step = x->system->model->graph.number[x->step];
    *until = x->system->model->graph.number[x->until];
    return all_finite(x);
}

static int roots(const noe_system_variant *x, noe_ex *to)
{
    const noe_model *m = x->system->model;
    int              count = 2;
    to[0] = x->step, to[1] = x->until;
    for (int i = 0; i < m->params; i++) to[count++] = m->given[i];
    for (int i = 0; i < m->n; i++) {
        const noe_begin *b = &m->begin[i];
        if (b->has_q) to[count++] = b->ex_q;
        if (b->has_v) to[count++] = b->ex_v;
        if (b->has_p) to[count++] = b->ex_p;
    }
    if (m->has_t0) to[count++] = m->ex_t0;
    for (int k = 0; k < KINDS; k++) {
        const noe_tape *t = tape(x->system, k);
        for (int i = NOE_TAPE_OWN; t && i < t->constants; i++)
            to[count++] = t->from[i] < 0 ? ~t->from[i] : t->from[i];
    }
    return count;
}

static bool list(noe_system_variant *x)
{
    noe_model *m = x->system->model;
    size_t     most = 3 + (size_t)m->params + 3 * (size_t)m->n;
    for (int k = 0; k < KINDS; k++)
        most += tape(x->system, k) ? (size_t)tape(x->system, k)->constants : 0;
    noe_ex *root = noe_status_alloc(most, sizeof *root);
    if (!root) return false;
    x->count = noe_evaluate_reach(&m->graph, root, roots(x, root));
    free(root);
    if (!(x->list = noe_status_alloc((size_t)x->count, sizeof *x->list))) return false;
    memcpy(x->list, m->graph.list, (size_t)x->count * sizeof *x->list);
    return true;
}

/* Copies all numbers that values can change to `to`, unless it is NULL; returns their count. */
static long numbers(const noe_system_variant *x, quad *to)
{
    const noe_model *m = x->system->model;
    long             count = 0;
#define TAKE(number)            \
    if (to) to[count] = number; \
    count++
    TAKE(m->t0);
    for (int i = 0; i < m->params; i++) {
        TAKE(m->param[i]);
    }
    for (int i = 0; i < m->n; i++) {
        TAKE(m->begin[i].q);
        TAKE(m->begin[i].v);
        TAKE(m->begin[i].p);
    }
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; tape(x->system, k) && i < tape(x->system, k)->constants; i++) {
            TAKE(tape(x->system, k)->constant[i]);
        }
#undef TAKE
    return count;
}

/* Check: with the values of the file, work_out must give every number of the system, bit for bit,
 * as it was read. */
static bool agrees(noe_system_variant *x)
{
    quad   value[x->names];
    size_t count = (size_t)numbers(x, NULL);
    quad  *read = noe_status_alloc(2 * count, sizeof *read), *again = read ? read + count : NULL;
    if (!read) return false;
    numbers(x, read);
    for (int i = 0; i < x->names; i++) value[i] = *place(x, i);
    work_out(x, value);
    numbers(x, again);
    const bool same = !memcmp(read, again, count * sizeof *read);
    free(read);
    return same;
}

noe_system_variant *noe_system_variant_new(noe_system *s, const char *const *name, int names,
                                           const char *step, const char *until)
{
    noe_system_variant *x = noe_status_alloc(1, sizeof *x);
    noe_model          *m = s->model;
    bool                ok = x != NULL && !m->shaped && !m->declareds && !m->monitor.automatic;
    if (x)
        *x = (noe_system_variant){ .system = s,
                                   .names = names,
                                   .what = noe_status_alloc((size_t)names, sizeof *x->what) };
    else noe_system_free(s);
    ok = ok && x->what && noe_parse_model_expression(m, "step", step, &x->step)
      && noe_parse_model_expression(m, "until", until, &x->until);
    for (int i = 0; i < names && ok; i++)
        ok = noe_column_name_find(s, name[i], &x->what[i]) && is_place(x, i)
          && (x->what[i].kind == NOE_COL_PARAMETER || !m->by_energy.given);
    if (ok && list(x) && agrees(x)) return x;
    noe_system_variant_free(x);
    return NULL;
}

void noe_system_variant_free(noe_system_variant *x)
{
    if (!x) return;
    noe_system_free(x->system);
    free(x->what);
    free(x->list);
    free(x);
}
