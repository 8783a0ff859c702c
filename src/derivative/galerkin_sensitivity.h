/* S <- dS: derivatives of a Galerkin step along the columns of S alone, by one factorisation.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     J da = -(R_q S_q - w S_p + R_c),  S_q <- S_q + h w.da,  S_p <- S_p + d kick
 * for the k columns of S, not for all 2n of the start (derivative/galerkin_jacobian.h): S is
 * what is wanted, and not its derivative by the state before.  All columns are in work together, as
 * rows [column]. */
#ifndef NOE_DERIVATIVE_GALERKIN_SENSITIVITY_H
#define NOE_DERIVATIVE_GALERKIN_SENSITIVITY_H

#include "derivative/galerkin_jacobian.h"

/* Right side of equation i, of every column [wide]. */
INLINE real *right_row(const work *w, int i)
{
    return (real *)(w->state.right_sides + i * w->state.row_batches) + right_from(w);
}
/* d kick_j, and row i of S, of every column [wide]: of S before the part, but S_q after it once
 * constrained_kicks() has run. */
INLINE real *kick_row(const work *w, int j) { return w->state.kicks + j * w->state.wide; }
INLINE real *S_row(const work *w, int i) { return w->state.kicks + (w->n + i) * w->state.wide; }

/* to += f from, [n] */
INLINE void add_multiple(real *to, real f, const real *from, int n)
{
    subtract_multiple(to, -f, from, n);
}

/* The rows of all columns. */
typedef struct {
    int   wide, pitch; /* numbers in a row of S and of d kick; in a row of the equations */
    real *right;       /* right sides of the equations [N][pitch], of every column [wide] */
    real *kick, *S;    /* d kick [n][wide]; S before the part [2n][wide] */
} column_rows;

/* Of a step without constraints: sizes are known where those of the step are. */
INLINE column_rows rows_of_columns(const work *w, const shape z, const int wide)
{
    const int   from = right_column(z.N), pitch = blocks(from + wide) * WIDE;
    real *const kick = w->state.kicks, *const right = (real *)w->state.right_sides + from;
    return (column_rows){ wide, pitch, right, kick, kick + z.n * wide };
}

/* dF_j and dP_j of column c at the nodes, at fixed modes and times b_i, from F_q, P_q, F_c and P_c
 * in w->eval.out. */
INLINE void differentiate_row(const work *w, const shape z, const column_rows y, int j, int c,
                              batch *dF, batch *dP)
{
    const batch *const out = w->eval.out;
    const int          by = w->dyn->mixed_at[c];
    for (int b = 0; b < z.B; b++) {
        dF[b] = by < 0 ? b_zero() : out[(by + j) * z.B + b];
        dP[b] = by < 0 ? b_zero() : out[(by + z.n + j) * z.B + b];
    }
    for (int l = 0; l < z.n; l++) {
        const int  *at = w->dyn->at + (j * z.n + l) * NOE_D_KINDS;
        const batch moved = b_of(y.S[l * y.wide + c]);
        for (int b = 0; b < z.B && at[NOE_D_FQ] >= 0; b++)
            dF[b] += out[at[NOE_D_FQ] * z.B + b] * moved;
        for (int b = 0; b < z.B && at[NOE_D_PQ] >= 0; b++)
            dP[b] += out[at[NOE_D_PQ] * z.B + b] * moved;
    }
    weigh(dF, z.B, w->method.weight, dF);
    weigh(dP, z.B, w->method.weight, dP);
}

/* S, the right sides R_q S_q - w S_p + R_c of all columns, and d kick at fixed modes:
 *     sum_i b_i (l_im dP_i - h X_im dF_i) - w_m S_p,  h sum_i b_i dF_i. */
INLINE void right_sides(work *w, const shape z, const column_rows y, real h, const real *S)
{
    const int n = z.n, k = w->dyn->columns;
    batch P_part[NOE_MAX_DEGREE], F_part[NOE_MAX_DEGREE], dP[NOE_MAX_POINTS], dF[NOE_MAX_POINTS];
    memset((void *)y.kick, 0, (size_t)(3 * n * y.wide) * sizeof(real));
    for (int i = 0; i < 2 * n; i++)
        for (int c = 0; c < k; c++) y.S[i * y.wide + c] = S[i * k + c];
    for (int i = 0; i < z.N; i++)
        for (int c = k; c < y.wide; c++) y.right[i * y.pitch + c] = r_set(0);
    for (int j = 0; j < n; j++)
        for (int c = 0; c < k; c++) {
            const real p = y.S[(n + j) * y.wide + c];
            real       sum = r_set(0);
            differentiate_row(w, z, y, j, c, dF, dP);
            contract(P_part, z.S, w->method.l_m, z.r, (const real *)dP);
            contract(F_part, z.S, w->method.X_m, z.r, (const real *)dF);
            for (int m = 0; m < z.s; m++)
                y.right[(j * z.s + m) * y.pitch + c] = ((const real *)P_part)[m]
                                                     - h * ((const real *)F_part)[m]
                                                     - r_of(w->method.w[m]) * p;
            for (int i = 0; i < z.r; i++) sum += ((const real *)dF)[i];
            y.kick[j * y.wide + c] = h * sum;
        }
}

enum { COLUMN_MOST = 8 }; /* unknowns up to which one column is solved as Newton's method does */

/* The right sides become -da. */
INLINE void solve_column(work *w, const shape z, const column_rows y)
{
    for (int i = 0; i < z.N; i++) w->scratch.e[i] = y.right[i * y.pitch];
    eliminate(w->newton.J, w->newton.new_pivot, z.N);
    substitute(w->newton.J, w->newton.new_pivot, z.N, w->scratch.e, w->scratch.d);
    for (int i = 0; i < z.N; i++) y.right[i * y.pitch] = w->scratch.d[i];
}
INLINE void solve_columns(work *w, const shape z, const column_rows y)
{
    const int from = right_column(z.N);
    for (int i = 0; i < z.N; i++)
        memcpy((void *)(y.right - from + i * y.pitch), w->newton.J + i * z.N,
               (size_t)z.N * sizeof(real));
    eliminate_beside(w->state.right_sides, z.N, y.pitch / WIDE, from, y.wide);
}

/* S [2n][columns] of the member after the part of the step that it has just made.  False when it
 * is not finite; then the member is where it was before that part. */
INLINE bool sensitivity_shape(work *w, const shape z, const int wide, int member, real *S)
{
    const int         n = z.n, k = w->dyn->columns;
    const column_rows y = rows_of_columns(w, z, wide);
    const real        h = w->state.length;
    real              finite_probe = r_set(0);
    linearize_last(w, z);
    right_sides(w, z, y, h, S);
    if (k == 1 && z.N <= COLUMN_MOST) solve_column(w, z, y);
    else solve_columns(w, z, y);
    for (int i = 0; i < z.N; i++)
        for (int j = 0; j < n; j++)
            subtract_multiple(y.kick + j * wide, w->newton.new_kick_jacobian[j * z.N + i],
                              y.right + i * y.pitch, wide);
    for (int j = 0; j < n; j++) {
        real *const q = y.S + j * wide, *const p = q + n * wide, *const kick = y.kick + j * wide;
        for (int m = 0; m < z.s; m++)
            subtract_multiple(q, h * w->method.w[m], y.right + (j * z.s + m) * y.pitch, wide);
        for (int c = 0; c < k; c++) {
            S[j * k + c] = q[c], S[(n + j) * k + c] = p[c] + kick[c];
            finite_probe += S[j * k + c] + S[(n + j) * k + c];
        }
    }
    return is_differentiated(w, member, finite_probe);
}

/* Compiled for constant sizes as the steps are, galerkin() in step/galerkin_step.h. */
static bool galerkin_sensitivity(work *w, int member, real *S)
{
#if NOE_REAL == NOE_DOUBLE && defined __AVX2__
    enum { FEW_COLUMNS = 4 }; /* a row of right sides is half a batch */
    if (w->state.wide == FEW_COLUMNS && w->method.simpson) switch (w->n) {
        case 1: return sensitivity_shape(w, of_simpson(1), FEW_COLUMNS, member, S);
        case 2: return sensitivity_shape(w, of_simpson(2), FEW_COLUMNS, member, S);
        case 3: return sensitivity_shape(w, of_simpson(3), FEW_COLUMNS, member, S);
        default: break;
        }
    if (w->state.wide == FEW_COLUMNS && w->s == HALF_NODES && w->r == HALF_NODES)
        return sensitivity_shape(w, of_nodes(w->n, HALF_NODES), FEW_COLUMNS, member, S);
#endif
    return sensitivity_shape(w, of(w), w->state.wide, member, S);
}

#endif
