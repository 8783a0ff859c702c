/* Event functions of a model as tapes: g, its rate, the size of its terms, and what follows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "system/event_tapes.h"

#include "base/status.h"
#include "expr/derivative.h"
#include "system/zero_test.h"
#include "token/source.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    noe_model       *m;    /* the model */
    noe_graph       *g;    /* its graph */
    noe_event_tapes *out;  /* receives the tapes */
    noe_ex          *by;   /* [2n] scratch: a gradient */
    noe_ex          *root; /* [roots] outputs of the tape in the making */
    jmp_buf          stop; /* target of errors */
} maker;

#define ADD(a, b) noe_simplify_make(x->g, NOE_ADD, a, b, 0)
#define MUL(a, b) noe_simplify_make(x->g, NOE_MUL, a, b, 0)
#define ABS(a) noe_simplify_make(x->g, NOE_FN_abs, a, 0, 0)

/* The outputs of `watch` for one event. */
static void watch(maker *x, const noe_event *e, noe_ex *to)
{
    const int    n = x->m->n;
    const noe_ex f = e->g, slope = noe_derivative_by_explicit_time(x->g, f),
                 t = noe_graph_leaf(x->g, NOE_T, 0);
    noe_ex rate = slope, size = ADD(ABS(e->left), ABS(e->right));
    size = ADD(size, ABS(MUL(t, slope)));
    noe_derivative_gradient(x->g, f, n, x->by);
    for (int j = 0; j < 2 * n; j++) {
        const noe_ex v = noe_graph_leaf(x->g, NOE_V, j % n),
                     z = j < n ? noe_graph_leaf(x->g, NOE_Q, j) : v;
        if (noe_graph_is(x->g, x->by[j], 0)) continue;
        size = ADD(size, ABS(MUL(z, x->by[j])));
        if (j < n) rate = ADD(rate, MUL(v, x->by[j]));
    }
    to[NOE_WATCH_VALUE] = f, to[NOE_WATCH_SIZE] = size;
    to[NOE_WATCH_RATE] = x->g->node[f].has & (NOE_HAS_V | NOE_HAS_P)
                           ? noe_graph_number(x->g, (quad)__builtin_nan(""))
                           : rate;
}

static noe_tape *tape(maker *x, const noe_ex *root, int roots)
{
    noe_tape *made = noe_tape_new(x->g, x->m->param, x->m->n, root, roots);
    if (!made) longjmp(x->stop, 1);
    return made;
}

/* Is f made of operations whose value cannot rise and fall within a small part of the range of
 * their operands? */
static bool is_plain(noe_graph *g, noe_ex f)
{
    bool plain = true;
    for (int k = 0, n = noe_evaluate_reach(g, &f, 1); k < n; k++) {
        const noe_node y = g->node[g->list[k]];
        if (!noe_graph_moves(g, g->list[k])) continue;
        switch (y.op) {
        case NOE_T:
        case NOE_Q:
        case NOE_V:
        case NOE_P:
        case NOE_ADD:
        case NOE_SUB:
        case NOE_MUL:
        case NOE_NEG:
        case NOE_MIN:
        case NOE_MAX:
        case NOE_FN_abs:
        case NOE_FN_sqrt: break;
        case NOE_DIV: plain &= !noe_graph_moves(g, y.b); break;
        case NOE_POW: plain &= g->node[y.b].op == NOE_NUM && g->node[y.b].value > 0; break;
        default: plain = false;
        }
    }
    return plain;
}

/* Refuses an event on a line, column and all. */
static _Noreturn void refuse(maker *x, const noe_event *e, const char *why)
{
    const noe_source at = { x->m->name, x->m->text, x->m->length, &x->stop };
    noe_source_fail(&at, e->at, "%s", why);
}

static void then(maker *x, const noe_event *e, noe_tape **to)
{
    const int n = x->m->n;
    if (e->then == NOE_THEN_NOTHING) return;
    if (e->then == NOE_THEN_BOUNCE) {
        int normal = 0;
        noe_derivative_gradient(x->g, e->g, n, x->root);
        for (int j = 0; j < n; j++) normal += !noe_graph_is(x->g, x->root[j], 0);
        if (!normal)
            refuse(x, e, "a bounce needs a surface, and here the gradient is 0 everywhere");
        x->root[n] = noe_derivative_by_explicit_time(x->g, e->g);
        *to = tape(x, x->root, n + 1);
        return;
    }
    for (int i = 0; i < e->assigned; i++) x->root[i] = e->to[i].ex;
    *to = tape(x, x->root, e->assigned);
}

/* Refuses functions that are 0 at every state; those with momenta or the energy are not judged. */
static void refuse_zeros(maker *x)
{
    enum { UNJUDGED = -1 };
    const noe_tape *t = x->out->watch;
    const int       count = x->m->events;
    noe_zero_states s = { .m = x->m, .arena = x->m->arena, .stop = &x->stop };
    quad           *slot = noe_arena_need(s.arena, s.stop, (size_t)t->slots, sizeof *slot),
         *out = noe_arena_need(s.arena, s.stop, (size_t)t->outputs, sizeof *out);
    double *rough = noe_arena_need(s.arena, s.stop, (size_t)t->slots, sizeof *rough);
    int    *zeros = noe_arena_need(s.arena, s.stop, (size_t)count, sizeof *zeros), open = count;
    bool    finite = true;
    noe_zero_test_states(&s);
    noe_zero_test_begin(&s, 1788);
    for (int k = 0; k < count; k++)
        zeros[k] = x->g->node[x->m->event[k].g].has & NOE_HAS_P ? UNJUDGED : 0;
    while (open && noe_zero_test_next(&s, finite)) {
        noe_tape_quad_run(t, s.in, slot, out);
        for (int i = 0; i < t->inputs; i++) rough[i] = (double)s.in[i];
        noe_tape_double_run(t, rough);
        finite = true, open = 0;
        for (int k = 0; k < count; k++) {
            const int  value = k * NOE_WATCHED + NOE_WATCH_VALUE;
            const quad size = out[k * NOE_WATCHED + NOE_WATCH_SIZE],
                       noise = fabsq(out[value] - rough[t->out[value]]);
            if (zeros[k] == UNJUDGED || zeros[k] == NOE_ZERO_STATES) continue;
            if (!finiteq(size) || !finiteq(noise)) finite = false;
            else if (noe_zero_test_is(out[value], size, noise)) zeros[k]++;
            else zeros[k] = UNJUDGED;
            open += zeros[k] != UNJUDGED && zeros[k] < NOE_ZERO_STATES;
        }
    }
    for (int k = 0; k < count; k++)
        if (zeros[k] >= NOE_ZERO_STATES_LEAST)
            refuse(x, &x->m->event[k],
                   "both sides of the event are equal at every state: it would happen at every "
                   "time");
}

static void make(maker *x)
{
    noe_model       *m = x->m;
    noe_event_tapes *to = x->out;
    const size_t     n = (size_t)m->n;
    size_t           most = n + 1;
    to->count = m->events;
    for (int k = 0; k < m->events; k++) {
        const noe_event *e = &m->event[k];
        to->shocks |= e->then != NOE_THEN_NOTHING;
        to->acts |= e->stop || e->then != NOE_THEN_NOTHING;
        to->heeds_momenta |= (x->g->node[e->g].has & NOE_HAS_P) != 0;
        for (int i = 0; i < e->assigned; i++)
            to->heeds_momenta |= (x->g->node[e->to[i].ex].has & NOE_HAS_P) != 0;
        if ((size_t)e->assigned > most) most = (size_t)e->assigned;
    }
    x->by = noe_arena_take(m->arena, 2 * n * sizeof *x->by);
    x->root = noe_arena_take(m->arena, 2 * most * sizeof *x->root);
    noe_ex *seen = noe_arena_take(m->arena, (size_t)(m->events * NOE_WATCHED) * sizeof *seen);
    to->then = noe_status_alloc((size_t)m->events, sizeof *to->then);
    if (!x->by || !x->root || !seen || !to->then) longjmp(x->stop, 1);
    to->value = noe_status_alloc((size_t)m->events, sizeof *to->value);
    to->plain = noe_status_alloc((size_t)m->events, sizeof *to->plain);
    to->kinked = noe_status_alloc((size_t)m->events, sizeof *to->kinked);
    if (!to->value || !to->plain || !to->kinked) longjmp(x->stop, 1);
    for (int k = 0; k < m->events; k++) {
        to->value[k] = tape(x, &m->event[k].g, 1);
        to->plain[k] = is_plain(x->g, m->event[k].g);
        to->kinked[k] = noe_evaluate_kinks(x->g, &m->event[k].g, 1) != 0;
    }
    for (int k = 0; k < m->events; k++) watch(x, &m->event[k], seen + k * NOE_WATCHED);
    to->watch = tape(x, seen, m->events * NOE_WATCHED);
    for (int k = 0; k < m->events; k++) then(x, &m->event[k], &to->then[k]);
    refuse_zeros(x);
}

noe_event_tapes *noe_event_tapes_make(noe_model *m)
{
    maker        *x = noe_status_alloc(1, sizeof *x);
    volatile bool ok = false;
    if (!x) return NULL;
    *x = (maker){ .m = m, .g = &m->graph, .out = noe_status_alloc(1, sizeof *x->out) };
    m->graph.stop = &x->stop;
    if (x->out && !setjmp(x->stop)) {
        make(x);
        ok = true;
    }
    m->graph.stop = NULL;
    noe_event_tapes *made = x->out;
    free(x);
    if (ok) return made;
    noe_event_tapes_free(made);
    return NULL;
}

void noe_event_tapes_free(noe_event_tapes *x)
{
    if (!x) return;
    for (int k = 0; k < x->count && x->then; k++) free(x->then[k]);
    for (int k = 0; k < x->count && x->value; k++) free(x->value[k]);
    free(x->value);
    free(x->plain);
    free(x->kinked);
    free(x->then);
    free(x->watch);
    free(x);
}
