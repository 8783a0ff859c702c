/* p <- p + x h F(q),  q <- q + x h p/m, in turn; or the stages of an explicit Runge-Kutta method: one tile.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A tile goes through all flows of a step while it is in the cache; its rim is as wide as the sums of one step reach.
 * Where the first flow and the last are kicks, the forces of the last are those of the next first.
 *
 * In a step what moves is u = q - q_0 and w = p - p_0, which begin as what the compensated sums of the last step have
 * left over.  A rounding of u is one of h v, as every term of such a sum has it; so one exact sum a step is enough. */
#ifndef NOE_GROUP_EXPLICIT_H
#define NOE_GROUP_EXPLICIT_H

#include "group/step.h"

enum { E_Q, E_U, E_W, E_F }; /* scratch of a tile: d->one[..] */

/* Where the numbers of a segment are: of the state, and of what has moved since the step began. */
typedef struct {
    const double *q, *p, *m, *u, *w, *F;
} moving;

static moving moving_of(const desk *d, const segment *x)
{
    return (moving){ d->read[A_Q] + x->from, d->read[A_P] + x->from, d->mass + x->from,
                     d->read[A_DQ] + x->from, d->read[A_DP] + x->from, d->read[A_F] + x->from };
}

/* What the tile owns at k goes into the next state; returns what is left over by the sums, of what is infinite no number. */
INLINE lanes arrive_at(const work *w, const segment *x, const moving *a, int64_t k, lanes u, lanes v, lanes F)
{
    const lanes   zero = { 0 };
    const int64_t left = x->mine_end - k, to = x->to + k - x->mine;
    const bool    past = w->past && x->to % LANES == 0;
    lanes         dq, dp;
    const lanes   q = two_sum_lanes(VECTOR(a->q + k), u, &dq),
                  p = two_sum_lanes(VECTOR(a->p + k), lanes_if(VECTOR(a->m + k) == zero, zero, v), &dp); /* what is fixed has no momentum */
    put(array(w, w->next, A_Q) + to, q, left, past);
    put(array(w, w->next, A_DQ) + to, dq, left, past);
    put(array(w, w->next, A_P) + to, p, left, past);
    put(array(w, w->next, A_DP) + to, dp, left, past);
    if (w->known) put(array(w, w->next, A_F) + to, F, left, past);
    lanes lost = dq + dp;
    for (int64_t i = left; i < LANES; i++) lost[i] = 0;
    return lost;
}

/* w <- w + kick F,  u <- u + drift (p + w)/m,  Q = q + u: the flows between two evaluations of the forces. */
INLINE void flow_on(const desk *d, const segment *x, const moving *a, const bool kicks, double kick, double drift)
{
    double *Q = d->one[E_Q] + x->at, *U = d->one[E_U] + x->at, *W = d->one[E_W] + x->at;
    for (int64_t k = 0; k < x->count; k += LANES) {
        lanes w = VECTOR(a->w + k);
        if (kicks) *(loose *)(W + k) = (loose)(w += kick * VECTOR(a->F + k));
        const lanes u = VECTOR(a->u + k) + drift * ((VECTOR(a->p + k) + w) * VECTOR(a->m + k));
        *(loose *)(U + k) = (loose)u;
        *(loose *)(Q + k) = (loose)(VECTOR(a->q + k) + u);
    }
}

/* The same at the end of the step. */
INLINE lanes flow_out(const work *s, const segment *x, const moving *a, const bool drifts, double kick, double drift)
{
    lanes lost = { 0 };
    for (int64_t k = x->mine; k < x->mine_end; k += LANES) {
        const lanes F = VECTOR(a->F + k), w = VECTOR(a->w + k) + kick * F;
        lanes       u = VECTOR(a->u + k);
        if (drifts) u += drift * ((VECTOR(a->p + k) + w) * VECTOR(a->m + k));
        lost += arrive_at(s, x, a, k, u, w, F);
    }
    return lost;
}

static outcome split_tile(const work *w, const desk *d, double h)
{
    lanes      lost = { 0 };
    const bool asks = !w->drift_first && !w->known; /* for forces at the very beginning */
    for (int f = 0; asks && f < w->g->families; f++) {
        const segment *x = &d->segment[f];
        memcpy(d->one[E_Q] + x->at, d->read[A_Q] + x->from, (size_t)x->count * sizeof(double));
    }
    if (asks) forces_at(w, d, w->now[T0], d->one[E_Q], d->one[E_F]);
    for (int i = 0; i < w->flows; i += 1 + (i || !w->drift_first)) {
        const bool   kicks = i || !w->drift_first, drifts = i + kicks < w->flows, last = i + kicks + drifts >= w->flows;
        const double kick = kicks ? w->flow[i] * h : 0, drift = drifts ? w->flow[i + kicks] * h : 0;
        for (int f = 0; f < w->g->families; f++) {
            const segment *x = &d->segment[f];
            moving         a = moving_of(d, x);
            if (i || asks) a.F = d->one[E_F] + x->at;
            if (i) a.u = d->one[E_U] + x->at;
            if (i > w->drift_first) a.w = d->one[E_W] + x->at;
            if (!last && kicks) flow_on(d, x, &a, true, kick, drift);
            else if (!last) flow_on(d, x, &a, false, 0, drift);
            else lost += drifts ? flow_out(w, x, &a, true, kick, drift) : flow_out(w, x, &a, false, kick, 0);
        }
        if (!last) forces_at(w, d, w->now[T0], d->one[E_Q], d->one[E_F]);
    }
    return all_zero(lost - lost) ? SOLVED : BROKEN;
}

/* Velocities of stage i in d->Q[i], forces in d->F[i]. */
static outcome stages_tile(const work *w, const desk *d, double h)
{
    const lanes zero = { 0 };
    lanes       lost = zero;
    for (int i = 0; i <= w->r; i++) {
        const double *c = i < w->r ? w->beta[i] : w->b;
        for (int f = 0; f < w->g->families; f++) {
            const segment *x = &d->segment[f];
            const moving   a = moving_of(d, x);
            for (int64_t k = i < w->r ? 0 : x->mine; k < (i < w->r ? x->count : x->mine_end); k += LANES) {
                lanes v = zero, F = zero;
                for (int l = 0; l < i; l++) {
                    if (c[l] == 0) continue;
                    v += c[l] * VECTOR(d->Q[l] + x->at + k), F += c[l] * VECTOR(d->F[l] + x->at + k);
                }
                const lanes u = VECTOR(a.u + k) + h * v, m = VECTOR(a.m + k);
                F = VECTOR(a.w + k) + h * F;
                if (i == w->r) {
                    lost += arrive_at(w, x, &a, k, u, F, zero);
                    continue;
                }
                *(loose *)(d->one[E_Q] + x->at + k) = (loose)(VECTOR(a.q + k) + u);
                *(loose *)(d->Q[i] + x->at + k) = (loose)((VECTOR(a.p + k) + F) * m);
            }
        }
        if (i < w->r) forces_at(w, d, w->now[T0], d->one[E_Q], d->F[i]);
    }
    return all_zero(lost - lost) ? SOLVED : BROKEN;
}

/* Evaluations of the forces in a step. */
static int evaluations(const work *w)
{
    if (!w->flows) return w->r;
    return (w->flows + !w->drift_first) / 2 - w->known;
}

static bool explicit_numbers(work *w, const noe_method *f)
{
    w->explicit = true;
    if (f->kind == NOE_SPLITTING) {
        w->flows = f->flows, w->drift_first = f->drift_first;
        w->flow = noe_arena_take(w->arena, ((size_t)f->flows + 1) * sizeof *w->flow);
        for (int i = 0; w->flow && i < f->flows; i++) w->flow[i] = (double)f->flow[i];
        w->known = !f->drift_first && f->flows % 2; /* kicks at both ends */
        return w->flow != NULL;
    }
    w->r = w->hi = f->r;
    for (int i = 0; i < f->r; i++) {
        w->b[i] = (double)f->b[i];
        for (int l = 0; l < f->r; l++) w->beta[i][l] = (double)f->A[i][l];
    }
    return true;
}

#endif
