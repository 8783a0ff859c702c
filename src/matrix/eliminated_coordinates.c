/* Which coordinates static condensation eliminates, and how these follow from the others.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     W = N^T K,   W_a q_a + W_b q_b = N^T f   ->   q_b = S q_a + G f
 *
 * The coordinates b are the first columns of a QR factorization of W with column pivoting (G. H.
 * Golub, C. F. Van Loan, Matrix Computations, 5.4). */
#include "matrix/eliminated_coordinates.h"

#include "base/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factor by which columns of W, scaled to the stiffness of their coordinates, are favoured where
 * the coordinate has no mass at all: above the ratio of two stiffnesses of one null vector. */
static const double FAVOURED = 1e6;
/* Last diagonal entry of the triangle of W over the first, up to which a direction has no
 * stiffness: rounding leaves 1e-16 times the condition of W.  Tests of the room: 0 or at least
 * 0.1. */
static const double NO_STIFFNESS = 1e-11;

/* For messages: the coordinate with the largest entry in the null vector whose row of W is the
 * smallest. */
static int loose(const double *W, const double *N, int m, int n)
{
    int    weak = 0, most = 0;
    double least = INFINITY;
    for (int c = 0; c < m; c++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += fabs(W[c + (size_t)j * (size_t)m]);
        if (sum < least) least = sum, weak = c;
    }
    N += (size_t)weak * (size_t)n;
    for (int i = 0; i < n; i++)
        if (fabs(N[i]) > fabs(N[most])) most = i;
    return most;
}

static noe_status no_solution(int m)
{
    return noe_status_fail(NOE_SINGULAR,
                           "the stiffness of %d directions without mass cannot be factorised", m);
}

/* W = N^T K, [m] rows, column by column. */
static void stiffness_of_null_vectors(const noe_sparse *K, const double *N, int m, double *W)
{
    const size_t n = (size_t)K->n;
    for (int c = 0; c < m; c++)
        for (int i = 0; i < K->n; i++)
            for (int64_t k = K->start[i]; k < K->start[i + 1]; k++)
                W[c + (size_t)K->col[k] * (size_t)m] += N[(size_t)c * n + (size_t)i] * K->value[k];
}

/* A = W with columns in units that do not depend on those of the coordinates; coordinates without
 * any mass come first. */
static void scale_columns(const noe_sparse *K, const double *N, const double *W, int m, bool axes,
                          double *A)
{
    for (int j = 0; j < K->n; j++) {
        bool alone = false;
        for (int c = 0; c < m && axes; c++) alone |= N[(size_t)c * (size_t)K->n + (size_t)j] != 0;
        const double size = sqrt(fabs(noe_sparse_at(K, j, j))),
                     by = (alone ? FAVOURED : 1) / (size > 0 ? size : 1);
        for (int c = 0; c < m; c++)
            A[c + (size_t)j * (size_t)m] = by * W[c + (size_t)j * (size_t)m];
    }
}

/* pivot [n]: the columns of W in the order of a QR factorization with column pivoting, from 1 on;
 * the first m are to be eliminated. */
static noe_status choose_eliminated(const noe_sparse *K, const double *N, const double *W, int m,
                                    bool axes, int *pivot)
{
    const int n = K->n;
    double   *A = noe_status_alloc((size_t)m * (size_t)n, sizeof *A),
           *tau = noe_status_alloc((size_t)m, sizeof *tau), *work = NULL, need;
    int        info, lwork = -1;
    noe_status s = NOE_NO_MEMORY;
    if (A && tau) {
        scale_columns(K, N, W, m, axes, A);
        dgeqp3_(&m, &n, A, &m, pivot, tau, &need, &lwork, &info);
        lwork = (int)need;
        work = noe_status_alloc((size_t)lwork, sizeof *work);
    }
    if (work) {
        dgeqp3_(&m, &n, A, &m, pivot, tau, work, &lwork, &info);
        s = info ? no_solution(m) : NOE_OK;
        if (!s && fabs(A[(m - 1) + (size_t)(m - 1) * (size_t)m]) <= NO_STIFFNESS * fabs(A[0]))
            s = noe_status_fail(NOE_SINGULAR,
                                "a direction has neither mass nor stiffness (about coordinate %d): "
                                "its motion is not determined",
                                loose(W, N, m, n) + 1);
    }
    free(A);
    free(tau);
    free(work);
    return s;
}

/* Divides the coordinates into those eliminated, the first m of pivot [n], and those kept. */
static void divide_coordinates(const int *pivot, int m, noe_condensation *x)
{
    for (int i = 0, a = 0, b = 0; i < x->n; i++) {
        bool gone = false;
        for (int k = 0; k < m; k++) gone |= pivot[k] - 1 == i;
        if (gone) x->eliminated_index[b++] = i;
        else x->keep[a++] = i;
    }
}

/* Solves W_b S = -W_a and W_b G = N^T: how the eliminated coordinates b follow from the kept ones a
 * and from loads.  pivot [m]: scratch. */
static noe_status express_eliminated(const double *W, const double *N, int m, int *pivot,
                                     noe_condensation *x)
{
    const int n = x->n, columns = x->kept + n;
    int       info;
    double   *B = noe_status_alloc((size_t)m * (size_t)m, sizeof *B),
           *right = noe_status_alloc((size_t)m * (size_t)columns, sizeof *right);
    noe_status s = NOE_NO_MEMORY;
    if (B && right) {
        for (int b = 0; b < m; b++)
            memcpy(B + (size_t)b * (size_t)m, W + (size_t)x->eliminated_index[b] * (size_t)m,
                   (size_t)m * sizeof *B);
        for (int a = 0; a < x->kept; a++)
            for (int c = 0; c < m; c++)
                right[c + (size_t)a * (size_t)m] = -W[c + (size_t)x->keep[a] * (size_t)m];
        for (int i = 0; i < n; i++)
            for (int c = 0; c < m; c++)
                right[c + (size_t)(x->kept + i) * (size_t)m] = N[(size_t)c * (size_t)n + (size_t)i];
        dgesv_(&m, &columns, B, &m, pivot, right, &m, &info);
        s = info ? no_solution(m) : NOE_OK;
        for (int c = 0; c < m; c++) {
            for (int a = 0; a < x->kept; a++)
                x->S[(size_t)c * (size_t)x->kept + (size_t)a] = right[c + (size_t)a * (size_t)m];
            for (int i = 0; i < n; i++)
                x->G[(size_t)c * (size_t)n + (size_t)i] =
                    right[c + (size_t)(x->kept + i) * (size_t)m];
        }
    }
    free(B);
    free(right);
    return s;
}

noe_status noe_eliminated_coordinates_find(const noe_sparse *K, const double *N, int m,
                                           noe_condensation *x)
{
    double    *W = noe_status_alloc((size_t)m * (size_t)x->n, sizeof *W);
    int       *pivot = noe_status_alloc((size_t)x->n, sizeof *pivot);
    noe_status s = NOE_NO_MEMORY;
    x->keep = noe_status_alloc((size_t)x->kept + 1, sizeof *x->keep);
    x->eliminated_index = noe_status_alloc((size_t)m, sizeof *x->eliminated_index);
    x->S = noe_status_alloc((size_t)m * (size_t)x->kept + 1, sizeof *x->S);
    x->G = noe_status_alloc((size_t)m * (size_t)x->n, sizeof *x->G);
    if (W && pivot && x->keep && x->eliminated_index && x->S && x->G) {
        stiffness_of_null_vectors(K, N, m, W);
        s = choose_eliminated(K, N, W, m, x->axes, pivot);
    }
    if (!s) {
        divide_coordinates(pivot, m, x);
        s = express_eliminated(W, N, m, pivot, x);
    }
    free(W);
    free(pivot);
    return s;
}
