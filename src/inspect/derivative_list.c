/* Lists the expressions of the derivatives of L that the probe evaluates, each of them once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/derivative_probe.h"
#include "expr/derivative.h"
#include "expr/substitute.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_derivative_probe *to;               /* receives the list */
    noe_model            *m;                /* its model */
    noe_ex               *root;             /* [outputs] expressions */
    int                  *output, capacity; /* [capacity] the output of a node; -1: none yet */
} lister;

static void *take(lister *x, size_t n, size_t size)
{
    return noe_arena_need(x->to->arena, x->m->graph.stop, n, size);
}

/* Fills `reads`.  At a kink a second derivative may be 0 on both sides although the coordinates are
 * coupled; therefore the variables in the expressions of L and its gradient are used instead. */
static void read_leaves(lister *x, const noe_ex *gradient)
{
    noe_graph *g = &x->m->graph;
    const int  n = x->m->n, N = 2 * n;
    for (int k = 0, count = noe_evaluate_reach(g, &x->m->L, 1); k < count; k++)
        if (g->node[g->list[k]].op == NOE_Q) x->to->cyclic[g->node[g->list[k]].a] = false;
    x->to->reads = take(x, (size_t)N * (size_t)N, sizeof *x->to->reads);
    for (int i = 0; i < N; i++)
        for (int k = 0, count = noe_evaluate_reach(g, gradient + i, 1); k < count; k++) {
            const noe_node *leaf = &g->node[g->list[k]];
            if (leaf->op == NOE_Q) x->to->reads[i * N + leaf->a] = true;
            if (leaf->op == NOE_V) x->to->reads[i * N + n + leaf->a] = true;
        }
}

static int output_of(lister *x, noe_ex e)
{
    if (noe_graph_is(&x->m->graph, e, 0)) return -1;
    if (x->output[e] < 0) {
        x->output[e] = x->to->outputs;
        x->root[x->to->outputs++] = e;
    }
    return x->output[e];
}

static void forget(lister *x)
{
    for (int i = 0; i < x->capacity; i++) x->output[i] = -1;
}

static void list(lister *x)
{
    noe_derivative_probe *to = x->to;
    noe_graph            *g = &x->m->graph;
    const int             n = x->m->n, N = 2 * n;
    const size_t          nn = (size_t)n * (size_t)n;
    noe_ex *gradient = take(x, (size_t)N, sizeof *gradient), *hess = take(x, 4 * nn, sizeof *hess);
    noe_ex *gyro = take(x, nn, sizeof *gyro), *f = take(x, 4 * (size_t)n, sizeof *f);
    noe_ex *derivative = take(x, 2 * nn + (size_t)n, sizeof *derivative);
    x->root = take(x, 7 * nn + 2 * (size_t)n + 2, sizeof *x->root);
    noe_derivative_gradient(g, x->m->L, n, gradient);
    for (int i = 0; i < N; i++) noe_derivative_gradient(g, gradient[i], n, hess + i * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) hess[j * N + i] = hess[i * N + j];
    noe_force_statement_forces(x->m, f, f + n);
    noe_ex power[2];
    noe_force_statement_power(x->m, power, derivative);
    to->kinks = noe_evaluate_kinks(g, &x->m->L, 1);
    for (int i = 0; i < n; i++) {
        noe_derivative_gradient(g, f[i], n, derivative + i * N);
        gradient[i] = noe_simplify_make(g, NOE_ADD, gradient[i], f[i], 0);
        to->kinks |= noe_evaluate_kinks(g, &f[i], 1);
    }
    for (int i = 0; i < n; i++) {
        /* r_i: the rate of L_v at constant v */
        x->root[i] = noe_simplify_make(g, NOE_SUB, gradient[i],
                                       noe_derivative_rate(g, gradient[n + i]), 0);
        x->root[n + i] = gradient[i];
        to->cyclic[i] = noe_graph_is(g, gradient[i], 0);
        to->P_has |= g->node[gradient[n + i]].has;
        for (int j = i + 1; j < n; j++) {
            const noe_ex skew = noe_simplify_make(g, NOE_SUB, hess[(n + i) * N + j],
                                                  hess[(n + j) * N + i], 0);
            gyro[i * n + j] = noe_substitute_at_rest(g, skew);
        }
    }
    x->root[2 * n] = x->m->L;
    to->outputs = 2 * n + 1;
    if (to->kinks & (NOE_HAS_Q | NOE_HAS_V)) read_leaves(x, gradient);
    x->capacity = g->count;
    x->output = take(x, (size_t)x->capacity, sizeof *x->output);
    forget(x);
    for (int i = 0; i < N * N; i++) to->hess[i] = output_of(x, hess[i]);
    for (int i = 0; i < n * N; i++) to->force[i] = output_of(x, derivative[i]);
    to->drain = output_of(x, power[1]);
    to->checked = to->outputs;
    forget(x); /* L may be singular at v = 0 */
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) to->gyro[i * n + j] = output_of(x, gyro[i * n + j]);
    to->has = take(x, (size_t)to->outputs, sizeof *to->has);
    for (int i = 0; i < to->outputs; i++) to->has[i] = g->node[x->root[i]].has;
}

bool noe_derivative_list(noe_derivative_probe *to, const noe_system *s)
{
    noe_model *m = to->model = noe_parse_model_text_as(NOE_MODEL_WRITTEN, s->source, s->model->text,
                                                       s->model->length, s->change, s->changes);
    lister     x = { .to = to, .m = m };
    jmp_buf    stop;
    if (!m) return false;
    m->graph.stop = &stop;
    if (!setjmp(stop)) {
        list(&x);
        to->tape = noe_tape_new(&m->graph, m->param, m->n, x.root, to->outputs);
    }
    return to->tape != NULL;
}
