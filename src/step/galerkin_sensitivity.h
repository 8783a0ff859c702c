/* S <- dS: derivatives of a Galerkin step along the columns of S alone, by one factorisation.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     J da = -(R_q S_q - w S_p + R_c),  S_q <- S_q + h w.da,  S_p <- S_p + d kick
 * for the k columns of S, not for all 2n of the start (step/galerkin_jacobian.h): S is what is
 * wanted, and not its derivative by the state before.  All columns are in work together, as rows
 * [column].
 *
 * With f_k = (G_q(Q_k)^T y_k) S_q + G_c^T y_k at the nodes of the constraints
 *     J da - sum_k X_k G_k^T dy_k - sum_k X_k (G_q^T y_k) h I_k.da
 *         = -(R_q S_q - w S_p + R_c) + sum_k X_k f_k,
 *     h G_k I_k.da = -(G_k S_q + g_c)
 * is linear in (da, dy).  At the end p = p0 + G^T mu with G v + g_t = 0 and L_v(q, v) = p:
 *     M dv - G^T dmu = dp0 + (G_q^T mu) dq + G_c^T mu - L_vq dq - P_c,
 *     G dv = -((G_q v) dq + G_c v + g_tq dq + g_tc).
 * A constraint that is left out has no such equation, and its dy is 0. */
#ifndef NOE_STEP_GALERKIN_SENSITIVITY_H
#define NOE_STEP_GALERKIN_SENSITIVITY_H

#include "step/galerkin_jacobian.h"

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

/* Adds one entry of D to all columns: R_q S_q and d kick at fixed modes. */
INLINE void add_entry_columns(work *w, const shape z, const column_rows y, real h,
                              const noe_entry *x)
{
    batch       part[NOE_MAX_DEGREE], bD[NOE_MAX_POINTS];
    const bool  force = x->kind == NOE_D_FQ;
    const real *D = element(w->eval.out, z.B, x->output, 0), *along = y.S + x->col * y.wide;
    real *const right = y.right + x->row * z.s * y.pitch;
    weigh(bD, z.B, w->method.weight, (const batch *)D);
    contract(part, z.S, force ? w->method.X_m : w->method.l_m, z.r, (const real *)bD);
    for (int m = 0; m < z.s; m++) {
        const real sum = ((const real *)part)[m];
        add_multiple(right + m * y.pitch, force ? -h * sum : sum, along, y.wide);
    }
    if (!force) return;
    real push = r_set(0);
    for (int i = 0; i < z.r; i++) push += ((const real *)bD)[i];
    add_multiple(y.kick + x->row * y.wide, h * push, along, y.wide);
}

/* S and the right sides of all columns, from F, P, D and F_c, P_c in w->eval.out. */
INLINE void right_sides(work *w, const shape z, const column_rows y, real h, const real *S)
{
    const int n = z.n, k = w->dyn->columns;
    memset((void *)y.kick, 0, (size_t)(3 * n * y.wide) * sizeof(real));
    for (int i = 0; i < 2 * n; i++)
        memcpy((void *)(y.S + i * y.wide), S + i * k, (size_t)k * sizeof *S);
    for (int j = 0; j < n; j++)
        for (int m = 0; m < z.s; m++)
            for (int c = 0; c < y.wide; c++)
                y.right[(j * z.s + m) * y.pitch + c] = -w->method.w[m] * y.S[(n + j) * y.wide + c];
    for (int c = 0; c < k; c++) {
        const int at = w->dyn->mixed_at[c];
        if (at < 0) continue;
        by_parameter(w, z, h, at);
        for (int i = 0; i < z.N; i++) y.right[i * y.pitch + c] += w->scratch.e[i];
        for (int j = 0; j < n; j++) y.kick[j * y.wide + c] = w->scratch.kick[j];
    }
    for (const noe_entry *x = w->dyn->entry, *end = x + w->dyn->entries; x < end; x++)
        if (x->kind == NOE_D_PQ || x->kind == NOE_D_FQ) add_entry_columns(w, z, y, h, x);
}

/* S [2n][columns] of the member after the part of the step that it has just made.  False when it
 * is not finite; then the member is where it was before that part. */
INLINE bool sensitivity_shape(work *w, const shape z, const int wide, int member, real *S)
{
    const int         n = z.n, k = w->dyn->columns, from = right_column(z.N);
    const column_rows y = rows_of_columns(w, z, wide);
    const real        h = w->state.length;
    real              finite_probe = r_set(0);
    linearize_last(w, z);
    right_sides(w, z, y, h, S);
    for (int i = 0; i < z.N; i++)
        memcpy((void *)(y.right - from + i * y.pitch), w->newton.J + i * z.N,
               (size_t)z.N * sizeof(real));
    /* The right sides become -da. */
    eliminate_beside(w->state.right_sides, z.N, y.pitch / WIDE, from, wide);
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

/* ---- with constraints ---- */

/* The outputs of the tape CONSTRAINT_BY at node k. */
INLINE real *constraint_by(const work *w, int k)
{
    return w->constraint.by + (size_t)k * (size_t)w->constraint.bys;
}

INLINE bool is_left_out(const work *w, int a) { return r_member(w->constraint.left_out[a], 0) > 0; }

/* Entry i, j of the matrix, which stands in a row with its right sides. */
INLINE real *matrix_entry(const work *w, int i, int j)
{
    return (real *)(w->state.right_sides + i * w->state.row_batches) + j;
}

/* Node k of the constraints, of a part that begins after `steps` steps. */
INLINE site constraint_site(const work *w, int k, real steps)
{
    const real t = *w->state.t0 + (steps + w->state.part_start) * *w->state.h
                 + w->constraint.node[k] * w->state.length;
    return (site){ t, w->constraint.position + k * w->n, NULL, NULL };
}

/* The constraints and their derivatives, with velocities V, at all nodes of such a part. */
static void constraints_at_nodes(work *w, real steps, const real *q, const real *dq,
                                 const real *modes, const real *V)
{
    const constraint_solver *c = &w->constraint;
    const int                n = w->n, s = w->s;
    for (int k = 0; k <= s; k++) {
        const site x = constraint_site(w, k, steps);
        for (int j = 0; j < n; j++) {
            real sum = r_set(0);
            for (int m = 0; m < s; m++) sum += c->I[k * s + m] * modes[j * s + m];
            c->position[k * n + j] = q[j] + (dq[j] + w->state.length * sum);
        }
        jet_at(w, CONSTRAINT_BY, &x, V);
        for (int o = 0; o < c->bys; o++) constraint_by(w, k)[o] = output(w, o);
    }
}

/* to += scale (G_q^T y) from of all columns; from and to [n][wide]. */
INLINE void add_curvature(const work *w, const real *value, const real *y, real scale,
                          const real *from, real *to)
{
    const int wide = w->state.wide;
    for (const noe_constraint_entry *e = w->dyn->G_q_entry, *end = e + w->dyn->G_q_entries; e < end;
         e++) {
        if (is_left_out(w, e->constraint)) continue;
        const real x = scale * value[e->output] * y[e->constraint];
        add_multiple(to + e->row * wide, x, from + e->col * wide, wide);
        if (e->row != e->col) add_multiple(to + e->col * wide, x, from + e->row * wide, wide);
    }
}

/* to_j += (G_c^T y)_j of all columns. */
INLINE void add_gradient_rates(const work *w, const real *value, const real *y, real *to)
{
    for (int c = 0; c < w->dyn->columns; c++) {
        const int at = w->dyn->constraint_by_at[c];
        if (at < 0) continue;
        for (int i = 0; i < w->dyn->G_entries; i++) {
            const noe_constraint_entry *e = &w->dyn->G_entry[i];
            if (is_left_out(w, e->constraint)) continue;
            to[e->row * w->state.wide + c] += value[at + 2 * w->constraint.count + i]
                                            * y[e->constraint];
        }
    }
}

/* g_c (which = 0) or g_tc (1) of all columns of constraint a, to [wide] += scale times it. */
INLINE void add_rates(const work *w, const real *value, int a, int which, real scale, real *to)
{
    for (int c = 0; c < w->dyn->columns; c++) {
        const int at = w->dyn->constraint_by_at[c];
        if (at >= 0) to[c] += scale * value[at + which * w->constraint.count + a];
    }
}

/* Matrix and right sides of (da, dy) for all columns; their solution by eliminate_beside() is
 * -(da, dy). */
static void differentiated_constraint_equations(work *w, real h)
{
    const constraint_solver    *c = &w->constraint;
    const int                   s = w->s, m = c->count, N = w->N, wide = w->state.wide;
    const noe_constraint_entry *first = w->dyn->G_entry, *last = first + w->dyn->G_entries;
    real *const                 f = w->state.forces;
    real                        size = r_set(0); /* largest |J_ii|, by which g is scaled */
    for (int i = 0; i < N; i++) {
        size = r_max(size, r_abs(w->newton.J[i * N + i]));
        memcpy((void *)matrix_entry(w, i, 0), w->newton.J + i * N, (size_t)N * sizeof(real));
    }
    for (int k = 0; k <= s; k++) {
        const real *value = constraint_by(w, k), *y = c->impulse + k * m;
        const num  *X = c->X + k * s, *I = c->I + k * s;
        memset((void *)f, 0, (size_t)(w->n * wide) * sizeof *f);
        if (k < s) add_curvature(w, value, y, r_set(1), S_row(w, 0), f);
        if (k < s) add_gradient_rates(w, value, y, f);
        for (int j = 0; j < w->n && k < s; j++) {
            for (int i = 0; i < s; i++)
                subtract_multiple(right_row(w, j * s + i), r_set(X[i]), f + j * wide, wide);
            add_multiple(kick_row(w, j), r_set(1), f + j * wide, wide);
        }
        for (const noe_constraint_entry *e = first; e < last; e++) {
            const int  a = e->constraint, row = N + (k - 1) * m + a;
            const real G = value[e->output];
            if (is_left_out(w, a)) continue;
            for (int i = 0; i < s && k < s; i++)
                *matrix_entry(w, e->row * s + i, N + k * m + a) -= X[i] * G;
            for (int i = 0; i < s && k; i++)
                *matrix_entry(w, row, e->row * s + i) += size * I[i] * G;
            if (k) add_multiple(right_row(w, row), size * G / h, S_row(w, e->row), wide);
        }
        for (int a = 0; a < m; a++) {
            if (is_left_out(w, a)) {
                if (k < s) *matrix_entry(w, N + k * m + a, N + k * m + a) = r_set(1);
            } else if (k) add_rates(w, value, a, 0, size / h, right_row(w, N + (k - 1) * m + a));
        }
        for (const noe_constraint_entry *e = w->dyn->G_q_entry, *end = e + w->dyn->G_q_entries;
             e < end && k && k < s; e++) {
            const real x = is_left_out(w, e->constraint)
                             ? r_set(0)
                             : h * (value[e->output] * y[e->constraint]);
            for (int i = 0; i < s; i++)
                for (int l = 0; l < s; l++) {
                    *matrix_entry(w, e->row * s + i, e->col * s + l) -= (X[i] * I[l]) * x;
                    if (e->row != e->col)
                        *matrix_entry(w, e->col * s + i, e->row * s + l) -= (X[i] * I[l]) * x;
                }
        }
    }
}

/* From -(da, dy) in the right sides: S_q becomes that after the step, d kick that before the
 * projection. */
static void constrained_kicks(work *w, real h)
{
    const constraint_solver *c = &w->constraint;
    const int                n = w->n, s = w->s, m = c->count, wide = w->state.wide;
    real *const              moved = w->state.forces;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < w->N; i++)
            subtract_multiple(kick_row(w, j), w->newton.new_kick_jacobian[j * w->N + i],
                              right_row(w, i), wide);
    for (int k = 0; k < s; k++) {
        const real *value = constraint_by(w, k);
        memset((void *)moved, 0, (size_t)(n * wide) * sizeof *moved);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < s; i++)
                subtract_multiple(moved + j * wide, h * c->I[k * s + i], right_row(w, j * s + i),
                                  wide);
        add_curvature(w, value, c->impulse + k * m, r_set(1), moved, kick_row(w, 0));
        for (const noe_constraint_entry *e = w->dyn->G_entry, *end = e + w->dyn->G_entries; e < end;
             e++)
            if (!is_left_out(w, e->constraint))
                subtract_multiple(kick_row(w, e->row), value[e->output],
                                  right_row(w, w->N + k * m + e->constraint), wide);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < s; i++)
            subtract_multiple(S_row(w, j), h * w->method.w[i], right_row(w, j * s + i), wide);
}

/* The projection at the end of the step, with S_q there; d kick becomes that of the whole step. */
static void project_sensitivity(work *w)
{
    const constraint_solver    *c = &w->constraint;
    const int                   n = w->n, m = c->count, wide = w->state.wide;
    const real                 *value = constraint_by(w, w->s), *v = c->velocity;
    const noe_constraint_entry *first = w->dyn->G_entry, *last = first + w->dyn->G_entries;
    const site                  x = here(w);
    real                        size = r_set(0);
    jet_at(w, jacobian_tape(w), &x, v);
    add_curvature(w, value, c->mu, r_set(1), S_row(w, 0), kick_row(w, 0));
    add_gradient_rates(w, value, c->mu, kick_row(w, 0));
    memset((void *)w->state.right_sides, 0,
           (size_t)((n + m) * w->state.row_batches) * sizeof *w->state.right_sides);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < wide; k++) right_row(w, j)[k] = S_row(w, n + j)[k] + kick_row(w, j)[k];
    for (int k = 0; k < w->dyn->columns; k++)
        for (int j = 0, at = w->dyn->mixed_at[k]; j < n && at >= 0; j++)
            right_row(w, j)[k] -= output(w, at + n + j);
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++) {
        if (y->kind == NOE_D_PV) *matrix_entry(w, y->row, y->col) = output(w, y->output);
        if (y->kind == NOE_D_PV) size = r_max(size, r_abs(output(w, y->output)));
        if (y->kind == NOE_D_PQ)
            subtract_multiple(right_row(w, y->row), output(w, y->output), S_row(w, y->col), wide);
    }
    for (const noe_constraint_entry *e = first; e < last; e++) {
        const int a = e->constraint;
        if (is_left_out(w, a)) continue;
        *matrix_entry(w, e->row, n + a) -= value[e->output];
        *matrix_entry(w, n + a, e->row) += size * value[e->output];
    }
    for (const noe_constraint_entry *e = w->dyn->G_q_entry, *end = e + w->dyn->G_q_entries; e < end;
         e++) {
        const int  a = e->constraint;
        const real D = size * value[e->output];
        if (is_left_out(w, a)) continue;
        subtract_multiple(right_row(w, n + a), D * v[e->row], S_row(w, e->col), wide);
        if (e->row != e->col)
            subtract_multiple(right_row(w, n + a), D * v[e->col], S_row(w, e->row), wide);
    }
    for (int a = 0; a < m; a++) {
        if (is_left_out(w, a)) {
            *matrix_entry(w, n + a, n + a) = r_set(1);
            continue;
        }
        add_rates(w, value, a, 1, -size, right_row(w, n + a));
        for (int j = 0; j < n; j++)
            subtract_multiple(right_row(w, n + a), size * value[w->dyn->constraint_tq + a * n + j],
                              S_row(w, j), wide);
    }
    for (int k = 0; k < w->dyn->columns; k++) {
        const int at = w->dyn->constraint_by_at[k];
        for (int i = 0; i < w->dyn->G_entries && at >= 0; i++)
            if (!is_left_out(w, first[i].constraint))
                right_row(w, n + first[i].constraint)[k] -= size * value[at + 2 * m + i]
                                                          * v[first[i].row];
    }
    eliminate_beside(w->state.right_sides, n + m, w->state.row_batches, right_from(w), wide);
    for (const noe_constraint_entry *e = first; e < last; e++)
        if (!is_left_out(w, e->constraint))
            add_multiple(kick_row(w, e->row), value[e->output], right_row(w, n + e->constraint),
                         wide);
}

/* As galerkin_sensitivity(), of a system with constraints, for engines of one trajectory. */
static bool constrained_sensitivity(work *w, int member, real *S)
{
    const int  n = w->n, k = w->dyn->columns;
    const real h = w->state.length;
    real       finite_probe = r_set(0);
    linearize_last(w, of(w));
    memset((void *)w->state.right_sides, 0,
           (size_t)(w->constraint.unknowns * w->state.row_batches) * sizeof *w->state.right_sides);
    right_sides(w, of(w),
                (column_rows){ w->state.wide, w->state.row_batches * WIDE, right_row(w, 0),
                               kick_row(w, 0), S_row(w, 0) },
                h, S);
    const real *const q = w->state.saved_state; /* before the part */
    constraints_at_nodes(w, *w->state.count - 1, q, q + 2 * n, w->scratch.a, w->scratch.a);
    differentiated_constraint_equations(w, h);
    eliminate_beside(w->state.right_sides, w->constraint.unknowns, w->state.row_batches,
                     right_from(w), w->state.wide);
    constrained_kicks(w, h);
    project_sensitivity(w);
    for (int j = 0; j < n; j++)
        for (int c = 0; c < k; c++) {
            S[j * k + c] = S_row(w, j)[c];
            S[(n + j) * k + c] = S_row(w, n + j)[c] + kick_row(w, j)[c];
            finite_probe += S[j * k + c] + S[(n + j) * k + c];
        }
    return is_differentiated(w, member, finite_probe);
}

#endif
