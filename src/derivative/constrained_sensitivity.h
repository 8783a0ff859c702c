/* S <- dS of a Galerkin step with constraints: modes, impulses and the projection at the end.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With f_k = (G_q(Q_k)^T y_k) S_q + G_c^T y_k at the nodes of the constraints
 *     J da - sum_k X_k G_k^T dy_k - sum_k X_k (G_q^T y_k) h I_k.da
 *         = -(R_q S_q - w S_p + R_c) + sum_k X_k f_k,
 *     h G_k I_k.da = -(G_k S_q + g_c)
 * is linear in (da, dy).  At the end p = p0 + G^T mu with G v + g_t = 0 and L_v(q, v) = p:
 *     M dv - G^T dmu = dp0 + (G_q^T mu) dq + G_c^T mu - L_vq dq - P_c,
 *     G dv = -((G_q v) dq + G_c v + g_tq dq + g_tc).
 * A constraint that is left out has no such equation, and its dy is 0. */
#ifndef NOE_DERIVATIVE_CONSTRAINED_SENSITIVITY_H
#define NOE_DERIVATIVE_CONSTRAINED_SENSITIVITY_H

#include "derivative/galerkin_sensitivity.h"

/* The outputs of the tape CONSTRAINT_BY at node k. */
INLINE real *constraint_by(const work *w, int k)
{
    return w->constraint.by_value + (size_t)k * (size_t)w->constraint.by_outputs;
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
        for (int o = 0; o < c->by_outputs; o++) constraint_by(w, k)[o] = output(w, o);
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
