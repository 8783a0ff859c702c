/* Newton's method for the modes and the impulses of one constrained step; projection.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As in step/newton_iteration.h the matrix is new at the first iteration and is used again while
 * every iteration makes the residual MATRIX_GAIN times smaller; corrections of the modes must
 * shrink in the kinetic norm.  Where the mass is constant and diagonal the matrix is condensed,
 * and new at every iteration (step/condensed_constraints.h), unless that did not converge within
 * the last RETRY_STEPS steps.  Multipliers are not judged: their rounding is EPS/h^2.  The
 * iteration ends at rounding, or where the contraction just shown leads there.
 *
 * Projection, G v + g_t = 0 with L_v(v) = p:  p <- p + G^T mu.  For L quadratic in the velocities
 * mu = -(G M^-1 G^T)^-1 (G v + g_t), and v follows p by M^-1 G^T mu; for others that is repeated
 * with new velocities. */
#ifndef NOE_STEP_CONSTRAINED_NEWTON_H
#define NOE_STEP_CONSTRAINED_NEWTON_H

#include "step/condensed_constraints.h"
#include "step/multiplier_history.h"
#include "step/step_update.h"

enum {
    PROJECTIONS_MOST = 8,  /* repetitions */
    HIDDEN_ROUNDINGS = 2,  /* |G v + g_t| that ends them, in EPS of the sum of its terms, */
    HIDDEN_STALL = 1 << 12 /* and where they no longer help */
};

/* |hidden_a| / sum_j |G_aj| (c->kinetic_j + c->strength_j/M_jj), the largest; hidden = G v + g_t at
 * the end.  Velocities have the rounding of the terms whose sum is p: at rest they are nothing but
 * that. */
static real hidden_error(work *w, const real *value)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count;
    real worst = r_set(0), *const size = c->mu + m;
    kinetic_speeds(w, c->velocity);
    for (int a = 0; a < m; a++) {
        c->hidden[a] = value[m + a];
        size[a] = r_abs(value[m + a]) + (num)1e-300;
    }
    for (const noe_constraint_entry *y = w->dyn->G_entry; y < w->dyn->G_entry + w->dyn->G_entries;
         y++) {
        const real term = value[y->output] * c->velocity[y->row];
        c->hidden[y->constraint] += term;
        const real root = c->root_mass[y->row];
        size[y->constraint] += r_abs(value[y->output])
                             * (c->kinetic[y->row] + c->strength[y->row] / (root * root));
    }
    for (int a = 0; a < m; a++)
        worst = r_max(worst, r_abs(c->hidden[a]) / size[a]) + (c->hidden[a] - c->hidden[a]);
    return worst;
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
            if (y->constraint == a) w->scratch.e[y->row] = value[y->output];
        lu_solve(w->newton.J, w->newton.x, n, w->scratch.e, c->NG + a * n);
    }
    for (int i = 0; i < m * m; i++) c->S[i] = r_set(0);
    for (const noe_constraint_entry *y = first; y < end; y++)
        for (int b = 0; b < m; b++)
            c->S[y->constraint * m + b] += value[y->output] * c->NG[b * n + y->row];
    for (int a = 0; a < m; a++) c->S[a * m + a] += c->left_out[a];
    lu_factor(c->S, c->S_pivot, m);
}

/* c->velocity = v, L_v(v) = p, from v at the first projection or after the last one. */
static mask end_velocities(work *w, const site *x, int projection, mask going)
{
    real *const v = w->constraint.velocity, *const d = w->scratch.d, *const e = w->scratch.e;
    const int n = w->n;
    if (!w->dyn->momenta_linear) return velocities_at(w, x, NULL, going, v);
    if (projection) return going;
    jet_at(w, LEGENDRE, x, v);
    for (int j = 0; j < n; j++) e[j] = output(w, j) - (x->p[j] + x->dp[j]);
    if (w->constraint.condensed)
        for (int j = 0; j < n; j++) d[j] = w->constraint.inverse_mass[j] * e[j];
    else {
        mass_matrix(w, NULL);
        lu_factor(w->newton.J, w->newton.x, n);
        lu_solve(w->newton.J, w->newton.x, n, e, d);
    }
    real sum = r_set(0);
    for (int j = 0; j < n; j++) v[j] -= d[j], sum += v[j];
    return going & r_finite(sum);
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
    real *const Q = c->position + s * n, *const value = constraint_at(w, s);
    real *const force = w->scratch.e, *const mu = c->mu + 2 * m;
    for (int j = 0; j < n; j++) {
        real sum = r_set(0);
        for (int i = 0; i < s; i++) sum += w->method.w[i] * w->scratch.a[j * s + i];
        Q[j] = w->state.q[j] + ((rest * sum + upper * sum) + w->state.dq[j]);
        c->velocity[j] = sum;
    }
    constraint_jet(w, 1, &t, Q, value);
    mask going = want & m_not(left_out_fails(w, value, Q, t)), done = m_all(0);
    leave_out(w, value);
    real last = r_set(0);
    for (int a = 0; a < m; a++) c->mu[a] = r_if(want, r_set(0), c->mu[a]);
    for (int it = 0; it < PROJECTIONS_MOST && m_any(going); it++) {
        for (int j = 0; j < n; j++)
            c->momentum[j] = two_sum(w->state.p[j] + kick[j], w->state.dp[j] + kick[n + j],
                                     &c->rest[j]);
        const site x = { t, Q, c->momentum, c->rest };
        const mask solved = end_velocities(w, &x, it, going);
        const real error = hidden_error(w, value);
        const mask small = error <= HIDDEN_ROUNDINGS * EPS, stalled = m_all(it > 0)
                                                                    & m_not(2 * error < last)
                                                                    & (error <= HIDDEN_STALL * EPS);
        done = done | (going & solved & (small | stalled));
        going = going & solved & r_finite(error) & m_not(small | stalled);
        last = error;
        if (!m_any(going)) break;
        if (it == 0) factor_inertia(w, value);
        if (c->condensed) solve_end_band(w, c->hidden, mu);
        else lu_solve(c->S, c->S_pivot, m, c->hidden, mu);
        for (int j = 0; j < n; j++) force[j] = r_set(0);
        add_constraint_force(w, value, mu, force);
        for (int j = 0; j < n; j++) add_to_kick(w, going, kick, j, -force[j]);
        for (int a = 0; a < m; a++) {
            c->mu[a] = r_if(going, c->mu[a] - mu[a], c->mu[a]);
            for (int j = 0; j < n && !c->condensed; j++) c->velocity[j] -= c->NG[a * n + j] * mu[a];
        }
        for (int j = 0; j < n && c->condensed; j++) c->velocity[j] -= c->inverse_mass[j] * force[j];
    }
    return done;
}

enum {
    /* Iterations beyond which the root is not near the prediction; the first step begins with
     * multipliers 0, which costs one or two. */
    CONSTRAINED_ITERATIONS = 12,
    SLOW_CONSTRAINED = 8,
    /* |g| that ends the iteration, in units of the rounding of its terms. */
    CONSTRAINT_ROUNDINGS = 2,
    /* A correction, times h, that is rounding of the positions. */
    POSITION_ROUNDINGS = 8,
    /* Unknowns above which there is no full matrix after the condensed one: its factors would take
     * longer than any other part of a run. */
    FULL_MATRIX_MOST = 1024
};

/* Evaluates and factors the matrix for the members `which`. */
static void constrained_refactor(work *w, real h, mask which)
{
    constraint_solver *const c = &w->constraint;
    const int                n = w->n, U = c->unknowns, rows = w->s * c->count;
    jacobian(w, of(w), h);
    copy_where(which, w->newton.kick_jacobian, w->newton.new_kick_jacobian, n * w->N);
    copy_where(which, w->newton.mass_bound, w->newton.new_mass_bound, n * n);
    copy_where(which, w->newton.position_rounding, w->newton.new_position_rounding, n);
    root_masses(w);
    scale_constraints(w, h, c->new_row);
    constrained_matrix(w, h, c->new_row, c->new_A);
    lu_factor(c->new_A, c->new_pivot, U);
    copy_where(which, c->A, c->new_A, U * U);
    copy_where(which, c->pivot, c->new_pivot, U);
    copy_where(which, c->row, c->new_row, rows);
    *w->stats.refreshes += r_if(which, r_set(1), r_set(0));
}

/* kick [2][n] of the members that end: as last_kick(), with the impulses of the constraints. */
static void constrained_kick(work *w, real h, bool condensed, mask end, real *kick)
{
    const constraint_solver *c = &w->constraint;
    const int                n = w->n;
    real *const              late = w->constraint.rest;
    if (!m_any(end)) return;
    for (int j = 0; j < n; j++) late[j] = r_set(0);
    if (condensed) {
        if (c->varying_forces) {
            couplings(w, of(w), h, c->d);
            memcpy((void *)late, c->coupled + w->N, (size_t)n * sizeof *late);
        }
        for (int j = 0; j < n; j++)
            kick[j] = r_if(end, w->scratch.kick[j], kick[j]),
            kick[n + j] = r_if(end, r_set(0), kick[n + j]);
    } else {
        memcpy((void *)w->scratch.d, c->d, (size_t)w->N * sizeof *c->d);
        last_kick(w, of(w), end, kick);
    }
    for (int k = 0; k < w->s; k++) {
        add_constraint_force(w, constraint_at(w, k), c->d + w->N + k * c->count, late);
        if (k) add_change_of_G(w, h, k, c->d, late);
    }
    for (int j = 0; j < n; j++) add_to_kick(w, end, kick, j, -late[j]);
}

/* Evaluates everything at the modes in w->scratch.a; a new matrix for the members `fresh`. */
static void constrained_evaluate(work *w, real h, bool condensed, bool first, mask fresh)
{
    const shape z = of(w);
    constraint_nodes(w, h);
    const bool second = condensed ? w->constraint.varying_forces : m_any(fresh);
    jet(w, second ? HESSIAN : GRADIENT, z.r);
    residual(w, z, h);
    if (first) scales_at_start(w, z, h);
    if (m_any(fresh) && condensed) condensed_refresh(w, z, h, fresh);
    else if (m_any(fresh)) constrained_refactor(w, h, fresh);
    scales(w, z);
    constrained_residual(w, h);
    for (int j = 0; j < z.n; j++) w->scratch.scale[j] += w->constraint.strength[j];
    memcpy((void *)w->scratch.e, w->constraint.residual, (size_t)z.N * sizeof *w->scratch.e);
}

/* The members whose correction, of the norms w->scratch.norm, is rounding of the positions,
 * EPS |q|/h.  Constraints make velocities of that size from rounding of g: of a body at rest they
 * are all that there is. */
static mask below_positions(const work *w, real h)
{
    const num   part = POSITION_ROUNDINGS * EPS;
    real *const all = w->constraint.moved;
    for (int b = 0; b < w->blocks; b++) all[b] = r_set(0);
    for (int j = 0; j < w->n; j++) {
        const real speed = w->state.q[j] / h;
        all[w->block_of[j]] += w->newton.mass_bound[j * w->n + j] * speed * speed;
    }
    return norms_within(w, w->scratch.norm, part * part, all);
}

/* max |R| by the largest scale of all: coordinates at rest move by rounding, and have no scale. */
static real residual_of_largest(const work *w, const shape z)
{
    real most = r_set(0), size = r_set(0);
    for (int j = 0; j < z.n; j++) {
        size = r_max(size, w->scratch.scale[j]);
        for (int m = j * z.s; m < (j + 1) * z.s; m++) most = r_max(most, r_abs(w->scratch.e[m]));
    }
    return most / size;
}

/* As newton(), for systems with constraints. */
static __attribute__((noinline)) mask constrained_newton(work *w, real h, bool condensed, mask want,
                                                         real *kick, mask *slow)
{
    constraint_solver *const c = &w->constraint;
    const shape              z = of(w);
    const num quarter = (num)1 / (CORRECTION_GAIN * CORRECTION_GAIN), level = STALL_ROUNDINGS * EPS;
    mask      going = want, done = m_all(0), wants = m_all(1), first_fresh = want;
    real      last = r_set(0), rounds = r_set(0);
    predict_multipliers(w, h, want);
    for (int it = 0; it < CONSTRAINED_ITERATIONS && m_any(going); it++) {
        mask fresh = going & wants;
        constrained_evaluate(w, h, condensed, it == 0, fresh);
        real       worst = worst_residual(w, z);
        const mask finite = r_finite(worst + *c->error);
        const mask at_roundoff = (worst <= RESIDUAL_ROUNDINGS * EPS)
                               & (*c->error <= CONSTRAINT_ROUNDINGS * EPS);
        worst = r_max(worst, *c->error);
        const mask stale = going & finite & m_all(it > 0) & m_not(fresh) & m_not(at_roundoff)
                         & m_not(MATRIX_GAIN * worst < last)
                         & m_not(worst <= REUSE_ROUNDINGS * EPS);
        if (m_any(stale) && condensed) condensed_refresh(w, z, h, stale);
        else if (m_any(stale)) constrained_evaluate(w, h, false, false, stale);
        fresh = fresh | stale;
        if (it == 1 && m_any(going & first_fresh))
            measure_curvature(w, going & first_fresh & finite, last, worst);
        if (condensed) condensed_correction(w, z, h);
        else lu_solve(c->A, c->pivot, c->unknowns, c->residual, c->d);
        if (condensed) {
            diagonal_norms(w, c->d, w->scratch.norm);
            diagonal_norms(w, w->scratch.a, w->scratch.velocity_norm);
        } else {
            kinetic_norms(w, z, c->d, w->scratch.norm);
            kinetic_norms(w, z, w->scratch.a, w->scratch.velocity_norm);
        }
        const mask shrinks = m_all(it == 0)
                           | norms_within(w, w->scratch.norm, quarter, w->scratch.norm_before);
        const mask near = shrinks
                        | norms_within_or_small(w, w->scratch.norm, quarter, w->scratch.norm_before,
                                                level * level, w->scratch.velocity_norm)
                        | m_all(it == 1); /* the first matrix had no multipliers */
        const mask tiny = m_any(m_not(shrinks)) ? below_positions(w, h) : m_all(0);
        for (int i = 0; i < z.N; i++)
            w->scratch.a[i] = r_if(going, w->scratch.a[i] - c->d[i], w->scratch.a[i]);
        for (int i = z.N; i < c->unknowns; i++)
            c->impulse[i - z.N] = r_if(going, c->impulse[i - z.N] - c->d[i], c->impulse[i - z.N]);
        /* As in step/newton_iteration.h, with a matrix of this step. */
        const mask next_at_roundoff = m_all(it > 0) & m_not(fresh) & (1024 * worst < last)
                                    & (256 * worst * worst < last * EPS);
        const mask bound_at_roundoff = fresh & m_not(*w->newton.phase == r_set(0))
                                     & (r_set(0) < *w->newton.curvature)
                                     & (*w->newton.curvature * worst * worst <= r_set(EPS));
        const mask end = going & finite
                       & (at_roundoff | next_at_roundoff | bound_at_roundoff
                          | (m_not(shrinks) & (worst <= level))
                          | (m_not(shrinks) & tiny & (*c->error <= CONSTRAINT_ROUNDINGS * EPS)));
        constrained_kick(w, h, condensed, end, kick);
        const real left = r_if(bound_at_roundoff, *w->newton.curvature * worst * worst, worst);
        const mask judged = at_roundoff | next_at_roundoff | bound_at_roundoff | (worst <= level);
        const real told = m_any(end & m_not(judged)) ? r_if(judged, left, residual_of_largest(w, z))
                                                     : left;
        *w->stats.residual = r_if(end, r_max(*w->stats.residual, told), *w->stats.residual);
        if (it == 0) *w->stats.single += r_if(end & bound_at_roundoff, r_set(1), r_set(0));
        rounds += r_if(going, r_set(1), r_set(0));
        done = done | end;
        going = going & m_not(end) & finite & (near | tiny);
        wants = m_all(condensed);
        last = worst;
        for (int b = 0; b < w->blocks; b++) w->scratch.norm_before[b] = w->scratch.norm[b];
    }
    *w->stats.iterations += rounds;
    *slow = want & (r_set(SLOW_CONSTRAINED) < rounds);
    store_multipliers(w, h, done);
    /* is_discontinuous() looks at the momenta of the nodes, which the projection overwrites. */
    const size_t jet_bytes = (size_t)(2 * z.n * z.B) * sizeof(batch);
    memcpy((void *)c->jet, w->eval.out, jet_bytes);
    /* A velocity that the constraints hold at 0 jumps by rounding of the others. */
    for (int j = 0; j < z.n; j++)
        c->strength[j] = w->scratch.scale[j] + c->root_mass[j] * c->root_mass[j] * c->kinetic[j];
    done = done & project_momenta(w, h, done, kick);
    memcpy((void *)w->eval.out, c->jet, jet_bytes);
    memcpy((void *)w->scratch.scale, c->strength, (size_t)z.n * sizeof *c->strength);
    return done;
}

/* Newton's method, with or without constraints. */
static mask solve_modes(work *w, real h, mask want, int most, real *kick, mask *slow)
{
    constraint_solver *const c = &w->constraint;
    const size_t             bytes = (size_t)w->N * sizeof *c->predicted;
    if (!w->dyn->constraints) return newton_any(w, h, want, most, kick, slow);
    if (!c->condensed) return constrained_newton(w, h, false, want, kick, slow);
    if (!w->nodal.mass_known) invert_constant_mass(w);
    if (c->unknowns > FULL_MATRIX_MOST) {
        const mask done = constrained_newton(w, h, true, want, kick, slow);
        *w->stats.contracted += r_if(done, r_set(1), r_set(0));
        return done;
    }
    const mask tries = want & (*w->newton.newton_steps <= r_set(0))
                     & ((*w->newton.choice == r_set(0)) | (*w->newton.choice == r_set(1)));
    if (m_any(tries)) {
        memcpy((void *)c->predicted, w->scratch.a, bytes);
        const mask done = constrained_newton(w, h, true, tries, kick, slow),
                   failed = tries & m_not(done);
        *w->newton.newton_steps = r_if(failed, r_set(RETRY_STEPS), *w->newton.newton_steps);
        *w->stats.contracted += r_if(done, r_set(1), r_set(0));
        const mask left = want & m_not(done), took_long = *slow & done;
        if (!m_any(left)) return done;
        copy_where(left, w->scratch.a, c->predicted, w->N);
        const mask others = constrained_newton(w, h, false, left, kick, slow);
        *slow = *slow | took_long;
        return done | others;
    }
    return constrained_newton(w, h, false, want, kick, slow);
}

#endif
