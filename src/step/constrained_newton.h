/* Newton's method for the modes and the impulses of one constrained step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As in step/newton_iteration.h the matrix is new at the first iteration and is used again while
 * every iteration makes the residual MATRIX_GAIN times smaller; corrections of the modes must
 * shrink in the kinetic norm.  Where the mass is constant and diagonal the matrix is condensed
 * (step/condensed_constraints.h), but for RETRY_STEPS - 1 steps after one in which it did not
 * converge; it is cheap, and new as well where that spares an iteration.  Multipliers are not
 * judged: their rounding is EPS/h^2.  The scale of a residual is that of Newton's method plus the
 * largest force of the constraints.  The iteration ends
 *   - when the residuals of the modes and of the constraints are a few units of rounding,
 *   - when the next ones will be, by the contraction just measured with this matrix or by the
 *     measured curvature, as in step/newton_iteration.h, or
 *   - when the correction of some block did not become CORRECTION_GAIN times smaller, and either
 *     the residual did not either and is at most STALL_ROUNDINGS units of rounding, or the
 *     correction is rounding of the positions and the constraints hold. */
#ifndef NOE_STEP_CONSTRAINED_NEWTON_H
#define NOE_STEP_CONSTRAINED_NEWTON_H

#include "step/constrained_matrix.h"
#include "step/coupling_sweeps.h"
#include "step/momentum_projection.h"
#include "step/multiplier_history.h"

/* Evaluates and factors the matrix for the members `which`, from the tape HESSIAN and the
 * constraints at the nodes; where these are all, directly in its place. */
INLINE void constrained_refactor(work *w, const shape z, real h, mask which)
{
    constraint_solver *const c = &w->constraint;
    const int                U = c->unknowns, rows = z.s * c->count;
    const bool               all = m_bits(which) == (1u << MEMBERS) - 1;
    real *const A = all ? c->A : c->new_A, *const pivot = all ? c->pivot : c->new_pivot,
                *const row = all ? c->row_scale : c->new_row_scale;
    memset((void *)A, 0, c->matrix_size * sizeof *A);
    accept_jacobian(w, z, h, which, (jacobian_place){ A, c->row_at, c->column });
    root_masses(w);
    scale_constraints(w, z, h, NULL, row);
    add_constraints(w, z, h, row, A);
    factor_parts(w, A, pivot);
    if (!all) {
        copy_where(which, c->A, c->new_A, (int)c->matrix_size);
        copy_where(which, c->pivot, c->new_pivot, U);
        copy_where(which, c->row_scale, c->new_row_scale, rows);
    }
    *w->stats.refreshes += r_if(which, r_set(1), r_set(0));
}

/* kick [2][n] of the members that end: as last_kick() of step/newton_iteration.h, with the
 * impulses of the constraints. */
INLINE void constrained_kick(work *w, const shape z, real h, bool condensed, mask end, real *kick)
{
    const constraint_solver *c = &w->constraint;
    const int                n = z.n;
    real *const              late = w->constraint.rest;
    if (!m_any(end)) return;
    for (int j = 0; j < n; j++) late[j] = r_set(0);
    if (condensed) {
        if (c->varying_forces) {
            couplings_of_forces(w, z, h, c->d);
            memcpy((void *)late, c->coupled + z.N, (size_t)n * sizeof *late);
        }
        for (int j = 0; j < n; j++)
            kick[j] = r_if(end, w->scratch.kick[j], kick[j]),
            kick[n + j] = r_if(end, r_set(0), kick[n + j]);
    } else {
        memcpy((void *)w->scratch.d, c->d, (size_t)z.N * sizeof *c->d);
        last_kick(w, z, end, kick);
    }
    const int K = row_size(z.s);
    for (int a = 0; a < c->count; a++)
        for (int k = 0; k < z.s; k++) c->push_row[a * K + k] = c->d[z.N + k * c->count + a];
    for (int j = 0; j < n; j++) {
        real force[ROWS_MOST];
        for (int k = 0; k < K; k += ROW_PART)
            *nodes_at(force, k) = constraint_force_at(w, z.s, k, c->push_row, j);
        for (int k = 0; k < z.s; k++) late[j] += force[k];
    }
    if (z.s > 1 && w->dyn->G_q_entries) {
        move_constrained_nodes(w, z.s, c->d, c->moved_row);
        if (!condensed) find_curvature(w, z.s, h, m_all(1));
        for (int k = 1; k < z.s; k++)
            for (int j = 0; j < n; j++) late[j] += change_of_G(w, z.s, k, c->moved_row, j);
    }
    for (int j = 0; j < n; j++) add_to_kick(w, end, kick, j, -late[j]);
}

/* Evaluates everything at the modes in w->scratch.a; a new matrix for the members `fresh`. */
INLINE void constrained_evaluate(work *w, const shape z, real h, bool condensed, bool first,
                                 mask fresh)
{
    constraint_nodes(w, z, h);
    const bool second = condensed ? w->constraint.varying_forces : m_any(fresh);
    jet(w, second ? HESSIAN : GRADIENT, z.r);
    residual(w, z, h);
    if (first) scales_at_start(w, z, h);
    if (m_any(fresh) && condensed) condensed_refresh(w, z, h, fresh);
    else if (m_any(fresh)) constrained_refactor(w, z, h, fresh);
    scales(w, z);
    constrained_residual(w, z, h);
    if (!condensed) scaled_constraints(w, z);
    for (int j = 0; j < z.n; j++) w->scratch.scale[j] += w->constraint.strength[j];
    memcpy((void *)w->scratch.e, w->constraint.residual, (size_t)z.N * sizeof *w->scratch.e);
}

/* c->rounding_momenta [n] = the momenta that rounding of g at the end makes within a step, in units
 * of EPS: displacements M^-1 G^T x with G M^-1 G^T x = terms, over h; each constraint by itself,
 * |G_aj| terms_a/(|h| sum_k G_ak^2/M_kk).  For a body at rest they are the only momenta, also where
 * |q| is 0, in a frame with its origin there. */
static void momenta_of_rounding(const work *w, real h)
{
    const constraint_solver    *c = &w->constraint;
    const int                   s = w->s, m = c->count, K = row_size(s);
    const noe_constraint_entry *y = w->dyn->G_entry, *const end = y + w->dyn->G_entries;
    for (int j = 0; j < w->n; j++) c->rounding_momenta[j] = r_set(0);
    for (int a = 0; a < m; a++) {
        const noe_constraint_entry *const first = y;
        real                              inertia = r_set(0);
        for (; y < end && y->constraint == a; y++) {
            const real G = constraint_row(w, y->output)[s] * c->inverse_root[y->row];
            inertia += G * G;
        }
        const real push = r_if(r_less(r_set(0), inertia),
                               c->terms[a * K + s] / (r_abs(h) * inertia), r_set(0));
        for (const noe_constraint_entry *x = first; x < y; x++)
            c->rounding_momenta[x->row] += r_abs(constraint_row(w, x->output)[s]) * push;
    }
}

/* The members whose correction, of the norms w->scratch.norm, is rounding of the positions,
 * EPS |q|/h, or of constraints. */
static mask below_positions(const work *w, real h)
{
    const num   part = POSITION_ROUNDINGS * EPS;
    real *const all = w->constraint.position_norm;
    momenta_of_rounding(w, h);
    for (int b = 0; b < w->blocks; b++) all[b] = r_set(0);
    for (int j = 0; j < w->n; j++) {
        const real M = w->newton.mass_bound[j * w->n + j], speed = w->state.q[j] / h,
                   grain = w->constraint.rounding_momenta[j];
        all[w->block_of[j]] += M * speed * speed + grain * grain / (M + LEAST_DIVISOR);
    }
    return norms_within(w, w->scratch.norm, part * part, all);
}

/* max |R| over the largest scale: coordinates at rest move by rounding, and have no scale. */
static real residual_of_largest(const work *w, const shape z)
{
    real most = r_set(0), size = r_set(0);
    for (int j = 0; j < z.n; j++) {
        size = r_max(size, w->scratch.scale[j]);
        for (int m = j * z.s; m < (j + 1) * z.s; m++) most = r_max(most, r_abs(w->scratch.e[m]));
    }
    return most / size;
}

/* What the members that end have at their own last evaluation: rounding of the momenta, and the
 * work of moving constraints. */
INLINE void keep_end(work *w, const shape z, real h, mask end)
{
    constraint_solver *const c = &w->constraint;
    if (!m_any(end)) return;
    /* A velocity that the constraints hold at 0 jumps by rounding of the others, and of g. */
    momenta_of_rounding(w, h);
    for (int j = 0; j < z.n; j++) {
        const real terms = w->scratch.scale[j] + c->root_mass[j] * c->root_mass[j] * c->kinetic[j];
        c->momentum_terms[j] = r_if(end, terms, c->momentum_terms[j]);
        c->end_scale[j] = r_if(end, terms + c->rounding_momenta[j], c->end_scale[j]);
    }
    *c->node_work = r_if(end, find_node_work(w), *c->node_work);
}

/* project_momenta(), which leaves what leaves_motion() reads as it was: the momenta at the
 * nodes; and the scales are those of keep_end(). */
INLINE mask ends_projected(work *w, const shape z, real h, mask done, real *kick)
{
    constraint_solver *const c = &w->constraint;
    const size_t             bytes = (size_t)(2 * z.n * z.B) * sizeof(batch);
    memcpy((void *)c->kept_jet, w->eval.out, bytes);
    const mask projected = project_momenta(w, h, done, kick);
    memcpy((void *)w->eval.out, c->kept_jet, bytes);
    copy_where(done, w->scratch.scale, c->end_scale, z.n);
    return projected;
}

/* w->scratch.norm of the correction c->d. */
INLINE void correction_norms(work *w, const shape z, bool condensed)
{
    if (condensed) diagonal_norms(w, z, w->constraint.d, w->scratch.norm);
    else kinetic_norms(w, z, w->constraint.d, w->scratch.norm);
}

/* As newton(), for systems with constraints. */
INLINE mask constrained_newton(work *w, const shape z, real h, bool condensed, mask want,
                               real *kick, mask *slow)
{
    constraint_solver *const c = &w->constraint;
    const num                gain_squared = (num)1 / (CORRECTION_GAIN * CORRECTION_GAIN),
              stall = STALL_ROUNDINGS * EPS;
    mask going = want, done = m_all(0), wants_matrix = m_all(1), first_fresh = want;
    real last = r_set(0), rounds = r_set(0), gain = r_set(0);
    predict_multipliers(w, h, want);
    for (int it = 0; it < CONSTRAINED_ITERATIONS && m_any(going); it++) {
        mask fresh = going & wants_matrix;
        constrained_evaluate(w, z, h, condensed, it == 0, fresh);
        real       worst = worst_residual(w, z);
        const mask finite = r_finite(worst + *c->error);
        const mask at_roundoff = r_at_most(worst, r_set(RESIDUAL_ROUNDINGS * EPS))
                               & r_at_most(*c->error, r_set(CONSTRAINT_ROUNDINGS * EPS));
        worst = r_max(worst, *c->error);
        const mask stale = going & finite & m_all(it > 0) & m_not(at_roundoff)
                         & matrix_is_stale(fresh, m_all(0), MATRIX_GAIN, worst, last);
        if (m_any(stale) && condensed) condensed_refresh(w, z, h, stale);
        else if (m_any(stale)) {
            jet(w, HESSIAN, z.r);
            constrained_refactor(w, z, h, stale);
            scaled_constraints(w, z);
        }
        fresh = fresh | stale;
        if (it == 1 && m_any(going & first_fresh))
            measure_curvature(w, going & first_fresh & finite, last, worst);
        if (condensed) condensed_correction(w, z, h, fresh, &gain);
        else solve_parts(w);
        if (it) correction_norms(w, z, condensed);
        const mask shrinks = m_all(it == 0)
                           | norms_within(w, w->scratch.norm, gain_squared, w->scratch.norm_before);
        mask tiny = m_all(0), near = shrinks | m_all(it == 1); /* the first had no multipliers */
        if (m_any(m_not(shrinks))) {
            if (condensed) diagonal_norms(w, z, w->scratch.a, w->scratch.velocity_norm);
            else kinetic_norms(w, z, w->scratch.a, w->scratch.velocity_norm);
            tiny = below_positions(w, h);
            near = near
                 | norms_within_or_small(w, w->scratch.norm, gain_squared, w->scratch.norm_before,
                                         stall * stall, w->scratch.velocity_norm);
        }
        for (int i = 0; i < z.N; i++)
            w->scratch.a[i] = r_if(going, w->scratch.a[i] - c->d[i], w->scratch.a[i]);
        for (int i = z.N; i < c->unknowns; i++)
            c->impulse[i - z.N] = r_if(going, c->impulse[i - z.N] - c->d[i], c->impulse[i - z.N]);
        /* all matrices are of this step */
        const mask next = next_is_roundoff(m_all(it == 0), fresh, m_all(0), worst, last),
                   bound = bound_is_roundoff(w, fresh, worst);
        const mask halts = m_not(shrinks) & m_not(r_less(CORRECTION_GAIN * worst, last));
        const mask end = going & finite
                       & (at_roundoff | next | bound | (halts & r_at_most(worst, r_set(stall)))
                          | (m_not(shrinks) & tiny
                             & r_at_most(*c->error, r_set(CONSTRAINT_ROUNDINGS * EPS))));
        constrained_kick(w, z, h, condensed, end, kick);
        keep_last_jet(w, z, end);
        keep_end(w, z, h, end);
        const real left = residual_after(w, next, bound, worst, last);
        const mask judged = at_roundoff | next | bound | r_at_most(worst, r_set(stall));
        const real told = m_any(end & m_not(judged)) ? r_if(judged, left, residual_of_largest(w, z))
                                                     : left;
        *w->stats.residual = r_if(end, r_max(*w->stats.residual, told), *w->stats.residual);
        if (it == 0) *w->stats.single += r_if(end & bound, r_set(1), r_set(0));
        rounds += r_if(going, r_set(1), r_set(0));
        done = done | end;
        going = going & m_not(end) & finite & (near | tiny | r_at_most(worst, r_set(stall)));
        wants_matrix = condensed ? matrix_expires(w, true, fresh, worst) : m_all(0);
        last = worst;
        if (it == 0 && m_any(going)) correction_norms(w, z, condensed); /* few steps go on */
        for (int b = 0; b < w->blocks; b++) w->scratch.norm_before[b] = w->scratch.norm[b];
    }
    *w->stats.iterations += rounds;
    *slow = want & r_less(r_set(SLOW_CONSTRAINED_ITERATIONS), rounds);
    store_multipliers(w, h, done);
    put_last_jet_back(w, z, done);
    const mask projected = ends_projected(w, z, h, done, kick);
    keep_last_jet(w, z, done);
    return done & projected;
}

/* Compiled for all sizes, for two modes, and for Simpson's method. */
static __attribute__((noinline)) mask constrained_newton_any(work *w, real h, bool condensed,
                                                             mask want, real *kick, mask *slow)
{
    return constrained_newton(w, of(w), h, condensed, want, kick, slow);
}
#if NOE_REAL == NOE_DOUBLE && defined __AVX2__
static __attribute__((noinline)) mask constrained_pair(work *w, real h, bool condensed, mask want,
                                                       real *kick, mask *slow)
{
    return constrained_newton(w, of_modes(w, 2), h, condensed, want, kick, slow);
}
static __attribute__((noinline)) mask constrained_simpson(work *w, real h, bool condensed,
                                                          mask want, real *kick, mask *slow)
{
    return constrained_newton(w, of_simpson(w->n), h, condensed, want, kick, slow);
}
#else
#define constrained_pair constrained_newton_any
#define constrained_simpson constrained_newton_any
#endif
static mask constrained_modes(work *w, real h, bool condensed, mask want, real *kick, mask *slow)
{
    return (w->method.simpson ? constrained_simpson
            : w->s == 2       ? constrained_pair
                              : constrained_newton_any)(w, h, condensed, want, kick, slow);
}

/* Newton's method, with or without constraints. */
static mask solve_modes(work *w, real h, mask want, int most, real *kick, mask *slow)
{
    constraint_solver *const c = &w->constraint;
    const size_t             bytes = (size_t)w->N * sizeof *c->predicted;
    if (!w->dyn->constraints) return unconstrained_modes(w, h, want, most, kick, slow);
    if (!c->condensed) return constrained_modes(w, h, false, want, kick, slow);
    if (!w->nodal.mass_known) invert_constant_mass(w);
    if (c->unknowns > FULL_MATRIX_MOST) {
        const mask done = constrained_modes(w, h, true, want, kick, slow);
        *w->stats.contracted += r_if(done, r_set(1), r_set(0));
        return done;
    }
    const mask tries = want & r_at_most(*w->newton.steps_until_retry, r_set(0))
                     & (r_equal(*w->newton.choice, r_set(BY_DEGREE))
                        | r_equal(*w->newton.choice, r_set(FIXED_POINT)));
    if (m_any(tries)) {
        memcpy((void *)c->predicted, w->scratch.a, bytes);
        const mask done = constrained_modes(w, h, true, tries, kick, slow),
                   failed = tries & m_not(done);
        *w->newton.steps_until_retry = r_if(failed, r_set(RETRY_STEPS),
                                            *w->newton.steps_until_retry);
        *w->stats.contracted += r_if(done, r_set(1), r_set(0));
        const mask left = want & m_not(done), took_long = *slow & done;
        if (!m_any(left)) return done;
        copy_where(left, w->scratch.a, c->predicted, w->N);
        const mask others = constrained_modes(w, h, false, left, kick, slow);
        *slow = *slow | took_long;
        return done | others;
    }
    return constrained_modes(w, h, false, want, kick, slow);
}

#endif
