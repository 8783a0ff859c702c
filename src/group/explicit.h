/* p <- p + x h F(q),  q <- q + x h p/m, in turn; or the stages of an explicit Runge-Kutta method: one tile.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A tile goes through all flows of a step while it is in the cache; its rim is as wide as the sums of one step reach.
 * Where the first flow and the last are kicks, the forces of the last are those of the next first. */
#ifndef NOE_GROUP_EXPLICIT_H
#define NOE_GROUP_EXPLICIT_H

#include "group/step.h"

enum { E_Q, E_DQ, E_F, E_P, E_DP, E_KEPT }; /* scratch of a tile: d->one[..] */

/* x <- x + length slope, dx what is lost. */
INLINE void advance_by(double *x, double *dx, lanes step)
{
    lanes       lost;
    const lanes now = two_sum_lanes(VECTOR(x), step + VECTOR(dx), &lost);
    *(loose *)x = (loose)now;
    *(loose *)dx = (loose)lost;
}

static void take_tile(const work *w, const desk *d)
{
    static const int from[] = { [E_Q] = A_Q, [E_DQ] = A_DQ, [E_F] = A_F, [E_P] = A_P, [E_DP] = A_DP };
    for (int f = 0; f < w->g->families; f++) {
        const segment x = d->segment[f];
        for (int i = 0; i < E_KEPT; i++)
            memcpy(d->one[i] + x.at, d->read[from[i]] + x.from, (size_t)x.count * sizeof(double));
    }
}

/* What the tile owns goes into the next state; false when it is not finite. */
static bool give_tile(const work *w, const desk *d)
{
    static const int to[] = { [E_Q] = A_Q, [E_DQ] = A_DQ, [E_F] = A_F, [E_P] = A_P, [E_DP] = A_DP };
    lanes            poison = { 0 };
    for (int f = 0; f < w->g->families; f++) {
        const segment x = d->segment[f];
        const bool    past = w->past && x.to % LANES == 0;
        for (int i = 0; i < E_KEPT; i++) {
            double *next = array(w, w->next, to[i]) + x.to - x.mine;
            for (int64_t k = x.mine; k < x.mine_end; k += LANES) {
                const lanes now = VECTOR(d->one[i] + x.at + k);
                put(next + k, now, x.mine_end - k, past);
                poison += x.mine_end - k >= LANES ? now - now : (lanes){ 0 };
            }
            for (int64_t k = x.mine_end - (x.mine_end - x.mine) % LANES; k < x.mine_end; k++) poison[0] += next[k] - next[k];
        }
    }
    return all_zero(poison);
}

static void drift(const work *w, const desk *d, double length)
{
    for (int f = 0; f < w->g->families; f++) {
        const segment x = d->segment[f];
        const double *m = d->mass + x.from;
        double       *q = d->one[E_Q] + x.at, *dq = d->one[E_DQ] + x.at, *p = d->one[E_P] + x.at, *dp = d->one[E_DP] + x.at;
        for (int64_t k = 0; k < x.count; k += LANES)
            advance_by(q + k, dq + k, length * ((VECTOR(p + k) + VECTOR(dp + k)) * VECTOR(m + k)));
    }
}

static void kick(const work *w, const desk *d, double length)
{
    const lanes zero = { 0 };
    for (int f = 0; f < w->g->families; f++) {
        const segment x = d->segment[f];
        const double *m = d->mass + x.from, *F = d->one[E_F] + x.at;
        double       *p = d->one[E_P] + x.at, *dp = d->one[E_DP] + x.at;
        for (int64_t k = 0; k < x.count; k += LANES) /* what is fixed has no momentum */
            advance_by(p + k, dp + k, lanes_if(VECTOR(m + k) == zero, zero, length * VECTOR(F + k)));
    }
}

static outcome split_tile(const work *w, const desk *d, double h)
{
    take_tile(w, d);
    for (int i = 0; i < w->flows; i++) {
        if ((i + w->drift_first) % 2) {
            drift(w, d, w->flow[i] * h);
            continue;
        }
        if (i || !w->known) forces_at(w, d, w->now[T0], d->one[E_Q], d->one[E_F]);
        kick(w, d, w->flow[i] * h);
    }
    return give_tile(w, d) ? SOLVED : BROKEN;
}

/* Velocities of stage i in d->Q[i], forces in d->F[i]. */
static outcome stages_tile(const work *w, const desk *d, double h)
{
    const lanes zero = { 0 };
    take_tile(w, d);
    for (int i = 0; i <= w->r; i++) {
        const double *a = i < w->r ? w->beta[i] : w->b;
        for (int f = 0; f < w->g->families; f++) {
            const segment x = d->segment[f];
            const double *m = d->mass + x.from;
            double       *q = d->one[E_Q] + x.at, *dq = d->one[E_DQ] + x.at, *p = d->one[E_P] + x.at, *dp = d->one[E_DP] + x.at;
            for (int64_t k = 0; k < x.count; k += LANES) {
                lanes v = zero, F = zero;
                for (int l = 0; l < i; l++) {
                    if (a[l] == 0) continue;
                    v += a[l] * VECTOR(d->Q[l] + x.at + k), F += a[l] * VECTOR(d->F[l] + x.at + k);
                }
                F = lanes_if(VECTOR(m + k) == zero, zero, h * F);
                if (i == w->r) {
                    advance_by(q + k, dq + k, h * v), advance_by(p + k, dp + k, F);
                    continue;
                }
                *(loose *)(d->one[E_KEPT] + x.at + k) = (loose)(VECTOR(q + k) + (VECTOR(dq + k) + h * v));
                *(loose *)(d->Q[i] + x.at + k) = (loose)((VECTOR(p + k) + (VECTOR(dp + k) + F)) * VECTOR(m + k));
            }
        }
        if (i < w->r) forces_at(w, d, w->now[T0], d->one[E_KEPT], d->F[i]);
    }
    return give_tile(w, d) ? SOLVED : BROKEN;
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
