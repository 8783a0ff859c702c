/* Solves N x = y by expressions: x = adj(N) y/det N of few rows, elimination of many.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of N at a state choose the order of the pivots.  A pivot may vanish at another state where
 * N is regular; with cofactors none can, so that they are used where they are short. */
#include "expr/symbolic_solve.h"

#include <string.h>

enum { COFACTORS_MOST = 3 };
/* Pivots of the scaled entries, which are 1 at most, that are 0.  In systems/ all are 1. */
static const quad DEPENDENT = (quad)1e-22;

static noe_ex make(const noe_symbolic_matrix *a, noe_op op, noe_ex x, noe_ex y)
{
    return noe_simplify_make(a->g, op, x, y, 0);
}

static noe_ex *take(const noe_symbolic_matrix *a, int n)
{
    return noe_arena_need(a->arena, a->g->stop, (size_t)n, sizeof(noe_ex));
}

/* Divides rows and columns by the roots of their largest entries: units do not matter. */
static int scale(int m, quad *N)
{
    quad root[m];
    for (int i = 0; i < m; i++) {
        quad most = 0;
        for (int j = 0; j < m; j++) most = fmaxq(most, fabsq(N[i * m + j]));
        if (most == 0) return i;
        root[i] = sqrtq(most);
    }
    for (int i = 0; i < m * m; i++) N[i] /= root[i / m] * root[i % m];
    return -1;
}

int noe_symbolic_solve_pivots(noe_symbolic_matrix *a, quad *N)
{
    const int m = a->m, zero = scale(m, N);
    bool      row_used[m], col_used[m];
    if (zero >= 0) return zero;
    memset(row_used, 0, sizeof row_used), memset(col_used, 0, sizeof col_used);
    for (int k = 0; k < m; k++) {
        int  r = -1, c = -1;
        quad most = -1;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m && !row_used[i]; j++)
                if (!col_used[j] && fabsq(N[i * m + j]) > most) {
                    r = i;
                    c = j;
                    most = fabsq(N[i * m + j]);
                }
        if (most <= DEPENDENT) return r;
        a->pivot[2 * k] = r, a->pivot[2 * k + 1] = c;
        row_used[r] = col_used[c] = true;
        for (int i = 0; i < m; i++) {
            const quad factor = row_used[i] ? 0 : N[i * m + c] / N[r * m + c];
            for (int j = 0; j < m && factor != 0; j++) N[i * m + j] -= factor * N[r * m + j];
        }
    }
    return -1;
}

/* x where it is c (y/c); 1/y where it is c (1/(c y)), c a number. */
static noe_ex tidy(const noe_symbolic_matrix *a, noe_ex x)
{
    const noe_node *node = a->g->node, y = node[x], of = node[y.b], under = node[of.b];
    if (y.op != NOE_MUL || node[y.a].op != NOE_NUM || of.op != NOE_DIV) return x;
    if (of.b == y.a) return of.a;
    if (under.op == NOE_MUL && under.a == y.a) return make(a, NOE_DIV, of.a, under.b);
    return x;
}

/* 1/x, of 1/y simply y. */
static noe_ex reciprocal(const noe_symbolic_matrix *a, noe_ex x)
{
    const noe_node y = a->g->node[x];
    if (y.op == NOE_DIV && noe_graph_is(a->g, y.a, 1)) return y.b;
    return make(a, NOE_DIV, noe_graph_number(a->g, 1), x);
}

static bool diagonal(const noe_symbolic_matrix *a)
{
    const noe_ex zero = noe_graph_number(a->g, 0);
    for (int i = 0; i < a->m * a->m; i++)
        if (i % (a->m + 1) && a->entry[i] != zero) return false;
    return true;
}

/* The cofactor of entry (i, j); of one row it is 1. */
static noe_ex cofactor(const noe_symbolic_matrix *a, int i, int j)
{
    const noe_ex *N = a->entry;
    if (a->m == 1) return noe_graph_number(a->g, 1);
    if (a->m == 2) {
        const noe_ex other = N[(1 - i) * 2 + 1 - j];
        return i == j ? other : make(a, NOE_NEG, other, 0);
    }
    const int r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return make(a, NOE_SUB, make(a, NOE_MUL, N[r * 3 + c], N[s * 3 + d]),
                make(a, NOE_MUL, N[r * 3 + d], N[s * 3 + c]));
}

static noe_ex determinant(const noe_symbolic_matrix *a)
{
    noe_ex sum = noe_graph_number(a->g, 0);
    for (int j = 0; j < a->m; j++)
        sum = make(a, NOE_ADD, sum, make(a, NOE_MUL, a->entry[j], cofactor(a, 0, j)));
    return sum;
}

static void by_cofactors(const noe_symbolic_matrix *a, const noe_ex *y, noe_ex *x)
{
    const noe_ex over = reciprocal(a, determinant(a));
    for (int i = 0; i < a->m; i++) {
        noe_ex sum = noe_graph_number(a->g, 0);
        for (int j = 0; j < a->m; j++)
            sum = make(a, NOE_ADD, sum, make(a, NOE_MUL, cofactor(a, i, j), y[j]));
        x[i] = make(a, NOE_MUL, over, sum);
    }
}

void noe_symbolic_solve_vector(const noe_symbolic_matrix *a, const noe_ex *y, noe_ex *x)
{
    const int m = a->m;
    if (diagonal(a)) {
        for (int i = 0; i < m; i++)
            x[i] = make(a, NOE_MUL, reciprocal(a, tidy(a, a->entry[i * (m + 1)])), y[i]);
        return;
    }
    if (m <= COFACTORS_MOST) {
        by_cofactors(a, y, x);
        return;
    }
    const noe_ex zero = noe_graph_number(a->g, 0);
    noe_ex      *N = take(a, m * m), *right = take(a, m);
    memcpy(N, a->entry, (size_t)(m * m) * sizeof *N);
    memcpy(right, y, (size_t)m * sizeof *right);
    for (int k = 0; k < m; k++) {
        const int r = a->pivot[2 * k], c = a->pivot[2 * k + 1];
        for (int l = k + 1; l < m; l++) {
            const int i = a->pivot[2 * l];
            if (N[i * m + c] == zero) continue;
            const noe_ex factor = make(a, NOE_DIV, N[i * m + c], N[r * m + c]);
            for (int o = k + 1; o < m; o++) {
                const int j = a->pivot[2 * o + 1];
                N[i * m + j] = make(a, NOE_SUB, N[i * m + j],
                                    make(a, NOE_MUL, factor, N[r * m + j]));
            }
            right[i] = make(a, NOE_SUB, right[i], make(a, NOE_MUL, factor, right[r]));
        }
    }
    for (int k = m; k-- > 0;) {
        const int r = a->pivot[2 * k], c = a->pivot[2 * k + 1];
        noe_ex    rest = right[r];
        for (int l = k + 1; l < m; l++) {
            const int j = a->pivot[2 * l + 1];
            rest = make(a, NOE_SUB, rest, make(a, NOE_MUL, N[r * m + j], x[j]));
        }
        x[c] = make(a, NOE_DIV, rest, N[r * m + c]);
    }
}

/* 1/(2 x) */
static noe_ex half_reciprocal(const noe_symbolic_matrix *a, noe_ex x)
{
    const noe_ex y = tidy(a, x), one = noe_graph_number(a->g, 1), two = noe_graph_number(a->g, 2),
                 half = noe_graph_number(a->g, (quad)1 / 2);
    if (a->g->node[y].op == NOE_DIV && noe_graph_is(a->g, a->g->node[y].a, 1))
        return make(a, NOE_MUL, half, a->g->node[y].b);
    return make(a, NOE_DIV, one, make(a, NOE_MUL, two, y));
}

noe_ex noe_symbolic_solve_half_square(const noe_symbolic_matrix *a, const noe_ex *y)
{
    const noe_ex half = noe_graph_number(a->g, (quad)1 / 2), two = noe_graph_number(a->g, 2);
    noe_ex       sum = noe_graph_number(a->g, 0);
    if (diagonal(a)) {
        for (int i = 0; i < a->m; i++)
            sum = make(a, NOE_ADD, sum,
                       make(a, NOE_MUL, half_reciprocal(a, a->entry[i * (a->m + 1)]),
                            make(a, NOE_POW, y[i], two)));
        return sum;
    }
    if (a->m > COFACTORS_MOST) {
        noe_ex *x = take(a, a->m);
        noe_symbolic_solve_vector(a, y, x);
        for (int i = 0; i < a->m; i++) sum = make(a, NOE_ADD, sum, make(a, NOE_MUL, y[i], x[i]));
        return make(a, NOE_MUL, half, sum);
    }
    for (int i = 0; i < a->m; i++)
        for (int j = i; j < a->m; j++) {
            const noe_ex weight = make(a, NOE_MUL, i == j ? half : noe_graph_number(a->g, 1),
                                       cofactor(a, i, j)),
                         product = i == j ? make(a, NOE_POW, y[i], two)
                                          : make(a, NOE_MUL, y[i], y[j]);
            sum = make(a, NOE_ADD, sum, make(a, NOE_MUL, weight, product));
        }
    return make(a, NOE_DIV, sum, determinant(a));
}
