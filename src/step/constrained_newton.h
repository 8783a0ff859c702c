/* Newton's method for the modes and the impulses of one constrained step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As in step/newton_iteration.h the matrix is new at the first iteration and is used again while
 * every iteration makes the residual MATRIX_GAIN times smaller; corrections of the modes must
 * shrink in the kinetic norm.  Multipliers are not judged: their rounding is EPS/h^2.  The
 * iteration ends at rounding, or where the contraction just shown leads there. */
#ifndef NOE_STEP_CONSTRAINED_NEWTON_H
#define NOE_STEP_CONSTRAINED_NEWTON_H

#include "step/momentum_projection.h"
#include "step/multiplier_history.h"
#include "step/step_update.h"

enum {
    /* Iterations beyond which the root is not near the prediction; the first step begins with
     * multipliers 0, which costs one or two. */
    CONSTRAINED_ITERATIONS = 12,
    SLOW_CONSTRAINED = 8,
    /* |g| that ends the iteration, in units of the rounding of its terms. */
    CONSTRAINT_ROUNDINGS = 2
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

/* to [n] += what the correction c->d changes in G(Q_k)^T impulse_k by way of Q_k. */
static void add_bending(const work *w, real h, int k, real *to)
{
    const constraint_solver    *c = &w->constraint;
    const real                 *value = constraint_at(w, k), *d = c->d;
    const num                  *I = c->I + k * w->s;
    const noe_constraint_entry *y = w->dyn->bend, *end = y + w->dyn->bends;
    for (; y < end; y++) {
        const real x = h * (value[y->output] * c->impulse[k * c->count + y->constraint]);
        for (int l = 0; l < w->s; l++) {
            to[y->row] += x * (I[l] * d[y->col * w->s + l]);
            if (y->row != y->col) to[y->col] += x * (I[l] * d[y->row * w->s + l]);
        }
    }
}

/* kick [2][n] of the members that end: as last_kick(), with the impulses of the constraints. */
static void constrained_kick(work *w, real h, mask end, real *kick)
{
    const constraint_solver *c = &w->constraint;
    const int                n = w->n;
    memcpy((void *)w->scratch.d, c->d, (size_t)w->N * sizeof *c->d);
    last_kick(w, of(w), end, kick);
    real *const late = w->constraint.momentum;
    for (int j = 0; j < n; j++) late[j] = r_set(0);
    for (int k = 0; k < w->s; k++) {
        add_constraint_force(w, constraint_at(w, k), c->d + w->N + k * c->count, late);
        if (k) add_bending(w, h, k, late);
    }
    for (int j = 0; j < n; j++) add_to_kick(w, end, kick, j, -late[j]);
}

/* Evaluates everything at the modes in w->scratch.a; a new matrix for the members `fresh`. */
static void constrained_evaluate(work *w, real h, bool first, mask fresh)
{
    const shape z = of(w);
    constraint_nodes(w, h);
    nodes(w, z, h);
    jet(w, m_any(fresh) ? HESSIAN : GRADIENT, z.r);
    residual(w, z, h);
    if (first) scales_at_start(w, z, h);
    if (m_any(fresh)) constrained_refactor(w, h, fresh);
    scales(w, z);
    constrained_residual(w, h);
    for (int j = 0; j < z.n; j++) w->scratch.scale[j] += w->constraint.strength[j];
    memcpy((void *)w->scratch.e, w->constraint.residual, (size_t)z.N * sizeof *w->scratch.e);
}

/* As newton(), for systems with constraints. */
static __attribute__((noinline)) mask constrained_newton(work *w, real h, mask want, real *kick,
                                                         mask *slow)
{
    constraint_solver *const c = &w->constraint;
    const shape              z = of(w);
    const num quarter = (num)1 / (CORRECTION_GAIN * CORRECTION_GAIN), level = STALL_ROUNDINGS * EPS;
    mask      going = want, done = m_all(0), wants = m_all(1);
    real      last = r_set(0), rounds = r_set(0);
    predict_multipliers(w, h);
    for (int it = 0; it < CONSTRAINED_ITERATIONS && m_any(going); it++) {
        mask fresh = going & wants;
        constrained_evaluate(w, h, it == 0, fresh);
        real       worst = worst_residual(w, z);
        const mask finite = r_finite(worst + *c->error);
        const mask at_roundoff = (worst <= RESIDUAL_ROUNDINGS * EPS)
                               & (*c->error <= CONSTRAINT_ROUNDINGS * EPS);
        worst = r_max(worst, *c->error);
        const mask stale = going & finite & m_all(it > 0) & m_not(fresh) & m_not(at_roundoff)
                         & m_not(MATRIX_GAIN * worst < last)
                         & m_not(worst <= REUSE_ROUNDINGS * EPS);
        if (m_any(stale)) constrained_evaluate(w, h, false, stale);
        fresh = fresh | stale;
        lu_solve(c->A, c->pivot, c->unknowns, c->residual, c->d);
        kinetic_norms(w, z, c->d, w->scratch.norm);
        kinetic_norms(w, z, w->scratch.a, w->scratch.velocity_norm);
        const mask shrinks = m_all(it == 0)
                           | norms_within(w, w->scratch.norm, quarter, w->scratch.norm_before);
        const mask near = shrinks
                        | norms_within_or_small(w, w->scratch.norm, quarter, w->scratch.norm_before,
                                                level * level, w->scratch.velocity_norm)
                        | m_all(it == 1); /* the first matrix had no multipliers */
        for (int i = 0; i < z.N; i++)
            w->scratch.a[i] = r_if(going, w->scratch.a[i] - c->d[i], w->scratch.a[i]);
        for (int i = z.N; i < c->unknowns; i++)
            c->impulse[i - z.N] = r_if(going, c->impulse[i - z.N] - c->d[i], c->impulse[i - z.N]);
        /* As in step/newton_iteration.h, with a matrix of this step. */
        const mask next_at_roundoff = m_all(it > 0) & m_not(fresh) & (1024 * worst < last)
                                    & (256 * worst * worst < last * EPS);
        const mask end = going & finite
                       & (at_roundoff | next_at_roundoff | (m_not(shrinks) & (worst <= level)));
        constrained_kick(w, h, end, kick);
        *w->stats.residual = r_if(end, r_max(*w->stats.residual, worst), *w->stats.residual);
        rounds += r_if(going, r_set(1), r_set(0));
        done = done | end;
        going = going & m_not(end) & finite & near;
        wants = m_all(0);
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
    return w->dyn->constraints ? constrained_newton(w, h, want, kick, slow)
                               : newton_any(w, h, want, most, kick, slow);
}

#endif
