/* Explicit Runge-Kutta methods: the tableau, and the order from the order conditions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     sum_i b_i Phi_i(tree) = 1/gamma(tree) for every rooted tree up to the order
 *
 * Hairer, Lubich & Wanner, Geometric Numerical Integration, III.1: a tree is a root with
 * branches; cutting off one of them, tree = t o u with the orders adding up, and
 *
 *     Phi_i(t o u) = Phi_i(t) sum_l a_il Phi_l(u)
 *     gamma(t o u) = gamma(t)/|t| gamma(u) (|t| + |u|) */
#include "method/runge_kutta.h"

#include "method/number_list.h"

#include <string.h>

/* TREES: sum of the Catalan numbers 1, 1, 2, 5, 14, 42, 132, 429; a tree may occur repeatedly. */
enum { ORDERS = 8, TREES = 626 };

/* residual of a condition on the coefficients, which have 34 digits */
static const double CONDITION_RESIDUAL_MOST = 1e-30;

typedef struct {
    quad phi[NOE_MAX_STAGES], gamma; /* Phi_i(tree) of each stage; gamma(tree) */
} tree;

static tree joined(const noe_method *f, const tree *t, int t_size, const tree *u, int u_size)
{
    tree x = { .gamma = t->gamma / t_size * u->gamma * (t_size + u_size) };
    for (int i = 0; i < f->r; i++) {
        quad sum = 0;
        for (int l = 0; l < f->r; l++) sum += f->A[i][l] * u->phi[l];
        x.phi[i] = t->phi[i] * sum;
    }
    return x;
}

static bool fulfilled(const noe_method *f, const tree *t)
{
    quad sum = -1 / t->gamma;
    for (int i = 0; i < f->r; i++) sum += f->b[i] * t->phi[i];
    return fabsq(sum) < CONDITION_RESIDUAL_MOST;
}

int noe_runge_kutta_order(const noe_method *f)
{
    tree all[TREES] = { { .gamma = 1 } };
    int  first[ORDERS + 2] = { 0, 0, 1 }; /* index of the first tree of each size */
    for (int i = 0; i < f->r; i++) all[0].phi[i] = 1;
    if (!fulfilled(f, &all[0])) return 0;
    for (int size = 2; size <= ORDERS; size++) {
        int  n = first[size];
        bool ok = true;
        for (int a = 1; a < size; a++)
            for (int t = first[a]; t < first[a + 1]; t++)
                for (int u = first[size - a]; u < first[size - a + 1]; u++) {
                    all[n] = joined(f, &all[t], a, &all[u], size - a);
                    ok &= fulfilled(f, &all[n++]);
                }
        first[size + 1] = n;
        if (!ok) return size - 1;
    }
    return ORDERS;
}

/* True if the method is symplectic: b_i a_il + b_l a_li = b_i b_l (Sanz-Serna, BIT 28 (1988)
 * 877). */
static bool symplectic(const noe_method *f)
{
    for (int i = 0; i < f->r; i++)
        for (int l = 0; l < f->r; l++)
            if (fabsq(f->b[i] * f->A[i][l] + f->b[l] * f->A[l][i] - f->b[i] * f->b[l])
                > CONDITION_RESIDUAL_MOST)
                return false;
    return true;
}

/* True if the method is symmetric: a_{r+1-i,r+1-l} + a_il = b_l (Hairer, Lubich & Wanner, V.2). */
static bool symmetric(const noe_method *f)
{
    const int r = f->r;
    for (int i = 0; i < r; i++)
        for (int l = 0; l < r; l++)
            if (fabsq(f->A[r - 1 - i][r - 1 - l] + f->A[i][l] - f->b[l]) > CONDITION_RESIDUAL_MOST)
                return false;
    return true;
}

void noe_runge_kutta_fill(noe_method *f, const char *table)
{
    quad row[NOE_MAX_STAGES];
    f->s = 1; /* the one mode stored of a step is its mean velocity */
    f->w[0] = f->E[0][0] = 1;
    for (int i = 1; *table; i++) {
        const int n = noe_number_list_read(&table, row, NOE_MAX_STAGES);
        if (*table)
            for (int l = 0; l < n; l++) {
                f->A[i][l] = row[l];
                f->c[i] += row[l];
            }
        else memcpy(f->b, row, (size_t)n * sizeof *row), f->r = n;
    }
    f->order = noe_runge_kutta_order(f);
    f->symplectic = symplectic(f);
    f->symmetric = symmetric(f);
}
