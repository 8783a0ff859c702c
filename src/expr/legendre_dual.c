/* Legendre's transformation in closed form: f* = x.y - f where y = f_x is solved for x.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With w = y - b, two kinds of f are solved, and sums of them over different x:
 *     f = x.N x/2 + b.x + c:         f* = w.M w/2 - c,  M = N^-1,
 *         or y.M y/2 - b.M y where c = b.M b/2
 *     f = a sqrt(Q) + b.x + c, Q = x.N x/2 + g.x + k:
 *         f* = -g.M w - a r S - c,  r = 1 - 2 w.M w/a^2,  S = sqrt((k - g.M g/2)/r) = sqrt(Q)
 * N, a, b, c, g and k may depend on anything but x.  The second is the energy of relativity,
 * sqrt((p - A)^2 + m^2), and the Hamiltonian of rays of light. */
#include "expr/legendre_dual.h"

#include "expr/derivative.h"
#include "expr/newton_dual.h"
#include "expr/substitute.h"
#include "expr/symbolic_solve.h"
#include "number/random.h"

#include <string.h>

enum { BLOCK_MOST = 128, ROOTS_MOST = 256, SAMPLES = 7 };
static const quad tolerance = (quad)1e-18;          /* of terms that f* and f consist of */
static const quad identity_tolerance = (quad)1e-30; /* rounding of binary128, and 4 digits */

/* A quadratic form in some of the x, and what belongs to it. */
typedef struct {
    noe_symbolic_matrix N;
    int                *member; /* [N.m] numbers of its x */
} form;

typedef struct {
    noe_legendre_dual *task;
    noe_graph         *g;
    uint8_t            flag;  /* of x among NOE_HAS_.. */
    noe_ex             zero;  /* the number */
    int                n;     /* coordinates */
    int               *owner; /* [n] number of the root that holds x[i]; -1: none */
    noe_ex            *w;     /* [n] y - b */
    int               *block; /* [n] least member of its block */
} dual;

static noe_ex make(const dual *d, noe_op op, noe_ex x, noe_ex y)
{
    return noe_simplify_make(d->g, op, x, y, 0);
}

static void *take(const dual *d, size_t n, size_t size)
{
    return noe_arena_need(d->task->arena, d->g->stop, n, size);
}

static bool has_x(const dual *d, noe_ex e) { return d->g->node[e].has & d->flag; }

/* [n] f_x */
static noe_ex *slopes(const dual *d, noe_ex f)
{
    noe_ex *by = take(d, 2 * (size_t)d->n + 1, sizeof *by);
    if (d->task->from == NOE_P) {
        noe_derivative_by_momenta(d->g, f, d->n, by);
        return by;
    }
    noe_derivative_gradient(d->g, f, d->n, by);
    return by + d->n;
}

/* [n][n] f_xx */
static noe_ex *curvature(const dual *d, const noe_ex *slope)
{
    const size_t n = (size_t)d->n;
    noe_ex      *hess = take(d, n * n, sizeof *hess);
    for (int i = 0; i < d->n; i++) {
        if (!has_x(d, slope[i]))
            for (int j = 0; j < d->n; j++) hess[(size_t)i * n + (size_t)j] = d->zero;
        else memcpy(hess + (size_t)i * n, slopes(d, slope[i]), n * sizeof *hess);
    }
    return hess;
}

static bool quadratic(const dual *d, const noe_ex *hess)
{
    for (size_t i = 0, all = (size_t)d->n * (size_t)d->n; i < all; i++)
        if (has_x(d, hess[i])) return false;
    return true;
}

static noe_ex at_zero(const dual *d, noe_ex f)
{
    return noe_substitute_leaves(d->g, f, d->task->from, d->zero);
}

/* d->block: the x that hess couples have the same number. */
static void find_blocks(dual *d, const noe_ex *hess)
{
    const int n = d->n;
    for (int i = 0; i < n; i++) d->block[i] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            if (hess[(size_t)i * (size_t)n + (size_t)j] == d->zero || d->block[i] == d->block[j])
                continue;
            const int a = d->block[i], b = d->block[j], low = a < b ? a : b, high = a < b ? b : a;
            for (int k = 0; k <= i; k++)
                if (d->block[k] == high) d->block[k] = low;
        }
}

static form new_form(const dual *d, const noe_ex *hess, const int *member, int m)
{
    form f = { .N = { d->g, d->task->arena, m, take(d, (size_t)m * (size_t)m, sizeof(noe_ex)),
                      take(d, 2 * (size_t)m, sizeof(int)) },
               .member = take(d, (size_t)m, sizeof(int)) };
    memcpy(f.member, member, (size_t)m * sizeof *member);
    for (int i = 0; i < m * m; i++)
        f.N.entry[i] = hess[(size_t)member[i / m] * (size_t)d->n + (size_t)member[i % m]];
    return f;
}

/* Values about task->near: these themselves, then farther and farther from them. */
static noe_leaf_values sample(const dual *d, int k)
{
    static const double    far[SAMPLES] = { 0, 1e-30, 1e-20, 1e-10, 1e-3, 0.1, 1 };
    const noe_leaf_values *near = d->task->near;
    const size_t           n = (size_t)d->n;
    quad                  *z = take(d, 3 * n, sizeof *z);
    uint64_t               seed = (uint64_t)k + 1;
    for (size_t i = 0; i < 3 * n; i++) {
        const quad at = i < n ? near->q[i] : i < 2 * n ? near->v[i - n] : near->p[i - 2 * n];
        z[i] = at + (1 + fabsq(at)) * far[k] * (noe_random_uniform(&seed) - 0.5);
    }
    return (noe_leaf_values){ near->t + far[k] * noe_random_uniform(&seed), z, z + n, z + 2 * n };
}

/* Chooses the pivots; the x in whose direction it is singular wherever it is finite, or -1. */
static int singular(const dual *d, form *f)
{
    const int m = f->N.m;
    quad     *N = take(d, (size_t)(m * m), sizeof *N);
    int       worst = -1;
    for (int i = 0; i < 2 * m; i++) f->N.pivot[i] = i / 2;
    for (int k = 0; k < SAMPLES; k++) {
        const noe_leaf_values at = sample(d, k);
        bool                  finite = true;
        noe_evaluate_at(d->g, d->task->arena, f->N.entry, m * m, d->task->param, &at, N);
        for (int i = 0; i < m * m; i++) finite &= finiteq(N[i]) != 0;
        const int row = finite ? noe_symbolic_solve_pivots(&f->N, N) : -2;
        if (row == -1) return -1;
        if (row >= 0) worst = f->member[row];
    }
    return worst;
}

/* Members of block `first` among the x that no root holds. */
static int members(const dual *d, int first, int *member)
{
    int m = 0;
    for (int i = first; i < d->n; i++)
        if (d->block[i] == first && d->owner[i] < 0 && !(d->task->absent && d->task->absent[i]))
            member[m++] = i;
    return m;
}

/* Is f_xx regular?  Otherwise the verdict with the x. */
static noe_dual_verdict regular(dual *d, const noe_ex *hess)
{
    int *member = take(d, (size_t)d->n, sizeof *member);
    find_blocks(d, hess);
    for (int first = 0; first < d->n; first++) {
        const int m = members(d, first, member);
        if (!m) continue;
        d->task->index = first;
        if (m > BLOCK_MOST) return NOE_DUAL_UNSOLVED;
        form      f = new_form(d, hess, member, m);
        const int worst = singular(d, &f);
        if (worst < 0) continue;
        d->task->index = worst;
        return NOE_DUAL_SINGULAR;
    }
    return NOE_DUAL_FOUND;
}

static noe_ex *chosen(const dual *d, const form *f, const noe_ex *of)
{
    noe_ex *some = take(d, (size_t)f->N.m, sizeof *some);
    for (int i = 0; i < f->N.m; i++) some[i] = of[f->member[i]];
    return some;
}

/* Takes the root out of *rest; the part a sqrt(Q) of f.  false: it is not linear in it. */
static bool take_out(const dual *d, noe_ex *rest, noe_ex root, noe_ex *a)
{
    const noe_ex mark = noe_graph_leaf(d->g, NOE_H, 0),
                 marked = noe_substitute_node(d->g, *rest, root, mark);
    noe_ex *by = take(d, (size_t)d->n + 1, sizeof *by);
    if (marked == *rest) { /* it was inside of another one */
        *a = d->zero;
        return true;
    }
    noe_derivative_by_momenta(d->g, marked, d->n, by);
    *a = by[d->n];
    if (d->g->node[*a].has & (NOE_HAS_P | NOE_HAS_V)) return false;
    *rest = noe_substitute_node(d->g, marked, mark, d->zero);
    return true;
}

/* The dual of a sqrt(Q), after d->w is known. */
static noe_ex dual_of_root(const dual *d, noe_ex a, noe_ex root, const form *f)
{
    const noe_ex Q = d->g->node[root].a, *const w = chosen(d, f, d->w);
    noe_ex *gs = slopes(d, Q), shift = d->zero, k = at_zero(d, Q);
    for (int i = 0; i < d->n; i++) gs[i] = at_zero(d, gs[i]);
    const noe_ex *const slope = chosen(d, f, gs);
    bool                centred = true;
    for (int i = 0; i < f->N.m; i++) centred &= slope[i] == d->zero;
    if (!centred) {
        noe_ex *const x = take(d, (size_t)f->N.m, sizeof *x);
        noe_symbolic_solve_vector(&f->N, w, x);
        for (int i = 0; i < f->N.m; i++)
            shift = make(d, NOE_ADD, shift, make(d, NOE_MUL, slope[i], x[i]));
        k = make(d, NOE_SUB, k, noe_symbolic_solve_half_square(&f->N, slope));
    }
    const noe_ex square = noe_symbolic_solve_half_square(&f->N, w), one = noe_graph_number(d->g, 1),
                 share = make(d, NOE_DIV, make(d, NOE_MUL, noe_graph_number(d->g, 4), square),
                              make(d, NOE_POW, a, noe_graph_number(d->g, 2))),
                 left = make(d, NOE_SUB, one, share),
                 S = noe_simplify_make(d->g, NOE_FN_sqrt, make(d, NOE_DIV, k, left), 0, 0);
    const noe_ex value = make(d, NOE_MUL, a, make(d, NOE_MUL, left, S)); /* S = sqrt(Q) */
    return make(d, NOE_NEG, make(d, NOE_ADD, shift, value), 0);
}

/* The roots of f that contain x, in root[ROOTS_MOST]: the newest, which may contain others,
 * first. */
static int roots_of(const dual *d, noe_ex *root)
{
    int found = 0;
    for (int k = noe_evaluate_reach(d->g, &d->task->f, 1); k-- > 0 && found < ROOTS_MOST;) {
        const noe_ex i = d->g->list[k];
        if (d->g->node[i].op == NOE_FN_sqrt && has_x(d, i)) root[found++] = i;
    }
    return found;
}

/* The form Q of a root, whose x become its own.  false: the rules do not hold. */
static bool form_of_root(dual *d, noe_ex root, int number, form *f)
{
    const noe_ex *const slope = slopes(d, d->g->node[root].a), *const hess = curvature(d, slope);
    int *const member = take(d, (size_t)d->n, sizeof *member);
    int        m = 0;
    for (int i = 0; i < d->n; i++) {
        if (!has_x(d, slope[i])) continue;
        if (d->owner[i] >= 0 || m == BLOCK_MOST) return false;
        d->owner[i] = number, member[m++] = i;
    }
    if (!quadratic(d, hess)) return false;
    *f = new_form(d, hess, member, m);
    return m > 0 && singular(d, f) < 0;
}

/* Adds w.M w/2 of a block in other words, y.M y/2 - b.M y to *products and b.M b/2 to *shifts. */
static void add_products(const dual *d, form *f, const noe_ex *slope, noe_ex *products,
                         noe_ex *shifts)
{
    const int m = f->N.m;
    noe_ex   *y = take(d, 3 * (size_t)m, sizeof *y), *b = y + m, *x = y + 2 * m, sum;
    for (int i = 0; i < m; i++) {
        y[i] = noe_graph_leaf(d->g, d->task->to, f->member[i]);
        b[i] = at_zero(d, slope[f->member[i]]);
    }
    noe_symbolic_solve_vector(&f->N, y, x);
    sum = make(d, NOE_ADD, *products, noe_symbolic_solve_half_square(&f->N, y));
    for (int i = 0; i < m; i++) sum = make(d, NOE_SUB, sum, make(d, NOE_MUL, b[i], x[i]));
    *products = sum;
    *shifts = make(d, NOE_ADD, *shifts, noe_symbolic_solve_half_square(&f->N, b));
}

/* Is b.M b/2 - c zero wherever it is finite?  It is for (p - A)^2/2, whose f* is y^2/2 + A.y: the
 * difference of two large squares would lose what a slow motion consists of. */
static bool is_identically_zero(const dual *d, noe_ex left, noe_ex constant)
{
    const noe_ex both[2] = { left, constant };
    for (int k = 0; k < SAMPLES; k++) {
        const noe_leaf_values at = sample(d, k);
        quad                  x[2];
        noe_evaluate_at(d->g, d->task->arena, both, 2, d->task->param, &at, x);
        if (finiteq(x[1]) && !(fabsq(x[0]) <= identity_tolerance * fabsq(x[1]))) return false;
    }
    return true;
}

/* The dual of f, not verified yet.  false: no rule holds. */
static bool solve(dual *d)
{
    noe_ex root[ROOTS_MOST], a[ROOTS_MOST], rest = d->task->f, sum = d->zero;
    form   of[ROOTS_MOST], f;
    int    roots = 0;
    for (int k = 0, found = roots_of(d, root); k < found; k++) {
        if (!take_out(d, &rest, root[k], &a[roots])) return false;
        if (a[roots] == d->zero) continue;
        if (!form_of_root(d, root[k], roots, &of[roots])) return false;
        root[roots++] = root[k];
    }
    const noe_ex *const slope = slopes(d, rest), *const hess = curvature(d, slope);
    if (!quadratic(d, hess)) return false;
    int *member = take(d, (size_t)d->n, sizeof *member);
    for (int i = 0; i < d->n; i++) {
        if (d->owner[i] >= 0 && has_x(d, slope[i])) return false;
        d->w[i] = make(d, NOE_SUB, noe_graph_leaf(d->g, d->task->to, i), at_zero(d, slope[i]));
    }
    for (int k = 0; k < roots; k++)
        sum = make(d, NOE_ADD, sum, dual_of_root(d, a[k], root[k], &of[k]));
    find_blocks(d, hess);
    noe_ex       squares = d->zero, products = d->zero, shifts = d->zero;
    const noe_ex constant = at_zero(d, rest);
    for (int first = 0; first < d->n; first++) {
        const int m = members(d, first, member);
        if (!m) continue;
        f = new_form(d, hess, member, m);
        if (singular(d, &f) >= 0) return false;
        squares = make(d, NOE_ADD, squares,
                       noe_symbolic_solve_half_square(&f.N, chosen(d, &f, d->w)));
        add_products(d, &f, slope, &products, &shifts);
    }
    const noe_ex left = make(d, NOE_SUB, shifts, constant);
    if (shifts != d->zero && is_identically_zero(d, left, constant))
        sum = make(d, NOE_ADD, sum, products);
    else sum = make(d, NOE_SUB, make(d, NOE_ADD, sum, squares), constant);
    d->task->dual = sum;
    return true;
}

/* Is f* = x.y - f, y = f_x, wherever all is finite?  The rules assume that f is what its
 * derivatives say, which x^3/x at x = 0 is not. */
static bool verified(const dual *d, const noe_ex *slope)
{
    const int n = d->n;
    noe_ex   *root = take(d, (size_t)n + 1, sizeof *root);
    quad     *y = take(d, (size_t)n + 1, sizeof *y), found;
    memcpy(root, slope, (size_t)n * sizeof *root);
    root[n] = d->task->f;
    for (int k = 1; k < SAMPLES; k++) {
        noe_leaf_values   at = sample(d, k);
        const quad *const x = d->task->from == NOE_P ? at.p : at.v;
        noe_evaluate_at(d->g, d->task->arena, root, n + 1, d->task->param, &at, y);
        quad want = -y[n], size = fabsq(y[n]);
        for (int i = 0; i < n; i++) want += x[i] * y[i], size += fabsq(x[i] * y[i]);
        if (!finiteq(want)) continue;
        if (d->task->from == NOE_P) at.v = y;
        else at.p = y;
        noe_evaluate_at(d->g, d->task->arena, &d->task->dual, 1, d->task->param, &at, &found);
        if (!(fabsq(found - want) <= tolerance * size)) return false;
    }
    return true;
}

noe_dual_verdict noe_legendre_dual_find(noe_legendre_dual *task)
{
    const size_t n = (size_t)task->n;
    dual         d = { .task = task,
                       .g = task->g,
                       .n = task->n,
                       .flag = task->from == NOE_P ? NOE_HAS_P : NOE_HAS_V,
                       .zero = noe_graph_number(task->g, 0) };
    d.owner = take(&d, n, sizeof *d.owner);
    d.block = take(&d, n, sizeof *d.block);
    d.w = take(&d, n, sizeof *d.w);
    for (size_t i = 0; i < n; i++) d.owner[i] = -1;
    const noe_ex *const slope = slopes(&d, task->f);
    for (task->index = 0; task->index < task->n; task->index++)
        if (slope[task->index] == d.zero && !(task->absent && task->absent[task->index]))
            return NOE_DUAL_CONSTANT;
    if (noe_evaluate_kinks(d.g, &task->f, 1) & d.flag) return NOE_DUAL_KINKED;
    const noe_ex *const    hess = curvature(&d, slope);
    const noe_dual_verdict verdict = regular(&d, hess);
    if (verdict != NOE_DUAL_FOUND) return verdict;
    const bool derived = d.g->derived; /* constants of f are finite, those of f* are made of them */
    d.g->derived = true;
    bool solved = solve(&d);
    if (!solved && task->from == NOE_P) {
        find_blocks(&d, hess);
        solved = noe_newton_dual_make(task, slope, d.block);
    }
    d.g->derived = derived;
    return solved && verified(&d, slope) ? NOE_DUAL_FOUND : NOE_DUAL_UNSOLVED;
}
