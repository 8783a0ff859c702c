/* q <- q + h sum_m w_m a_m,  p <- p + kick, both sums compensated: what steps of every kind share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CORE_STEP_H
#define NOE_CORE_STEP_H

#include "core/ledger.h"

INLINE void add(mask m, real *sum, real *rest, real what)
{
    real       lost;
    const real s = two_sum(*sum, what + *rest, &lost);
    *sum = r_if(m, s, *sum);
    *rest = r_if(m, lost, *rest);
}

/* q <- q + h sum w a, p <- p + kick, and what the next step will want to know; members whose sums are not
 * finite stay. */
INLINE mask advance(work *w, const shape z, mask done, const real *kick)
{
    const real upper = upper_half(w->length), rest = w->length - upper;
    const int  flying = z.s < 4 ? z.s : w->flying; /* with Legendre's polynomials the first carries all */
    real       flight = r_set(0);
    for (int j = 0; j < z.n; j++) {
        real sum = w->w[0] * w->a[j * z.s];
        for (int m = 1; m < flying; m++) sum += w->w[m] * w->a[j * z.s + m];
        w->d[j] = rest * sum + upper * sum;
        flight += w->d[j] + kick[j];
    }
    const mask ok = done & r_finite(flight);
    for (int j = 0; j < z.n; j++) {
        add(ok, &w->q[j], &w->dq[j], w->d[j]);
        add(ok, &w->p[j], &w->dp[j], kick[j]);
    }
    for (int k = WORK; k <= DISSIPATED && has_books(w); k++) add(ok, &w->book[k], &w->book[REST + k], w->gain[k]);
    *w->count = r_if(ok, *w->count + 1, *w->count);
    return ok;
}

/* The largest difference of this order, M_jj D^2: its size tells how far off the prediction was that used those below. */
INLINE real difference(const work *w, const shape z, int order)
{
    const real *D = w->past + order * z.rows * WIDE;
    real        most = r_set(0);
    for (int j = 0; j < z.n; j++) {
        const real M = w->inertia[j * z.n + j];
        for (int m = j * z.s; m < (j + 1) * z.s; m++) most = r_max(most, M * D[m] * D[m]);
    }
    return most;
}

/* The least and the largest order of prediction of the members. */
INLINE void orders(const work *w, int *least, int *most)
{
    const real K = *w->order;
    *least = *most = (int)r_member(K, 0);
    if (!m_any(m_not(K == r_set(*least)))) return;
    for (int i = 1; i < MEMBERS; i++) {
        const int k = (int)r_member(K, i);
        *least = k < *least ? k : *least, *most = k > *most ? k : *most;
    }
}

/* The order of prediction moves by one where that would have been better. */
INLINE void choose_order(work *w, const shape z, mask ok, int least, int most)
{
    const real K = *w->order, one = r_set(1);
    real       below = r_set(0), here = below, above = below;
    if (least == most) {
        if (most > 1) below = difference(w, z, most - 1);
        if (most > 0) here = difference(w, z, most);
        if (most + 1 < PAST) above = difference(w, z, most + 1);
    } else
        for (int k = least > 1 ? least - 1 : 1; k <= most + 1 && k < PAST; k++) {
            const real e = difference(w, z, k), at = r_set(k);
            below = r_if(at == K - 1, e, below), here = r_if(at == K, e, here), above = r_if(at == K + 1, e, above);
        }
    const mask raise = (K + 1 < *w->known) & (above < here), lower = (one < K) & (below < here) & m_not(raise);
    *w->order = r_if(ok, r_max(one, r_if(raise, K + 1, r_if(lower, K - 1, K))), K);
}

/* The new differences of `count` batches from b on: the sum is the prediction of order k, a minus that the difference. */
INLINE void differ(work *w, const shape z, int b, const int count, mask ok, bool all, int most)
{
    batch       *D = (batch *)w->past + b;
    const batch *a = (const batch *)w->a + b;
    batch        sum[AT_ONCE];
#pragma GCC unroll 6
    for (int i = 0; i < count; i++) sum[i] = b_zero();
    for (int k = 0; k < most; k++, D += z.rows)
#pragma GCC unroll 6
        for (int i = 0; i < count; i++) {
            const batch old = D[i], new = a[i] - sum[i];
            D[i] = all ? new : b_where(ok, new, old);
            sum[i] += old;
        }
}

/* Differences are kept up to the one that decides whether a higher order is better: an order raised by one has its own
 * from those of the step before.  Parts of a composition choose one order in turn, and keep them all. */
INLINE void remember(work *w, const shape z, mask ok)
{
    const bool all = m_bits(ok) == (1u << MEMBERS) - 1;
    int        b = 0, least, most;
    orders(w, &least, &most);
    const bool long_one = z.s >= 4 && w->parts == 1; /* a long polynomial is continued by itself */
    const int  keep = long_one ? 1 : most + 2 < PAST && w->parts == 1 ? most + 2 : PAST;
    for (; b + AT_ONCE <= z.rows; b += AT_ONCE) differ(w, z, b, AT_ONCE, ok, all, keep);
    if (z.rows % AT_ONCE == 4) differ(w, z, b, 4, ok, all, keep), b += 4;
    for (; b < z.rows; b++) differ(w, z, b, 1, ok, all, keep);
    *w->known = r_if(ok & (*w->known < r_set(PAST)), *w->known + 1, *w->known);
    if (!long_one) choose_order(w, z, ok, least, most);
    *w->energy = r_if(ok, r_max(*w->energy, *w->size), *w->energy);
}

INLINE void save(work *w, const shape z, mask which)
{
    real *const state[] = { w->q, w->p, w->dq, w->dp, w->v };
    const bool  all = m_bits(which) == (1u << MEMBERS) - 1;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < z.n; j++) w->before[i * z.n + j] = all ? state[i][j] : r_if(which, state[i][j], w->before[i * z.n + j]);
    keep_if(which, w->before + 5 * z.n, w->book, START);
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
    *w->turning = *w->order = *w->bend = *w->look = *w->rounds = *w->contraction = *w->single = r_set(0);
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
