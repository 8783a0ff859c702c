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

/* The largest of these differences, M_jj D^2: its size tells how far off the prediction was that used those below. */
INLINE real largest_of(const work *w, const shape z, const real *D)
{
    real most = r_set(0);
    for (int j = 0; j < z.n; j++) {
        const real M = w->inertia[j * z.n + j];
        for (int m = j * z.s; m < (j + 1) * z.s; m++) most = r_max(most, M * D[m] * D[m]);
    }
    return most;
}

/* Differences of the last modes of the orders K - 1, K and K + 1, K that of the prediction: from those of order K - 1 now, one and
 * two steps ago, whose coefficients are the shares' sums from the last to each. */
INLINE void differences(work *w, const shape z, int last)
{
    const int most = (int)r_most(*w->order), row = z.rows * WIDE;
    for (int b = 0; b < z.rows; b++) {
#define OF(ago) ((const batch *)modes_of(w, row, last, ago))[b]
        batch below = b_zero(), before = below, long_before = below, y = OF(most), z_ = OF(most + 1);
        real  c = r_set(0);
        for (int k = most; k-- > 0;) {
            const batch x = OF(k);
            c += w->share[k];
            below += c * x, before += c * y, long_before += c * z_;
            z_ = y, y = x;
        }
#undef OF
        batch *D = (batch *)w->differ + b;
        D[0] = below, D[z.rows] = below - before, D[2 * z.rows] = (below - before) - (before - long_before);
    }
}

/* Shares of order K + 1, -C(K + 1, k + 1) (-1)^k, from those of order K, or of K - 1: the two of Pascal's triangle. */
INLINE void share_anew(work *w, mask raise, mask lower)
{
    real *c = w->share, before = r_set(-1);
    for (int k = PAST; k-- > 1;) c[k] = r_if(raise, c[k] - c[k - 1], c[k]);
    c[0] = r_if(raise, c[0] + 1, c[0]);
    for (int k = 0; k < PAST && m_any(lower); k++) before = c[k] = r_if(lower, c[k] + before, c[k]);
}

/* The order of prediction moves by one where that would have been better. */
INLINE void choose_order(work *w, const shape z, mask due, int last)
{
    const real K = *w->order, one = r_set(1), *D = w->differ;
    const int  row = z.rows * WIDE;
    differences(w, z, last);
    const real below = largest_of(w, z, D), here = largest_of(w, z, D + row), above = largest_of(w, z, D + 2 * row);
    const mask raise = due & ((K < one) | ((K + 1 < *w->known) & (above < here))), lower = due & (one < K) & (below < here) & m_not(raise);
    if (!m_any(raise | lower)) return;
    share_anew(w, raise, lower);
    *w->order = r_if(raise, K + 1, r_if(lower, K - 1, K));
}

/* Is nothing remembered but the last step?  A long polynomial is continued by itself, and where no modes are solved for
 * they are a first guess of velocities. */
INLINE bool keeps_last(const work *w, const shape z) { return w->kind != NOE_GALERKIN || (z.s >= 4 && w->parts == 1); }

/* The modes of this step for the next ones.  The order of prediction is chosen at every
 * step while there are few, then every eighth.  Parts of a composition choose one order in turn. */
INLINE void remember(work *w, const shape z, mask ok)
{
    enum { OFTEN = 8 };
    const bool   all = m_bits(ok) == (1u << MEMBERS) - 1, last_one = keeps_last(w, z);
    const int    here = newest(w) + !last_one;
    const batch *a = (const batch *)w->a;
    batch       *to = (batch *)modes_of(w, z.rows * WIDE, here, 0);
    for (int b = 0; b < z.rows; b++) to[b] = all ? a[b] : b_where(ok, a[b], to[b]);
    const mask anew = ok & (*w->known <= r_set(0)); /* what was shared before is not of this motion */
    if (m_any(anew)) {
        *w->order = r_if(anew, r_set(0), *w->order);
        for (int k = 0; k < PAST; k++) w->share[k] = r_if(anew, r_set(0), w->share[k]);
    }
    *w->known = r_if(ok & (*w->known < r_set(PAST)), *w->known + 1, *w->known);
    if (!last_one) {
        const mask few = *w->known < r_set(PAST), time = *w->choice <= r_set(0), rough = r_set(2) < *w->spent;
        const mask due = ok & (few | time | rough);
        if (m_any(due)) choose_order(w, z, due, here);
        *w->choice = r_if(ok, r_if(due, r_set(OFTEN - 1), *w->choice - 1), *w->choice);
    }
    *w->energy = r_if(ok, r_max(*w->energy, *w->size), *w->energy);
}

/* The step of these members is the newest; the others keep their own, whose places turn with it. */
INLINE void go_round(work *w, mask done)
{
    const int last = newest(w), row = w->N_row;
    if (!m_any(done) || keeps_last(w, of(w))) return;
    for (int b = 0; b < w->rows && m_any(m_not(done)); b++) {
#define OF(ago) ((batch *)modes_of(w, row, last, ago))[b]
        const batch oldest = OF(-1);
        for (int k = -1; k < PAST - 2; k++) OF(k) = b_where(done, OF(k), OF(k + 1));
        OF(PAST - 2) = b_where(done, OF(PAST - 2), oldest);
#undef OF
    }
    *w->newest = r_set((last + 1) & (PAST - 1));
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
    *w->turning = *w->order = *w->newest = *w->choice = *w->bend = *w->look = *w->rounds = *w->contraction = *w->single = r_set(0);
    for (int i = 0; w->natural && i < w->n * w->B * WIDE; i++) w->pushed[i] = r_set(0);
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
