/* q <- q + h sum_m w_m a_m,  p <- p + kick, both sums compensated: what steps of every kind share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_STEP_UPDATE_H
#define NOE_STEP_STEP_UPDATE_H

#include "step/energy_balance.h"
#include "step/predictor.h"
#include "step/velocity_jump.h"

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
        flight += w->d[j] + (kick[j] + kick[z.n + j]);
    }
    const mask ok = done & r_finite(flight);
    for (int j = 0; j < z.n; j++) {
        add(ok, &w->q[j], &w->dq[j], w->d[j]);
        w->dp[j] = r_if(ok, w->dp[j] + kick[z.n + j], w->dp[j]);
        add(ok, &w->p[j], &w->dp[j], kick[j]);
    }
    for (int k = WORK; k <= DISSIPATED && has_books(w); k++) add(ok, &w->book[k], &w->book[REST + k], w->gain[k]);
    *w->count = r_if(ok, *w->count + 1, *w->count);
    return ok;
}

/* The modes of this step for the next ones.  The order of prediction is chosen at every step while there are few of them, then
 * at every eighth.  Parts of a composition have one order. */
INLINE void remember(work *w, const shape z, mask ok)
{
    const bool   all = m_bits(ok) == (1u << MEMBERS) - 1;
    const mask   anew = ok & (*w->known <= r_set(0)); /* what is remembered is not of this motion */
    const batch *a = (const batch *)w->a;
    *w->order = r_if(anew, r_set(0), *w->order);
    *w->known = r_if(ok & (*w->known < r_set(PAST)), *w->known + 1, *w->known);
    for (int b = 0; b < z.rows; b++) ((batch *)w->last)[b] = all ? a[b] : b_where(ok, a[b], ((batch *)w->last)[b]);
    if (w->rings) {
        const mask due = ok & ((*w->known < r_set(PAST)) | (*w->phase == r_set(0)) | (*w->phase == r_set(PHASES / 2)));
        real      *now = w->a;
        batch     *to = (batch *)modes_of(w, z.rows * WIDE, newest(w), -1);
        if (w->halves) look_back(w, z, ok, anew, now = w->w_now);
        if (m_any(due)) choose_order(w, z, due, now);
        for (int b = 0; b < z.rows; b++) to[b] = all ? ((batch *)now)[b] : b_where(ok, ((batch *)now)[b], to[b]);
    }
}

/* The step of these members is the newest; the others keep their own, whose places turn with it. */
INLINE void go_round(work *w, mask done)
{
    const int  last = newest(w), row = w->N_row;
    const real next = r_if(*w->phase < r_set(PHASES - 1), *w->phase + 1, r_set(0));
    *w->phase = r_if(done, next, *w->phase);
    if (!m_any(done) || !w->rings) return;
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
    *w->known = *w->keep = *w->residual = *w->growth = *w->wait = *w->contracted = r_set(0);
    *w->turning = *w->order = *w->newest = *w->phase = *w->bend = *w->rounds = *w->contraction = *w->single = r_set(0);
    for (int i = 0; w->natural && i < w->n * w->B * WIDE; i++) w->pushed[i] = r_set(0);
    *w->iterations = *w->refreshes = *w->subdivided = *w->count = r_set(0);
    const mask solved = any ? velocities(w, momentum, m_all(1), w->v) : m_all(1);
    const mask ok = solved & regular(w, w->v);
    legendre_jet(w, w->v);
    begin_resolution(w);
    for (int k = 0; k < w->dyn->masses; k++)
        w->inertia[w->dyn->mass[k].row * w->n + w->dyn->mass[k].col] = r_abs(output(w, w->dyn->mass[k].output));
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
