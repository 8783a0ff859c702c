/* Lists arguments u at whose zeros an expression is singular (1/u, log u, tan) or has a kink.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/singular_arguments.h"

enum {
    NOWHERE = -1,
    KNOTS_MOST = 65 /* of a table whose knots are looked at one by one */
};

typedef struct {
    noe_graph *g;
    noe_ex    *found;           /* [count] arguments */
    int        count, capacity; /* arguments there is room for */
} collector;

static void add(collector *x, noe_ex u)
{
    for (int i = 0; i < x->count; i++)
        if (x->found[i] == u) return;
    if (x->count < x->capacity) x->found[x->count++] = u;
}

/* x of u = A + exp(x) with a number A > 0, which goes to *A; NOWHERE: u is another. */
static noe_ex logistic(const noe_graph *g, noe_ex u, quad *A)
{
    const noe_node *y = &g->node[u];
    if (y->op != NOE_ADD) return NOWHERE;
    const noe_node *a = &g->node[y->a], *b = &g->node[y->b], *number = a->op == NOE_NUM ? a : b,
                   *other = number == a ? b : a;
    if (number->op != NOE_NUM || !(number->value > 0) || other->op != NOE_FN_exp) return NOWHERE;
    *A = number->value;
    return other->a;
}

/* The factors of u that may vanish; depth bounds the recursion. */
static void factors(collector *x, noe_ex u, int depth)
{
    const noe_node *y = &x->g->node[u];
    quad            A;
    if (!(y->has & NOE_HAS_Q) || depth > 64 || logistic(x->g, u, &A) != NOWHERE) return;
    switch (y->op) {
    case NOE_NEG:
    case NOE_POW:
    case NOE_DIV:
    case NOE_FN_sqrt:
    case NOE_FN_abs: factors(x, y->a, depth + 1); return;
    case NOE_MUL: {
        const noe_ex b = y->b;
        factors(x, y->a, depth + 1);
        factors(x, b, depth + 1);
        return;
    }
    case NOE_FN_exp:
    case NOE_FN_cosh: return;
    default: add(x, u);
    }
}

int noe_singular_arguments_divisors(noe_graph *g, const noe_ex *root, int roots, noe_ex *found,
                                    int capacity)
{
    collector x = { g, found, 0, capacity };
    const int n = noe_evaluate_reach(g, root, roots);
    for (int k = 0; k < n; k++) {
        const noe_node *y = &g->node[g->list[k]];
        const bool      power = y->op == NOE_POW
                        && (g->node[y->b].op != NOE_NUM || g->node[y->b].value < 0);
        if (y->op == NOE_DIV) factors(&x, y->b, 0);
        else if (power || y->op == NOE_FN_log) factors(&x, y->a, 0);
    }
    for (int k = 0; k < n; k++) { /* last, since making a node may move the graph */
        const noe_node y = g->node[g->list[k]];
        if (y.op == NOE_FN_tan && y.has & NOE_HAS_Q)
            add(&x, noe_simplify_make(g, NOE_FN_cos, y.a, 0, 0));
    }
    return x.count;
}

/* |u| - 6 or -u - 8, positive where tanh(u), 1/cosh(u) or exp(u) is nearly constant:
 * 1 - tanh(6) = 1e-5, exp(-8) = 3e-4; 5 less: tanh(1), exp(-3).  NOWHERE: another function. */
static noe_ex where_flat(noe_graph *g, noe_node y)
{
    enum { FLAT_EXP = 8, FLAT_TANH = 6 };
    if (y.op == NOE_FN_tanh || y.op == NOE_FN_cosh)
        return noe_simplify_make(g, NOE_SUB, noe_simplify_make(g, NOE_FN_abs, y.a, 0, 0),
                                 noe_graph_number(g, FLAT_TANH), 0);
    return y.op == NOE_FN_exp
             ? noe_simplify_make(g, NOE_SUB, noe_simplify_make(g, NOE_NEG, y.a, 0, 0),
                                 noe_graph_number(g, FLAT_EXP), 0)
             : NOWHERE;
}

/* The same for 1/(A + exp(x)) = (1 - tanh(u))/(2 A), u = (x - log A)/2. */
static noe_ex where_logistic_flat(noe_graph *g, noe_ex denominator)
{
    quad         A = 1;
    const noe_ex x = logistic(g, denominator, &A);
    if (x == NOWHERE) return NOWHERE;
    const noe_ex middle = noe_simplify_make(g, NOE_SUB, x, noe_graph_number(g, logq(A)), 0);
    noe_node     tanh = g->node[denominator];
    tanh.op = NOE_FN_tanh;
    tanh.a = noe_simplify_make(g, NOE_MUL, noe_graph_number(g, 0.5), middle, 0);
    return where_flat(g, tanh);
}

int noe_singular_arguments_narrow(noe_graph *g, const noe_ex *root, int roots, noe_ex *found,
                                  int capacity)
{
    collector x = { g, found, 0, capacity };
    const int n = noe_evaluate_reach(g, root, roots);
    for (int k = 0; k < n; k++) {
        const noe_node y = g->node[g->list[k]];
        if (!(y.has & NOE_HAS_Q) || y.has & NOE_HAS_V) continue;
        const noe_ex u = where_flat(g, y), both = where_logistic_flat(g, g->list[k]);
        if (u != NOWHERE) add(&x, u);
        if (both != NOWHERE) add(&x, both);
    }
    return x.count;
}

/* Is u made of sums, products and powers of t and numbers alone?  What is deeper than `depth` does
 * not count, nor do functions: exp and cosh have an argument of their own, and grow so fast that
 * their logarithm would tell of a variation where the quotient is long 0. */
static bool rational(const noe_graph *g, noe_ex u, int depth)
{
    const noe_node *y = &g->node[u];
    if (!(y->has & NOE_HAS_T)) return true;
    switch (y->op) {
    case NOE_T: return true;
    case NOE_NEG: return depth > 0 && rational(g, y->a, depth - 1);
    case NOE_ADD:
    case NOE_SUB:
    case NOE_MUL:
    case NOE_DIV:
    case NOE_POW: return depth > 0 && rational(g, y->a, depth - 1) && rational(g, y->b, depth - 1);
    default: return false;
    }
}

int noe_singular_arguments_pulses(noe_graph *g, const noe_ex *root, int roots, noe_ex *found,
                                  int capacity)
{
    /* A denominator u counts by 4 log |u|, which changes by 1 where u does by 28 %. */
    enum { PERIODIC = 10 * NOE_PERIODIC_BELOW, DENOMINATOR = -10000, PER_LOG = 4, DEEPEST = 12 };
    collector x = { g, found, 0, capacity };
    const int n = noe_evaluate_reach(g, root, roots);
    for (int k = 0; k < n; k++) {
        const noe_node y = g->node[g->list[k]];
        const bool power = y.op == NOE_POW && g->node[y.b].op == NOE_NUM && g->node[y.b].value < 0;
        const noe_ex below = y.op == NOE_DIV ? y.b : y.a;
        if (y.has & (NOE_HAS_Q | NOE_HAS_V)) {
            if (y.op != NOE_DIV
                || (g->node[below].has & (NOE_HAS_Q | NOE_HAS_V | NOE_HAS_T)) != NOE_HAS_T)
                continue;
        } else if (!(y.has & NOE_HAS_T)) continue;
        const noe_ex u = where_flat(g, y);
        if (u != NOWHERE) add(&x, u);
        if (y.op == NOE_FN_sin || y.op == NOE_FN_cos)
            add(&x, noe_simplify_make(g, NOE_ADD, y.a, noe_graph_number(g, PERIODIC), 0));
        if ((y.op == NOE_DIV || power) && g->node[below].has & NOE_HAS_T
            && rational(g, below, DEEPEST)) {
            const noe_ex size = noe_simplify_make(g, NOE_FN_abs, below, 0, 0),
                         log = noe_simplify_make(g, NOE_FN_log, size, 0, 0);
            add(&x, noe_simplify_make(
                        g, NOE_ADD, noe_graph_number(g, DENOMINATOR),
                        noe_simplify_make(g, NOE_MUL, noe_graph_number(g, PER_LOG), log, 0), 0));
        }
    }
    return x.count;
}

/* sin(pi x), which is 0 where floor(x) jumps. */
static noe_ex at_integers(noe_graph *g, noe_ex x)
{
    return noe_simplify_make(
        g, NOE_FN_sin, noe_simplify_make(g, NOE_MUL, noe_graph_number(g, acosq(-1)), x, 0), 0, 0);
}

/* Adds u = argument - x_k for the points x_k of a table, between which it may bend. */
static void add_knots(collector *x, noe_node table)
{
    const int            item = noe_tabulated_item((int)x->g->node[table.b].value);
    const noe_tabulated *y = x->g->tables->item[item];
    for (int64_t k = 0; k <= y->pieces && y->pieces < KNOTS_MOST; k++) {
        const noe_ex knot = noe_graph_number(x->g, y->x[k]);
        add(x, noe_simplify_make(x->g, NOE_SUB, table.a, knot, 0));
    }
}

typedef enum { WITH_TABLES, WITH_CUTS } kinds_of_kinks;

/* The arguments of abs, sign, min, max, floor, mod and comparisons, and those of short tables less
 * their points, whose leaves are among `all` and of which there is one of `some`; or, for those of
 * tables, those of atan2. */
static int at_whose_sign(noe_graph *g, const noe_ex *root, int roots, noe_ex *found, int capacity,
                         uint8_t all, uint8_t some, kinds_of_kinks kinds)
{
    collector x = { g, found, 0, capacity };
    const int n = noe_evaluate_reach(g, root, roots);
    for (int k = 0; k < n; k++) {
        const noe_node y = g->node[g->list[k]];
        const bool pair = y.op == NOE_MIN || y.op == NOE_MAX || y.op == NOE_LT || y.op == NOE_LE;
        if (!(y.has & some) || y.has & (NOE_HAS_Q | NOE_HAS_V | NOE_HAS_T) & ~all) continue;
        if (y.op == NOE_TABLE && some != NOE_HAS_V && kinds == WITH_TABLES) add_knots(&x, y);
        if (y.op == NOE_ATAN2 && kinds == WITH_CUTS) add(&x, y.a);
        if (y.op == NOE_FN_floor) add(&x, at_integers(g, y.a));
        else if (y.op == NOE_MOD)
            add(&x, at_integers(g, noe_simplify_make(g, NOE_DIV, y.a, y.b, 0)));
        if (y.op == NOE_FN_abs || y.op == NOE_FN_sign) add(&x, y.a);
        else if (pair) add(&x, noe_simplify_make(g, NOE_SUB, y.a, y.b, 0));
    }
    return x.count;
}

int noe_singular_arguments_times(noe_graph *g, const noe_ex *root, int roots, noe_ex *found,
                                 int capacity)
{
    return at_whose_sign(g, root, roots, found, capacity, NOE_HAS_T, NOE_HAS_T, WITH_TABLES);
}

int noe_singular_arguments_cuts(noe_graph *g, const noe_ex *root, int roots, noe_ex *found,
                                int capacity)
{
    return at_whose_sign(g, root, roots, found, capacity, NOE_HAS_T, NOE_HAS_T, WITH_CUTS);
}

int noe_singular_arguments_places(noe_graph *g, const noe_ex *root, int roots, noe_ex *found,
                                  int capacity)
{
    return at_whose_sign(g, root, roots, found, capacity, NOE_HAS_T | NOE_HAS_Q, NOE_HAS_Q,
                         WITH_TABLES);
}

int noe_singular_arguments_kinks(noe_graph *g, const noe_ex *root, int roots, noe_ex *found,
                                 int capacity)
{
    return at_whose_sign(g, root, roots, found, capacity, NOE_HAS_Q | NOE_HAS_V | NOE_HAS_T,
                         NOE_HAS_V, WITH_TABLES);
}
