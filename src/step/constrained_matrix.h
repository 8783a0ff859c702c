/* Newton's matrix of a constrained step, its factors and its solutions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     [ J - sum_k X(d_k) I(d_k)^T (y_k . G_q)   -X G^T ]
 *     [ h I G                                      0   ],
 * the derivatives of step/constrained_equations.h by the modes and the impulses.  Parts of a system
 * that nothing couples (tape/coupled_blocks.h) have matrices of their own: the unknowns of a part
 * stand together, and only the square of their rows and columns is read.  A body that nothing holds
 * has four, of its centre's coordinates and of its attitude. */
#ifndef NOE_STEP_CONSTRAINED_MATRIX_H
#define NOE_STEP_CONSTRAINED_MATRIX_H

#include "step/constrained_equations.h"

/* The parts of J; the rest of the matrix is 0. */
INLINE void place_jacobian(const work *w, const shape z, real *A)
{
    const constraint_solver *c = &w->constraint;
    const int                U = c->unknowns;
    for (int b = 0, first = 0; b < w->blocks; first = c->part_end[b++])
        for (int i = first; i < c->part_end[b]; i++)
            memset((void *)(A + i * U + first), 0, (size_t)(c->part_end[b] - first) * sizeof *A);
    for (int j = 0; j < z.n; j++)
        for (int l = 0; l < z.n; l++) {
            if (w->block_of[j] != w->block_of[l]) continue;
            const real *from = w->newton.J + j * z.s * z.N + l * z.s;
            real       *to = A + c->unknown_place[j * z.s] * U + c->unknown_place[l * z.s];
            for (int i = 0; i < z.s; i++)
                for (int k = 0; k < z.s; k++) to[i * U + k] = from[i * z.N + k];
        }
}

/* A = the matrix, from w->newton.J and the constraints at the nodes; row: see
 * scale_constraints(). */
INLINE void constrained_matrix(work *w, const shape z, real h, const real *row, real *A)
{
    const constraint_solver *c = &w->constraint;
    const int                s = z.s, m = c->count, N = z.N, U = c->unknowns;
    const int *const         place = c->unknown_place;
    place_jacobian(w, z, A);
    for (int k = 0; k <= s; k++) {
        const num *X = c->X + k * s, *I = c->I + k * s;
        for (const noe_constraint_entry *y = w->dyn->G_entry;
             y < w->dyn->G_entry + w->dyn->G_entries; y++) {
            const real G = constraint_row(w, s, y->output)[k];
            const int  a = y->constraint, j = place[y->row * s];
            for (int i = 0; i < s && k < s; i++)
                A[(j + i) * U + place[N + k * m + a]] = -(X[i] * G);
            if (!k) continue;
            const real g = h * row[(k - 1) * m + a] * G;
            for (int i = 0; i < s; i++) A[place[N + (k - 1) * m + a] * U + j + i] = I[i] * g;
        }
        for (int a = 0; a < m && k < s; a++) { /* an impulse of 0 where it is left out */
            const int i = place[N + k * m + a];
            A[i * U + i] = c->left_out[a];
        }
        if (!k || k == s) continue;
        for (const noe_constraint_entry *y = w->dyn->G_q_entry;
             y < w->dyn->G_q_entry + w->dyn->G_q_entries; y++) {
            const real x = h
                         * (constraint_row(w, s, y->output)[k] * c->impulse[k * m + y->constraint]);
            const int j = place[y->row * s], o = place[y->col * s];
            for (int i = 0; i < s; i++)
                for (int l = 0; l < s; l++) {
                    const real part = (X[i] * I[l]) * x;
                    A[(j + i) * U + o + l] -= part;
                    if (y->row != y->col) A[(o + i) * U + j + l] -= part;
                }
        }
    }
}

/* A [U][U] -> the factors of its parts; pivot [U]: their permutations of rows. */
static void factor_parts(const work *w, real *A, real *pivot)
{
    const constraint_solver *c = &w->constraint;
    const int                U = c->unknowns;
    for (int b = 0, first = 0; b < w->blocks; first = c->part_end[b++])
        lu_factor_part(A + first * U + first, U, pivot + first, c->part_end[b] - first);
}

/* c->d = A^-1 c->residual, with the factors in c->A. */
static void solve_parts(const work *w)
{
    const constraint_solver *c = &w->constraint;
    const int U = c->unknowns, *const place = c->unknown_place;
    if (w->blocks == 1) {
        lu_solve_fours(c->A, c->pivot, U, c->residual, c->d);
        return;
    }
    real *const right = c->by_parts, *const x = right + U;
    for (int u = 0; u < U; u++) right[place[u]] = c->residual[u];
    for (int b = 0, first = 0; b < w->blocks; first = c->part_end[b++])
        lu_solve_part(c->A + first * U + first, U, c->pivot + first, c->part_end[b] - first,
                      right + first, x + first);
    for (int u = 0; u < U; u++) c->d[u] = x[place[u]];
}

#endif
