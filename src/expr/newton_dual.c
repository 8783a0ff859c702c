/* L = p.v - H where v = H_p is solved by p <- p - A (H_p - v), A = H_pp^-1, from p = 0.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The steps are written out, so that a tape of them has no branches and lanes give the bits of one
 * number.  Of the last p and A derivatives are not taken (NOE_HELD): one more step with them,
 *     P = p - A (H_p(q, p) - v),
 * has the solution's value and first derivatives.  L is stationary in p, so that the error of
 * second order in P is of fourth order in P.v - H(q, P): what the engines take, first to third
 * derivatives of L, are exact.  Where the steps have not converged, a root of a negative number
 * makes all NaN. */
#include "expr/newton_dual.h"

#include "expr/derivative.h"
#include "expr/substitute.h"
#include "expr/symbolic_solve.h"

typedef struct {
    noe_legendre_dual  *task;
    noe_graph          *g;
    int                 m;                             /* momenta of the block */
    int                 member[NOE_NEWTON_BLOCK_MOST]; /* [m] their coordinates */
    noe_ex              slope[NOE_NEWTON_BLOCK_MOST];  /* H_p */
    noe_symbolic_matrix N;                             /* H_pp */
} block;

static noe_ex make(const block *b, noe_op op, noe_ex x, noe_ex y)
{
    return noe_simplify_make(b->g, op, x, y, 0);
}

static void *take(const noe_legendre_dual *task, size_t n, size_t size)
{
    return noe_arena_need(task->arena, task->g->stop, n, size);
}

/* f with p[] in place of the momenta. */
static noe_ex at(const block *b, noe_ex f, const noe_ex *p)
{
    return noe_substitute_members(b->g, f, NOE_P, b->member, p, b->m);
}

/* r = H_p - v and d = A r at p. */
static void residual(const block *b, const noe_ex *p, noe_symbolic_matrix *N, noe_ex *r, noe_ex *d)
{
    for (int i = 0; i < b->m * b->m; i++) N->entry[i] = at(b, b->N.entry[i], p);
    for (int i = 0; i < b->m; i++)
        r[i] = make(b, NOE_SUB, at(b, b->slope[i], p), noe_graph_leaf(b->g, NOE_V, b->member[i]));
    noe_symbolic_solve_vector(N, r, d);
}

static noe_ex square(const block *b, noe_ex x)
{
    return make(b, NOE_POW, x, noe_graph_number(b->g, 2));
}

/* Square of the part of the energies that r d may be, which is quadratic in the residual: nine
 * digits are known then, and two more steps make 36.  UNSEEN times a number leaves p as it is. */
static const quad ALARM_PART = (quad)1e-36, UNSEEN = (quad)1e-300;

/* A number near 0 where (r d)^2 <= ALARM_PART ((v p)^2 + (N p p)^2), in units of energy, else NaN:
 * the two steps that follow the test double its digits, to those of binary128. */
static noe_ex alarm_of(const block *b, const noe_ex *p, const noe_symbolic_matrix *N,
                       const noe_ex *r, const noe_ex *d)
{
    noe_ex size = noe_graph_number(b->g, 0), error = size;
    for (int i = 0; i < b->m; i++) {
        const noe_ex v = noe_graph_leaf(b->g, NOE_V, b->member[i]),
                     own = make(b, NOE_MUL, N->entry[i * (b->m + 1)], square(b, p[i]));
        size = make(b, NOE_ADD, size, square(b, make(b, NOE_MUL, v, p[i])));
        size = make(b, NOE_ADD, size, square(b, own));
        error = make(b, NOE_ADD, error, square(b, make(b, NOE_MUL, r[i], d[i])));
    }
    const noe_ex gap = make(b, NOE_SUB, make(b, NOE_MUL, noe_graph_number(b->g, ALARM_PART), size),
                            error);
    return make(b, NOE_MUL, noe_graph_number(b->g, UNSEEN),
                noe_simplify_make(b->g, NOE_FN_sqrt, gap, 0, 0));
}

static noe_ex held(const block *b, noe_ex x) { return noe_simplify_make(b->g, NOE_HELD, x, 0, 0); }

/* P of the block, in momentum[n]. */
static void solve(const block *b, noe_ex *momentum)
{
    enum { M = NOE_NEWTON_BLOCK_MOST, TEST = NOE_NEWTON_STEPS - 2 };
    noe_symbolic_matrix N = b->N;
    noe_ex              p[M], r[M], d[M], one[M];
    N.entry = take(b->task, M * M, sizeof *N.entry);
    for (int i = 0; i < b->m; i++) p[i] = noe_graph_number(b->g, 0);
    for (int k = 0; k < NOE_NEWTON_STEPS; k++) {
        residual(b, p, &N, r, d);
        const noe_ex alarm = k == TEST ? alarm_of(b, p, &N, r, d) : noe_graph_number(b->g, 0);
        for (int i = 0; i < b->m; i++) p[i] = make(b, NOE_ADD, make(b, NOE_SUB, p[i], d[i]), alarm);
    }
    for (int i = 0; i < b->m; i++) p[i] = held(b, p[i]);
    residual(b, p, &N, r, d);
    for (int i = 0; i < b->m; i++) momentum[b->member[i]] = p[i];
    for (int j = 0; j < b->m; j++) { /* columns of A */
        for (int i = 0; i < b->m; i++) one[i] = noe_graph_number(b->g, i == j);
        noe_symbolic_solve_vector(&N, one, d);
        for (int i = 0; i < b->m; i++)
            momentum[b->member[i]] = make(b, NOE_SUB, momentum[b->member[i]],
                                          make(b, NOE_MUL, held(b, d[i]), r[j]));
    }
}

/* The block of coordinate `first`, with its H_pp; false: it is too large. */
static bool fill(block *b, noe_legendre_dual *task, const noe_ex *slope, const int *number,
                 int first)
{
    *b = (block){ .task = task, .g = task->g };
    for (int i = first; i < task->n; i++) {
        if (number[i] != first || (task->absent && task->absent[i])) continue;
        if (b->m == NOE_NEWTON_BLOCK_MOST) return false;
        b->slope[b->m] = slope[i], b->member[b->m++] = i;
    }
    const int m = b->m;
    noe_ex   *by = take(task, (size_t)task->n + 1, sizeof *by);
    b->N = (noe_symbolic_matrix){ task->g, task->arena, m,
                                  take(task, (size_t)(m * m), sizeof(noe_ex)),
                                  take(task, 2 * (size_t)m, sizeof(int)) };
    for (int i = 0; i < m; i++) {
        b->N.pivot[2 * i] = b->N.pivot[2 * i + 1] = i;
        noe_derivative_by_momenta(task->g, b->slope[i], task->n, by);
        for (int j = 0; j < m; j++) b->N.entry[i * m + j] = by[b->member[j]];
    }
    return true;
}

bool noe_newton_dual_make(noe_legendre_dual *task, const noe_ex *slope, const int *block_of)
{
    noe_graph *g = task->g;
    const int  n = task->n;
    noe_ex    *momentum = take(task, (size_t)n, sizeof *momentum), sum = noe_graph_number(g, 0);
    int       *all = take(task, (size_t)n, sizeof *all);
    for (int i = 0; i < n; i++) momentum[i] = noe_graph_number(g, 0), all[i] = i;
    for (int first = 0; first < n; first++) {
        block b;
        if (block_of[first] != first) continue;
        if (!fill(&b, task, slope, block_of, first)) return false;
        if (b.m) solve(&b, momentum);
    }
    for (int i = 0; i < n; i++)
        sum = noe_simplify_make(
            g, NOE_ADD, sum,
            noe_simplify_make(g, NOE_MUL, momentum[i], noe_graph_leaf(g, NOE_V, i), 0), 0);
    const noe_ex H = noe_substitute_members(g, task->f, NOE_P, all, momentum, n);
    task->dual = noe_simplify_make(g, NOE_SUB, sum, H, 0);
    return true;
}
