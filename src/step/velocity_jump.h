/* Does a step continue the motion?  jump_j = |V_n(0) - V_{n-1}(1)| against range_j = max V - min V.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * V_n is the velocity of step n, a polynomial.  Where two steps meet, the velocity of the motion
 * is continuous; the jump between the polynomials is the part of the velocity that they cannot
 * represent.  Relative to range_j, by how much the velocity of this very coordinate has varied,
 * it is a measure of the local error that does not change with constants in the potential, total
 * derivatives in L, boosts and translations of a free system, units, a common factor of L, the
 * order of coordinates, or systems that are not coupled to this one.  For small steps jump_j
 * falls as h^k, k = s for odd s, s + 1 for even s.  Splittings and Runge-Kutta methods have no
 * velocity polynomials; for them V(1) = 2 (q1 - q0)/h - V(0). */
#ifndef NOE_STEP_VELOCITY_JUMP_H
#define NOE_STEP_VELOCITY_JUMP_H

#include "number/velocity_rounding.h"
#include "step/newton_iteration.h"

/* A function of its own: within that of the step it would take registers from its iterations.
 * With NOE_UNMEASURED these functions do nothing, so that bench/guards.c can measure what they
 * cost. */
#ifdef NOE_UNMEASURED
#define MEASURE INLINE
#else
#define MEASURE static __attribute__((noinline))
#endif

/* The terms, in momentum, that cancel in the equation of coordinate j. */
INLINE real rounding_terms(const work *w, int j)
{
    return w->scratch.scale[j] + w->newton.position_rounding[j];
}

/* The members of which some jump is more than rounding of the terms that cancel in the equation
 * of its coordinate; range [n] as of unlike_before(). */
static __attribute__((noinline)) mask significant_jumps(const work *w, const num part,
                                                        const real *range)
{
    const int  n = w->n;
    const num  noise = VELOCITY_ROUNDINGS * EPS;
    const mask settled = r_at_most(r_set(SETTLING_STEPS), *w->history.length);
    mask       yes = m_all(0);
    for (int j = 0; j < n; j++) {
        const real last = w->s > 2
                            ? r_abs(w->method.at_end[w->s - 1] * w->scratch.a[(j + 1) * w->s - 1])
                            : r_set(0);
        const mask burst = settled
                         & r_less(RANGE_GROWTH
                                      * (w->stats.velocity_max[j] - w->stats.velocity_min[j]),
                                  range[j]);
        const real jump = r_if(
            burst, range[j],
            r_max(last, r_abs(w->scratch.end_velocities[j] - w->stats.last_end_velocity[j])));
        const real M = w->newton.mass_bound[j * n + j], size = M * jump;
        yes = yes | (r_less(part * range[j], jump) & r_less(noise * rounding_terms(w, j), size));
    }
    return yes;
}

/* The members of which some velocity leaves its range by much, or jumps by a large part of it, or
 * has a large last mode; to range [n]: the ranges with this step. */
static __attribute__((noinline)) mask unlike_before(work *w, num part, real *range)
{
    const int  n = w->n, s = w->s;
    const mask settled = r_at_most(r_set(SETTLING_STEPS), *w->history.length);
    mask       yes = m_all(0);
    for (int j = 0; j < n; j++) {
        const real begin = w->scratch.end_velocities[j], end = w->scratch.end_velocities[n + j],
                   before = w->stats.velocity_max[j] - w->stats.velocity_min[j];
        range[j] = r_max(w->stats.velocity_max[j], r_max(begin, end))
                 - r_min(w->stats.velocity_min[j], r_min(begin, end));
        yes = yes | r_less(part * range[j], r_abs(begin - w->stats.last_end_velocity[j]));
        yes = yes | (settled & r_less(RANGE_GROWTH * before, range[j]));
        if (s > 2)
            yes = yes
                | r_less(part * range[j],
                         r_abs(w->method.at_end[s - 1] * w->scratch.a[(j + 1) * s - 1]));
    }
    return m_any(yes) ? yes & significant_jumps(w, part, range) : yes;
}

/* Is a velocity outside of what it has been, at the beginning or the end of the step? */
INLINE mask leaves_range(const work *w, int j, real begin, real end)
{
    return r_less(w->stats.velocity_max[j], begin) | r_less(w->stats.velocity_max[j], end)
         | r_less(begin, w->stats.velocity_min[j]) | r_less(end, w->stats.velocity_min[j]);
}

/* The members of which a momentum P = L_v at the end of the step, extrapolated from the nodes, is
 * far from p + kick: by more than `part` of sum_k |M_jk| range_k, and more than rounding. */
static __attribute__((noinline)) mask momenta_apart(const work *w, num part, const real *range,
                                                    const real *apart)
{
    mask             yes = m_all(0);
    const noe_entry *y = w->dyn->mass;
    for (int j = 0; j < w->n; j++) {
        const real most = add_mass_row(w, w->n, j, &y, range, r_set(0));
        yes = yes
            | (r_less(part * most, apart[j])
               & r_less(STALL_ROUNDINGS * EPS * rounding_terms(w, j), apart[j]));
    }
    return yes;
}

/* The members whose momenta at the end of the step are apart.  Nearly always |M_jj| range_j, which
 * is at most the sum over k, is large enough already, or rounding is. */
INLINE mask momenta_discontinuous(work *w, const shape z, const real *kick, num part,
                                  const real *range)
{
    mask yes = m_all(0);
    real few[NOE_MAX_DEGREE], *apart = z.n <= NOE_MAX_DEGREE ? few : w->scratch.room[0];
    for (int j = 0; j < z.n; j++) {
        const real *nodes = element(w->eval.out, z.B, z.n + j, 0),
                   p = w->state.p[j] + (kick[j] + kick[z.n + j]);
        real P = w->method.to_end[z.r - 1] * nodes[z.r - 1];
        for (int i = 0; i < z.r - 1 && !w->method.node_at_end; i++)
            P += w->method.to_end[i] * nodes[i];
        apart[j] = r_abs(p - P);
        yes = yes
            | (r_less(part * (w->newton.mass_bound[j * z.n + j] * range[j]), apart[j])
               & r_less(STALL_ROUNDINGS * EPS * rounding_terms(w, j), apart[j]));
    }
    return m_any(yes) ? momenta_apart(w, part, range, apart) : yes;
}

/* leaves_motion() for a shape; for constant sizes a part of the step (Kepler's problem by gauss 8
 * 0.97 of the time, by simpson 0.97, of a function of its own). */
INLINE mask shape_leaves_motion(work *w, const shape z, const real *kick, mask *wider)
{
#ifdef NOE_UNMEASURED
    *wider = m_all(0);
    return m_all(0);
#endif
    const num part = z.s == 1 ? JUMP_MOST_ONE_MODE : JUMP_MOST_MODES;
    mask      yes = m_all(0), unlike = m_all(0), larger = m_all(0);
    real      few[NOE_MAX_DEGREE], *range = z.n <= NOE_MAX_DEGREE ? few : w->scratch.most;
    for (int j = 0; j < z.n; j++) {
        const real *a = w->scratch.a + j * z.s;
        /* l_m(0) = (-1)^m l_m(1) */
        real even = w->method.at_end[0] * a[0], odd = r_set(0);
        for (int m = 1; m < z.s; m++) *(m % 2 ? &odd : &even) += w->method.at_end[m] * a[m];
        const real begin = even - odd, end = even + odd;
        w->scratch.end_velocities[j] = begin, w->scratch.end_velocities[z.n + j] = end;
        range[j] = w->stats.velocity_max[j] - w->stats.velocity_min[j];
        const real jump = r_abs(begin - w->stats.last_end_velocity[j]);
        larger = larger | r_less(w->stats.jump[j], jump);
        unlike = unlike | leaves_range(w, j, begin, end)
               | (r_less(part * range[j], jump)
                  & r_less(VELOCITY_ROUNDINGS * EPS * rounding_terms(w, j),
                           w->newton.mass_bound[j * z.n + j] * jump));
        if (z.s > 2)
            unlike = unlike
                   | r_less(part * range[j], r_abs(w->method.at_end[z.s - 1] * a[z.s - 1]));
    }
    *wider = unlike | larger;
    if (m_any(unlike)) yes = unlike_before(w, part, range);
    return z.s < LAST_MODE_DEGREE ? yes | momenta_discontinuous(w, z, kick, part, range) : yes;
}

/* The members whose solution in w->scratch.a does not continue the motion: with a large jump,
 * with a range made much larger, with a large last mode of three or more, or with momenta P =
 * L_v at the nodes that, extrapolated to the end of the step, are far from p + kick.  Stores the
 * velocities at both ends of the step in w->scratch.end_velocities [2][n]; *wider: the members
 * whose ranges or largest jumps this step changes. */
MEASURE mask leaves_motion(work *w, const real *kick, mask *wider)
{
    if (w->method.simpson) switch (w->n) {
        case 1: return shape_leaves_motion(w, of_simpson(1), kick, wider);
        case 2: return shape_leaves_motion(w, of_simpson(2), kick, wider);
        case 3: return shape_leaves_motion(w, of_simpson(3), kick, wider);
        default: break;
        }
#if NOE_REAL == NOE_DOUBLE
    if (w->s == LANE_NODES && w->r == LANE_NODES)
        return shape_leaves_motion(w, of_nodes(w->n, LANE_NODES), kick, wider);
#endif
    return shape_leaves_motion(w, of(w), kick, wider);
}

/* Updates ranges and largest jumps, which few steps change. */
static __attribute__((noinline)) void widen_ranges(work *w, mask ok, mask compared)
{
    const int n = w->n;
    const num noise = w->kind == NOE_GALERKIN
                        ? VELOCITY_ROUNDINGS * EPS
                        : 0; /* other methods have no scale_j: largest_jump() */
    for (int j = 0; j < n; j++) {
        const real begin = w->scratch.end_velocities[j], end = w->scratch.end_velocities[n + j],
                   jump = r_abs(begin - w->stats.last_end_velocity[j]);
        const mask higher = r_less(w->stats.jump[j], jump);
        if (!m_any(leaves_range(w, j, begin, end) | higher)) continue;
        const mask larger = compared & higher
                          & r_less(noise * rounding_terms(w, j),
                                   w->newton.mass_bound[j * n + j] * jump);
        w->stats.jump[j] = r_if(larger, jump, w->stats.jump[j]);
        w->stats.jump_at[j] = r_if(larger, *w->state.count, w->stats.jump_at[j]);
        w->stats.velocity_max[j] = r_if(ok, r_max(w->stats.velocity_max[j], r_max(begin, end)),
                                        w->stats.velocity_max[j]);
        w->stats.velocity_min[j] = r_if(ok, r_min(w->stats.velocity_min[j], r_min(begin, end)),
                                        w->stats.velocity_min[j]);
        const real range = w->stats.velocity_max[j] - w->stats.velocity_min[j];
        const mask doubled = ok & r_less(2 * w->stats.half[j], range);
        w->stats.half[j] = r_if(doubled, range, w->stats.half[j]);
        w->stats.doubled_at[j] = r_if(doubled, *w->state.count, w->stats.doubled_at[j]);
    }
}

/* The members whose ranges or largest jumps the step with w->scratch.end_velocities changes. */
static mask widens_ranges(const work *w)
{
    mask wider = m_all(0);
    for (int j = 0; j < w->n; j++) {
        const real begin = w->scratch.end_velocities[j], end = w->scratch.end_velocities[w->n + j];
        wider = wider | leaves_range(w, j, begin, end)
              | r_less(w->stats.jump[j], r_abs(begin - w->stats.last_end_velocity[j]));
    }
    return wider;
}

/* Updates sums and last velocities by the step with w->scratch.end_velocities, for the members
 * `ok`, and ranges where it makes some of them `wider`; largest jumps for the members `compared`,
 * which have a step before. */
MEASURE void record_jumps(work *w, mask wider, mask ok, mask compared)
{
#ifdef NOE_UNMEASURED
    return;
#endif
    /* Of steps that follow a monitor: weighted with their time, and velocities in time. */
    const bool in_fictitious_time = w->dyn->transformed,
               varies = in_fictitious_time || w->eval.tape[CLOCK];
    const real weight = in_fictitious_time ? r_abs(w->state.gain[ELAPSED])
                      : varies             ? r_abs(w->state.length)
                                           : r_set(1),
               pace = in_fictitious_time ? r_abs(w->state.length) / weight : r_set(1);
    if (m_any(wider)) widen_ranges(w, ok, compared);
    *w->stats.weight_sum += r_if(ok, weight, r_set(0));
    for (int j = 0; j < w->n; j++) {
        const real end = w->scratch.end_velocities[w->n + j],
                   since = r_if(ok, (in_fictitious_time ? end * pace : end) - w->stats.origin[j],
                                r_set(0)),
                   all = varies ? r_if(ok, weight, r_set(0)) * since : since;
        w->stats.last_end_velocity[j] = r_if(ok, end, w->stats.last_end_velocity[j]);
        w->stats.sum[j] += all, w->stats.square[j] += all * since;
    }
}

/* For steps without polynomials: V(0) = v, and V(1) as if V were linear with this mean. */
static void velocities_at_ends(work *w, const real *v, const real *mean)
{
    for (int j = 0; j < w->n; j++) {
        w->scratch.end_velocities[j] = v[j];
        w->scratch.end_velocities[w->n + j] = 2 * mean[j] - v[j];
    }
}

/* Resets everything that record_jumps() updates, before the first step. */
static void begin_jumps(work *w)
{
    *w->stats.weight_sum = r_set(0);
    for (int j = 0; j < w->n; j++) {
        w->stats.last_end_velocity[j] = w->stats.velocity_max[j] = w->stats.velocity_min[j] =
            w->stats.origin[j] = w->state.v[j];
        if (w->dyn->transformed) w->stats.origin[j] *= *w->state.fictitious / *w->state.nominal;
        w->stats.sum[j] = w->stats.square[j] = r_set(0);
        w->stats.half[j] = w->stats.doubled_at[j] = w->stats.jump[j] = w->stats.jump_at[j] = r_set(
            0);
    }
}

/* to [n] = the standard deviation of each velocity of a member since the start. */
static void deviations(const work *w, int member, quad *to)
{
    const num count = r_member(*w->stats.weight_sum, member);
    for (int j = 0; j < w->n; j++) {
        const num mean = r_member(w->stats.sum[j], member) / count,
                  square = r_member(w->stats.square[j], member) / count - mean * mean;
        to[j] = count > 0 && square > 0 ? sqrtq(square) : 0;
    }
}

/* [n] each: the largest jump of each velocity of a member since the start, 0 where it is rounding
 * or too small for an energy error; steps made with the one that begins by it.  A velocity that is
 * wrong by the jump changes the energy by at most M_jj range_j jump_j, and the least scale of an
 * energy error is M_jj sd_j^2 / 2 (integrate/energy_error.c). */
static void notable_jumps(const work *w, int member, double *jump, double *at)
{
    const num noise = VELOCITY_ROUNDINGS * EPS, count = r_member(*w->stats.weight_sum, member);
    const num G = w->dyn->transformed /* in the mean: jumps are those of G v */
                    ? count / r_member(*w->state.count * *w->state.fictitious, member)
                    : 1;
    for (int j = 0; j < w->n; j++) {
        const num high = r_member(w->stats.velocity_max[j], member),
                  low = r_member(w->stats.velocity_min[j], member),
                  size = r_member(w->stats.jump[j], member), range = high - low,
                  mean = r_member(w->stats.sum[j], member) / count,
                  square = r_member(w->stats.square[j], member) / count - mean * mean;
        const bool rounding = !(noise * (high > -low ? high : -low) < size),
                   harmless = !(NOTED_JUMP * square * G * G < range * size);
        jump[j] = rounding || harmless ? 0 : (double)size;
        at[j] = (double)r_member(w->stats.jump_at[j], member);
    }
}

/* The largest jump_j / range_j of a member since the start; *place: the coordinate; *count: the
 * steps made with the one that begins by it.  Ranges and jumps do not count that are rounding,
 * of that velocity or of the velocities it is coupled to; nor do velocities that are small
 * beside those while their range still doubles every few steps: ahead of a front in a chain
 * every range is new, and the coordinates are practically at rest.  With constraints the axes of
 * coordinates are arbitrary, and one that the motion keeps constant, as the height of a ball in
 * steady rotation, has a range of errors alone: a jump that is nothing beside the others' ranges
 * does not count. */
static num largest_jump(const work *w, int member, int *place, num *count)
{
    const num noise = VELOCITY_ROUNDINGS * EPS, step = r_member(r_abs(*w->state.h), member);
    num       most = 0, block[w->n];
    *place = 0, *count = 0;
    for (int b = 0; b < w->n; b++) block[b] = 0;
    for (int j = 0; j < w->n; j++) {
        const num range = r_member(w->stats.velocity_max[j] - w->stats.velocity_min[j], member);
        block[w->block_of[j]] += r_member(w->newton.mass_bound[j * w->n + j], member) * range
                               * range;
    }
    for (int j = 0; j < w->n; j++) {
        const num high = r_member(r_abs(w->stats.velocity_max[j]), member),
                  low = r_member(r_abs(w->stats.velocity_min[j]), member),
                  range = r_member(w->stats.velocity_max[j] - w->stats.velocity_min[j], member),
                  jump = r_member(w->stats.jump[j], member),
                  mass = r_member(w->newton.mass_bound[j * w->n + j], member),
                  all = block[w->block_of[j]], rounding = noise * (high > low ? high : low);
        if (!(rounding < jump) || !(most * range < jump)) continue;
        const bool grows = r_member(*w->state.count - w->stats.doubled_at[j], member)
                             < SETTLING_STEPS
                        && r_member(*w->state.count, member) > SETTLING_STEPS;
        /* scale_j tells the rounding of a Galerkin step. */
        const bool known = w->kind == NOE_GALERKIN, constrained = w->dyn->constraints > 0;
        const num  small = grows       ? (num)NOE_FRONT_SHARE
                         : constrained ? CONSTRAINED_SHARE
                         : known       ? 0
                                       : noise;
        if (0 < mass && mass * jump * jump <= small * small * all) continue;
        /* V is the slope of positions that constraints round. */
        if (w->dyn->constraints && jump * step <= noise * r_member(r_abs(w->state.q[j]), member))
            continue;
        most = jump / range, *place = j, *count = r_member(w->stats.jump_at[j], member);
    }
    return most;
}

#endif
