/* Prediction of the modes of a step by extrapolation from earlier steps, and why it is dithered.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Let B be the shift by half a step back.  The two Legendre modes of a method with s = 2 are the
 * mean velocities u of two half steps, and
 *     (1 - B)^4 (1 - B^2)^j u = 0
 * predicts them.  Other modes are extrapolated by a polynomial each, (1 - B^2)^j a = 0.  Mean
 * velocities of half steps are twice as dense as steps: they need half as many earlier steps for
 * the same order, and are extrapolated much better where the motion is rough.  But the middle of
 * a step does not lie on quite the same motion as its ends: every other u has an error, itself
 * smooth, which (1 + B)^j removes.  So the fourth differences w = (1 - B)^4 u are extrapolated
 * by polynomials, those of first halves and those of second halves separately.  The best order
 * is found by trying all of them, at every eighth step; a few orders that are far apart do as
 * well as many.
 *
 * Dithering: where one evaluation solves a step of a smooth motion, the rounding error of the step
 * has one sign for long, and the energy drifts; the origin of this error was not found.  Where half
 * steps are extrapolated, dither() changes the prediction by another amount in each of PHASES
 * successive steps.  The drifts without it and with it stand at dither(); doc/theory.md, section 9,
 * "The prediction", has what else was tried. */
#ifndef NOE_STEP_PREDICTOR_H
#define NOE_STEP_PREDICTOR_H

#include "step/step_shape.h"

static const int order_of_modes[] = { 1, 2, 3, 4, 6, 8, 11, 15 }, order_of_halves[] = { 0, 3, 10 };
_Static_assert(sizeof order_of_modes == PREDICTION_ORDERS * sizeof(int), "ORDERS");
INLINE const int *orders(const work *w)
{
    return w->history.half_steps ? order_of_halves : order_of_modes;
}
INLINE int how_many_orders(const work *w)
{
    return w->history.half_steps ? (int)(sizeof order_of_halves / sizeof(int)) : PREDICTION_ORDERS;
}

/* weight[k-1] = -(-1)^k C(j, k), k = 1 .. j: the weight of the value k steps before in the
 * extrapolation by the polynomial of degree j - 1 through j values. */
static void extrapolation_weights(int j, num *weight)
{
    num c = 1;
    for (int k = 1; k <= j; k++) weight[k - 1] = c = -c * (num)(j - k + 1) / (num)k;
    for (int k = 0; k < j; k++) weight[k] = -weight[k];
}

/* u = a_0 -+ r a_1: the mean velocities of the first and the second half of a step. */
INLINE void half_step_means(const real *a, num r, real u[2])
{
    u[0] = a[0] - r * a[1], u[1] = a[0] + r * a[1];
}
/* The next u minus the last, such that (1 - B)^4 of the next is w, from the last three
 * differences of u. */
INLINE real half_step_change(real w, real last, real before, real long_before)
{
    return (3 * (last - before) + long_before) + w;
}

/* to = sum_k weight_k w(k steps before), for `count` batches from b on; even and odd k are summed
 * separately. */
INLINE void extrapolate_batches(const work *w, const shape z, const real *weight, int steps, int b,
                                const int count, batch *to)
{
    const int last = newest_row(w);
    batch     even[REGISTER_SUMS], odd[REGISTER_SUMS];
    int       k = 0;
#define ADD(sum, k)                                                              \
    {                                                                            \
        const batch *x = (const batch *)modes_of(w, z.rows * WIDE, last, k) + b; \
        _Pragma("GCC unroll 6")                                                  \
        for (int i = 0; i < count; i++) sum[i] += b_of(weight[k]) * x[i];        \
    }
#pragma GCC unroll 6
    for (int i = 0; i < count; i++)
        even[i] = odd[i] = b_zero(); /* weights of 0 do not change the bits of this sum */
    for (; k + 1 < steps; k += 2) {
        ADD(even, k)
        ADD(odd, k + 1)
    }
    if (k < steps) ADD(even, k)
#undef ADD
#pragma GCC unroll 6
    for (int i = 0; i < count; i++) to[b + i] = even[i] + odd[i];
}

/* The same for all batches. */
INLINE void extrapolate_rows(const work *w, const shape z, const real *weight, int steps, real *to)
{
    batch *const rows = (batch *)to;
    int          b = 0;
    for (; b + REGISTER_SUMS <= z.rows; b += REGISTER_SUMS)
        extrapolate_batches(w, z, weight, steps, b, REGISTER_SUMS, rows);
    if (z.rows % REGISTER_SUMS == 4) extrapolate_batches(w, z, weight, steps, b, 4, rows), b += 4;
    for (; b < z.rows; b++) extrapolate_batches(w, z, weight, steps, b, 1, rows);
}

/* w->history.prediction_weights = the weights of an order for `steps` earlier steps, for the
 * members `which`. */
INLINE void set_weights(work *w, int order, int steps, mask which)
{
    for (int k = 0; k < steps; k++)
        w->history.prediction_weights[k] = r_if(
            which, r_set(w->history.weights_of_order[order * HISTORY_STEPS + k]),
            w->history.prediction_weights[k]);
}

/* Factor of the first predicted mode, the mean velocity of the step, by the phase of the step, 0 ..
 * PHASES - 1: PHASES values about 1, from 1 - 120 EPS to 1 + 120 EPS.  Measured: the drift of the
 * energy of a pendulum by simpson, in its own units a step, in the mean square of 16 starts, over
 * 2 10^6 steps.  Without dither it is 3.7e-20 with steps of 0.01 and 1.6e-19 with 0.02; with it
 * 1.2e-20 and 3.3e-20, as a random walk has (test/step/test_rounding.c).  The number of iterations
 * is the same. */
INLINE real dither(const work *w)
{
    const num middle = (num)(PHASES - 1) / 2;
    return 1 + DITHER_ROUNDINGS * EPS * (*w->newton.phase - middle);
}

/* w->scratch.a = the predicted modes of this step, of each member by its own order. */
INLINE void extrapolate_modes(work *w, const shape z)
{
    if (m_any(m_not(r_equal(*w->history.weights_order, *w->history.order)))) {
        w->history.weights_steps = 0;
        for (int o = 0; o < how_many_orders(w); o++)
            if (m_any(r_equal(*w->history.order, r_set(o)))
                && w->history.weights_steps < orders(w)[o])
                w->history.weights_steps = orders(w)[o];
        for (int o = 0; o < how_many_orders(w); o++)
            set_weights(w, o, w->history.weights_steps, r_equal(*w->history.order, r_set(o)));
        *w->history.weights_order = *w->history.order;
    }
    extrapolate_rows(w, z, w->history.prediction_weights, w->history.weights_steps, w->scratch.a);
    const real *u = w->history.u, *old = u + w->N_row, dithered = dither(w);
    for (int i = 0; w->history.half_steps && i < z.N; i += 2) {
        real *const a = w->scratch.a + i;
        const real  d = u[i + 1] - u[i], e = u[i] - old[i + 1], f = old[i + 1] - old[i];
        const real  first = u[i + 1] + half_step_change(a[0], d, e, f),
                   second = first + half_step_change(a[1], first - u[i + 1], d, e);
        a[0] = (first + second) / 2 * dithered, a[1] = (second - first) * w->history.to_mode;
    }
}

/* After a step has been solved: to = its fourth differences, which the predictor extrapolates,
 * and w->history.u = its mean velocities of half steps.  Before the first step of a motion the same
 * acceleration is assumed. */
INLINE void update_half_steps(work *w, const shape z, mask ok, mask new_motion, real *to)
{
    real *const u = w->history.u, *const old = u + w->N_row;
    for (int i = 0; i < z.N; i += 2) {
        real now[2];
        half_step_means(w->scratch.a + i, w->history.half_step_factor, now);
        const real grows = 2 * (now[1] - now[0]);
        for (int k = 0; k < 2; k++) {
            u[i + k] = r_if(new_motion, now[k] - grows, u[i + k]);
            old[i + k] = r_if(new_motion, u[i + k] - grows, old[i + k]);
        }
        const real b = now[0] - u[i + 1], c = u[i + 1] - u[i], d = u[i] - old[i + 1],
                   e = old[i + 1] - old[i], zero = r_set(0);
        to[i] = b - half_step_change(zero, c, d, e);
        to[i + 1] = (now[1] - now[0]) - half_step_change(zero, b, c, d);
        for (int k = 0; k < 2; k++) {
            old[i + k] = r_if(ok, u[i + k], old[i + k]);
            u[i + k] = r_if(ok, now[k], u[i + k]);
        }
    }
}

/* w->history.order = the order that would have predicted `now`, which is not in the history
 * yet, best, in energy: max_jm M_jj (now - guess)^2. */
static __attribute__((noinline)) void choose_order(work *w, const shape z, mask due,
                                                   const real *now)
{
    real least = r_set((num)__builtin_inf()), best = *w->history.order, weight[HISTORY_STEPS];
    for (int o = 0; o < how_many_orders(w); o++) {
        const mask has = due & r_less(r_set(orders(w)[o]), *w->history.length);
        if (!m_any(has)) break;
        for (int k = 0; k < orders(w)[o]; k++)
            weight[k] = r_set(w->history.weights_of_order[o * HISTORY_STEPS + k]);
        extrapolate_rows(w, z, weight, orders(w)[o], w->history.guess);
        real off = r_set(0);
        for (int j = 0; j < z.n; j++) {
            const real M = w->newton.mass_bound[j * z.n + j];
            for (int m = j * z.s; m < (j + 1) * z.s; m++)
                off = r_max(off,
                            M * (now[m] - w->history.guess[m]) * (now[m] - w->history.guess[m]));
        }
        const mask better = has & r_less(off, least);
        least = r_if(better, off, least), best = r_if(better, r_set(o), best);
    }
    *w->history.order = best;
}

/* ---- fractional steps: the modes on [0, 1] of V(from + share x), V of a whole step, continued
 * beyond its end; of a composition V of the part that is nearest in time ---- */

/* l_m(y), any y; l_m(1) = sqrt(2m + 1) is w->method.at_end. */
static void legendre_values(const work *w, real y, real *l)
{
    const real x = 2 * y - 1;
    real       before = r_set(0), now = r_set(1);
    for (int m = 0; m < w->s; m++) {
        const real next = ((num)(2 * m + 1) * x * now - (num)m * before) / (num)(m + 1);
        l[m] = w->method.at_end[m] * now;
        before = now, now = next;
    }
}

/* to [n][s] = the modes on [0, 1] of V(from + share x), V with the modes a [n][s]. */
static void modes_on_part(const work *w, const real *a, real from, real share, real *to)
{
    const int s = w->s;
    for (int i = 0; i < w->N; i++) to[i] = r_set(0);
    for (int g = 0; g < s; g++) {
        real l[NOE_MAX_DEGREE];
        legendre_values(w, from + share * w->method.gauss_c[g], l);
        for (int j = 0; j < w->n; j++) {
            real V = r_set(0);
            for (int m = 0; m < s; m++) V += l[m] * a[j * s + m];
            for (int m = 0; m < s; m++) to[j * s + m] += w->method.gauss_l[g * s + m] * V;
        }
    }
}

/* The part of a whole step whose interval has its middle nearest to the time y, in steps. */
static int nearest_part(const work *w, num y)
{
    int best = 0;
    num least = 0;
    for (int k = 0; k < w->method.parts; k++) {
        const num off = y - (w->method.gamma_from[k] + w->method.gamma[k] / 2),
                  distance = off < 0 ? -off : off;
        if (k == 0 || distance < least) best = k, least = distance;
    }
    return best;
}

/* w->history.all_last = the predicted modes of every part of a step of theta h, from the modes
 * of a whole step of h that begins `ago` steps before it. */
static void predict_fraction(work *w, const real *modes, num ago, real theta)
{
    real       *to = w->history.differences; /* [N_row] */
    real *const parts = w->history.fraction;
    for (int i = 0; i < w->method.parts; i++) {
        const real from = ago + theta * w->method.gamma_from[i],
                   length = theta * w->method.gamma[i];
        const int k = nearest_part(w, r_member(from + length / 2, 0));
        modes_on_part(w, modes + (size_t)k * w->N_row,
                      (from - w->method.gamma_from[k]) / w->method.gamma[k],
                      length / w->method.gamma[k], to);
        memcpy((void *)(parts + (size_t)i * w->N_row), to, (size_t)w->N * sizeof *to);
    }
    for (int i = 0; i < w->method.parts; i++)
        memcpy((void *)(w->history.all_last + (size_t)i * w->N_row), parts + (size_t)i * w->N_row,
               (size_t)w->N * sizeof *to);
}

#endif
