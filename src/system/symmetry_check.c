/* Verifies declared symmetries: L_q xi + L_v xi' = df/dt at every state.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * S = L_q xi + L_v xi' is 0, or else a total derivative: S = a + b v with b_i = f_q,i, which the
 * Euler operator S_q - d/dt S_v sends to 0 (P. J. Olver, Applications of Lie Groups to Differential
 * Equations, 4.1).  f is then sought among the polynomials of degree 2 in t and q. */
#include "system/symmetry_check.h"

#include "base/status.h"
#include "expr/derivative.h"
#include "token/source.h"
#include "system/zero_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 6 };

typedef struct {
    noe_model      *m;
    noe_declared   *d;
    int             n; /* coordinates */
    noe_ex          S; /* L_q xi + L_v xi' */
    noe_zero_states at;
    jmp_buf         stop;
} verifier;

static void *take(verifier *x, size_t n, size_t size)
{
    return noe_arena_need(x->m->arena, &x->stop, n, size);
}

static bool is_identically_zero(verifier *x, const noe_ex *term, int sums, int terms,
                                noe_zero_found *found)
{
    return noe_zero_test_all(&x->at, term, sums, terms, x->d->symbol->name, found);
}

/* The values of expressions at the start, with all velocities 0. */
static void values(verifier *x, const noe_ex *e, int count, quad *to)
{
    memset(x->at.in, 0, (size_t)noe_tape_inputs(x->n) * sizeof *x->at.in);
    x->at.in[0] = x->m->t0;
    for (int i = 0; i < x->n; i++) x->at.in[noe_tape_input(NOE_Q, i, x->n)] = x->m->begin[i].q;
    noe_tape *tape = noe_tape_new(&x->m->graph, x->m->param, x->n, e, count);
    quad     *slot = tape ? noe_status_alloc((size_t)tape->slots, sizeof *slot) : NULL;
    if (slot) noe_tape_quad_run(tape, x->at.in, slot, to);
    free(tape);
    free(slot);
    if (!slot) longjmp(x->stop, 1);
}

/* Rounding of a coefficient of f by the size of the terms that it is a sum of: 2^14 units of
 * binary128.  What is taken for 0, or for a whole number, is verified with all of f. */
static const double ROUNDING = 1e-30;

static noe_ex scaled(noe_graph *g, quad c, quad size, noe_ex a)
{
    const quad whole = roundq(c);
    if (fabsq(c - whole) <= ROUNDING * fabsq(c)) c = whole;
    if (fabsq(c) <= ROUNDING * size) c = 0;
    return noe_simplify_make(g, NOE_MUL, noe_graph_number(g, c), a, 0);
}

/* f from a = f_t and b = f_q at the start, as a polynomial of degree 2. */
static noe_ex polynomial(verifier *x, const noe_ex *b)
{
    noe_graph    *g = &x->m->graph;
    noe_declared *d = x->d;
    const int     n = x->n;
    noe_ex       *e = take(x, (size_t)(n * n + 2 * n + 2), sizeof *e),
           *row = take(x, 2 * (size_t)n, sizeof *row);
    quad        *y = take(x, (size_t)(n * n + 2 * n + 2), sizeof *y);
    const noe_ex t = noe_graph_leaf(g, NOE_T, 0);
    for (int i = 0; i < n; i++) {
        noe_derivative_gradient(g, b[i], n, row);
        memcpy(e + i * n, row, (size_t)n * sizeof *e);
        e[n * n + i] = noe_derivative_by_time(g, b[i]);
        e[n * n + n + i] = b[i];
    }
    e[n * n + 2 * n] = x->S, e[n * n + 2 * n + 1] = noe_derivative_by_time(g, x->S);
    values(x, e, n * n + 2 * n + 2, y);
    d->C = y, d->e = y + n * n, d->d = y + n * n + n;
    d->g[1] = y[n * n + 2 * n + 1] / 2, d->g[0] = y[n * n + 2 * n] - 2 * d->g[1] * x->m->t0;
    const noe_zero_region *around = &x->at.around;
    const quad             S = fabsq(y[n * n + 2 * n]) + fabsq(2 * d->g[1] * x->m->t0);
    const noe_ex           tt = noe_simplify_make(g, NOE_MUL, t, t, 0);
    noe_ex                 f = noe_simplify_make(g, NOE_ADD, scaled(g, d->g[0], S, t),
                                                 scaled(g, d->g[1], S / around->time, tt), 0);
    for (int i = 0; i < n; i++) {
        const noe_ex q = noe_graph_leaf(g, NOE_Q, i);
        /* of the terms of f_q,i */
        quad size = fabsq(d->d[i]) + fabsq(x->m->t0 * d->e[i]);
        for (int j = 0; j < n; j++) size += fabsq(d->C[i * n + j] * x->m->begin[j].q);
        d->d[i] -= x->m->t0 * d->e[i], d->g[0] -= d->e[i] * x->m->begin[i].q;
        for (int j = 0; j < n; j++) {
            d->d[i] -= d->C[i * n + j] * x->m->begin[j].q;
            f = noe_simplify_make(
                g, NOE_ADD, f,
                scaled(g, d->C[i * n + j] / 2, size / around->q[j],
                       noe_simplify_make(g, NOE_MUL, q, noe_graph_leaf(g, NOE_Q, j), 0)),
                0);
        }
        f = noe_simplify_make(g, NOE_ADD, f, scaled(g, d->d[i], size, q), 0);
        const quad each = size / around->time;
        f = noe_simplify_make(g, NOE_ADD, f,
                              scaled(g, d->e[i], each, noe_simplify_make(g, NOE_MUL, t, q, 0)), 0);
        /* g0 is complete only now */
        f = noe_simplify_make(
            g, NOE_SUB, f, scaled(g, d->e[i] * x->m->begin[i].q, each * fabsq(x->m->begin[i].q), t),
            0);
    }
    return f;
}

static _Noreturn void refuse(verifier *x, const noe_zero_found *found, const char *why)
{
    const noe_source at = { x->m->name, x->m->text, x->m->length, &x->stop };
    char             state[700];
    int              used = snprintf(state, sizeof state, "t = %.6g", (double)x->at.in[0]);
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < x->n && i < SHOWN; i++)
            used += snprintf(state + used, sizeof state - (size_t)used, ", %.30s%s = %.6g",
                             x->m->coordinate[i]->name, v ? "'" : "",
                             (double)x->at.in[noe_tape_input(v ? NOE_V : NOE_Q, i, x->n)]);
    if (why) noe_source_fail(&at, x->d->at, "the symmetry '%.60s' %s", x->d->symbol->name, why);
    noe_source_fail(&at, x->d->at,
                    "'%.60s' is no symmetry of L: at %s%s its L_q xi + L_v xi' is %.3g, of terms "
                    "of the size %.3g, "
                    "and no total derivative",
                    x->d->symbol->name, state, x->n > SHOWN ? ", .." : "", (double)found->sum,
                    (double)found->size);
}

/* E_i = S_q,i - d/dt S_v,i, term by term; false when S is not affine in the velocities to begin
 * with. */
static bool euler(verifier *x, const noe_ex *gradient, noe_ex *term)
{
    noe_graph *g = &x->m->graph;
    for (int i = 0; i < x->n; i++) {
        const noe_ex b = gradient[x->n + i];
        if (g->node[b].has & NOE_HAS_V) return false;
        term[2 * i] = gradient[i];
        term[2 * i + 1] = noe_simplify_make(g, NOE_NEG, noe_derivative_rate(g, b), 0, 0);
    }
    return true;
}

static void verify(verifier *x)
{
    noe_graph     *g = &x->m->graph;
    noe_declared  *d = x->d;
    const int      n = x->n;
    noe_zero_found found, ignored;
    noe_ex        *gradient = take(x, 2 * (size_t)n, sizeof *gradient),
           *term = take(x, 2 * (size_t)n + 1, sizeof *term);
    noe_derivative_gradient(g, x->m->L, n, gradient);
    x->S = noe_graph_number(g, 0);
    for (int i = 0; i < n; i++) {
        term[2 * i] = noe_simplify_make(g, NOE_MUL, gradient[i], d->xi[i], 0);
        term[2 * i + 1] = noe_simplify_make(g, NOE_MUL, gradient[n + i],
                                            noe_derivative_rate(g, d->xi[i]), 0);
        x->S = noe_simplify_make(g, NOE_ADD, noe_simplify_make(g, NOE_ADD, x->S, term[2 * i], 0),
                                 term[2 * i + 1], 0);
    }
    if (is_identically_zero(x, term, 1, 2 * n, &found)) return;
    quad *state = take(x, (size_t)noe_tape_inputs(n), sizeof *state);
    memcpy(state, x->at.in, (size_t)noe_tape_inputs(n) * sizeof *state);
    noe_derivative_gradient(g, x->S, n, gradient);
    if (euler(x, gradient, term) && is_identically_zero(x, term, n, 2, &ignored)) {
        const noe_ex f = polynomial(x, gradient + n);
        term[0] = x->S, term[1] = noe_simplify_make(g, NOE_NEG, noe_derivative_rate(g, f), 0, 0);
        d->gauge = is_identically_zero(x, term, 1, 2, &ignored);
        if (!d->gauge)
            refuse(x, &ignored,
                   "changes L by a total derivative df/dt whose f is no polynomial of degree 2 in "
                   "t and the "
                   "coordinates: its momentum is not known");
        d->symbol->ex = noe_simplify_make(g, NOE_SUB, d->symbol->ex, f, 0);
        return;
    }
    memcpy(x->at.in, state, (size_t)noe_tape_inputs(n) * sizeof *state);
    refuse(x, &found, NULL);
}

/* Refuses a symmetry that moves a constraint: sum_i G_ai xi_i has to be 0 everywhere. */
static void keep_constraints(verifier *x)
{
    noe_graph     *g = &x->m->graph;
    const int      n = x->n;
    char           why[160];
    noe_zero_found found;
    noe_ex        *gradient = take(x, 2 * (size_t)n, sizeof *gradient);
    for (int a = 0; a < x->m->constraints; a++) {
        noe_derivative_gradient(g, x->m->constraint[a].g, n, gradient);
        for (int i = 0; i < n; i++)
            gradient[i] = noe_simplify_make(g, NOE_MUL, gradient[i], x->d->xi[i], 0);
        snprintf(why, sizeof why, "does not leave the constraint '%.60s' as it is",
                 x->m->constraint[a].name);
        if (!is_identically_zero(x, gradient, 1, n, &found)) refuse(x, &found, why);
    }
}

/* Do forces act along xi? */
static void push(verifier *x)
{
    const int      n = x->n;
    noe_ex        *f = take(x, 4 * (size_t)n, sizeof *f);
    noe_zero_found found;
    if (!noe_force_statement_is_forced(x->m)) return;
    noe_force_statement_forces(x->m, f, f + n);
    for (int i = 0; i < n; i++)
        f[i] = noe_simplify_make(&x->m->graph, NOE_MUL, f[i], x->d->xi[i], 0);
    x->d->forced_along = !is_identically_zero(x, f, 1, n, &found);
}

/* Is xi = A q + b + t c? */
static void affine(verifier *x)
{
    noe_graph    *g = &x->m->graph;
    noe_declared *d = x->d;
    const int     n = x->n;
    noe_ex       *e = take(x, (size_t)(n * n + 2 * n), sizeof *e),
           *row = take(x, 2 * (size_t)n, sizeof *row);
    unsigned has = 0;
    for (int i = 0; i < n; i++) {
        noe_derivative_gradient(g, d->xi[i], n, row);
        memcpy(e + i * n, row, (size_t)n * sizeof *e);
        e[n * n + i] = noe_derivative_by_time(g, d->xi[i]);
        e[n * n + n + i] = d->xi[i];
        for (int j = 0; j < n; j++) has |= g->node[row[j]].has;
        has |= g->node[e[n * n + i]].has;
    }
    if (has & ~(unsigned)NOE_HAS_PARAM) return;
    quad *y = take(x, (size_t)(n * n + 2 * n), sizeof *y);
    values(x, e, n * n + 2 * n, y);
    d->affine = true;
    d->A = y, d->c = y + n * n, d->b = y + n * n + n;
    for (int i = 0; i < n; i++) {
        d->b[i] -= x->m->t0 * d->c[i];
        for (int j = 0; j < n; j++) d->b[i] -= d->A[i * n + j] * x->m->begin[j].q;
    }
}

bool noe_symmetry_check_declared(noe_model *m)
{
    if (!m->declareds) return true;
    verifier     *x = noe_arena_take(m->arena, sizeof *x);
    volatile bool ok = false;
    if (!x) return false;
    *x = (verifier){ .m = m, .n = m->n, .at = { .m = m, .arena = m->arena, .stop = &x->stop } };
    m->graph.stop = &x->stop;
    if (!setjmp(x->stop)) {
        noe_zero_test_states(&x->at);
        for (int k = 0; k < m->declareds; k++) {
            x->d = &m->declared[k];
            verify(x);
            keep_constraints(x);
            affine(x);
            push(x);
        }
        ok = true;
    }
    m->graph.stop = NULL;
    return ok;
}
