/* Newton's correction of a constrained step with constant diagonal mass, by multipliers alone.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With orthonormal modes the Jacobian of step/constrained_equations.h is
 *     [ M + K   -X G^T ]  [ d ]   [ R ]
 *     [ h I G      0   ]  [ z ] = [ g ],
 * where K, of size h^2, has the derivatives of the forces and those of G.  Without K the modes d =
 * M^-1 (R + X G^T z) follow from the impulses, and these solve
 *     sum_l C_kl (G_k M^-1 G_l^T) z_l = g_k/h - I_k G_k M^-1 R,   C_kl = sum_m I_m(d_k) X_m(d_l).
 * Its matrix couples constraints that share a coordinate: a band for chains, whose factors cost in
 * proportion to the number of constraints.  All leading and all trailing minors of C are positive
 * (checked for s <= 12): no rows are exchanged, from either end.  K enters by sweeps: each solves
 * for what K makes of the sweep before, and is h^2 smaller.  No matrix of the size of the modes is
 * formed. */
#ifndef NOE_STEP_CONDENSED_CONSTRAINTS_H
#define NOE_STEP_CONDENSED_CONSTRAINTS_H

#include "step/constrained_equations.h"
#include "step/constraint_band.h"
#include "step/legendre_transform.h"

/* Half the width of c->band. */
INLINE int step_band(const work *w) { return w->s * (w->constraint.half_band + 1) - 1; }

/* c->mass, c->inverse_mass and c->root_mass, with the tape LEGENDRE at the present state. */
static void invert_constant_mass(work *w)
{
    legendre_jet(w, w->state.v);
    root_masses(w);
    for (int k = 0; k < w->dyn->masses; k++)
        w->constraint.inverse_mass[w->dyn->mass[k].row] = 1 / output(w, w->dyn->mass[k].output);
    for (int j = 0; j < w->n; j++) w->constraint.mass[j] = w->newton.mass_bound[j * w->n + j];
    w->nodal.mass_known = true;
}

/* band = the factors of C_kl G_k M^-1 G_l^T at the nodes. */
INLINE void factor_band(work *w, const int s, real *band)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count, half = step_band(w);
    memset((void *)band, 0, (size_t)(s * m * (2 * half + 1)) * sizeof *band);
    for (int j = 0; j < w->n; j++) {
        const noe_constraint_entry *first = c->sorted + c->first_entry[j],
                                   *end = c->sorted + c->first_entry[j + 1];
        for (const noe_constraint_entry *y = first; y < end; y++) {
            const real *left = constraint_row(w, y->output);
            real        NG[NOE_MAX_DEGREE];
            for (int k = 0; k < s; k++) NG[k] = left[k + 1] * c->inverse_mass[j];
            for (const noe_constraint_entry *x = first; x < end; x++) {
                const real *right = constraint_row(w, x->output);
                for (int k = 0; k < s; k++) {
                    real *to = band_row(band, half, y->col * s + k) + x->col * s;
                    for (int l = 0; l < s; l++) to[l] += c->C[k * s + l] * (NG[k] * right[l]);
                }
            }
        }
    }
    for (int a = 0; a < m; a++)
        for (int k = 0; k < s; k++) { /* an impulse of 0 where it is left out */
            const int i = c->place[a] * s + k;
            band_row(band, half, i)[i] += c->left_out[a];
        }
    band_factor(band, half, s * m);
}

/* c->moved_row = sum_m I_m(d_k) d_m of all coordinates at the nodes: what modes d change in the
 * positions, over h; s is that of the method. */
INLINE void move_constrained_nodes(const work *w, const int s, const real *d)
{
    const constraint_solver *c = &w->constraint;
    const int                K = row_size(s);
    for (int j = 0; j < w->n; j++)
        for (int k = 0; k < K; k += ROW_PART) {
            row_part sum = *(const num_part *)(c->I_row + k) * d[j * s];
            for (int i = 1; i < s; i++)
                sum += *(const num_part *)(c->I_row + i * K + k) * d[j * s + i];
            *nodes_at(c->moved_row + j * K, k) = sum;
        }
}

/* d [U] = modes and impulses for the right-hand sides R [N] and, where with_g, g at the nodes. */
INLINE void condensed_sweep(work *w, const int s, real h, const real *R, bool with_g, real *d)
{
    constraint_solver *const c = &w->constraint;
    const int                n = w->n, m = c->count, K = row_size(s);
    const real               rate = with_g ? 1 / h : r_set(0);
    real *const              z = d + w->N;
    for (int j = 0; j < n; j++)
        for (int i = j * s; i < (j + 1) * s; i++) d[i] = c->inverse_mass[j] * R[i];
    move_constrained_nodes(w, s, d);
    for (int k = 0; k < K; k += ROW_PART) {
        const noe_constraint_entry *y = w->dyn->G_entry, *end = y + w->dyn->G_entries;
        for (int a = 0; a < m; a++) {
            row_part sum = nodes_of(constraint_row(w, a), k) * rate;
            for (; y < end && y->constraint == a; y++)
                sum -= nodes_of(constraint_row(w, y->output), k)
                     * nodes_of(c->moved_row + y->row * K, k);
            for (int l = k ? k : 1; l < k + ROW_PART && l <= s; l++)
                c->places[c->place[a] * s + l - 1] = node_of(sum, l - k);
        }
    }
    band_solve(c->band, step_band(w), s * m, c->places);
    for (int a = 0; a < m; a++)
        for (int k = 0; k < s; k++)
            z[k * m + a] = c->push_row[a * K + k] = c->places[c->place[a] * s + k];
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < K; k += ROW_PART) {
            const row_part v = c->inverse_mass[j] * constraint_force_at(w, s, k, c->push_row, j);
            for (int l = k; l < k + ROW_PART && l < s; l++)
                for (int i = 0; i < s; i++) d[j * s + i] += c->X[l * s + i] * node_of(v, l - k);
        }
    }
}

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

/* What moved positions (move_constrained_nodes()) change in the coordinate j of G(Q_k)^T impulse_k,
 * by way of Q_k. */
INLINE real change_of_G(const work *w, const int s, int k, int j)
{
    const constraint_solver *c = &w->constraint;
    const int                K = row_size(s);
    const real              *x = c->curvature + (k - 1) * c->first_curved[w->n];
    real                     sum = r_set(0);
    for (int i = c->first_curved[j]; i < c->first_curved[j + 1]; i++)
        sum += x[i] * c->moved_row[c->curved[i] * K + k];
    return sum;
}

/* R -= sum_k X(d_k) of what d changes in G(Q_k)^T impulse_k. */
INLINE void couplings_of_constraints(work *w, const int s, const real *d, real *R)
{
    const constraint_solver *c = &w->constraint;
    if (!w->dyn->G_q_entries || s == 1) return;
    move_constrained_nodes(w, s, d);
    for (int k = 1; k < s; k++)
        for (int j = 0; j < w->n; j++) {
            const real change = change_of_G(w, s, k, j);
            for (int i = 0; i < s; i++) R[j * s + i] -= c->X[k * s + i] * change;
        }
}

/* c->coupled = K d [N], and what d changes in h sum_i b_i F_i [n], with D in w->eval.out. */
INLINE void couplings(work *w, const shape z, real h, const real *d)
{
    constraint_solver *const c = &w->constraint;
    const int                n = z.n, s = z.s;
    real *const R = c->coupled, *const kick = R + z.N;
    for (int i = 0; i < z.N + n; i++) R[i] = r_set(0);
    couplings_of_constraints(w, s, d, R);
    if (!c->varying_forces) return;
    batch *const dQ = c->change, *const dV = dQ + n * z.B, *const dF = dV + n * z.B,
                 *const dP = dF + n * z.B;
    for (int j = 0; j < n; j++) {
        contract(dQ + j * z.B, z.B, w->method.I, s, d + j * s);
        contract(dV + j * z.B, z.B, w->method.l, s, d + j * s);
        for (int b = j * z.B; b < (j + 1) * z.B; b++)
            dQ[b] = h * dQ[b], dF[b] = b_zero(), dP[b] = b_zero();
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

/* x for which the residual (1 - x) c->sweep + x c->next_sweep, of a part x of the sweep c->sweep,
 * is smallest in the kinetic metric of the modes.  Where couplings stiffen, as tension does, two
 * sweeps in turn have opposite signs, and with it a sweep leaves half as much: chains of 100 and
 * 1000 rods by gauss 2 and steps of 0.01 take 6.0 and 9.2 sweeps a step, 6.8 and 13 without. */
INLINE real least_residual(const work *w, const shape z)
{
    const constraint_solver *c = &w->constraint;
    real                     top = r_set(0), bottom = top;
    for (int j = 0; j < z.n; j++) {
        real above = r_set(0), below = above;
        for (int i = j * z.s; i < (j + 1) * z.s; i++) {
            const real change = c->sweep[i] - c->next_sweep[i];
            above += change * c->sweep[i], below += change * change;
        }
        top += c->mass[j] * above, bottom += c->mass[j] * below;
    }
    return r_if(r_less(r_set(0), bottom), top / bottom, r_set(1));
}

/* c->d = the correction for c->residual, with new curvatures for the members `fresh`: sweeps until
 * the next one would be rounding, or smaller than what Newton's method leaves anyway, the square of
 * the first.  *gain = by what factor a sweep is smaller than the one before, squared; 0: not known
 * yet.  That of the last correction serves for the first sweep of this one. */
INLINE void condensed_correction(work *w, const shape z, real h, mask fresh, real *gain)
{
    constraint_solver *const c = &w->constraint;
    const num                part = SWEEP_MARGIN * SWEEP_MARGIN;
    condensed_sweep(w, z.s, h, c->residual, true, c->d);
    if (!c->has_couplings) return;
    if (w->dyn->G_q_entries && z.s > 1 && m_any(fresh)) find_curvature(w, z.s, h, fresh);
    diagonal_norms(w, z, c->d, w->scratch.norm);
    diagonal_norms(w, z, w->scratch.a, w->scratch.velocity_norm);
    mask known = r_less(r_set(0), *gain), small = known;
    for (int b = 0; b < w->blocks; b++) {
        const real next = *gain * w->scratch.norm[b];
        w->scratch.most[b] = w->scratch.norm[b];
        small = small & r_at_most(part * next, EPS * EPS * w->scratch.velocity_norm[b]);
    }
    mask going = m_not(small); /* every member makes its own number of sweeps */
    if (!m_any(going)) return;
    memcpy((void *)c->sweep, c->d, (size_t)c->unknowns * sizeof *c->d);
    for (int sweep = 1; sweep < SWEEPS_MOST && m_any(going); sweep++) {
        real worst = r_set(0);
        couplings(w, z, h, c->sweep);
        for (int i = 0; i < z.N; i++) c->coupled[i] = -c->coupled[i];
        condensed_sweep(w, z.s, h, c->coupled, false, c->next_sweep);
        const real x = least_residual(w, z);
        for (int i = 0; i < c->unknowns; i++) {
            const real next = x * c->next_sweep[i];
            c->d[i] = r_if(going, c->d[i] + next, c->d[i]);
            c->sweep[i] = (1 - x) * c->sweep[i] + next;
        }
        small = m_all(1);
        diagonal_norms(w, z, c->sweep, w->scratch.room[0]);
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
}

/* What belongs to a new matrix, at the nodes where D and the constraints were evaluated. */
INLINE void condensed_refresh(work *w, const shape z, real h, mask which)
{
    constraint_solver *const c = &w->constraint;
    const int                n = z.n, m = c->count;
    for (int j = 0; j < n && c->varying_forces; j++) w->newton.new_position_rounding[j] = r_set(0);
    for (const noe_entry *y = w->dyn->entry; y < w->dyn->entry + w->dyn->entries; y++)
        if (y->kind == NOE_D_FQ)
            w->newton.new_position_rounding[y->row] +=
                r_abs(h)
                * largest(z, element(w->eval.out, z.B, y->output, 0),
                          element(w->eval.Q, z.B, y->col, 0));
    if (c->varying_forces)
        copy_where(which, w->newton.position_rounding, w->newton.new_position_rounding, n);
    scale_constraints(w, z, h, c->inverse_mass, c->new_row_scale);
    copy_where(which, c->row_scale, c->new_row_scale, z.s * m);
    const bool all = m_bits(which) == (1u << MEMBERS) - 1;
    factor_band(w, z.s, all ? c->band : c->new_band);
    if (!all) copy_where(which, c->band, c->new_band, z.s * m * (2 * step_band(w) + 1));
    *w->stats.refreshes += r_if(which, r_set(1), r_set(0));
}

/* c->end_band = the factors of S = G M^-1 G^T at the end of the step, with the outputs `value`
 * there.  Returns the largest S_aa over its pivot: 1/sine^2 between gradients. */
static real factor_end_band(work *w, const real *value)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count, half = c->half_band;
    for (int i = 0; i < m * (2 * half + 1); i++) c->end_band[i] = r_set(0);
    for (int j = 0; j < w->n; j++) {
        const noe_constraint_entry *first = c->sorted + c->first_entry[j],
                                   *end = c->sorted + c->first_entry[j + 1];
        for (const noe_constraint_entry *y = first; y < end; y++) {
            real      *row = band_row(c->end_band, half, y->col);
            const real NG = value[y->output] * c->inverse_mass[j];
            for (const noe_constraint_entry *x = first; x < end; x++)
                row[x->col] += NG * value[x->output];
        }
    }
    for (int a = 0; a < m; a++)
        band_row(c->end_band, half, c->place[a])[c->place[a]] += c->left_out[a];
    for (int i = 0; i < m; i++) c->by_places[i] = band_row(c->end_band, half, i)[i];
    band_factor(c->end_band, half, m);
    real most = r_set(1);
    for (int i = 0; i < m; i++)
        most = r_max(most, r_abs(c->by_places[i] * band_row(c->end_band, half, i)[i]));
    return most;
}

/* mu [m] = (G M^-1 G^T)^-1 b, with the factors of factor_end_band(). */
static void solve_end_band(work *w, const real *b, real *mu)
{
    constraint_solver *const c = &w->constraint;
    for (int a = 0; a < c->count; a++) c->places[c->place[a]] = b[a];
    band_solve(c->end_band, c->half_band, c->count, c->places);
    for (int a = 0; a < c->count; a++) mu[a] = c->places[c->place[a]];
}

#endif
