/* What the couplings K add to a condensed correction of a constrained step: sweeps.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A sweep solves step/condensed_constraints.h for what K makes of the sweep before, and is h^2
 * smaller.  Curved constraints couple by the moves of the nodes 1 .. s-1 alone: a node k that moves
 * by u_k bends what its impulses do by b_k = (h impulse_k . G_q) u_k, unconstrained modes answer
 * with the moves sum_l C_kl M^-1 b_l, and the impulses that hold the constraints with sum_l C_kl
 * M^-1 G_l^T z_l.  A sweep is these moves, and modes are found at the end from the sums of all b
 * and z; only forces that vary need the modes of every sweep. */
#ifndef NOE_STEP_COUPLING_SWEEPS_H
#define NOE_STEP_COUPLING_SWEEPS_H

#include "step/condensed_constraints.h"

/* c->curvature = h impulse_k . G_q at the nodes k = 1 .. s-1, with the values and the impulses of
 * the last evaluation, for the members `which`. */
INLINE void find_curvature(const work *w, const int s, real h, mask which)
{
    const constraint_solver *c = &w->constraint;
    const int                K = row_size(s), count = c->first_curved[w->n];
    const bool               all = m_bits(which) == (1u << MEMBERS) - 1;
    for (int k = 1; k < s; k++) {
        real *const to = (all ? c->curvature : c->new_curvature) + (k - 1) * count;
        const real *value = c->value + k, *impulse = c->impulse_row + k;
        const int  *at = c->curved_at;
        for (int i = 0; i < count; i++) to[i] = r_set(0);
        for (const noe_constraint_entry *y = w->dyn->G_q_entry;
             y < w->dyn->G_q_entry + w->dyn->G_q_entries; y++, at += 2) {
            const real x = h * (value[y->output * c->value_row] * impulse[y->constraint * K]);
            to[at[0]] += x;
            if (at[1] != at[0]) to[at[1]] += x;
        }
    }
    if (!all) copy_where(which, c->curvature, c->new_curvature, (s - 1) * count);
}

/* What moves of the nodes, rows [n], change in the coordinate j of G(Q_k)^T impulse_k, by way of
 * Q_k. */
INLINE real change_of_G(const work *w, const int s, int k, const real *moves, int j)
{
    const constraint_solver *c = &w->constraint;
    const int                K = row_size(s);
    const real              *x = c->curvature + (k - 1) * c->first_curved[w->n];
    real                     sum = r_set(0);
    for (int i = c->first_curved[j]; i < c->first_curved[j + 1]; i++)
        sum += x[i] * moves[c->curved[i] * K + k];
    return sum;
}

/* c->coupled = what modes d change in R by forces that vary [N], and in h sum_i b_i F_i [n], with D
 * in w->eval.out. */
INLINE void couplings_of_forces(work *w, const shape z, real h, const real *d)
{
    constraint_solver *const c = &w->constraint;
    const int                n = z.n, s = z.s;
    real *const R = c->coupled, *const kick = R + z.N;
    for (int i = 0; i < z.N + n; i++) R[i] = r_set(0);
    batch *const dQ = c->change, *const dV = dQ + n * z.B, *const dF = dV + n * z.B,
                 *const dP = dF + n * z.B;
    for (int j = 0; j < n; j++) {
        contract(dQ + j * z.B, z.B, w->method.I, s, d + j * s);
        contract(dV + j * z.B, z.B, w->method.l, s, d + j * s);
        for (int b = j * z.B; b < (j + 1) * z.B; b++) {
            dQ[b] = h * dQ[b];
            dF[b] = dP[b] = b_zero();
        }
    }
    for (const noe_entry *y = w->dyn->entry; y < w->dyn->entry + w->dyn->entries; y++) {
        if (y->kind == NOE_D_PV) continue;
        const batch *D = w->eval.out + (size_t)y->output * (size_t)z.B,
                    *x = (y->kind == NOE_D_FV ? dV : dQ) + y->col * z.B;
        batch *to = (y->kind == NOE_D_PQ ? dP : dF) + y->row * z.B;
        for (int b = 0; b < z.B; b++) to[b] += D[b] * x[b];
    }
    for (int j = 0; j < n; j++) {
        batch P_part[NOE_MAX_DEGREE], F_part[NOE_MAX_DEGREE], b[NOE_MAX_POINTS];
        weigh(b, z.B, w->method.weight, dP + j * z.B);
        contract(P_part, z.S, w->method.l_m, z.r, (const real *)b);
        weigh(b, z.B, w->method.weight, dF + j * z.B);
        contract(F_part, z.S, w->method.X_m, z.r, (const real *)b);
        for (int i = 0; i < s; i++)
            R[j * s + i] += ((const real *)P_part)[i] - h * ((const real *)F_part)[i];
        for (int i = 0; i < z.r; i++) kick[j] += h * ((const real *)b)[i];
    }
}

/* kinetic_norms() of modes x where the mass is diagonal. */
INLINE void diagonal_norms(const work *w, const shape z, const real *x, real *to)
{
    const bool one = w->blocks == 1;
    real all = r_set(0), before = all; /* two sums in turn, which do not wait for each other */
    for (int b = 0; b < w->blocks; b++) to[b] = r_set(0);
    for (int j = 0; j < z.n; j++) {
        real most = r_abs(x[j * z.s]);
        for (int i = j * z.s + 1; i < (j + 1) * z.s; i++) most = r_max(most, r_abs(x[i]));
        const real part = w->constraint.mass[j] * (most * most);
        const real next = before + part;
        before = all, all = next;
        if (!one) to[w->block_of[j]] += part;
    }
    if (one) to[0] = all + before;
}

/* The moves of the nodes k .. k + ROW_PART - 1 by R_m = sum_l X_m(d_l) x_l alone, over h, of one
 * coordinate with this 1/M; l = first .. s-1. */
INLINE row_part moves_at(const work *w, const int s, int k, const int first, real inverse_mass,
                         const real *x)
{
    const num *C = w->constraint.C_row + k;
    row_part   sum = nodes_set(r_set(0));
    for (int l = first; l < s; l++) sum += *(const num_part *)(C + l * row_size(s)) * x[l];
    return inverse_mass * sum;
}

/* d [N] += the modes of what moves have bent, M^-1 X b; b: [n][s - 1]. */
INLINE void add_modes_of_bends(const work *w, const int s, const real *b, real *d)
{
    const constraint_solver *c = &w->constraint;
    for (int j = 0; j < w->n; j++)
        for (int k = 1; k < s; k++) {
            const real v = c->inverse_mass[j] * b[j * (s - 1) + k - 1];
            for (int i = 0; i < s; i++) d[j * s + i] += c->X[k * s + i] * v;
        }
}

/* c->moved_row += what the impulses c->push_row move.  Returns x for which the residual (1 - x)
 * c->sweep_row + x c->moved_row, of a part x of the sweep c->sweep_row, is smallest in the kinetic
 * metric of the moves.  Where couplings stiffen, as tension does, two sweeps in turn have opposite
 * signs, and with it a sweep leaves half as much: chains of 100 and 1000 rods by gauss 2 and steps
 * of 0.01 take 6.0 and 9.2 sweeps a step, 6.8 and 13 without. */
INLINE real add_held_moves(work *w, const int s)
{
    constraint_solver *const c = &w->constraint;
    const int                K = row_size(s);
    row_part                 above[ROWS_MOST], below[ROWS_MOST]; /* by the first node of a part */
    real                     top = r_set(0), bottom = top;
    for (int k = 0; k < K; k += ROW_PART) above[k] = below[k] = nodes_set(r_set(0));
    for (int j = 0; j < w->n; j++) {
        real force[ROWS_MOST];
        for (int k = 0; k < K; k += ROW_PART)
            *nodes_at(force, k) = constraint_force_at(w, s, k, c->push_row, j);
        for (int k = 0; k < K; k += ROW_PART) {
            const row_part before = nodes_of(c->sweep_row + j * K, k),
                           now = nodes_of(c->moved_row + j * K, k)
                               + moves_at(w, s, k, 0, c->inverse_mass[j], force),
                           change = before - now, weighted = c->mass[j] * change;
            above[k] += weighted * before, below[k] += weighted * change;
            *nodes_at(c->moved_row + j * K, k) = now;
        }
    }
    for (int k = 0; k < K; k += ROW_PART)
        for (int l = k ? k : 1; l < k + ROW_PART && l <= s; l++)
            top += node_of(above[k], l - k), bottom += node_of(below[k], l - k);
    return r_if(r_less(r_set(0), bottom), top / bottom, r_set(1));
}

/* The next sweep: c->bent and c->push_row for the moves c->sweep_row, and the moves that they make,
 * in c->moved_row; where forces vary c->next_modes for the modes c->modes.  Returns the part
 * of add_held_moves(). */
INLINE real next_sweep(work *w, const shape z, real h)
{
    constraint_solver *const c = &w->constraint;
    const int                s = z.s, K = row_size(s);
    const bool               curved = w->dyn->G_q_entries && s > 1;
    if (c->varying_forces) {
        couplings_of_forces(w, z, h, c->modes);
        for (int j = 0; j < z.n; j++)
            for (int i = j * s; i < (j + 1) * s; i++)
                c->next_modes[i] = -c->inverse_mass[j] * c->coupled[i];
        move_constrained_nodes(w, s, c->next_modes, c->moved_row);
    }
    for (int j = 0; j < z.n && curved; j++) {
        real bent[NOE_MAX_DEGREE];
        for (int k = 1; k < s; k++)
            c->bent[j * (s - 1) + k - 1] = bent[k] = change_of_G(w, s, k, c->sweep_row, j);
        for (int k = 0; k < K; k += ROW_PART) {
            row_part moves = moves_at(w, s, k, 1, c->inverse_mass[j], bent);
            if (c->varying_forces) moves += nodes_of(c->moved_row + j * K, k);
            *nodes_at(c->moved_row + j * K, k) = moves;
        }
    }
    hold_constraints(w, s, r_set(0));
    const real x = add_held_moves(w, s);
    if (!c->varying_forces) return x;
    add_modes_of_bends(w, s, c->bent, c->next_modes);
    add_modes_of_impulses(w, s, c->push_row, c->next_modes);
    return x;
}

/* to = sum_k sum_j M_jj u_jk^2 of each coupled set, for moves u of the nodes 1 .. s, rows [n]. */
INLINE void norms_of_moves(const work *w, const int s, const real *u, real *to)
{
    const int K = row_size(s);
    for (int b = 0; b < w->blocks; b++) to[b] = r_set(0);
    for (int k = 0; k < K; k += ROW_PART) {
        row_part all = nodes_set(r_set(0));
        for (int j = 0; j < w->n; j++) {
            const row_part part = w->constraint.mass[j] * nodes_of(u + j * K, k)
                                * nodes_of(u + j * K, k);
            if (w->blocks == 1) all += part;
            else
                for (int l = k ? k : 1; l < k + ROW_PART && l <= s; l++)
                    to[w->block_of[j]] += node_of(part, l - k);
        }
        for (int l = k ? k : 1; l < k + ROW_PART && l <= s; l++) to[0] += node_of(all, l - k);
    }
}

/* The part x of the sweep is taken, for the members `going`, and its residual is the next one. */
INLINE void take_sweep(work *w, const shape z, real x, mask going)
{
    constraint_solver *const c = &w->constraint;
    const int                s = z.s, K = row_size(s);
    const real               rest = 1 - x, taken = r_if(going, x, r_set(0));
    for (int i = 0; i < z.n * K; i += ROW_PART)
        *nodes_at(c->sweep_row, i) = rest * nodes_of(c->sweep_row, i)
                                   + x * nodes_of(c->moved_row, i);
    for (int i = 0; i < c->count * K; i += ROW_PART)
        *nodes_at(c->all_push, i) += taken * nodes_of(c->push_row, i);
    if (!c->varying_forces) {
        for (int i = 0; i < z.n * (s - 1); i++) c->all_bent[i] += taken * c->bent[i];
        return;
    }
    for (int i = 0; i < z.N; i++) {
        const real next = x * c->next_modes[i];
        c->d[i] = r_if(going, c->d[i] + next, c->d[i]);
        c->modes[i] = rest * c->modes[i] + next;
    }
}

/* c->d = the correction for c->residual, with new curvatures for the members `fresh`: sweeps until
 * the next one would be rounding, or smaller than what Newton's method leaves anyway, the square of
 * the first.  *gain = by what factor a sweep is smaller than the one before, squared; 0: not known
 * yet.  That of the last correction serves for the first sweep of this one. */
INLINE void condensed_correction(work *w, const shape z, real h, mask fresh, real *gain)
{
    constraint_solver *const c = &w->constraint;
    const num                part = SWEEP_MARGIN * SWEEP_MARGIN;
    const int                K = row_size(z.s);
    uncoupled_correction(w, z.s, h, c->d);
    if (!c->has_couplings) return;
    if (w->dyn->G_q_entries && z.s > 1 && m_any(fresh)) find_curvature(w, z.s, h, fresh);
    diagonal_norms(w, z, c->d, w->scratch.norm);
    diagonal_norms(w, z, w->scratch.a, w->scratch.velocity_norm);
    mask small = r_less(r_set(0), *gain);
    for (int b = 0; b < w->blocks; b++)
        small = small
              & r_at_most(part * *gain * w->scratch.norm[b],
                          EPS * EPS * w->scratch.velocity_norm[b]);
    mask going = m_not(small); /* every member makes its own number of sweeps */
    if (!m_any(going)) return;
    move_constrained_nodes(w, z.s, c->d, c->sweep_row);
    norms_of_moves(w, z.s, c->sweep_row, w->scratch.most);
    if (c->varying_forces) memcpy((void *)c->modes, c->d, (size_t)z.N * sizeof *c->d);
    memset((void *)c->all_push, 0, (size_t)(c->count * K) * sizeof *c->all_push);
    memset((void *)c->all_bent, 0, (size_t)(z.n * (z.s - 1)) * sizeof *c->all_bent);
    for (int sweep = 1; sweep < SWEEPS_MOST && m_any(going); sweep++) {
        real worst = r_set(0);
        take_sweep(w, z, next_sweep(w, z, h), going);
        small = m_all(1);
        norms_of_moves(w, z.s, c->sweep_row, w->scratch.room[0]);
        for (int b = 0; b < w->blocks; b++) { /* of squares */
            const real all = w->scratch.velocity_norm[b], first = w->scratch.norm[b],
                       now = w->scratch.room[0][b], before = w->scratch.most[b],
                       ratio = now / (before + LEAST_DIVISOR), next = part * now * ratio;
            small = small
                  & (r_at_most(next, EPS * EPS * all) | r_at_most(next * all, first * first));
            worst = r_max(worst, ratio);
            w->scratch.most[b] = now;
        }
        *gain = r_if(going, worst, *gain);
        going = going & m_not(small);
    }
    if (!c->varying_forces) {
        add_modes_of_bends(w, z.s, c->all_bent, c->d);
        add_modes_of_impulses(w, z.s, c->all_push, c->d);
    }
    for (int a = 0; a < c->count; a++)
        for (int k = 0; k < z.s; k++) c->d[z.N + k * c->count + a] += c->all_push[a * K + k];
}

#endif
