/* Constraints of a model as tapes: g, g_t, G = dg/dq, d2g/dq2, and d2g/dt2 - G q''.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "system/constraint_tapes.h"

#include "expr/derivative.h"
#include "expr/singular_arguments.h"

#include <string.h>

typedef struct {
    noe_model *m;
    noe_arena *arena;
    noe_ex    *root;            /* [roots] outputs of the tape in the making */
    int        roots, capacity; /* outputs there is room for */
} maker;

static void *take(maker *x, size_t n, size_t size)
{
    void *p = noe_arena_take(x->arena, (n ? n : 1) * size);
    if (!p) longjmp(*x->m->graph.stop, 1);
    return p;
}

/* One more output; returns its number. */
static int output(maker *x, noe_ex e)
{
    if (x->roots == x->capacity) {
        noe_ex *more = take(x, 2 * (size_t)x->capacity + 64, sizeof *more);
        if (x->roots) memcpy(more, x->root, (size_t)x->roots * sizeof *more);
        x->root = more, x->capacity = 2 * x->capacity + 64;
    }
    x->root[x->roots] = e;
    return x->roots++;
}

/* One more entry of a list. */
static void push(maker *x, noe_constraint_entry **list, int *count, noe_constraint_entry y)
{
    if ((*count & (*count - 1)) == 0) { /* 0 or a power of 2: the list is full */
        noe_constraint_entry *more = take(x, 2 * (size_t)*count + 1, sizeof *more);
        if (*count) memcpy(more, *list, (size_t)*count * sizeof *more);
        *list = more;
    }
    (*list)[(*count)++] = y;
}

/* r_t + sum r_q v of the rate r = g_t + sum g_q v, at constant v. */
static noe_ex velocity_terms(noe_graph *g, noe_ex f, int n, noe_ex *by)
{
    const noe_ex rate = noe_derivative_rate(g, f);
    noe_ex       sum = noe_derivative_by_explicit_time(g, rate);
    noe_derivative_gradient(g, rate, n, by);
    for (int j = 0; j < n; j++)
        sum = noe_simplify_make(
            g, NOE_ADD, sum, noe_simplify_make(g, NOE_MUL, by[j], noe_graph_leaf(g, NOE_V, j), 0),
            0);
    return sum;
}

/* Outputs that are looked through for an equal one: more than a rod or a joint in space has. */
enum { SHARED_MOST = 128 };

/* The number of an output from `first` on, of the last SHARED_MOST; one more where e is none. */
static int shared_output(maker *x, int first, noe_ex e)
{
    const int last = x->roots - SHARED_MOST;
    for (int o = first > last ? first : last; o < x->roots; o++)
        if (x->root[o] == e) return o;
    return output(x, e);
}

/* The entries of G or, where `second`, of G_q = d2g/dq2 of constraint a, whose equal derivatives
 * share an output; scratch: G_row = dg_a/dq and its derivatives `by` [n]. */
static void entries(maker *x, noe_dynamics *d, int a, bool second, noe_ex *G_row, noe_ex *by)
{
    noe_graph *g = &x->m->graph;
    const int  n = x->m->n, first = x->roots;
    noe_derivative_gradient(g, x->m->constraint[a].g, n, G_row);
    for (int j = 0; j < n; j++) {
        if (noe_graph_is(g, G_row[j], 0)) continue;
        if (!second) {
            push(x, &d->G_entry, &d->G_entries,
                 (noe_constraint_entry){ a, j, 0, shared_output(x, first, G_row[j]) });
            continue;
        }
        noe_derivative_gradient(g, G_row[j], n, by);
        for (int k = 0; k <= j; k++)
            if (!noe_graph_is(g, by[k], 0))
                push(x, &d->G_q_entry, &d->G_q_entries,
                     (noe_constraint_entry){ a, j, k, shared_output(x, first, by[k]) });
    }
}

/* The tape of arguments u(t) at whose zeros a constraint may jump or bend; false: no memory. */
static bool make_times(maker *x, noe_dynamics *d)
{
    enum { TIMES_MOST = 64 };
    noe_model *m = x->m;
    noe_ex     found[TIMES_MOST];
    for (int a = 0; a < m->constraints; a++) x->root[a] = m->constraint[a].g;
    const int count = noe_singular_arguments_cuts(&m->graph, x->root, m->constraints, found,
                                                  TIMES_MOST);
    return !count
        || (d->constraint_times = noe_tape_new(&m->graph, m->param, m->n, found, count)) != NULL;
}

bool noe_constraint_tapes_make(noe_model *m, noe_arena *arena, noe_dynamics *d)
{
    maker      x = { .m = m, .arena = arena };
    noe_graph *g = &m->graph;
    const int  n = m->n, count = m->constraints;
    if (!count) return true;
    noe_ex *G_row = take(&x, 2 * (size_t)n, sizeof *G_row),
           *by = take(&x, 2 * (size_t)n, sizeof *by);
    d->constraints = count;
    d->linear = d->constant = d->quadratic = d->natural = false;
    for (int a = 0; a < count; a++) output(&x, m->constraint[a].g);
    for (int a = 0; a < count; a++) {
        const noe_ex rate = noe_derivative_by_explicit_time(g, m->constraint[a].g);
        output(&x, rate);
        if (!noe_graph_is(g, rate, 0)) d->autonomous = false;
    }
    for (int second = 0; second < 2; second++)
        for (int a = 0; a < count; a++) entries(&x, d, a, second, G_row, by);
    for (int a = 0; a < count; a++) output(&x, noe_derivative_by_constants(g, m->constraint[a].g));
    d->constraint = noe_tape_new(g, m->param, n, x.root, x.roots);
    x.roots = 0;
    for (int a = 0; a < count; a++) output(&x, velocity_terms(g, m->constraint[a].g, n, by));
    d->velocity_terms = noe_tape_new(g, m->param, n, x.root, x.roots);
    return d->constraint && d->velocity_terms && make_times(&x, d);
}
