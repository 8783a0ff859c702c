/* Projection of the momenta at the end of a constrained step: G v + g_t = 0 with L_v(v) = p.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     p <- p + G^T mu
 * For L quadratic in the velocities mu = -(G M^-1 G^T)^-1 (G v + g_t), and v follows p by
 * M^-1 G^T mu; for others that is repeated with new velocities. */
#ifndef NOE_STEP_MOMENTUM_PROJECTION_H
#define NOE_STEP_MOMENTUM_PROJECTION_H

#include "step/condensed_constraints.h"
#include "step/step_update.h"

/* The largest |hidden_a| / (|g_t,a| + sum_j |G_aj| (c->kinetic_j + c->momentum_terms_j/M_jj)),
 * hidden = G v + g_t at the end.  Velocities have the rounding of the terms whose sum is p: at rest
 * they are nothing but that. */
static real hidden_error(work *w, const real *value)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count;
    real worst = r_set(0), *const size = c->hidden_size;
    kinetic_speeds(w, c->velocity);
    for (int a = 0; a < m; a++) {
        c->hidden[a] = value[m + a];
        size[a] = r_abs(value[m + a]) + LEAST_DIVISOR;
    }
    for (const noe_constraint_entry *y = w->dyn->G_entry; y < w->dyn->G_entry + w->dyn->G_entries;
         y++) {
        const real term = value[y->output] * c->velocity[y->row];
        c->hidden[y->constraint] += term;
        const real inverse = c->inverse_root[y->row];
        size[y->constraint] += r_abs(value[y->output])
                             * (c->kinetic[y->row]
                                + c->momentum_terms[y->row] * (inverse * inverse));
    }
    for (int a = 0; a < m; a++) /* hidden - hidden is nan where `hidden` is not finite */
        worst = r_max(worst, r_abs(c->hidden[a]) / size[a]) + (c->hidden[a] - c->hidden[a]);
    return worst;
}

/* w->newton.J = the factors of M, the outputs of the tape LEGENDRE: of its parts, one after
 * another. */
static void factor_end_masses(work *w)
{
    const constraint_solver *c = &w->constraint;
    real *const              M = w->newton.J;
    memset((void *)M, 0, c->mass_size * sizeof *M);
    for (int k = 0; k < w->dyn->masses; k++) M[c->mass_at[k]] = output(w, w->dyn->mass[k].output);
    lu_factor_parts(M, w->newton.new_pivot, w->blocks, c->coordinates_end);
}

/* x [n] = M^-1 right [n], by c->coordinate_place. */
static void solve_end_masses(const work *w, const real *right, real *x)
{
    lu_solve_parts(w->newton.J, w->newton.new_pivot, w->blocks, w->constraint.coordinates_end,
                   right, x);
}

/* c->S = the factors of G M^-1 G^T, c->NG = M^-1 G^T, with the factors of M in w->newton.J. */
static void factor_inertia(work *w, const real *value)
{
    constraint_solver *const    c = &w->constraint;
    const int                   n = w->n, m = c->count;
    const noe_constraint_entry *first = w->dyn->G_entry, *end = first + w->dyn->G_entries;
    if (c->condensed) {
        factor_end_band(w, value);
        return;
    }
    for (int a = 0; a < m; a++) {
        for (int j = 0; j < n; j++) w->scratch.e[j] = r_set(0);
        for (const noe_constraint_entry *y = first; y < end; y++)
            if (y->constraint == a) w->scratch.e[c->coordinate_place[y->row]] = value[y->output];
        solve_end_masses(w, w->scratch.e, c->NG + a * n);
    }
    for (int i = 0; i < m * m; i++) c->S[i] = r_set(0);
    for (const noe_constraint_entry *y = first; y < end; y++)
        for (int b = 0; b < m; b++)
            c->S[y->constraint * m + b] += value[y->output]
                                         * c->NG[b * n + c->coordinate_place[y->row]];
    for (int a = 0; a < m; a++) c->S[a * m + a] += c->left_out[a];
    lu_factor(c->S, c->S_pivot, m);
}

/* c->velocity = v, L_v(v) = p, by Newton's method from c->velocity: at projection 0 the mean
 * velocity of the step.  Where L_v is linear in v, later projections have nothing to solve, since
 * project_momenta() has moved c->velocity by M^-1 G^T mu. */
static mask end_velocities(work *w, const site *x, int projection, mask going)
{
    real *const v = w->constraint.velocity, *const d = w->scratch.d, *const e = w->scratch.e;
    const int n = w->n, *const place = w->constraint.coordinate_place;
    if (!w->dyn->momenta_linear) {
        const mask solved = velocities_at(w, x, NULL, going, v);
        factor_end_masses(w);
        return solved;
    }
    if (projection) return going;
    jet_at(w, LEGENDRE, x, v);
    if (w->constraint.condensed)
        for (int j = 0; j < n; j++)
            v[j] -= w->constraint.inverse_mass[j] * (output(w, j) - (x->p[j] + x->dp[j]));
    else {
        factor_end_masses(w);
        for (int j = 0; j < n; j++) e[place[j]] = output(w, j) - (x->p[j] + x->dp[j]);
        solve_end_masses(w, e, d);
        for (int j = 0; j < n; j++) v[j] -= d[place[j]];
    }
    real finite_probe = r_set(0);
    for (int j = 0; j < n; j++) finite_probe += v[j];
    return going & r_finite(finite_probe);
}

/* Adds x to the number that is kick[j] + kick[n + j]. */
INLINE void add_to_kick(const work *w, mask which, real *kick, int j, real x)
{
    real       lost;
    const real sum = two_sum(kick[j], x, &lost);
    kick[j] = r_if(which, sum, kick[j]);
    kick[w->n + j] = r_if(which, kick[w->n + j] + lost, kick[w->n + j]);
}

/* Projects p + kick at the end of a step of length h; returns the members of `want` where that
 * succeeded.  c->mu = the impulses. */
static mask project_momenta(work *w, real h, mask want, real *kick)
{
    constraint_solver *const c = &w->constraint;
    const int                n = w->n, s = w->s, m = c->count;
    const real               t = step_begin(w) + h, upper = upper_half(h), rest = h - upper;
    real *const Q = c->end_position, *const value = c->end_value;
    real *const force = w->scratch.e, *const correction = c->mu_correction;
    for (int j = 0; j < n; j++) {
        real sum = r_set(0);
        for (int i = 0; i < s; i++) sum += w->method.w[i] * w->scratch.a[j * s + i];
        Q[j] = w->state.q[j] + ((rest * sum + upper * sum) + w->state.dq[j]);
        c->velocity[j] = sum;
    }
    constraint_jet_at(w, t, Q);
    const mask contradicted = left_out_fails(w, value, Q, t);
    mask       going = want & m_not(contradicted), done = m_all(0);
    *c->contradicted = r_if(want, r_if(contradicted, r_set(1), r_set(0)), *c->contradicted);
    leave_out(w, value, 1);
    real last = r_set(0);
    for (int a = 0; a < m; a++) c->mu[a] = r_if(want, r_set(0), c->mu[a]);
    for (int it = 0; it < PROJECTIONS_MOST && m_any(going); it++) {
        for (int j = 0; j < n; j++)
            c->momentum[j] = two_sum(w->state.p[j] + kick[j], w->state.dp[j] + kick[n + j],
                                     &c->rest[j]);
        const site x = { t, Q, c->momentum, c->rest };
        const mask solved = end_velocities(w, &x, it, going);
        const real error = hidden_error(w, value);
        const mask small = r_at_most(error, r_set(HIDDEN_ROUNDINGS * EPS)),
                   stalled = m_all(it > 0) & m_not(r_less(2 * error, last))
                           & r_at_most(error, r_set(HIDDEN_STALL_ROUNDINGS * EPS));
        done = done | (going & solved & (small | stalled));
        going = going & solved & r_finite(error) & m_not(small | stalled);
        last = error;
        if (!m_any(going)) break;
        if (it == 0) factor_inertia(w, value);
        if (c->condensed) solve_end_band(w, c->hidden, correction);
        else lu_solve_fours(c->S, c->S_pivot, m, c->hidden, correction);
        for (int j = 0; j < n; j++) force[j] = r_set(0);
        add_constraint_force(w, value, correction, force);
        for (int j = 0; j < n; j++) add_to_kick(w, going, kick, j, -force[j]);
        for (int a = 0; a < m; a++) {
            c->mu[a] = r_if(going, c->mu[a] - correction[a], c->mu[a]);
            for (int j = 0; j < n && !c->condensed; j++)
                c->velocity[j] -= c->NG[a * n + c->coordinate_place[j]] * correction[a];
        }
        for (int j = 0; j < n && c->condensed; j++) c->velocity[j] -= c->inverse_mass[j] * force[j];
    }
    return done;
}

#endif
