/* R_m(a) = 0;  q <- q + h sum_m w_m a_m,  p <- p + h sum_i b_i F_i: the step of a Galerkin method.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CORE_GALERKIN_H
#define NOE_CORE_GALERKIN_H

#include "core/nystrom.h"
#include "core/step.h"

/* Far roots are guarded against by parts of the largest scale of energy so far: a first correction of more
 * than this is none; a solution in doubt (a first correction or a kick not far from it, slow convergence) must
 * not change the energy by more. */
static const double PART = 0.25;

/* The modes continued from the steps before, for s >= 4 the last polynomial itself; without a past, free flight. */
INLINE void predict(work *w, const shape z)
{
    const int  s = z.s;
    const mask none = *w->known <= r_set(0);
    if (!w->rings) {
        batch modes[NOE_MAX_DEGREE];
        for (int j = 0; j < z.n; j++) {
            contract(modes, z.S, w->E, s, w->last + j * s);
            memcpy((void *)(w->a + j * s), modes, (size_t)s * sizeof *w->a);
        }
    } else continue_modes(w, z);
    if (m_any(none))
        for (int j = 0; j < z.n; j++)
            for (int m = 0; m < s; m++) w->a[j * s + m] = r_if(none, m ? r_set(0) : w->v[j], w->a[j * s + m]);
}

/* The two iterations are compiled once for shapes that are known when a step is made, */
static __attribute__((noinline)) mask newton_any(work *w, real h, mask want, int most, real limit, real *kick)
{
    return newton(w, of(w), h, want, most, limit, kick);
}

static __attribute__((noinline)) mask fixed_point_any(work *w, real h, mask want, real limit, real *kick)
{
    return w->natural ? nystrom(w, of(w), h, want, limit, kick) : fixed_point(w, of(w), h, want, limit, kick);
}

/* and for a shape of constants the one that it is made for. */
INLINE mask by_newton(work *w, const shape z, mask want, real limit, real *kick)
{
    if (__builtin_constant_p(z.s) && z.s < LONG) return newton(w, z, w->length, want, EASY, limit, kick);
    return newton_any(w, w->length, want, EASY, limit, kick);
}

INLINE mask by_fixed_point(work *w, const shape z, mask want, real limit, real *kick)
{
    if (__builtin_constant_p(z.s) && z.s >= LONG && __builtin_constant_p(z.n) && w->natural)
        return nystrom(w, z, w->length, want, limit, kick);
    if (__builtin_constant_p(z.s) && z.s >= LONG) return fixed_point(w, z, w->length, want, limit, kick);
    return fixed_point_any(w, w->length, want, limit, kick);
}

/* Follows the solution from a step of length 0, where it is free flight, to length h.  Near roots stay
 * near: a far root of the discrete equations is never reached by contraction along a connected branch. */
static mask follow(work *w, mask want, real *kick)
{
    const real one = r_set(1);
    real       at = r_set(0), stride = one, *base = w->base;
    mask       going = want & velocities(w, NULL, want, w->v);
    for (int j = 0; j < w->N; j++) base[j] = r_if(want, j % w->s ? r_set(0) : w->v[j / w->s], base[j]);
    for (int round = 0; round < 200 && m_any(going); round++) {
        const real to = r_if(one < at + stride, one, at + stride);
        const real ratio = r_if(r_set(0) < at, to / at, one);
        for (int j = 0; j < w->n; j++) {
            real power = one; /* the m-th mode of a smooth motion grows like length^m */
            for (int m = 0; m < w->s; m++, power *= ratio) w->a[j * w->s + m] = base[j * w->s + m] * power;
        }
        *w->keep = r_if(going, r_set(0), *w->keep);
        const mask ok = newton_any(w, to * w->length, going, ITERATIONS, r_set(0), kick);
        keep_if(ok, base, w->a, w->N);
        if (round == 0) *w->subdivided += r_if(going & m_not(ok), one, r_set(0));
        at = r_if(ok, to, at);
        stride = r_if(ok, 2 * stride, stride / 2);
        going = going & (at < one) & ((num)1 / 256 < stride);
    }
    for (int j = 0; j < w->N; j++) w->a[j] = r_if(want, base[j], w->a[j]);
    return want & m_not(at < one);
}

/* H1 - H0 = [v.P] - int F.dq + P.dv along the straight way to the saved state, by Gauss with 2 or 4 nodes. */
static real change_by_forces(work *w, int nodes)
{
    static const num at[2][2] = { { (num)0.28867513459481288 }, { (num)0.16999052179242813, (num)0.43056815579702629 } },
                     weight[2][2] = { { (num)0.5 }, { (num)0.32607257743127307, (num)0.17392742256872693 } };
    const int   n = w->n, half = nodes / 2;
    real       *x = w->e, *v = w->d, sum = r_set(0);
    const real *q1 = w->before, *p1 = q1 + n, *dq1 = p1 + n, *v1 = dq1 + 2 * n;
    for (int j = 0; j < n; j++) sum += v1[j] * p1[j] - w->v[j] * w->p[j];
    for (int i = 0; i < nodes; i++) {
        const num c = (num)0.5 + (i < half ? -1 : 1) * at[half - 1][i % half];
        for (int j = 0; j < n; j++) {
            x[j] = w->q[j] + c * ((q1[j] - w->q[j]) + (dq1[j] - w->dq[j]));
            v[j] = w->v[j] + c * (v1[j] - w->v[j]);
        }
        const site s = { here(w).t, x, NULL, NULL };
        jet_at(w, GRADIENT, &s, v);
        for (int j = 0; j < n; j++)
            sum -= weight[half - 1][i % half] * (output(w, j) * ((q1[j] - w->q[j]) + (dq1[j] - w->dq[j]))
                                                 + output(w, n + j) * (v1[j] - w->v[j]));
    }
    return sum;
}

/* Takes back those of the doubtful steps whose energy jumped: a far root after all.  The scale of kinetic
 * energy is about an eighth of w->energy, which counts every momentum several times; of the first steps, which
 * may start at rest, that of the step itself.  Near an equilibrium H loses such a step in its rounding, 1 - cos(q) = 0:
 * the forces tell, where they change so little on the way that two rules agree. */
static mask without_jump(work *w, mask ok, mask doubtful)
{
    const mask after = velocities(w, NULL, doubtful, w->v);
    const real H1 = energy(w);
    swap_saved(w, doubtful, -1);
    const mask before = velocities(w, NULL, doubtful, w->v);
    const real H0 = energy(w), size = r_if(r_set(2) < *w->known, *w->energy, *w->size) / 8, scale = r_max(r_abs(H0), size);
    mask       good = after & before & (r_abs(H1 - H0) <= PART * scale);
    if (m_any(after & before & doubtful & m_not(good))) {
        const real by = change_by_forces(w, 4), less = change_by_forces(w, 2);
        good = good | (after & before & (r_abs(by) <= PART * size) & (r_abs(by - less) <= PART / 256 * size));
    }
    swap_saved(w, doubtful & good, 1);
    return ok & (m_not(doubtful) | good);
}

/* Which members try the fixed point: those that it did not fail within the last WAIT steps. */
INLINE mask contracting(const work *w, const shape z)
{
    const mask chosen = *w->solver == r_set(1), free = *w->solver == r_set(0);
    return m_all(w->contracts) & (chosen | (free & m_all(z.s >= LONG))) & (*w->wait <= r_set(0));
}

/* The forces at the nodes of steps that the fixed point left to others: its next prediction. */
static void keep_forces(work *w, mask which)
{
    nodes(w, of(w), w->length);
    jet(w, GRADIENT, w->r);
    keep_if(which, (real *)w->X, (const real *)w->out, w->n * w->B * WIDE);
}

/* Steps the wanted members and returns those that did; broken: of the others, those whose sums were not finite.
 * From the prediction by the fixed point, then by Newton's method; then, for the members that this did not bring to a
 * root near it, by following. */
INLINE mask galerkin_of(work *w, const shape z, mask want, mask *broken)
{
    enum { CONTRACT, NEWTON, FOLLOW, ATTEMPTS };
    mask  left = want;
    real *kick = w->total; /* every member's own, of its last iteration */
    if (!goes_on(w, z)) predict(w, z);
    for (int attempt = CONTRACT; attempt < ATTEMPTS && m_any(left); attempt++) {
        const real limit = r_if((r_set(2) < *w->known) & m_all(!w->dyn->linear), PART * *w->energy, r_set(0));
        const mask tries = attempt == CONTRACT ? left & contracting(w, z) : left;
        if (!m_any(tries)) continue;
        if (attempt == NEWTON && goes_on(w, z)) predict(w, z);
        const mask done = attempt == CONTRACT ? by_fixed_point(w, z, tries, limit, kick)
                        : attempt == NEWTON   ? by_newton(w, z, left, limit, kick) : follow(w, left, kick);
        real       push = r_set(0);
        if (attempt != CONTRACT) speeds(w, z);
        if (attempt != CONTRACT && w->natural) keep_forces(w, done);
        for (int j = 0; j < z.n; j++) push += r_abs(kick[j]) * w->speed[j];
        gains(w);
        save(w, z, left);
        mask       ok = advance(w, z, done, kick);
        const mask doubtful = ok & (m_all(attempt == FOLLOW) | (r_set(0) < *w->doubt) | (limit < push));
        *broken = done & m_not(ok);
        if (w->dyn->autonomous && !w->dyn->linear && m_any(doubtful)) ok = without_jump(w, ok, doubtful);
        remember(w, z, ok);
        if (w->natural) keep_if(ok, w->pushed, (const real *)w->X, z.n * z.B * WIDE);
        left = left & m_not(ok);
        if (attempt != CONTRACT) continue;
        *w->wait = r_if(tries & left, r_set(WAIT), *w->wait);
        *w->contracted += r_if(tries & ok, r_set(1), r_set(0));
    }
    *w->wait = r_if(r_set(0) < *w->wait, *w->wait - 1, *w->wait);
    return want & m_not(left);
}

/* Small systems have steps of their own: most steps that are ever made are Simpson's, or of eight nodes, which fill a
 * batch.  Not where eight doubles are many registers: these steps would be too long. */
static mask galerkin(work *w, mask want, mask *broken)
{
#if (NOE_REAL == NOE_DOUBLE && defined __AVX2__) || (NOE_REAL == NOE_LANES && defined __AVX512F__)
    if (w->simpson) switch (w->n) {
        case 1: return galerkin_of(w, of_simpson(1), want, broken);
        case 2: return galerkin_of(w, of_simpson(2), want, broken);
        case 3: return galerkin_of(w, of_simpson(3), want, broken);
        default: break;
        }
#endif
#if NOE_REAL == NOE_DOUBLE && defined __AVX2__
    if (w->s == NODES && w->r == NODES) switch (w->n) {
        case 1: return galerkin_of(w, of_eight(1), want, broken);
        case 2: return galerkin_of(w, of_eight(2), want, broken);
        case 3: return galerkin_of(w, of_eight(3), want, broken);
        default: return galerkin_of(w, of_eight(w->n), want, broken);
        }
#endif
    return galerkin_of(w, of(w), want, broken);
}

#endif
