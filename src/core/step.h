/* q <- q + h sum_m w_m a_m,  p <- p + kick, both sums compensated: what steps of every kind share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CORE_STEP_H
#define NOE_CORE_STEP_H

#include "core/ledger.h"

static void add(mask m, real *sum, real *rest, real what)
{
    real       lost;
    const real s = two_sum(*sum, what + *rest, &lost);
    *sum = r_if(m, s, *sum);
    *rest = r_if(m, lost, *rest);
}

/* q <- q + h sum w a, p <- p + kick, and what the next step will want to know; members whose sums are not
 * finite stay. */
static mask advance(work *w, mask done, const real *kick)
{
    real flight = r_set(0);
    for (int j = 0; j < w->n; j++) {
        real sum = w->w[0] * w->a[j * w->s];
        for (int m = 1; m < w->s; m++) sum += w->w[m] * w->a[j * w->s + m];
        w->d[j] = w->length * sum;
        flight += w->d[j] + kick[j];
    }
    const mask ok = done & r_finite(flight);
    for (int j = 0; j < w->n; j++) {
        add(ok, &w->q[j], &w->dq[j], w->d[j]);
        add(ok, &w->p[j], &w->dp[j], kick[j]);
    }
    for (int k = WORK; k <= DISSIPATED && has_books(w); k++) add(ok, &w->book[k], &w->book[REST + k], w->gain[k]);
    *w->count = r_if(ok, *w->count + 1, *w->count);
    return ok;
}

static void remember(work *w, mask ok)
{
    for (int k = PAST - 1; k > 0; k--) keep_if(ok, w->past + k * w->N, w->past + (k - 1) * w->N, w->N);
    keep_if(ok, w->past, w->a, w->N);
    *w->known = r_if(ok & (*w->known < r_set(PAST)), *w->known + 1, *w->known);
    *w->energy = r_if(ok, r_max(*w->energy, *w->size), *w->energy);
}

static void save(work *w, mask which)
{
    real *const state[] = { w->q, w->p, w->dq, w->dp, w->v };
    for (int i = 0; i < 5; i++) keep_if(which, w->before + i * w->n, state[i], w->n);
    keep_if(which, w->before + 5 * w->n, w->book, START);
}

static void swap_saved(work *w, mask which, num count)
{
    real *const state[] = { w->q, w->p, w->dq, w->dp, w->v };
    for (int i = 0; i < 5; i++) exchange(which, state[i], w->before + i * w->n, w->n);
    exchange(which, w->book, w->before + 5 * w->n, START);
    *w->count = r_if(which, *w->count + count, *w->count);
}

/* Why each member failed, and bit i for member i: `left` have no solution, `broken` a number that is not finite. */
static unsigned failures(work *w, mask left, mask broken)
{
    for (int i = 0; i < MEMBERS; i++)
        w->why[i] = !(m_bits(left) >> i & 1) ? NOE_OK : m_bits(broken) >> i & 1 ? NOE_NOT_FINITE : NOE_NOT_CONVERGED;
    return m_bits(left) & ((1u << MEMBERS) - 1);
}

static unsigned begin(work *w, const bool *momentum)
{
    bool any = false;
    for (int j = 0; j < w->n; j++) {
        any |= momentum[j];
        w->dq[j] = w->dp[j] = r_set(0);
        if (momentum[j]) w->v[j] = r_set(0);
    }
    *w->known = *w->keep = *w->energy = *w->residual = *w->growth = *w->wait = *w->contracted = r_set(0);
    *w->iterations = *w->refreshes = *w->subdivided = *w->count = r_set(0);
    const mask solved = any ? velocities(w, momentum, m_all(1), w->v) : m_all(1);
    const mask ok = solved & regular(w, w->v);
    legendre_jet(w, w->v);
    mask finite = m_all(1);
    for (int j = 0; j < w->n; j++) {
        if (!momentum[j]) w->p[j] = output(w, j);
        finite = finite & r_finite(w->p[j]) & r_finite(w->q[j]) & r_finite(w->v[j]);
    }
    finite = finite & r_finite(output(w, w->n));
    for (int k = 0; k < START; k++) w->book[k] = r_set(0);
    w->book[START] = energy(w);
    for (int i = 0; i < MEMBERS; i++)
        w->why[i] = !(m_bits(finite) >> i & 1) ? NOE_NOT_FINITE : !(m_bits(ok) >> i & 1) ? NOE_SINGULAR : NOE_OK;
    return m_bits(m_not(ok & finite)) & ((1u << MEMBERS) - 1);
}

#endif
