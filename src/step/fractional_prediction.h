/* Prediction of a fractional step: the modes on [0, 1] of V(from + share x), V of a whole step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * V is the velocity polynomial of a whole step, of the run or of the step before, continued beyond
 * its end where need be; of a composition that of the part nearest in time. */
#ifndef NOE_STEP_FRACTIONAL_PREDICTION_H
#define NOE_STEP_FRACTIONAL_PREDICTION_H

#include "step/step_shape.h"

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
