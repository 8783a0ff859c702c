/* The way back over a step: lambda = dJ/d(q, p) after it becomes that before it, and dJ/dc grows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Galerkin:  J^T mu = h w lambda_q + (d kick/da)^T lambda_p,  and with the weights
 *     alpha_i = lambda_p + sum_m X_im mu_m,  beta_i = -sum_m l_im mu_m  at node i
 *     lambda_q += sum_i b_i (h F_q^T alpha_i + P_q^T beta_i),  lambda_p += sum_m w_m mu_m,
 *     dJ/dc += sum_i b_i (h alpha_i.F_c + beta_i.P_c):
 * one transposed solution and two tapes, whatever the number of parameters.  Kicks, drifts and
 * stages go back one by one.
 *
 * Constraints (derivative/galerkin_sensitivity.h, transposed): over the projection
 *     [M G^T; -G 0] (x, z) = (0, G lambda_p),  u = lambda_p + x,
 *     lambda_q += (G_q^T mu) u - L_vq^T x - ((G_q v) + g_tq)^T z,  lambda_p = u.
 * Over the step the matrix A of (da, dy) gives A^T (mu, nu) from the weights of da, with
 * sum_k h I_k (G_q^T y_k) lambda_p beside those above, and of dy_k, G_k lambda_p;
 * with alpha_k = lambda_p + X_k mu at the nodes of the constraints
 *     lambda_q += sum_k (G_q^T y_k) alpha_k - G_k^T nu_k. */
#ifndef NOE_DERIVATIVE_STEP_ADJOINT_H
#define NOE_DERIVATIVE_STEP_ADJOINT_H

#include "derivative/explicit_adjoint.h"
#include "derivative/monitored_sensitivity.h"

/* With constraints the way back needs a matrix [U][U], U = right_from(), and rows: its pivots, a
 * right side and a solution [U], weights [n] and lambda_p after the step [n].  There are no
 * columns. */
INLINE real *transposed(const work *w) { return (real *)w->state.right_sides; }
INLINE real *transposed_rows(const work *w, int i) { return w->state.kicks + i * right_from(w); }

/* Numbers of a record: impulses [s][m], mu [m], the constraints left out [m], velocities at the end
 * [n]. */
INLINE size_t numbers_of_constraints(const work *w)
{
    const size_t m = (size_t)w->constraint.count;
    return m ? ((size_t)w->s + 2) * m + (size_t)w->n : 0;
}

static void record_constraints(const work *w, real *to)
{
    const constraint_solver *c = &w->constraint;
    const size_t             m = (size_t)c->count, impulses = (size_t)w->s * m;
    memcpy((void *)to, c->impulse, impulses * sizeof *to), to += impulses;
    memcpy((void *)to, c->mu, m * sizeof *to), to += m;
    memcpy((void *)to, c->left_out, m * sizeof *to), to += m;
    memcpy((void *)to, c->velocity, (size_t)w->n * sizeof *to);
}

static void place_constraints(const work *w, const real *from)
{
    const constraint_solver *c = &w->constraint;
    const size_t             m = (size_t)c->count, impulses = (size_t)w->s * m;
    memcpy((void *)c->impulse, from, impulses * sizeof *from), from += impulses;
    memcpy((void *)c->mu, from, m * sizeof *from), from += m;
    memcpy((void *)c->left_out, from, m * sizeof *from), from += m;
    memcpy((void *)c->velocity, from, (size_t)w->n * sizeof *from);
}

/* dJ/dc += the derivatives of sum_a (of_g g + of_rate g_t + of_slope (V.g_q)), [m] or NULL each. */
static void add_constraints_by_parameters(work *w, int k, const real *V, const real *of_g,
                                          const real *of_rate, const real *of_slope)
{
    const noe_constraint_rate *first = w->dyn->constraint_rate;
    const real *const          of[] = { of_g, of_rate, of_slope }; /* by noe_rate_kind */
    const site                 x = constraint_site(w, k, *w->state.count);
    if (!w->dyn->constraint_rates) return;
    jet_at(w, CONSTRAINT_BY, &x, V);
    for (const noe_constraint_rate *e = first; e < first + w->dyn->constraint_rates; e++)
        if (of[e->kind] && !is_left_out(w, e->constraint))
            w->state.adjoint[2 * w->n + e->parameter] += of[e->kind][e->constraint]
                                                       * output(w, e->output);
}

/* to += (G_q^T y) from, [n] each. */
static void add_curvature_along(const work *w, const real *value, const real *y, const real *from,
                                real *to)
{
    const noe_constraint_entry *e = w->dyn->G_q_entry, *end = e + w->dyn->G_q_entries;
    for (; e < end; e++) {
        if (is_left_out(w, e->constraint)) continue;
        const real x = value[e->output] * y[e->constraint];
        to[e->row] += x * from[e->col];
        if (e->row != e->col) to[e->col] += x * from[e->row];
    }
}

INLINE real *transposed_entry(const work *w, int size, int i, int j)
{
    return transposed(w) + i * size + j;
}

/* Takes lambda back over the projection at the end of a step. */
static void projection_back(work *w)
{
    const constraint_solver    *c = &w->constraint;
    const int                   n = w->n, m = c->count, size = n + m, s = w->s;
    const real                 *value = constraint_by(w, s);
    const noe_constraint_entry *first = w->dyn->G_entry, *last = first + w->dyn->G_entries;
    const site                  end = constraint_site(w, s, *w->state.count);
    real *const lq = w->state.adjoint, *const lp = lq + n, *const b = transposed_rows(w, 1),
                *const x = transposed_rows(w, 2), *const z = x + n;
    real scale = r_set(0);
    jet_at(w, HESSIAN, &end, c->velocity);
    for (int i = 0; i < size * size; i++) transposed(w)[i] = r_set(0);
    for (int i = 0; i < size; i++) b[i] = r_set(0);
    for (const noe_entry *y = w->dyn->entry; y < w->dyn->entry + w->dyn->entries; y++)
        if (y->kind == NOE_D_PV) {
            *transposed_entry(w, size, y->row, y->col) = output(w, y->output);
            scale = r_max(scale, r_abs(output(w, y->output)));
        }
    for (const noe_constraint_entry *e = first; e < last; e++) {
        if (is_left_out(w, e->constraint)) continue;
        const int a = n + e->constraint;
        *transposed_entry(w, size, e->row, a) -= value[e->output];
        *transposed_entry(w, size, a, e->row) += scale * value[e->output];
        b[a] += value[e->output] * lp[e->row];
    }
    for (int a = 0; a < m; a++)
        if (is_left_out(w, a)) *transposed_entry(w, size, n + a, n + a) = r_set(1);
    lu_factor(transposed(w), transposed_rows(w, 0), size);
    lu_solve_transposed(transposed(w), transposed_rows(w, 0), size, b, x);
    for (int a = 0; a < m; a++) z[a] *= -scale;
    for (const noe_entry *y = w->dyn->entry; y < w->dyn->entry + w->dyn->entries; y++)
        if (y->kind == NOE_D_PQ) lq[y->col] -= output(w, y->output) * x[y->row];
    for (int j = 0; j < n; j++) lp[j] += x[j];
    add_curvature_along(w, value, c->mu, lp, lq);
    add_curvature_along(w, value, z, c->velocity, lq);
    for (int a = 0; a < m; a++)
        for (int j = 0; j < n && !is_left_out(w, a); j++)
            lq[j] += value[w->dyn->constraint_tq + a * n + j] * z[a];
    add_by_parameters_at(w, MOMENTUM_ADJOINT, &end, c->velocity, x, r_set(-1));
    add_constraints_by_parameters(w, s, c->velocity, NULL, z, z);
    add_constraints_by_parameters(w, s, lp, NULL, NULL, c->mu);
}

/* The matrix of (da, dy), from w->newton.J; returns by what g is scaled. */
static real fill_transposed(work *w)
{
    const constraint_solver    *c = &w->constraint;
    const int                   s = w->s, m = c->count, N = w->N, U = N + s * m;
    const noe_constraint_entry *first = w->dyn->G_entry, *last = first + w->dyn->G_entries;
    real                        scale = r_set(0);
    for (int i = 0; i < U * U; i++) transposed(w)[i] = r_set(0);
    for (int i = 0; i < N; i++) {
        scale = r_max(scale, r_abs(w->newton.J[i * N + i]));
        memcpy((void *)transposed_entry(w, U, i, 0), w->newton.J + i * N, (size_t)N * sizeof(real));
    }
    for (int k = 0; k <= s; k++) {
        const real *value = constraint_by(w, k), *y = c->impulse + k * m;
        const num  *X = c->X + k * s, *I = c->I + k * s;
        for (const noe_constraint_entry *e = first; e < last; e++) {
            const int  a = e->constraint;
            const real G = value[e->output];
            if (is_left_out(w, a)) continue;
            for (int i = 0; i < s && k < s; i++)
                *transposed_entry(w, U, e->row * s + i, N + k * m + a) -= X[i] * G;
            for (int i = 0; i < s && k; i++)
                *transposed_entry(w, U, N + (k - 1) * m + a, e->row * s + i) += scale * I[i] * G;
        }
        for (int a = 0; a < m && k < s; a++)
            if (is_left_out(w, a)) *transposed_entry(w, U, N + k * m + a, N + k * m + a) = r_set(1);
        for (const noe_constraint_entry *e = w->dyn->G_q_entry, *end = e + w->dyn->G_q_entries;
             e < end && k && k < s; e++) {
            if (is_left_out(w, e->constraint)) continue;
            const real x = w->state.length * (value[e->output] * y[e->constraint]);
            for (int i = 0; i < s; i++)
                for (int l = 0; l < s; l++) {
                    const real part = (X[i] * I[l]) * x;
                    *transposed_entry(w, U, e->row * s + i, e->col * s + l) -= part;
                    if (e->row != e->col)
                        *transposed_entry(w, U, e->col * s + i, e->row * s + l) -= part;
                }
        }
    }
    return scale;
}

/* From the weights of da but for those of the constraints, in w->scratch.e: mu in w->scratch.d, and
 * -nu in transposed_rows(w, 2) from N on. */
static void solve_transposed_constraints(work *w)
{
    const constraint_solver *c = &w->constraint;
    const int                n = w->n, s = w->s, m = c->count, N = w->N, U = N + s * m;
    const real h = w->state.length, *const lp = w->state.adjoint + n, scale = fill_transposed(w);
    real *const b = transposed_rows(w, 1), *const x = transposed_rows(w, 2),
                *const curvature = transposed_rows(w, 3);
    for (int i = 0; i < U; i++) b[i] = i < N ? w->scratch.e[i] : r_set(0);
    for (int k = 0; k < s; k++) {
        const real                 *value = constraint_by(w, k);
        const noe_constraint_entry *e = w->dyn->G_entry, *end = e + w->dyn->G_entries;
        for (int j = 0; j < n; j++) curvature[j] = r_set(0);
        add_curvature_along(w, value, c->impulse + k * m, lp, curvature);
        for (int i = 0; i < N; i++) b[i] += h * c->I[k * s + i % s] * curvature[i / s];
        for (; e < end; e++)
            if (!is_left_out(w, e->constraint))
                b[N + k * m + e->constraint] += value[e->output] * lp[e->row];
    }
    lu_factor(transposed(w), transposed_rows(w, 0), U);
    lu_solve_transposed(transposed(w), transposed_rows(w, 0), U, b, x);
    memcpy((void *)w->scratch.d, x, (size_t)N * sizeof *x);
    for (int i = N; i < U; i++) x[i] *= -scale / h;
}

/* What the constraints at the nodes add, with lambda_p [n] after the step and before its
 * projection. */
static void constraints_back(work *w, const real *lp)
{
    const constraint_solver *c = &w->constraint;
    const int                n = w->n, s = w->s, m = c->count;
    const real              *mu = transposed_rows(w, 2), *nu = mu + w->N;
    real *const lq = w->state.adjoint, *const alpha = w->scratch.total;
    for (int k = 0; k <= s; k++) {
        const real                 *value = constraint_by(w, k), *y = c->impulse + k * m;
        const noe_constraint_entry *e = w->dyn->G_entry, *end = e + w->dyn->G_entries;
        for (int j = 0; j < n; j++) {
            alpha[j] = lp[j];
            for (int i = 0; i < s && k < s; i++) alpha[j] += c->X[k * s + i] * mu[j * s + i];
        }
        if (k < s) add_curvature_along(w, value, y, alpha, lq);
        for (; e < end && k; e++)
            if (!is_left_out(w, e->constraint))
                lq[e->row] += value[e->output] * nu[(k - 1) * m + e->constraint];
        add_constraints_by_parameters(w, k, alpha, k ? nu + (k - 1) * m : NULL, NULL,
                                      k < s ? y : NULL);
    }
}

/* Weights at the nodes: base_j + sum_m C_im mu_jm, C by nodes [r][S]. */
static void place_weights(work *w, const coef *C, const real *base, num sign)
{
    for (int j = 0; j < w->n; j++)
        for (int i = 0; i < w->r; i++) {
            const num *c = (const num *)(C + i * w->S);
            real       sum = base ? base[j] : r_set(0);
            for (int m = 0; m < w->s; m++) sum += sign * c[m] * w->scratch.d[j * w->s + m];
            *element(w->eval.Y, w->B, j, i) = sum;
        }
}

/* U_ij = sum_m I_im a_jm, by which a length moves the position at node i. */
INLINE real *node_move(const work *w, int i, int j) { return w->state.forces + j * w->r + i; }

static void place_node_moves(work *w, const real *modes)
{
    for (int j = 0; j < w->n; j++)
        for (int i = 0; i < w->r; i++) {
            real U = r_set(0);
            for (int m = 0; m < w->s; m++) U += I_at(w, i, m) * modes[j * w->s + m];
            *node_move(w, i, j) = U;
        }
}

/* lambda_q += sum_i b_i scale D_i^T y_i over the entries D of one kind.  With a monitor, returns
 * sum_i b_i scale U_i.D_i^T y_i: the weight of the length by what it moves at the nodes. */
static real add_entries(work *w, noe_d_kind kind, real scale)
{
    real moved = r_set(0);
    for (const noe_entry *x = w->dyn->entry, *end = x + w->dyn->entries; x < end; x++) {
        if (x->kind != kind) continue;
        real sum = r_set(0);
        for (int i = 0; i < w->r; i++)
            sum += w->method.b[i] * *element(w->eval.out, w->B, x->output, i)
                 * *element(w->eval.Y, w->B, x->row, i);
        w->state.adjoint[x->col] += scale * sum;
        for (int i = 0; i < w->r && w->eval.tape[CLOCK]; i++)
            moved += scale
                   * (w->method.b[i] * *element(w->eval.out, w->B, x->output, i)
                      * *element(w->eval.Y, w->B, x->row, i) * *node_move(w, i, x->col));
    }
    return moved;
}

/* Of a part of a step by a density, what its weights of forces (row 0) or momenta (row n),
 * b_i scale y_i, give the times of the step. */
static void add_node_times_back(work *w, int row, real scale)
{
    const real part = w->state.length / *w->state.h;
    for (int i = 0; i < w->r; i++) {
        real later = r_set(0);
        for (int j = 0; j < w->n; j++)
            later += rate_at(w, row + j, i) * *element(w->eval.Y, w->B, j, i);
        later *= scale * w->method.b[i];
        *time_weight(w, BY_BEGINNING) += later;
        *time_weight(w, BY_LENGTH) += (w->state.part_start + part * ((const num *)w->method.c)[i])
                                    * later;
    }
}

/* sum_m w_m lambda_q.a_m: the weight of a length by the drift. */
static real drift_back(const work *w, const real *modes)
{
    real sum = r_set(0);
    for (int i = 0; i < w->N; i++)
        sum += w->method.w[i % w->s] * modes[i] * w->state.adjoint[i / w->s];
    return sum;
}

/* sum_i b_i F_i.y_i: the weight of a length by the kick. */
static real kick_back(work *w)
{
    real sum = r_set(0);
    for (int j = 0; j < w->n; j++)
        for (int i = 0; i < w->r; i++)
            sum += w->method.b[i]
                 * (*element(w->eval.out, w->B, j, i) * *element(w->eval.Y, w->B, j, i));
    return sum;
}

/* Takes lambda back over one part of a Galerkin step, whose state is placed. */
static void galerkin_back(work *w, const real *modes)
{
    const int   n = w->n, s = w->s;
    const real  h = w->state.length;
    real *const lq = w->state.adjoint, *const lp = lq + n;
    const bool  constrained = w->constraint.count > 0, density = has_density(w);
    real        longer = r_set(0);                    /* dJ/d(length of the part) */
    real *const lambda_p = transposed_rows(w, 3) + n; /* after the step */
    if (constrained) {
        place_constraints(w, modes + w->N_row);
        constraints_at_nodes(w, *w->state.count, w->state.q, w->state.dq, modes,
                             w->constraint.velocity);
        projection_back(w);
        memcpy((void *)lambda_p, lp, (size_t)n * sizeof *lp);
    }
    linearize(w, of(w), modes, tape_back(w));
    for (int i = 0; i < w->N; i++) {
        w->scratch.e[i] = h * w->method.w[i % s] * lq[i / s];
        for (int j = 0; j < n; j++)
            w->scratch.e[i] += w->newton.new_kick_jacobian[j * w->N + i] * lp[j];
    }
    if (constrained) solve_transposed_constraints(w);
    else {
        lu_factor(w->newton.J, w->newton.new_pivot, w->N);
        lu_solve_transposed(w->newton.J, w->newton.new_pivot, w->N, w->scratch.e, w->scratch.d);
    }
    if (density) place_node_moves(w, modes), longer = drift_back(w, modes);
    place_weights(w, w->method.l_m, NULL, -1);
    longer += add_entries(w, NOE_D_PQ, r_set(1));
    if (density) add_node_times_back(w, n, r_set(1));
    place_weights(w, w->method.X_m, lp, 1);
    longer += add_entries(w, NOE_D_FQ, h);
    if (density) {
        longer += kick_back(w);
        add_node_times_back(w, 0, h);
        *time_weight(w, BY_LENGTH) += w->state.length / *w->state.h * longer;
    }
    add_by_parameters(w, FORCE_ADJOINT, w->r, w->method.b, h);
    if (w->eval.tape[MOMENTUM_ADJOINT]) {
        place_weights(w, w->method.l_m, NULL, -1);
        add_by_parameters(w, MOMENTUM_ADJOINT, w->r, w->method.b, r_set(1));
    }
    for (int i = 0; i < w->N; i++) lp[i / s] += w->method.w[i % s] * w->scratch.d[i];
    if (constrained) constraints_back(w, lambda_p);
}

#endif
