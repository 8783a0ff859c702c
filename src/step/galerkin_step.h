/* A Galerkin step: R_m(a) = 0, then q <- q + h sum_m w_m a_m and p <- p + h sum_i b_i F_i.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_GALERKIN_STEP_H
#define NOE_STEP_GALERKIN_STEP_H

#include "step/continuation.h"
#include "step/canonical_newton.h"
#include "step/nodal_newton.h"
#include "step/energy_jump.h"

/* w->scratch.a = the predicted modes: extrapolated from the steps before, for s >= 4 (but for
 * compositions) from the last velocity polynomial alone; without earlier steps, free flight; or as
 * they are given. */
INLINE void predict_modes(work *w, const shape z)
{
    const int  s = z.s;
    const mask none = r_at_most(*w->history.length, r_set(0));
    if (w->history.given) {
        memcpy((void *)w->scratch.a, w->history.last, (size_t)z.N * sizeof *w->scratch.a);
        return;
    }
    if (!w->history.keeps_many) {
        batch modes[NOE_MAX_DEGREE];
        for (int j = 0; j < z.n; j++) {
            contract(modes, z.S, w->method.E, s, w->history.last + j * s);
            memcpy((void *)(w->scratch.a + j * s), modes, (size_t)s * sizeof *w->scratch.a);
        }
    } else extrapolate_modes(w, z);
    if (m_any(none))
        for (int j = 0; j < z.n; j++)
            for (int m = 0; m < s; m++)
                w->scratch.a[j * s + m] = r_if(none, m ? r_set(0) : w->state.v[j],
                                               w->scratch.a[j * s + m]);
}

/* The fixed-point iteration for sizes that are known at run time only, compiled once (as
 * newton_any). */
static __attribute__((noinline)) mask fixed_point_any(work *w, real h, mask want, real *kick,
                                                      mask *slow)
{
    return w->nodal.uses_nystrom          ? nystrom(w, of(w), h, want, kick, slow)
         : w->nodal.uses_canonical_newton ? canonical_newton(w, of(w), h, want, kick, slow)
         : w->nodal.uses_canonical        ? canonical(w, of(w), h, want, kick, slow)
         : w->nodal.uses_nodal_newton     ? nodal_newton(w, of(w), h, want, kick, slow)
                                          : fixed_point(w, of(w), h, want, kick, slow);
}

/* Newton's method.  Where the degree z.s is a compile-time constant below FIXED_POINT_DEGREE
 * it is compiled for these sizes, else solve_modes() serves. */
INLINE mask by_newton(work *w, const shape z, mask want, real *kick, mask *slow)
{
    if (__builtin_constant_p(z.n) && __builtin_constant_p(z.s) && z.s < FIXED_POINT_DEGREE
        && !w->dyn->constraints)
        return newton(w, z, w->state.length, want, NEWTON_ITERATIONS, kick, slow);
    return solve_modes(w, w->state.length, want, NEWTON_ITERATIONS, kick, slow);
}

/* The fixed-point iteration, compiled for these sizes where the degree is a compile-time
 * constant from FIXED_POINT_DEGREE on. */
INLINE mask by_fixed_point(work *w, const shape z, mask want, real *kick, mask *slow)
{
    if (__builtin_constant_p(z.s) && z.s >= FIXED_POINT_DEGREE && __builtin_constant_p(z.n)
        && w->nodal.uses_nystrom)
        return nystrom(w, z, w->state.length, want, kick, slow);
    if (__builtin_constant_p(z.s) && z.s >= FIXED_POINT_DEGREE && __builtin_constant_p(z.n)
        && w->nodal.uses_canonical_newton)
        return canonical_newton(w, z, w->state.length, want, kick, slow);
    if (__builtin_constant_p(z.s) && z.s >= FIXED_POINT_DEGREE && __builtin_constant_p(z.n)
        && w->nodal.uses_canonical)
        return canonical(w, z, w->state.length, want, kick, slow);
    if (__builtin_constant_p(z.s) && z.s >= FIXED_POINT_DEGREE && __builtin_constant_p(z.n)
        && w->nodal.uses_nodal_newton)
        return nodal_newton(w, z, w->state.length, want, kick, slow);
    if (__builtin_constant_p(z.s) && z.s >= FIXED_POINT_DEGREE && !w->nodal.uses_canonical
        && !w->nodal.uses_nodal_newton)
        return fixed_point(w, z, w->state.length, want, kick, slow);
    return fixed_point_any(w, w->state.length, want, kick, slow);
}

/* The members that try the fixed-point iteration.  After a step of which it failed they leave the
 * next RETRY_STEPS - 1 steps to Newton's method. */
INLINE mask tries_fixed_point(const work *w, const shape z)
{
    const mask chosen = r_equal(*w->newton.choice, r_set(FIXED_POINT)),
               free = r_equal(*w->newton.choice, r_set(BY_DEGREE));
    return m_all(w->nodal.has_fixed_point) & (chosen | (free & m_all(z.s >= FIXED_POINT_DEGREE)))
         & r_at_most(*w->newton.steps_until_retry, r_set(0));
}

/* w->nodal.X = the forces at the nodes of the solution in w->scratch.a, for members that the
 * Nystrom iteration did not solve: its next prediction needs them. */
static void store_forces(work *w, mask which)
{
    nodes(w, of(w), w->state.length);
    jet(w, GRADIENT, w->r);
    copy_where(which, (real *)w->nodal.X, (const real *)w->eval.out, w->n * w->B * WIDE);
}

/* Steps the wanted members; returns those that were stepped.  *broken: of the others, those
 * whose sums were not finite.  Three attempts: from the prediction by the fixed-point iteration,
 * then by Newton's method, then by continuation.  A solution of the first two that took many
 * iterations or does not continue the motion may be another root than that of the motion: it is
 * discarded, and the root of the motion is followed from free flight (step/continuation.h).  The
 * solution found so must not contradict the energy (step/energy_jump.h). */
INLINE mask galerkin_shape(work *w, const shape z, mask want, mask *broken)
{
    enum { BY_FIXED_POINT, BY_NEWTON, BY_CONTINUATION, ATTEMPTS };
    const mask continues = m_all(!w->dyn->linear) & r_less(r_set(0), *w->history.length);
    mask       unsolved = want,
         suspect = m_all(0); /* had a solution that was discarded: only continuation is left */
    real *kick = w->scratch.total; /* of each member from its last iteration */
    if (w->dyn->constraints) {
        forget_multipliers(w, r_at_most(*w->history.length, r_set(0)));
        *w->constraint.contradicted = r_if(want, r_set(0), *w->constraint.contradicted);
    }
    if (!continues_velocities(w, z)) predict_modes(w, z);
    for (int attempt = BY_FIXED_POINT; attempt < ATTEMPTS && m_any(unsolved); attempt++) {
        const mask tries = attempt == BY_FIXED_POINT ? unsolved & tries_fixed_point(w, z)
                         : attempt == BY_NEWTON      ? unsolved & m_not(suspect)
                                                     : unsolved;
        mask       slow = m_all(0);
        if (!m_any(tries)) continue;
        if (attempt == BY_NEWTON && continues_velocities(w, z)) predict_modes(w, z);
        mask done = attempt == BY_FIXED_POINT ? by_fixed_point(w, z, tries, kick, &slow)
                  : attempt == BY_NEWTON      ? by_newton(w, z, tries, kick, &slow)
                                              : follow_branch(w, tries, kick);
        /* From degree 4 on the fixed points keep no jet, and have their scales from the start. */
        if (attempt != BY_FIXED_POINT || z.s < FIXED_POINT_DEGREE) put_last_jet_back(w, z, done);
        mask wider; /* members whose ranges or largest jumps this step changes */
        /* solutions that may belong to another root than that of the motion */
        const mask unlike = __builtin_constant_p(z.n) ? shape_leaves_motion(w, z, kick, &wider)
                                                      : leaves_motion(w, kick, &wider),
                   other_root = unlike | slow;
        if (attempt != BY_CONTINUATION) {
            suspect = suspect | (done & continues & other_root);
            done = done & m_not(suspect);
        }
        if (attempt != BY_FIXED_POINT && keeps_forces(w)) store_forces(w, done);
        step_gains(w, attempt == BY_FIXED_POINT && w->nodal.uses_canonical);
        save_state(w, z, tries);
        mask ok = advance_state(w, z, done, kick);
        *broken = done & m_not(ok);
        if (attempt == BY_CONTINUATION && !w->dyn->linear && m_any(ok))
            ok = reject_energy_jumps(w, ok);
        record_jumps(w, wider, ok, ok & r_less(r_set(0), *w->history.length));
        store_history(w, z, ok);
        if (keeps_forces(w))
            copy_where(ok, w->history.last_forces, (const real *)w->nodal.X, z.n * z.B * WIDE);
        unsolved = unsolved & m_not(ok);
        if (attempt != BY_FIXED_POINT) continue;
        *w->newton.steps_until_retry = r_if(tries & unsolved & m_not(suspect), r_set(RETRY_STEPS),
                                            *w->newton.steps_until_retry);
        *w->stats.contracted += r_if(tries & ok, r_set(1), r_set(0));
    }
    *w->newton.steps_until_retry = r_if(r_less(r_set(0), *w->newton.steps_until_retry),
                                        *w->newton.steps_until_retry - 1,
                                        *w->newton.steps_until_retry);
    return want & m_not(unsolved);
}

/* The step, compiled for constant sizes where these are common: Simpson's method in one to three
 * coordinates, with constraints in any number, and eight nodes, which fill a batch, in one to three
 * coordinates and in any number.  Lanes have Simpson's without constraints alone.  Not in
 * binary128, nor without AVX2, where eight doubles take four registers, nor for lanes under
 * AddressSanitizer: this code would be too long. */
static mask galerkin(work *w, mask want, mask *broken)
{
#if NOE_REAL != NOE_QUAD && defined __AVX2__ && (NOE_REAL == NOE_DOUBLE || !__SANITIZE_ADDRESS__)
    if (w->method.simpson) switch (w->n) {
        case 1: return galerkin_shape(w, of_simpson(1), want, broken);
        case 2: return galerkin_shape(w, of_simpson(2), want, broken);
        case 3: return galerkin_shape(w, of_simpson(3), want, broken);
        default: break;
        }
#endif
#if NOE_REAL == NOE_DOUBLE && defined __AVX2__
    if (w->method.simpson && w->dyn->constraints)
        return galerkin_shape(w, of_simpson(w->n), want, broken);
    if (w->s == LANE_NODES && w->r == LANE_NODES) switch (w->n) {
        case 1: return galerkin_shape(w, of_nodes(1, LANE_NODES), want, broken);
        case 2: return galerkin_shape(w, of_nodes(2, LANE_NODES), want, broken);
        case 3: return galerkin_shape(w, of_nodes(3, LANE_NODES), want, broken);
        default: return galerkin_shape(w, of_nodes(w->n, LANE_NODES), want, broken);
        }
#endif
    return galerkin_shape(w, of(w), want, broken);
}

#endif
