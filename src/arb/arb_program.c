/* Evaluates the expressions of an exact model in Arb, operands before the operations that use them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "arb/arb_program.h"

#include "base/status.h"
#include "tape/tape.h"

#include <stdlib.h>

void noe_arb_program_free(noe_arb_program *p)
{
    if (!p) return;
    if (p->value) _arb_vec_clear(p->value, p->count);
    free(p->op);
    free(p->out);
    free(p);
}

/* Makes the program for the roots and for the values of all parameters, of which those that
 * occur are read through place[m->given[..]]. */
static noe_arb_program *compile(noe_model *m, const noe_ex *root, int roots, noe_ex *all,
                                int *place)
{
    noe_graph       *g = &m->graph;
    noe_arb_program *p = noe_status_alloc(1, sizeof *p);
    if (!p) return NULL;
    for (int i = 0; i < m->params; i++) all[i] = m->given[i];
    for (int i = 0; i < roots; i++) all[m->params + i] = root[i];
    *p = (noe_arb_program){ .model = m,
                            .outputs = roots,
                            .count = noe_evaluate_reach(g, all, m->params + roots) };
    p->op = noe_status_alloc((size_t)p->count + 1, sizeof *p->op);
    p->out = noe_status_alloc((size_t)roots + 1, sizeof *p->out);
    if (!p->op || !p->out) {
        noe_arb_program_free(p);
        return NULL;
    }
    for (int k = 0; k < p->count; k++)
        if (g->node[g->list[k]].op == NOE_TABLE) {
            noe_status_fail(NOE_INVALID,
                            "'%.100s': the numbers of a table have 33 digits, here are asked more",
                            g->tables->item[0]->file);
            noe_arb_program_free(p);
            return NULL;
        }
    for (int k = 0; k < p->count; k++) {
        const noe_node *x = &g->node[g->list[k]];
        const int       arity = noe_graph_arity(x->op);
        place[g->list[k]] = k;
        p->op[k] = (noe_arb_operation){ x->op,
                                        arity                ? place[x->a]
                                        : x->op == NOE_PARAM ? place[m->given[x->a]]
                                                             : x->a,
                                        arity > 1 ? place[x->b] : 0, arity > 2 ? place[x->c] : 0,
                                        noe_graph_moves(g, g->list[k]) };
        if (x->op == NOE_NUM) p->op[k].a = g->list[k];
    }
    for (int i = 0; i < roots; i++) p->out[i] = place[root[i]];
    p->value = _arb_vec_init(p->count);
    return p;
}

noe_arb_program *noe_arb_program_new(noe_model *m, const noe_ex *root, int roots)
{
    noe_ex          *all = noe_status_alloc((size_t)(m->params + roots) + 1, sizeof *all);
    int             *place = noe_status_alloc((size_t)m->graph.count + 1, sizeof *place);
    noe_arb_program *p = all && place ? compile(m, root, roots, all, place) : NULL;
    free(all);
    free(place);
    return p;
}

static void literal(arb_t y, const char *text, slong prec)
{
    if (!text) arb_const_pi(y, prec);
    else if (arb_set_str(y, text, prec)) arb_indeterminate(y);
}

/* x^y; arb_pow takes the logarithm of x, which is undefined for a ball that contains 0, even for
 * a square. */
static void power(arb_t y, const arb_t a, const arb_t b, slong prec)
{
    fmpz_t n;
    fmpz_init(n);
    if (arb_get_unique_fmpz(n, b) && arb_is_exact(b)) arb_pow_fmpz(y, a, n, prec);
    else arb_pow(y, a, b, prec);
    fmpz_clear(n);
}

static bool less(arb_srcptr a, arb_srcptr b, bool equal)
{
    const int c = arf_cmp(arb_midref(a), arb_midref(b));
    return c < 0 || (equal && c == 0);
}

/* Where a function is discontinuous, the midpoint of the ball decides. */
static void floor_of(arb_t y, const arb_t x)
{
    arf_floor(arb_midref(y), arb_midref(x));
    noe_wide_middle(y);
}

/* a - b floor(a/b) */
static void modulo(arb_t y, const arb_t a, const arb_t b, slong prec)
{
    arb_t whole;
    arb_init(whole);
    arb_div(whole, a, b, prec);
    floor_of(whole, whole);
    arb_mul(whole, whole, b, prec);
    arb_sub(y, a, whole, prec);
    arb_clear(whole);
}

/* Every function of functions.def is arb_NAME(y, x, prec), except those that need no precision. */
#define arb_abs(y, x, prec) arb_abs(y, x)
#define arb_sign(y, x, prec) arb_set_si(y, arf_sgn(arb_midref(x)))
#define arb_floor(y, x, prec) floor_of(y, x)

static void apply(noe_arb_program *p, const noe_arb_operation *o, arb_ptr y, arb_srcptr in,
                  slong prec)
{
    const int  n = p->model->n;
    arb_srcptr a = p->value + o->a, b = p->value + o->b, c = p->value + o->c;
    switch (o->op) {
    case NOE_NUM: noe_wide_from(y, p->model->graph.node[o->a].value); break;
    case NOE_LITERAL: literal(y, p->model->literal[o->a], prec); break;
    case NOE_PARAM: arb_set(y, a); break;
    case NOE_T:
    case NOE_Q:
    case NOE_V:
    case NOE_P:
    case NOE_H: arb_set(y, in + noe_tape_input((noe_op)o->op, o->a, n)); break;
    case NOE_NEG: arb_neg(y, a); break;
    case NOE_ADD: arb_add(y, a, b, prec); break;
    case NOE_SUB: arb_sub(y, a, b, prec); break;
    case NOE_MUL: arb_mul(y, a, b, prec); break;
    case NOE_DIV: arb_div(y, a, b, prec); break;
    case NOE_POW: power(y, a, b, prec); break;
    case NOE_ATAN2: arb_atan2(y, a, b, prec); break;
    case NOE_MOD: modulo(y, a, b, prec); break;
    case NOE_MIN: arb_set(y, less(a, b, false) ? a : b); break;
    case NOE_MAX: arb_set(y, less(a, b, false) ? b : a); break;
    case NOE_LT: arb_set_si(y, less(a, b, false)); break;
    case NOE_LE: arb_set_si(y, less(a, b, true)); break;
    case NOE_IF: arb_set(y, arf_is_zero(arb_midref(a)) ? c : b); break;
#define FUNCTION(name, derivative) \
    case NOE_FN_##name:            \
        arb_##name(y, a, prec);    \
        break;
#include "expr/functions.def"
#undef FUNCTION
    default: arb_indeterminate(y);
    }
}

void noe_arb_program_run(noe_arb_program *p, arb_srcptr in, arb_ptr out, slong prec, bool midpoints)
{
    const bool fresh = p->known != (midpoints ? -prec : prec);
    for (int k = 0; k < p->count; k++) {
        if (!fresh && !p->op[k].moves) continue;
        apply(p, &p->op[k], p->value + k, in, prec);
        if (midpoints) noe_wide_middle(p->value + k);
    }
    p->known = midpoints ? -prec : prec;
    for (int i = 0; i < p->outputs; i++) arb_set(out + i, p->value + p->out[i]);
}
