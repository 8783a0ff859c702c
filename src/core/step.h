/* q <- q + h sum_m w_m a_m,  p <- p + h sum_i b_i F_i, both sums compensated.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CORE_STEP_H
#define NOE_CORE_STEP_H

#include "core/legendre.h"

enum { JUMP = 16 }; /* a first correction of more than this times the energy of any step before is no correction */

/* The modes continued from the steps before: extrapolated mode by mode over up to PAST steps for low
 * degrees, the last polynomial itself for s >= 4; without a past, free flight. */
static void predict(work *w)
{
    static const num binomial[PAST + 1][PAST] = {
        { 0 }, { 1 }, { 2, -1 }, { 3, -3, 1 }, { 4, -6, 4, -1 }, { 5, -10, 10, -5, 1 }, { 6, -15, 20, -15, 6, -1 }
    };
    const int        s = w->s, N = w->N;
    real             c[PAST];
    for (int k = 0; k < PAST; k++)
        for (int i = 0; i < MEMBERS; i++) r_put(&c[k], i, binomial[(int)r_member(*w->known, i)][k]);
    const mask none = *w->known <= r_set(0);
    for (int j = 0; j < w->n; j++)
        for (int m = 0; m < s; m++) {
            const real *last = w->past + j * s;
            real        a = r_set(0);
            if (s >= 4)
                for (int k = 0; k < s; k++) a += w->E[m * s + k] * last[k];
            else
                for (int k = 0; k < PAST; k++) a += c[k] * last[k * N + m];
            w->a[j * s + m] = r_if(none, m ? r_set(0) : w->v[j], a);
        }
}

/* Follows the solution from a step of length 0, where it is free flight, to length h.  Near roots stay
 * near: a far root of the discrete equations is never reached by contraction along a connected branch. */
static mask follow(work *w, mask want, real *kick)
{
    const real one = r_set(1);
    real       at = r_set(0), stride = r_set((num)1 / 2), *base = w->base;
    mask       going = want & velocities(w, NULL, w->v);
    for (int j = 0; j < w->N; j++) base[j] = r_if(want, j % w->s ? r_set(0) : w->v[j / w->s], base[j]);
    *w->subdivided += r_if(want, one, r_set(0));
    for (int round = 0; round < 200 && m_any(going); round++) {
        const real to = r_if(one < at + stride, one, at + stride);
        const real ratio = r_if(r_set(0) < at, to / at, one);
        for (int j = 0; j < w->n; j++) {
            real power = one; /* the m-th mode of a smooth motion grows like length^m */
            for (int m = 0; m < w->s; m++, power *= ratio) w->a[j * w->s + m] = base[j * w->s + m] * power;
        }
        *w->keep = r_if(going, r_set(0), *w->keep);
        const mask ok = newton(w, to * *w->h, going, r_set(0), kick);
        keep_if(ok, base, w->a, w->N);
        at = r_if(ok, to, at);
        stride = r_if(ok, 2 * stride, stride / 2);
        going = going & (at < one) & ((num)1 / 256 < stride);
    }
    for (int j = 0; j < w->N; j++) w->a[j] = r_if(want, base[j], w->a[j]);
    return want & m_not(at < one);
}

static void add(mask m, real *sum, real *rest, real what)
{
    real       lost;
    const real s = two_sum(*sum, what + *rest, &lost);
    *sum = r_if(m, s, *sum);
    *rest = r_if(m, lost, *rest);
}

static unsigned step(work *w)
{
    const real h = *w->h;
    predict(w);
    real      *kick = w->total; /* every member keeps its own of its last iteration */
    const real limit = r_if(r_set(0) < *w->known, JUMP * *w->energy, r_set(0));
    mask       done = newton(w, h, m_all(1), limit, kick);
    if (m_any(m_not(done))) {
        memcpy((void *)w->easy, w->a, (size_t)w->N * sizeof *w->easy);
        const mask hard = follow(w, m_not(done), kick);
        for (int i = 0; i < w->N; i++) w->a[i] = r_if(done, w->easy[i], w->a[i]);
        done = done | hard;
    }
    real flight = r_set(0);
    for (int j = 0; j < w->n; j++) {
        real sum = w->w[0] * w->a[j * w->s];
        for (int m = 1; m < w->s; m++) sum += w->w[m] * w->a[j * w->s + m];
        w->d[j] = h * sum;
        flight += w->d[j] + kick[j];
    }
    const mask ok = done & r_finite(flight);
    for (int j = 0; j < w->n; j++) {
        add(ok, &w->q[j], &w->dq[j], w->d[j]);
        add(ok, &w->p[j], &w->dp[j], kick[j]);
    }
    for (int k = PAST - 1; k > 0; k--) keep_if(ok, w->past + k * w->N, w->past + (k - 1) * w->N, w->N);
    keep_if(ok, w->past, w->a, w->N);
    *w->known = r_if(ok, r_if(*w->known < r_set(PAST), *w->known + 1, *w->known), *w->known);
    *w->count = r_if(ok, *w->count + 1, *w->count);
    for (int i = 0; i < MEMBERS; i++)
        w->why[i] = m_bits(ok) >> i & 1 ? NOE_OK : m_bits(done) >> i & 1 ? NOE_NOT_FINITE : NOE_NOT_CONVERGED;
    return m_bits(m_not(ok)) & ((1u << MEMBERS) - 1);
}

static unsigned begin(work *w, const bool *momentum)
{
    bool any = false;
    for (int j = 0; j < w->n; j++) {
        any |= momentum[j];
        w->dq[j] = w->dp[j] = r_set(0);
        if (momentum[j]) w->v[j] = r_set(0);
    }
    *w->known = *w->keep = *w->energy = *w->residual = r_set(0);
    *w->iterations = *w->refreshes = *w->subdivided = *w->count = r_set(0);
    const mask solved = any ? velocities(w, momentum, w->v) : m_all(1);
    const mask ok = solved & regular(w, w->v);
    legendre_jet(w, w->v);
    mask finite = m_all(1);
    for (int j = 0; j < w->n; j++) {
        if (!momentum[j]) w->p[j] = output(w, j);
        finite = finite & r_finite(w->p[j]) & r_finite(w->q[j]) & r_finite(w->v[j]);
    }
    finite = finite & r_finite(output(w, w->n));
    for (int i = 0; i < MEMBERS; i++)
        w->why[i] = !(m_bits(finite) >> i & 1) ? NOE_NOT_FINITE : !(m_bits(ok) >> i & 1) ? NOE_SINGULAR : NOE_OK;
    return m_bits(m_not(ok & finite)) & ((1u << MEMBERS) - 1);
}

#endif
