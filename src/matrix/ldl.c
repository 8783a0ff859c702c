/* Sparse LDL^T factorization, row by row along the elimination tree.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     row k of L solves L_(k-1) D_(k-1) l = a_k
 *
 * T. A. Davis, Algorithm 849: A concise sparse Cholesky factorization package, ACM Trans. Math.
 * Softw. 31 (2005) 587; the order is CHOLMOD's approximate minimum degree.  There are no pivots:
 * the matrices are M + mu h^2 K with positive definite M, and with an inaccurate factor the
 * iteration that uses it does not contract.  One thread and no BLAS: the bits depend on the
 * matrix alone. */
#include "matrix/ldl.h"

#include "base/optional_library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef NOE_SUITESPARSE
#include <suitesparse/cholmod.h>
#endif
#include <unistd.h>

/* Part of the machine's memory that factors may take: the rest is for the state, other programs and
 * the system. */
static const double MEMORY_PART = 0.8;

typedef struct {
    /* re, im [entries] of L; Dr, Di [n] of 1/D; im and Di of complex factors only */
    double *re, *im, *Dr, *Di;
} factor;

struct noe_ldl {
    const noe_ldl_lower *A; /* pattern of the matrix */
    /* size; number of factors; how many of them, the first ones, are real */
    int n, factors, real;
    /* elimination tree, scratch [n]; row [entries] the row of each entry of L */
    int32_t *parent, *flag, *path, *row;
    int64_t *start, *end; /* [n] range of the entries of each column of L */
    /* y: [n] scratch, real and imaginary; work: multiplications of a factorization */
    double *y[2], work;
    factor *f; /* [factors] */
};

/* The given order: coordinates of chains and lattices are numbered along them. */
static bool given_order(const noe_ldl_lower *A, int *order)
{
    for (int i = 0; i < A->n; i++) order[i] = i;
    return true;
}

#ifndef NOE_SUITESPARSE
bool noe_ldl_order(const noe_ldl_lower *A, int *order) { return given_order(A, order); }
#else
bool noe_ldl_order(const noe_ldl_lower *A, int *order)
{
    if (!noe_optional_library_has(NOE_OF_SUITESPARSE)) return given_order(A, order);
    const size_t   n = (size_t)A->n, entries = (size_t)A->start[A->n];
    cholmod_common c;
    cholmod_l_start(&c);
    c.print = 0;
    /* Row i of the lower triangle is column i of the upper one. */
    cholmod_sparse   *U = cholmod_l_allocate_sparse(n, n, entries, true, true, 1, CHOLMOD_PATTERN,
                                                    &c);
    SuiteSparse_long *to = noe_status_alloc(n + 1, sizeof *to);
    bool              ok = U && to;
    if (ok) {
        for (size_t i = 0; i <= n; i++) ((SuiteSparse_long *)U->p)[i] = A->start[i];
        for (size_t k = 0; k < entries; k++) ((SuiteSparse_long *)U->i)[k] = A->col[k];
        ok = cholmod_l_amd(U, NULL, 0, to, &c);
    }
    for (size_t i = 0; ok && i < n; i++) order[i] = (int)to[i];
    free(to);
    cholmod_l_free_sparse(&U, &c);
    cholmod_l_finish(&c);
    if (!ok) noe_status_fail(NOE_NO_MEMORY, "out of memory: the order of %d equations", A->n);
    return ok;
}
#endif

/* The elimination tree, and the number of entries of every column of L, as long as there are at
 * most `most` entries in all; returns that number. */
static int64_t tree(const noe_ldl_lower *A, int32_t *parent, int32_t *flag, int64_t *count,
                    int64_t most)
{
    int64_t sum = 0;
    for (int k = 0; k < A->n && sum <= most; k++) {
        parent[k] = -1, flag[k] = k, count[k] = 0;
        for (int64_t e = A->start[k]; e < A->start[k + 1]; e++)
            for (int i = A->col[e]; flag[i] != k; i = parent[i]) {
                if (parent[i] < 0) parent[i] = k;
                count[i]++, sum++;
                flag[i] = k;
            }
    }
    return sum;
}

bool noe_ldl_keeps(const noe_ldl_lower *A, int64_t most, bool *keeps)
{
    const size_t n = (size_t)A->n;
    int32_t     *parent = noe_status_alloc(n + 1, sizeof *parent),
            *flag = noe_status_alloc(n + 1, sizeof *flag);
    int64_t   *count = noe_status_alloc(n + 1, sizeof *count);
    const bool ok = parent && flag && count;
    *keeps = ok && tree(A, parent, flag, count, most) <= most;
    free(parent), free(flag), free(count);
    return ok;
}

static bool fits(const noe_ldl *x)
{
    const double want = (double)x->start[x->n] * (4.0 + 8.0 * (2 * x->factors - x->real)) / 1e9;
    const double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1e9;
    if (want < MEMORY_PART * have) return true;
    noe_status_fail(
        NOE_NO_MEMORY,
        "the equations of a step, %d of them, need about %.3g GB of memory, this machine has %.3g",
        x->n, want, have);
    return false;
}

noe_ldl *noe_ldl_new(const noe_ldl_lower *A, int factors, int real)
{
    const size_t n = (size_t)A->n;
    noe_ldl     *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->A = A, x->n = A->n, x->factors = factors, x->real = real;
    x->f = noe_status_alloc((size_t)factors + 1, sizeof *x->f);
    x->parent = noe_status_alloc(n, sizeof *x->parent);
    x->flag = noe_status_alloc(n, sizeof *x->flag);
    x->path = noe_status_alloc(n, sizeof *x->path);
    x->start = noe_status_alloc(n + 1, sizeof *x->start);
    x->end = noe_status_alloc(n, sizeof *x->end);
    x->y[0] = noe_status_alloc(n, sizeof *x->y[0]), x->y[1] = noe_status_alloc(n, sizeof *x->y[1]);
    bool ok = x->f && x->parent && x->flag && x->path && x->start && x->end && x->y[0] && x->y[1];
    if (ok) tree(A, x->parent, x->flag, x->end, INT64_MAX);
    for (int k = 0; ok && k < x->n; k++) {
        const double count = (double)x->end[k];
        x->start[k + 1] = x->start[k] + x->end[k];
        x->work += count * (count + 3) / 2;
    }
    const size_t entries = ok ? (size_t)x->start[n] + 1 : 1;
    ok = ok && fits(x);
    ok = ok && (x->row = noe_status_alloc(entries, sizeof *x->row));
    for (int k = 0; ok && k < factors; k++) {
        factor *f = &x->f[k];
        f->re = noe_status_alloc(entries, sizeof *f->re);
        f->Dr = noe_status_alloc(n, sizeof *f->Dr);
        if (k >= real) {
            f->im = noe_status_alloc(entries, sizeof *f->im);
            f->Di = noe_status_alloc(n, sizeof *f->Di);
        }
        ok = f->re && f->Dr && (k < real || (f->im && f->Di));
    }
    if (ok) return x;
    noe_ldl_free(x);
    return NULL;
}

void noe_ldl_free(noe_ldl *x)
{
    if (!x) return;
    for (int k = 0; x->f && k < x->factors; k++)
        free(x->f[k].re), free(x->f[k].im), free(x->f[k].Dr), free(x->f[k].Di);
    free(x->f);
    free(x->parent), free(x->flag), free(x->path), free(x->start), free(x->end), free(x->row);
    free(x->y[0]), free(x->y[1]);
    free(x);
}

/* The columns in which row k of L has entries, each before the columns that it changes:
 * path[result ..]. */
static int paths(noe_ldl *x, int k, const double *re, const double *im)
{
    int top = x->n;
    x->flag[k] = k;
    for (int64_t e = x->A->start[k]; e < x->A->start[k + 1]; e++) {
        int length = 0;
        x->y[0][x->A->col[e]] += re[e];
        if (im) x->y[1][x->A->col[e]] += im[e];
        for (int i = x->A->col[e]; x->flag[i] != k; i = x->parent[i]) {
            x->path[length++] = i;
            x->flag[i] = k;
        }
        while (length) x->path[--top] = x->path[--length];
    }
    return top;
}

static double row_real(noe_ldl *x, const factor *f, int k, int top)
{
    double *y = x->y[0], d = y[k];
    y[k] = 0;
    for (; top < x->n; top++) {
        const int     i = x->path[top];
        const double  yi = y[i], l = yi * f->Dr[i];
        const int64_t end = x->end[i];
        y[i] = 0;
        for (int64_t e = x->start[i]; e < end; e++) y[x->row[e]] -= f->re[e] * yi;
        d -= l * yi;
        x->row[end] = k, f->re[end] = l;
        x->end[i]++;
    }
    f->Dr[k] = 1 / d;
    return f->Dr[k];
}

static double row_complex(noe_ldl *x, const factor *f, int k, int top)
{
    double *y = x->y[0], *z = x->y[1], d = y[k], di = z[k];
    y[k] = z[k] = 0;
    for (; top < x->n; top++) {
        const int    i = x->path[top];
        const double yi = y[i], zi = z[i], l = yi * f->Dr[i] - zi * f->Di[i],
                     m = yi * f->Di[i] + zi * f->Dr[i];
        const int64_t end = x->end[i];
        y[i] = z[i] = 0;
        for (int64_t e = x->start[i]; e < end; e++) {
            y[x->row[e]] -= f->re[e] * yi - f->im[e] * zi;
            z[x->row[e]] -= f->re[e] * zi + f->im[e] * yi;
        }
        d -= l * yi - m * zi, di -= l * zi + m * yi;
        x->row[end] = k, f->re[end] = l, f->im[end] = m;
        x->end[i]++;
    }
    const double size = d * d + di * di;
    f->Dr[k] = d / size, f->Di[k] = -di / size;
    return f->Dr[k] + f->Di[k];
}

bool noe_ldl_factor(noe_ldl *x, int which, const double *re, const double *im)
{
    const factor *f = &x->f[which];
    double        poison = 0;
    memset(x->y[0], 0, (size_t)x->n * sizeof *x->y[0]);
    memset(x->y[1], 0, (size_t)x->n * sizeof *x->y[1]);
    for (int k = 0; k < x->n; k++) x->end[k] = x->start[k];
    for (int k = 0; k < x->n; k++) {
        const int    top = paths(x, k, re, im);
        const double d = im ? row_complex(x, f, k, top) : row_real(x, f, k, top);
        poison += d - d;
    }
    return poison == 0;
}

static void solve_real(const noe_ldl *x, const factor *f, double *b)
{
    for (int j = 0; j < x->n; j++)
        for (int64_t e = x->start[j]; e < x->start[j + 1]; e++) b[x->row[e]] -= f->re[e] * b[j];
    for (int j = 0; j < x->n; j++) b[j] *= f->Dr[j];
    for (int j = x->n; j-- > 0;) {
        double sum = b[j];
        for (int64_t e = x->start[j]; e < x->start[j + 1]; e++) sum -= f->re[e] * b[x->row[e]];
        b[j] = sum;
    }
}

void noe_ldl_solve(const noe_ldl *x, int which, double *b, double *c)
{
    const factor *f = &x->f[which];
    if (which < x->real) {
        solve_real(x, f, b);
        return;
    }
    for (int j = 0; j < x->n; j++)
        for (int64_t e = x->start[j]; e < x->start[j + 1]; e++) {
            const int i = x->row[e];
            b[i] -= f->re[e] * b[j] - f->im[e] * c[j];
            c[i] -= f->re[e] * c[j] + f->im[e] * b[j];
        }
    for (int j = 0; j < x->n; j++) {
        const double r = b[j];
        b[j] = f->Dr[j] * r - f->Di[j] * c[j];
        c[j] = f->Dr[j] * c[j] + f->Di[j] * r;
    }
    for (int j = x->n; j-- > 0;) {
        double r = b[j], s = c[j];
        for (int64_t e = x->start[j]; e < x->start[j + 1]; e++) {
            const int i = x->row[e];
            r -= f->re[e] * b[i] - f->im[e] * c[i];
            s -= f->re[e] * c[i] + f->im[e] * b[i];
        }
        b[j] = r, c[j] = s;
    }
}

int64_t noe_ldl_entries(const noe_ldl *x) { return x->start[x->n]; }
double  noe_ldl_work(const noe_ldl *x) { return x->work; }

int noe_ldl_negative(const noe_ldl *x, int which)
{
    int count = 0;
    for (int k = 0; k < x->n; k++) count += !(x->f[which].Dr[k] > 0);
    return count;
}
