/* The equations of a constrained step and their Jacobian; constraints at the nodes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     R_m - sum_{k<s} X_m(d_k) G(Q_k)^T y_k = 0,   g(Q_k) = 0  for k = 1 .. s
 * for the modes a_m and the impulses y_k = h w_k lambda_k, k = 0 .. s-1: the discrete action with
 * h sum_k w_k lambda_k . g(Q_k) added.  Positions are constrained at the nodes of Lobatto's rule
 * whatever the quadrature is; otherwise the end of the step would not satisfy the constraints. */
#ifndef NOE_STEP_CONSTRAINED_EQUATIONS_H
#define NOE_STEP_CONSTRAINED_EQUATIONS_H

#include "step/newton_iteration.h"

/* Time at the beginning of the step. */
INLINE real step_begin(const work *w)
{
    return *w->state.t0 + (*w->state.count + w->state.part_start) * *w->state.h;
}

/* Outputs of the constraints' tape at node k. */
INLINE real *constraint_at(const work *w, int k)
{
    return w->constraint.value + (size_t)k * (size_t)w->constraint.outputs;
}

/* A constraint that is left out has neither values nor derivatives. */
static void leave_out(const work *w, real *value)
{
    const int m = w->constraint.count;
    mask      any = m_all(0);
    for (int a = 0; a < m; a++) any = any | (r_set(0) < w->constraint.left_out[a]);
    if (!m_any(any)) return;
#define LEAVE_OUT(a, o) value[o] = r_if(r_set(0) < w->constraint.left_out[a], r_set(0), value[o])
    for (int a = 0; a < m; a++) LEAVE_OUT(a, a), LEAVE_OUT(a, m + a);
    for (const noe_constraint_entry *y = w->dyn->G_entry; y < w->dyn->G_entry + w->dyn->G_entries;
         y++)
        LEAVE_OUT(y->constraint, y->output);
    for (const noe_constraint_entry *y = w->dyn->G_q_entry;
         y < w->dyn->G_q_entry + w->dyn->G_q_entries; y++)
        LEAVE_OUT(y->constraint, y->output);
#undef LEAVE_OUT
}

/* The members for which a constraint that is left out does not hold at Q, where it has `value`. */
static mask left_out_fails(const work *w, const real *value, const real *Q, real t)
{
    const int m = w->constraint.count;
    real     *size = w->constraint.hidden, most = r_set(0);
    mask      fails = m_all(0);
    for (int j = 0; j < w->n; j++) most = r_max(most, r_abs(Q[j]));
    for (int a = 0; a < m; a++) size[a] = r_abs(t * value[m + a]);
    for (const noe_constraint_entry *y = w->dyn->G_entry; y < w->dyn->G_entry + w->dyn->G_entries;
         y++)
        size[y->constraint] += r_abs(value[y->output]) * most;
    for (int a = 0; a < m; a++)
        fails = fails
              | ((r_set(0) < w->constraint.left_out[a])
                 & (NOE_LEFT_OUT_MOST * size[a] < r_abs(value[a])));
    return fails;
}

/* Evaluates the tape of the constraints at `count` times t and positions Q [count][n]; outputs to
 * `to` [count][outputs]. */
static void constraint_jet(work *w, int count, const real *t, const real *Q, real *to)
{
    const int most = WIDE * w->B, outputs = w->constraint.outputs;
    for (int first = 0; first < count; first += most) {
        const int now = count - first < most ? count - first : most;
        for (int i = 0; i < now; i++) {
            ((real *)w->eval.t)[i] = t[first + i];
            for (int j = 0; j < w->n; j++)
                *element(w->eval.Q, w->B, j, i) = Q[(first + i) * w->n + j];
        }
        jet(w, CONSTRAINT, now);
        for (int i = 0; i < now; i++)
            for (int o = 0; o < outputs; o++)
                to[(first + i) * outputs + o] = *element(w->eval.out, w->B, o, i);
    }
}

/* Values and derivatives of the constraints at all their nodes, with the modes in w->scratch.a, and
 * nodes(). */
INLINE void constraint_nodes(work *w, const shape z, real h)
{
    constraint_solver *const c = &w->constraint;
    const int                n = z.n, s = z.s;
    if (c->at_nodes) {
        nodes(w, z, h);
        for (int j = 0; j < n; j++)
            for (int k = 0; k <= s; k++) c->position[k * n + j] = *element(w->eval.Q, z.B, j, k);
        jet(w, CONSTRAINT, z.r);
        for (int o = 0; o < c->outputs; o++)
            for (int k = 0; k <= s; k++) constraint_at(w, k)[o] = *element(w->eval.out, z.B, o, k);
        for (int k = 0; k <= s; k++) leave_out(w, constraint_at(w, k));
        return;
    }
    const real begin = step_begin(w), upper = upper_half(h), rest = h - upper;
    real       t[NOE_MAX_DEGREE + 1] = { 0 };
    for (int k = 0; k <= s; k++) {
        t[k] = begin + c->node[k] * h;
        for (int j = 0; j < n; j++) {
            real sum = r_set(0);
            for (int m = 0; m < s; m++) sum += c->I[k * s + m] * w->scratch.a[j * s + m];
            c->position[k * n + j] = w->state.q[j] + ((w->state.dq[j] + rest * sum) + upper * sum);
        }
    }
    constraint_jet(w, s + 1, t, c->position, c->value);
    for (int k = 0; k <= s; k++) leave_out(w, constraint_at(w, k));
    nodes(w, z, h);
}

/* to [n] += G^T x at a node with the outputs `value` there; x [m]. */
INLINE void add_constraint_force(const work *w, const real *value, const real *x, real *to)
{
    const noe_constraint_entry *y = w->dyn->G_entry, *end = y + w->dyn->G_entries;
    for (; y < end; y++) to[y->row] += value[y->output] * x[y->constraint];
}

/* (G^T x)_j at node k; x [m]. */
INLINE real constraint_force_at(const work *w, int k, const real *x, int j)
{
    const constraint_solver *c = &w->constraint;
    const real              *value = constraint_at(w, k);
    real                     sum = r_set(0);
    for (int p = c->first_entry[j]; p < c->first_entry[j + 1]; p++) {
        const noe_constraint_entry *y = w->dyn->G_entry + c->sorted_entry[p];
        sum += value[y->output] * x[y->constraint];
    }
    return sum;
}

/* The work of constraints that depend on t, -sum_k impulse_k . g_t, with the values of the last
 * evaluation at the nodes. */
static real constraint_work(const work *w)
{
    const constraint_solver *c = &w->constraint;
    real                     sum = r_set(0);
    for (int k = 0; k <= w->s; k++)
        for (int a = 0; a < c->count; a++)
            sum -= (k < w->s ? c->impulse[k * c->count + a] : c->mu[a])
                 * constraint_at(w, k)[c->count + a];
    return sum;
}

INLINE real square_root(real x)
{
    const batch y = f_sqrt(b_zero() + x);
    return *(const real *)&y;
}

/* c->root_mass, with a new w->newton.mass_bound. */
static void root_masses(const work *w)
{
    for (int j = 0; j < w->n; j++)
        w->constraint.root_mass[j] = square_root(w->newton.mass_bound[j * w->n + j]) + LEAST_ROOT;
}

/* c->kinetic, from velocities v [n]: a velocity of each coordinate with the energy of the fastest.
 * Rounding of a constraint is relative to it: a coordinate itself may be at rest at 0. */
INLINE void kinetic_speeds(const work *w, const real *v)
{
    const constraint_solver *c = &w->constraint;
    real                     most = r_set(0);
    for (int j = 0; j < w->n; j++) most = r_max(most, c->root_mass[j] * r_abs(v[j]));
    for (int j = 0; j < w->n; j++) c->kinetic[j] = most / c->root_mass[j];
}

/* c->residual [N ..] = g at the nodes 1 .. s in the units of R, with the factors of the matrix. */
INLINE void scaled_constraints(const work *w, const shape z)
{
    const constraint_solver *c = &w->constraint;
    const int                m = c->count;
    for (int k = 1; k <= z.s; k++)
        for (int a = 0; a < m; a++)
            c->residual[z.N + (k - 1) * m + a] = constraint_at(w, k)[a] * c->row[(k - 1) * m + a];
}

/* c->residual but for scaled_constraints(), c->error and, in w->scratch.kick, the impulses of all
 * nodes but the last.  residual() was called before. */
INLINE void constrained_residual(work *w, const shape z, real h)
{
    constraint_solver *const c = &w->constraint;
    const int                n = z.n, s = z.s, m = c->count, N = z.N;
    const real               step = r_abs(h), end = r_abs(step_begin(w) + h);
    memcpy((void *)c->residual, w->scratch.e, (size_t)N * sizeof *c->residual);
    for (int j = 0; j < n; j++) {
        real push = r_set(0), most = r_set(0);
        for (int k = 0; k < s; k++) {
            const real *value = constraint_at(w, k), *y_k = c->impulse + k * m;
            real        force = r_set(0), size = r_set(0);
            for (int p = c->first_entry[j]; p < c->first_entry[j + 1]; p++) {
                const noe_constraint_entry *y = w->dyn->G_entry + c->sorted_entry[p];
                const real                  term = value[y->output] * y_k[y->constraint];
                force += term, size += r_abs(term);
            }
            for (int i = 0; i < s; i++) c->residual[j * s + i] -= c->X[k * s + i] * force;
            push += force, most = r_max(most, size);
        }
        c->strength[j] = most;
        w->scratch.kick[j] += push;
    }
    *c->error = r_set(0);
    kinetic_speeds(w, w->scratch.speed);
    for (int k = 1; k <= s; k++) {
        const real                 *value = constraint_at(w, k), *Q = c->position + k * n;
        const noe_constraint_entry *y = w->dyn->G_entry, *last = y + w->dyn->G_entries;
        for (int a = 0; a < m; a++) {
            const real g = value[a];
            real       size = end * r_abs(value[m + a]) + LEAST_DIVISOR;
            for (; y < last && y->constraint == a; y++)
                size += r_abs(value[y->output]) * (r_abs(Q[y->row]) + step * c->kinetic[y->row]);
            *c->error = r_max(*c->error, r_abs(g) / size) + (g - g);
        }
    }
}

/* row_ka = 1/(|h| sum_j |G_aj|/M_jj): g in the units of R, so that the pivots of the elimination do
 * not depend on how a constraint is written. */
INLINE void scale_constraints(work *w, const shape z, real h, real *row)
{
    const constraint_solver *c = &w->constraint;
    const int                n = z.n, m = c->count;
    for (int k = 1; k <= z.s; k++) {
        real *to = row + (k - 1) * m;
        for (int a = 0; a < m; a++) to[a] = r_set(0);
        for (const noe_constraint_entry *y = w->dyn->G_entry;
             y < w->dyn->G_entry + w->dyn->G_entries; y++)
            to[y->constraint] += r_abs(constraint_at(w, k)[y->output])
                               / (w->newton.new_mass_bound[y->row * n + y->row] + LEAST_DIVISOR);
        for (int a = 0; a < m; a++)
            to[a] = r_if(r_set(0) < to[a], 1 / (r_abs(h) * to[a]), r_set(1));
    }
}

/* A [U][U] = the Jacobian of the equations, from w->newton.J and the constraints at the nodes. */
INLINE void constrained_matrix(work *w, const shape z, real h, const real *row, real *A)
{
    const constraint_solver *c = &w->constraint;
    const int                s = z.s, m = c->count, N = z.N, U = c->unknowns;
    for (int i = 0; i < U * U; i++) A[i] = r_set(0);
    for (int i = 0; i < N; i++)
        memcpy((void *)(A + i * U), w->newton.J + i * N, (size_t)N * sizeof *A);
    for (int k = 0; k <= s; k++) {
        const real *value = constraint_at(w, k);
        const num  *X = c->X + k * s, *I = c->I + k * s;
        for (const noe_constraint_entry *y = w->dyn->G_entry;
             y < w->dyn->G_entry + w->dyn->G_entries; y++) {
            const real G = value[y->output];
            const int  a = y->constraint;
            for (int i = 0; i < s && k < s; i++)
                A[(y->row * s + i) * U + N + k * m + a] = -(X[i] * G);
            if (!k) continue;
            const real g = h * row[(k - 1) * m + a] * G;
            for (int i = 0; i < s; i++) A[(N + (k - 1) * m + a) * U + y->row * s + i] = I[i] * g;
        }
        for (int a = 0; a < m && k < s; a++) { /* an impulse of 0 where it is left out */
            const int i = N + k * m + a;
            A[i * U + i] = c->left_out[a];
        }
        if (!k || k == s) continue;
        for (const noe_constraint_entry *y = w->dyn->G_q_entry;
             y < w->dyn->G_q_entry + w->dyn->G_q_entries; y++) {
            const real x = h * (value[y->output] * c->impulse[k * m + y->constraint]);
            for (int i = 0; i < s; i++)
                for (int l = 0; l < s; l++) {
                    const real part = (X[i] * I[l]) * x;
                    A[(y->row * s + i) * U + y->col * s + l] -= part;
                    if (y->row != y->col) A[(y->col * s + i) * U + y->row * s + l] -= part;
                }
        }
    }
}

#endif
