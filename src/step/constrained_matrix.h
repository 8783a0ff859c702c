/* Newton's matrix of a constrained step, its factors and its solutions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     [ J - h sum_k X(d_k) I(d_k)^T (y_k . G_q)   -X G^T ]
 *     [ h I G                                        0   ],
 * the derivatives of step/constrained_equations.h by the modes and the impulses.  The rows of g are
 * multiplied by `row` (scale_constraints()); of a constraint that is left out row and column are 0
 * but for a 1 on the diagonal.
 * Parts of a system that nothing couples, the sets of w->block_of (tape/coupled_blocks.h), have
 * matrices of their own, one after another: part b is a square, row-major, or a band
 * (step/pivoted_band.h), and A[row_at[u] + column[v]] is the entry of unknowns u and v of one part.
 * In a square modes come first, then impulses, in a band they are mixed; engine/elimination_setup.h
 * decides these places.  A body that nothing holds has four parts, of its centre's coordinates and
 * of its attitude. */
#ifndef NOE_STEP_CONSTRAINED_MATRIX_H
#define NOE_STEP_CONSTRAINED_MATRIX_H

#include "step/constrained_equations.h"
#include "step/pivoted_band.h"

/* Adds the constraints at the nodes to A, which has the parts of J; row: see
 * scale_constraints(). */
INLINE void add_constraints(work *w, const shape z, real h, const real *row, real *A)
{
    const constraint_solver *c = &w->constraint;
    const int                s = z.s, m = c->count, N = z.N;
    const size_t *const      at = c->row_at;
    const int *const         column = c->column;
    for (int k = 0; k <= s; k++) {
        const num *X = c->X + k * s, *I = c->I + k * s;
        for (const noe_constraint_entry *y = w->dyn->G_entry;
             y < w->dyn->G_entry + w->dyn->G_entries; y++) {
            const real G = constraint_row(w, y->output)[k];
            const int  a = y->constraint, j = y->row * s;
            for (int i = 0; i < s && k < s; i++) A[at[j + i] + column[N + k * m + a]] = -(X[i] * G);
            if (!k) continue;
            const real g = h * row[(k - 1) * m + a] * G;
            real      *to = A + at[N + (k - 1) * m + a] + column[j];
            for (int i = 0; i < s; i++) to[i] = I[i] * g;
        }
        for (int a = 0; a < m && k < s; a++) { /* an impulse of 0 where it is left out */
            const int i = N + k * m + a;
            A[at[i] + column[i]] = c->left_out[a];
        }
        if (!k || k == s) continue;
        for (const noe_constraint_entry *y = w->dyn->G_q_entry;
             y < w->dyn->G_q_entry + w->dyn->G_q_entries; y++) {
            const real x = h
                         * (constraint_row(w, y->output)[k] * c->impulse[k * m + y->constraint]);
            const int j = y->row * s, l = y->col * s;
            for (int i = 0; i < s; i++)
                for (int o = 0; o < s; o++) {
                    const real part = (X[i] * I[o]) * x;
                    A[at[j + i] + column[l + o]] -= part;
                    if (y->row != y->col) A[at[l + i] + column[j + o]] -= part;
                }
        }
    }
}

/* Replaces A by its factors. */
static void factor_parts(const work *w, real *A, real *pivot)
{
    const constraint_solver *c = &w->constraint;
    for (int b = 0, first = 0; b < w->blocks; first = c->part_end[b++]) {
        const int size = c->part_end[b] - first;
        factor_part(A, pivot + first, size, c->part_half[b]);
        A += part_numbers(c->part_half[b], size);
    }
}

/* c->d = A^-1 c->residual, with the factors in c->A. */
static void solve_parts(const work *w)
{
    const constraint_solver *c = &w->constraint;
    const int U = c->unknowns, *const place = c->unknown_place;
    real *const right = c->by_parts, *const x = right + U;
    const real *A = c->A;
    if (w->blocks == 1 && c->part_half[0] == SQUARE) {
        lu_solve_fours(A, c->pivot, U, c->residual, c->d);
        return;
    }
    for (int u = 0; u < U; u++) right[place[u]] = c->residual[u];
    for (int b = 0, first = 0; b < w->blocks; first = c->part_end[b++]) {
        const int size = c->part_end[b] - first;
        if (c->part_half[b] == SQUARE)
            lu_solve_fours(A, c->pivot + first, size, right + first, x + first);
        else {
            memcpy((void *)(x + first), right + first, (size_t)size * sizeof *x);
            pivoted_band_solve(A, c->pivot + first, size, c->part_half[b], x + first);
        }
        A += part_numbers(c->part_half[b], size);
    }
    for (int u = 0; u < U; u++) c->d[u] = x[place[u]];
}

#endif
