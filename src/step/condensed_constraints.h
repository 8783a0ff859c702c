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
 * (checked for s <= 12): no rows are exchanged, from either end.  K enters by sweeps
 * (step/coupling_sweeps.h).  No matrix of the size of the modes is formed. */
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
            real        CNG[NOE_MAX_DEGREE * NOE_MAX_DEGREE];
            for (int k = 0; k < s; k++)
                for (int l = 0; l < s; l++)
                    CNG[k * s + l] = c->C[k * s + l] * (left[k + 1] * c->inverse_mass[j]);
            for (const noe_constraint_entry *x = first; x < end; x++) {
                const real *right = constraint_row(w, x->output);
                for (int k = 0; k < s; k++) {
                    real *to = band_row(band, half, y->col * s + k) + x->col * s;
                    for (int l = 0; l < s; l++) to[l] += CNG[k * s + l] * right[l];
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

/* to = sum_m I_m(d_k) d_m of all coordinates at the nodes, rows [n]: what modes d change in the
 * positions, over h; s is that of the method. */
INLINE void move_constrained_nodes(const work *w, const int s, const real *d, real *to)
{
    const constraint_solver *c = &w->constraint;
    const int                K = row_size(s);
    for (int j = 0; j < w->n; j++)
        for (int k = 0; k < K; k += ROW_PART) {
            row_part sum = *(const num_part *)(c->I_row + k) * d[j * s];
            for (int i = 1; i < s; i++)
                sum += *(const num_part *)(c->I_row + i * K + k) * d[j * s + i];
            *nodes_at(to + j * K, k) = sum;
        }
}

/* d [N] += the modes of impulses, M^-1 X G^T push; push: rows [m]. */
INLINE void add_modes_of_impulses(const work *w, const int s, const real *push, real *d)
{
    const constraint_solver *c = &w->constraint;
    const int                K = row_size(s);
    for (int j = 0; j < w->n; j++)
        for (int k = 0; k < K; k += ROW_PART) {
            const row_part v = c->inverse_mass[j] * constraint_force_at(w, s, k, push, j);
            for (int l = k; l < k + ROW_PART && l < s; l++)
                for (int i = 0; i < s; i++) d[j * s + i] += c->X[l * s + i] * node_of(v, l - k);
        }
}

/* c->push_row = the impulses that hold the constraints where unconstrained modes move the nodes by
 * c->moved_row, for the right-hand side `rate` times g. */
INLINE void hold_constraints(work *w, const int s, real rate)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count, K = row_size(s);
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
        for (int k = 0; k < s; k++) c->push_row[a * K + k] = c->places[c->place[a] * s + k];
}

/* d [U] = modes and impulses for the residual c->residual and g, without couplings. */
INLINE void uncoupled_correction(work *w, const int s, real h, real *d)
{
    constraint_solver *const c = &w->constraint;
    const int                n = w->n, m = c->count, K = row_size(s);
    real *const              z = d + w->N;
    for (int j = 0; j < n; j++)
        for (int i = j * s; i < (j + 1) * s; i++) d[i] = c->inverse_mass[j] * c->residual[i];
    move_constrained_nodes(w, s, d, c->moved_row);
    hold_constraints(w, s, 1 / h);
    for (int a = 0; a < m; a++)
        for (int k = 0; k < s; k++) z[k * m + a] = c->push_row[a * K + k];
    add_modes_of_impulses(w, s, c->push_row, d);
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
