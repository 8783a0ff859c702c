/* Frequencies of a motion with constraints, frozen at a state.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With the multipliers of that state the variation of L + lambda . g gives
 * A dq'' + B dq' + (C - sum_a lambda_a d2g_a/dq2) dq = G' dlambda,  G dq = 0;  dq = Z y. */
#include "inspect/tangent_pencil.h"

#include "base/status.h"
#include "tape/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Squared length below which what is left of a unit vector is rounding. */
static const double ROUNDING_SQUARE = 1e-20;
/* A pivot of the scaled G M^-1 G' below this is 0: constraints depend on each other. */
static const double DEPENDENT = 1e-12;

/* Takes out of z [n] its parts along `count` orthonormal rows. */
static void orthogonalize(int n, int count, const quad *rows, quad *z)
{
    for (int twice = 0; twice < 2; twice++)
        for (int k = 0; k < count; k++) {
            quad part = 0;
            for (int j = 0; j < n; j++) part += rows[k * n + j] * z[j];
            for (int j = 0; j < n; j++) z[j] -= part * rows[k * n + j];
        }
}

/* Appends z / |z| to the rows unless it is rounding of a vector of length `size`. */
static void append(int n, int *count, quad *rows, const quad *z, quad size)
{
    quad length = 0;
    for (int j = 0; j < n; j++) length += z[j] * z[j];
    if (!(length > (quad)ROUNDING_SQUARE * size * size)) return;
    for (int j = 0; j < n; j++) rows[*count * n + j] = z[j] / sqrtq(length);
    ++*count;
}

/* rows [n][n]: first a basis of the rows of G, then one of the vectors that are orthogonal to them;
 * returns the number of the first.  Unit vectors are taken in the order in which the most is left
 * of them. */
static int basis(const noe_constraint_point *x, quad *rows, quad *z)
{
    const int n = x->n;
    int       count = 0;
    for (int a = 0; a < x->m; a++) {
        memcpy(z, x->G + a * n, (size_t)n * sizeof *z);
        orthogonalize(n, count, rows, z);
        append(n, &count, rows, z, x->size[a]);
    }
    const int normal = count;
    while (count < n) {
        quad most = -1;
        int  best = 0;
        for (int i = 0; i < n; i++) {
            quad left = 1;
            for (int k = 0; k < count; k++) left -= rows[k * n + i] * rows[k * n + i];
            if (left > most) most = left, best = i;
        }
        memset(z, 0, (size_t)n * sizeof *z), z[best] = 1;
        orthogonalize(n, count, rows, z);
        const int before = count;
        append(n, &count, rows, z, 1);
        if (count == before) break;
    }
    return normal;
}

/* to [k][k] = Z A Z' for the rows Z [k][n]; half [k][n]: scratch. */
static void project(int n, int k, const quad *Z, const quad *A, quad *half, quad *to)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++) {
            half[i * n + j] = 0;
            for (int l = 0; l < n; l++) half[i * n + j] += Z[i * n + l] * A[l * n + j];
        }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            to[i * k + j] = 0;
            for (int l = 0; l < n; l++) to[i * k + j] += half[i * n + l] * Z[j * n + l];
        }
}

bool noe_tangent_pencil_find(noe_constraint_point *x, quad t, const quad *q, const quad *v,
                             const quad *A, const quad *B, const quad *C,
                             noe_quadratic_spectrum *to)
{
    const int    n = x->n;
    const size_t nn = (size_t)n * (size_t)n;
    quad        *rows = noe_status_alloc(6 * nn + (size_t)n, sizeof *rows);
    if (!rows) return false;
    quad *half = rows + nn, *stiff = half + nn, *a = stiff + nn, *b = a + nn, *c = b + nn;
    quad  lambda[x->m + 1];
    noe_constraint_point_at(x, t, q, v, DEPENDENT);
    noe_constraint_point_multipliers(x, lambda);
    noe_constraint_point_outputs(x);
    memcpy(stiff, C, nn * sizeof *stiff);
    for (const noe_constraint_entry *y = x->d->G_q_entry; y < x->d->G_q_entry + x->d->G_q_entries;
         y++) {
        const quad part = lambda[y->constraint] * x->out[y->output];
        stiff[y->row * n + y->col] -= part;
        if (y->row != y->col) stiff[y->col * n + y->row] -= part;
    }
    const int   normal = basis(x, rows, c + nn), k = n - normal;
    const quad *Z = rows + normal * n;
    project(n, k, Z, A, half, a), project(n, k, Z, B, half, b), project(n, k, Z, stiff, half, c);
    const bool ok = k == 0 || noe_quadratic_eigen_find(k, a, b, c, to);
    if (k == 0) *to = (noe_quadratic_spectrum){ 0 };
    free(rows);
    return ok;
}

void noe_tangent_pencil_force(noe_constraint_point *x, quad t, const quad *q, const quad *v,
                              quad *force, quad *size)
{
    const int n = x->n;
    quad      lambda[x->m + 1];
    noe_constraint_point_at(x, t, q, v, DEPENDENT);
    noe_constraint_point_multipliers(x, lambda);
    for (int j = 0; j < n; j++) {
        force[j] = size[j] = 0;
        for (int a = 0; a < x->m; a++) {
            const quad term = x->G[a * n + j] * lambda[a];
            force[j] += term, size[j] += fabsq(term);
        }
    }
}
