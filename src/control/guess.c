/* x_kj, u_ki to begin with: straight lines, or the solution with fewer steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "control/guess.h"

#include <math.h>

void noe_guess_lagrange(const double *d, int count, double c, double *value)
{
    for (int j = 0; j < count; j++) {
        value[j] = 1;
        for (int l = 0; l < count; l++)
            if (l != j) value[j] *= (c - d[l]) / (d[j] - d[l]);
    }
}

void noe_guess_control(const noe_transcription *t, int k, double c, double *u)
{
    double value[NOE_MAX_POINTS];
    noe_guess_lagrange(t->c, t->r, c, value);
    for (int a = 0; a < t->nu; a++) {
        u[a] = 0;
        for (int i = 0; i < t->r; i++)
            u[a] += value[i] * t->x[noe_transcription_control(t, k, i) + a];
    }
}

static void clip(noe_transcription *t)
{
    for (int i = 0; i < t->unknowns; i++) t->x[i] = fmin(fmax(t->x[i], t->lower[i]), t->upper[i]);
}

/* A value that a bound allows and that is given where the bounds are equal; else `usual`. */
static double allowed(const noe_transcription *t, int at, double usual)
{
    return fmin(fmax(usual, t->lower[at]), t->upper[at]);
}

void noe_guess_straight(noe_transcription *t, double T)
{
    const int n = t->n, last = t->N * t->s * n;
    t->x[t->T_at] = allowed(t, t->T_at, T);
    for (int a = 0; a < n; a++) {
        const double q0 = allowed(t, a, (double)t->f->model->begin[a].q),
                     q1 = allowed(t, last + a, q0), v = (q1 - q0) / t->x[t->T_at];
        for (int k = 0; k < t->N; k++)
            for (int j = 0; j <= t->s; j++)
                t->x[noe_transcription_position(t, k, j) + a] = q0
                                                              + (q1 - q0) * (k + t->d[j]) / t->N;
        t->x[t->v_at + a] = t->x[t->end_at + a] = v;
    }
    for (int i = t->u_at; i < t->v_at; i++) t->x[i] = 0;
    clip(t);
}

void noe_guess_refine(noe_transcription *t, const noe_transcription *coarse)
{
    double    value[NOE_MAX_DEGREE + 1];
    const int n = t->n;
    for (int k = 0; k < t->N; k++) {
        for (int j = 0; j <= t->s; j++) {
            const double  at = (k + t->d[j]) / t->N * coarse->N;
            const int     K = fmin(floor(at), coarse->N - 1);
            const double *from = coarse->x + noe_transcription_position(coarse, K, 0);
            double       *to = t->x + noe_transcription_position(t, k, j);
            noe_guess_lagrange(coarse->d, coarse->s + 1, at - K, value);
            for (int a = 0; a < n; a++) {
                to[a] = 0;
                for (int l = 0; l <= coarse->s; l++) to[a] += value[l] * from[l * n + a];
            }
        }
        for (int i = 0; i < t->r; i++) {
            const double at = (k + t->c[i]) / t->N * coarse->N;
            const int    K = fmin(floor(at), coarse->N - 1);
            noe_guess_control(coarse, K, at - K, t->x + noe_transcription_control(t, k, i));
        }
    }
    for (int i = 0; i <= 2 * n; i++) t->x[t->v_at + i] = coarse->x[coarse->v_at + i];
    clip(t);
}
