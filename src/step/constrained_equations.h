/* The equations of a constrained step; constraints at the nodes.
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

/* Output o of the constraints' tape at all nodes, a row. */
INLINE real *constraint_row(const work *w, int o)
{
    return w->constraint.value + (size_t)o * (size_t)w->constraint.value_row;
}

/* Is any constraint left out? */
INLINE bool leaves_out(const work *w)
{
    mask any = m_all(0);
    for (int a = 0; a < w->constraint.count; a++)
        any = any | r_less(r_set(0), w->constraint.left_out[a]);
    return m_any(any);
}

/* A constraint that is left out has neither values nor derivatives: of outputs in rows of so many
 * numbers. */
static void leave_out(const work *w, real *value, int wide)
{
    const int m = w->constraint.count;
    if (!leaves_out(w)) return;
#define LEAVE_OUT(a, o)                               \
    for (int k = (o)*wide; k < ((o) + 1) * wide; k++) \
    value[k] = r_if(r_less(r_set(0), w->constraint.left_out[a]), r_set(0), value[k])
    for (int a = 0; a < m; a++) {
        LEAVE_OUT(a, a);
        LEAVE_OUT(a, m + a);
    }
    for (const noe_constraint_entry *y = w->dyn->G_entry; y < w->dyn->G_entry + w->dyn->G_entries;
         y++)
        LEAVE_OUT(y->constraint, y->output);
    for (const noe_constraint_entry *y = w->dyn->G_q_entry;
         y < w->dyn->G_q_entry + w->dyn->G_q_entries; y++)
        LEAVE_OUT(y->constraint, y->output);
#undef LEAVE_OUT
}

/* c->block_most = the largest root_j |x_j| of each coupled set; root NULL: 1. */
INLINE void find_block_maxima(const work *w, const real *root, const real *x)
{
    real *const most = w->constraint.block_most;
    if (w->blocks == 1) { /* in registers, four that do not wait for each other */
        real part[4] = { r_set(0), r_set(0), r_set(0), r_set(0) };
        for (int first = 0; first < w->n; first += 4)
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++) {
                const int j = first + i;
                if (j < w->n) part[i] = r_max(part[i], root ? root[j] * r_abs(x[j]) : r_abs(x[j]));
            }
        most[0] = r_max(r_max(part[0], part[1]), r_max(part[2], part[3]));
        return;
    }
    for (int b = 0; b < w->blocks; b++) most[b] = r_set(0);
    for (int j = 0; j < w->n; j++) {
        real *const of = most + w->block_of[j];
        *of = r_max(*of, root ? root[j] * r_abs(x[j]) : r_abs(x[j]));
    }
}

/* The members for which a constraint that is left out does not hold at Q, where it has `value`. */
static mask left_out_fails(const work *w, const real *value, const real *Q, real t)
{
    const int m = w->constraint.count;
    real *size = w->constraint.hidden, *const most = w->constraint.block_most;
    mask fails = m_all(0);
    if (!leaves_out(w)) return fails;
    find_block_maxima(w, NULL, Q);
    for (int a = 0; a < m; a++)
        size[a] = r_abs(t * value[m + a]) + value[w->constraint.constants + a];
    for (const noe_constraint_entry *y = w->dyn->G_entry; y < w->dyn->G_entry + w->dyn->G_entries;
         y++)
        size[y->constraint] += r_abs(value[y->output]) * most[w->block_of[y->row]];
    for (int a = 0; a < m; a++)
        fails = fails
              | (r_less(r_set(0), w->constraint.left_out[a])
                 & r_less(NOE_LEFT_OUT_MOST * size[a], r_abs(value[a])));
    return fails;
}

/* c->end_value = the outputs of the constraints' tape, but for G_q, at time t and positions Q [n].
 * What the nodes have may be overwritten. */
static void constraint_jet_at(work *w, real t, const real *Q)
{
    const constraint_solver *c = &w->constraint;
    const int curved = w->dyn->G_q_entries ? w->dyn->G_q_entry->output : c->constants;
    *(real *)w->eval.t = t;
    for (int j = 0; j < w->n; j++) *element(w->eval.Q, w->B, j, 0) = Q[j];
    jet(w, CONSTRAINT, 1);
    for (int o = 0; o < c->outputs; o = o + 1 == curved ? c->constants : o + 1)
        c->end_value[o] = *element(c->out, w->B, o, 0);
}

/* Values and derivatives of the constraints at all their nodes, with the modes in w->scratch.a, and
 * nodes(). */
INLINE void constraint_nodes(work *w, const shape z, real h)
{
    constraint_solver *const c = &w->constraint;
    const int                n = z.n, s = z.s, K = row_size(s), most = WIDE * z.B;
    if (c->at_nodes) {
        nodes(w, z, h);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < K; k += ROW_PART)
                *nodes_at(c->position + j * K, k) = nodes_of(element(w->eval.Q, z.B, j, 0), k);
        jet(w, CONSTRAINT, z.r);
        for (int o = 0; o < c->outputs && !c->in_place; o++)
            for (int k = 0; k < K; k += ROW_PART)
                *nodes_at(constraint_row(w, o), k) = nodes_of(element(c->out, z.B, o, 0), k);
        leave_out(w, c->value, c->value_row);
        return;
    }
    const real begin = step_begin(w), upper = upper_half(h), rest = h - upper;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < K; k += ROW_PART) {
            row_part sum = nodes_set(r_set(0));
            for (int m = 0; m < s; m++)
                sum += *(const num_part *)(c->I_row + m * K + k) * w->scratch.a[j * s + m];
            *nodes_at(c->position + j * K, k) = w->state.q[j]
                                              + ((w->state.dq[j] + rest * sum) + upper * sum);
        }
    for (int first = 0; first <= s; first += most) {
        const int now = s + 1 - first < most ? s + 1 - first : most;
        for (int i = 0; i < now; i++) ((real *)w->eval.t)[i] = begin + c->node[first + i] * h;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < now; k += ROW_PART)
                *nodes_at(element(w->eval.Q, z.B, j, k), 0) = nodes_of(c->position + j * K,
                                                                       first + k);
        jet(w, CONSTRAINT, now);
        for (int o = 0; o < c->outputs && !c->in_place; o++)
            for (int k = 0; k < now; k += ROW_PART)
                *nodes_at(constraint_row(w, o), first + k) = nodes_of(element(c->out, z.B, o, k),
                                                                      0);
    }
    leave_out(w, c->value, c->value_row);
    nodes(w, z, h);
}

/* to [n] += G^T x at a node with the outputs `value` there; x [m]. */
INLINE void add_constraint_force(const work *w, const real *value, const real *x, real *to)
{
    const noe_constraint_entry *y = w->dyn->G_entry, *end = y + w->dyn->G_entries;
    for (; y < end; y++) to[y->row] += value[y->output] * x[y->constraint];
}

/* (G^T x)_j at the nodes k .. k + ROW_PART - 1; x: rows [m]. */
INLINE row_part constraint_force_at(const work *w, const int s, int k, const real *x, int j)
{
    const constraint_solver    *c = &w->constraint;
    const int                   K = row_size(s);
    const noe_constraint_entry *y = c->sorted + c->first_entry[j],
                               *end = c->sorted + c->first_entry[j + 1];
    row_part sum = nodes_set(r_set(0));
    for (; y < end; y++)
        sum += nodes_of(constraint_row(w, y->output), k) * nodes_of(x + y->constraint * K, k);
    return sum;
}

/* c->impulse_row = c->impulse. */
INLINE void impulse_rows(const work *w, const int s)
{
    const constraint_solver *c = &w->constraint;
    for (int a = 0; a < c->count; a++)
        for (int k = 0; k < s; k++)
            c->impulse_row[a * row_size(s) + k] = c->impulse[k * c->count + a];
}

/* The work of constraints that depend on t, -sum_k impulse_k . g_t, of the nodes but the last, with
 * the values of the last evaluation there. */
static real find_node_work(const work *w)
{
    const constraint_solver *c = &w->constraint;
    real                     sum = r_set(0);
    for (int k = 0; k < w->s && !w->dyn->autonomous; k++)
        for (int a = 0; a < c->count; a++)
            sum -= c->impulse[k * c->count + a] * constraint_row(w, c->count + a)[k];
    return sum;
}

/* The same of all nodes, after the step. */
static real constraint_work(const work *w)
{
    const constraint_solver *c = &w->constraint;
    real                     sum = *c->node_work;
    for (int a = 0; a < c->count; a++) sum -= c->mu[a] * c->end_value[c->count + a];
    return sum;
}

INLINE real square_root(real x)
{
#if NOE_REAL == NOE_DOUBLE
    return __builtin_sqrt(x);
#else
    const batch y = f_sqrt(b_set(x));
    return *(const real *)&y;
#endif
}

/* c->root_mass and c->inverse_root, with a new w->newton.mass_bound. */
static void root_masses(const work *w)
{
    const constraint_solver *c = &w->constraint;
    for (int j = 0; j < w->n; j++) {
        c->root_mass[j] = square_root(w->newton.mass_bound[j * w->n + j]) + LEAST_ROOT;
        c->inverse_root[j] = 1 / c->root_mass[j];
    }
}

/* c->kinetic, from velocities v [n]: a velocity of each coordinate with the energy of the fastest
 * of those that it is coupled to.  Rounding of a constraint is relative to it: a coordinate itself
 * may be at rest at 0. */
INLINE void kinetic_speeds(const work *w, const real *v)
{
    const constraint_solver *c = &w->constraint;
    find_block_maxima(w, c->root_mass, v);
    for (int j = 0; j < w->n; j++)
        c->kinetic[j] = c->block_most[w->block_of[j]] * c->inverse_root[j];
}

/* c->residual [N ..] = g at the nodes 1 .. s in the units of R, with the factors of the matrix. */
INLINE void scaled_constraints(const work *w, const shape z)
{
    const constraint_solver *c = &w->constraint;
    const int                m = c->count;
    for (int k = 1; k <= z.s; k++)
        for (int a = 0; a < m; a++)
            c->residual[z.N + (k - 1) * m + a] = constraint_row(w, a)[k]
                                               * c->row_scale[(k - 1) * m + a];
}

/* c->residual but for scaled_constraints(), c->error and, in w->scratch.kick, the impulses of all
 * nodes but the last.  residual() was called before. */
INLINE void constrained_residual(work *w, const shape z, real h)
{
    constraint_solver *const c = &w->constraint;
    const int                n = z.n, s = z.s, m = c->count, N = z.N, K = row_size(s);
    const real               step = r_abs(h), end = r_abs(step_begin(w) + h);
    memcpy((void *)c->residual, w->scratch.e, (size_t)N * sizeof *c->residual);
    impulse_rows(w, s);
    kinetic_speeds(w, w->scratch.speed);
    for (int j = 0; j < n; j++) {
        const noe_constraint_entry *first = c->sorted + c->first_entry[j],
                                   *last = c->sorted + c->first_entry[j + 1];
        real force[ROWS_MOST], size[ROWS_MOST], push = r_set(0), most = r_set(0);
        for (int k = 0; k < K; k += ROW_PART) {
            row_part sum = nodes_set(r_set(0)), all = sum;
            for (const noe_constraint_entry *y = first; y < last; y++) {
                const row_part term = nodes_of(constraint_row(w, y->output), k)
                                    * nodes_of(c->impulse_row + y->constraint * K, k);
                sum += term, all += nodes_abs(term);
            }
            *nodes_at(force, k) = sum, *nodes_at(size, k) = all;
            *nodes_at(c->reach + j * K, k) = nodes_abs(nodes_of(c->position + j * K, k))
                                           + step * c->kinetic[j];
        }
        for (int k = 0; k < s; k++) {
            for (int i = 0; i < s; i++) c->residual[j * s + i] -= c->X[k * s + i] * force[k];
            push += force[k], most = r_max(most, size[k]);
        }
        c->strength[j] = most;
        w->scratch.kick[j] += push;
    }
    real largest_error[ROWS_MOST], finite_probe[ROWS_MOST];
    *c->error = r_set(0);
    for (int k = 0; k < K; k += ROW_PART) {
        const noe_constraint_entry *y = w->dyn->G_entry, *last = y + w->dyn->G_entries;
        row_part                    worst = nodes_set(r_set(0)), probe = worst;
        for (int a = 0; a < m; a++) {
            const row_part g = nodes_of(constraint_row(w, a), k);
            row_part       size = end * nodes_abs(nodes_of(constraint_row(w, m + a), k))
                          + (nodes_of(constraint_row(w, c->constants + a), k) + LEAST_DIVISOR);
            for (; y < last && y->constraint == a; y++)
                size += nodes_abs(nodes_of(constraint_row(w, y->output), k))
                      * nodes_of(c->reach + y->row * K, k);
            *nodes_at(c->terms + a * K, k) = size;
            worst = nodes_max(worst, nodes_abs(g) / size), probe += g - g;
        }
        *nodes_at(largest_error, k) = worst, *nodes_at(finite_probe, k) = probe;
    }
    for (int k = 1; k <= s; k++) *c->error = r_max(*c->error, largest_error[k]);
    for (int k = 1; k <= s; k++) *c->error += finite_probe[k];
}

/* row_ka = 1/(|h| sum_j |G_aj|/M_jj): g in the units of R, so that the pivots of the elimination do
 * not depend on how a constraint is written.  inverse_mass [n] = 1/M_jj where they are known, else
 * NULL. */
INLINE void scale_constraints(const work *w, const shape z, real h, const real *inverse_mass,
                              real *row)
{
    const constraint_solver *c = &w->constraint;
    const int                n = z.n, m = c->count, s = z.s, K = row_size(s);
    for (int k = 0; k < K; k += ROW_PART) {
        const noe_constraint_entry *y = w->dyn->G_entry, *last = y + w->dyn->G_entries;
        for (int a = 0; a < m; a++) {
            real     sums[ROWS_MOST];
            row_part sum = nodes_set(r_set(0));
            for (; y < last && y->constraint == a; y++) {
                const row_part G = nodes_abs(nodes_of(constraint_row(w, y->output), k));
                if (inverse_mass) sum += G * r_abs(inverse_mass[y->row]);
                else sum += G / (w->newton.mass_bound[y->row * n + y->row] + LEAST_DIVISOR);
            }
            *nodes_at(sums, 0) = sum;
            for (int l = k ? k : 1; l < k + ROW_PART && l <= s; l++)
                row[(l - 1) * m + a] = r_if(r_less(r_set(0), sums[l - k]),
                                            1 / (r_abs(h) * sums[l - k]), r_set(1));
        }
    }
}

#endif
