/* d e_k / d y_a and sum_k m_k d2 e_k / d y_a d y_b by differentiating the graph: no differences.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "control/exact_derivatives.h"

#include "base/status.h"
#include "expr/derivative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_ex            *x; /* [count] derivatives that are not 0 */
    noe_derivative_at *at;
    int                count, capacity; /* derivatives there is room for */
} list;

static bool add(list *l, noe_graph *g, noe_ex x, int row, int col)
{
    if (noe_graph_is(g, x, 0)) return true;
    if (l->count == l->capacity) {
        const int     more = 2 * l->capacity + 64;
        noe_ex *const wide = realloc(l->x, (size_t)more * sizeof *wide);
        if (wide) l->x = wide;
        noe_derivative_at *const at = wide ? realloc(l->at, (size_t)more * sizeof *at) : NULL;
        if (!at) return noe_status_fail(NOE_NO_MEMORY, "out of memory"), false;
        l->at = at, l->capacity = more;
    }
    l->x[l->count] = x;
    l->at[l->count++] = (noe_derivative_at){ row, col };
    return true;
}

/* The component of a gradient by a leaf. */
static noe_ex by(const noe_graph *g, const noe_ex *gradient, int n, noe_ex leaf)
{
    const noe_node *x = &g->node[leaf];
    return gradient[(x->op == NOE_V ? n : 0) + x->a];
}

/* Tape and places of a list, whose memory goes to the places. */
static bool finish(noe_exact_derivatives *d, noe_graph *g, const quad *param, list *l, bool ok,
                   noe_tape **tape, noe_derivative_at **at)
{
    if (ok) *tape = noe_tape_new(g, param, d->n, l->x, l->count);
    free(l->x);
    *at = l->at;
    return ok && *tape;
}

static bool first(noe_exact_derivatives *d, noe_graph *g, const quad *param, const noe_ex *e,
                  const noe_ex *leaf, noe_ex *gradient)
{
    list l = { 0 };
    bool ok = true;
    for (int k = 0; k < d->values; k++) {
        noe_derivative_gradient(g, e[k], d->n, gradient);
        for (int a = 0; a < d->variables && ok; a++)
            ok = add(&l, g, by(g, gradient, d->n, leaf[a]), k, a);
    }
    return finish(d, g, param, &l, ok, &d->first, &d->at_first);
}

static bool second(noe_exact_derivatives *d, noe_graph *g, const quad *param, const noe_ex *e,
                   const noe_ex *leaf, const noe_ex *multiplier, noe_ex *gradient)
{
    const int n = d->n;
    list      l = { 0 };
    bool      ok = true;
    noe_ex    sum = noe_graph_number(g, 0);
    for (int k = 0; k < d->values; k++)
        sum = noe_simplify_make(g, NOE_ADD, sum,
                                noe_simplify_make(g, NOE_MUL, multiplier[k], e[k], 0), 0);
    noe_derivative_gradient(g, sum, n, gradient);
    for (int a = 0; a < d->variables; a++) {
        noe_derivative_gradient(g, by(g, gradient, n, leaf[a]), n, gradient + 2 * n);
        for (int b = 0; b <= a && ok; b++)
            ok = add(&l, g, by(g, gradient + 2 * n, n, leaf[b]), a, b);
    }
    return finish(d, g, param, &l, ok, &d->second, &d->at_second);
}

bool noe_exact_derivatives_make(noe_exact_derivatives *d, noe_graph *g, const quad *param, int n,
                                const noe_ex *e, int values, const noe_ex *leaf, int variables,
                                const noe_ex *multiplier)
{
    *d = (noe_exact_derivatives){ .n = n, .values = values, .variables = variables };
    noe_ex *gradient = noe_status_alloc(4 * (size_t)n, sizeof *gradient);
    bool    ok = gradient && (d->value = noe_tape_new(g, param, n, e, values));
    g->derived = true;
    ok = ok && first(d, g, param, e, leaf, gradient)
      && second(d, g, param, e, leaf, multiplier, gradient);
    free(gradient);
    const noe_tape *const tape[3] = { d->value, d->first, d->second };
    for (int i = 0; i < 3 && ok; i++)
        ok = (d->slot[i] = noe_status_alloc((size_t)tape[i]->slots + 1, sizeof(double))) != NULL;
    return ok;
}

void noe_exact_derivatives_drop(noe_exact_derivatives *d)
{
    free(d->value), free(d->first), free(d->second);
    free(d->at_first), free(d->at_second);
    for (int i = 0; i < 3; i++) free(d->slot[i]);
    *d = (noe_exact_derivatives){ 0 };
}

bool noe_exact_derivatives_at(noe_exact_derivatives *d, noe_derivative_kind kind,
                              const double *input, double *out)
{
    const noe_tape *const tape = kind == NOE_VALUES ? d->value
                               : kind == NOE_FIRST  ? d->first
                                                    : d->second;
    double *const         slot = d->slot[kind];
    bool                  finite = true;
    memcpy(slot, input, (size_t)tape->inputs * sizeof *slot);
    noe_tape_double_run(tape, slot);
    for (int k = 0; k < tape->outputs; k++) {
        out[k] = slot[tape->out[k]];
        finite = finite && isfinite(out[k]);
    }
    return finite;
}
