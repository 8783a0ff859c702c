/* An implicit step of one tile by fixed-point iteration, for systems of sums.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     Q_i = q + h/m ( alpha_i p + h sum_j beta_ij F_j ):   one vector equation per implicit node.
 *
 * With constant masses the modes of the velocity follow from the forces, a = G^-1 ( w p + h sum_i
 * b_i X_i F_i ) / m, G = sum_i b_i l_i l_i', so the positions at the nodes are the only unknowns
 * (doc/theory.md, section 14).  A node at c = 0 has the positions and forces at the end of the
 * previous step; the force at a node c = 1 enters no position. Simpson has one implicit node.  An
 * iteration multiplies the error by about h^2 beta max(omega^2). */
#ifndef NOE_SUMS_TILE_IMPLICIT_H
#define NOE_SUMS_TILE_IMPLICIT_H

#include "sums/sums_state.h"

/* F = -dU/dq at time t and positions Q, both scratch arrays of the present tile. */
static void forces_at(const work *w, const tile_memory *d, double t, const double *Q, double *F)
{
    if (w->tiles.shares.count)
        shared_forces(w->g, &w->tiles.shares, w->tiles.team, w->tiles.tile_memory, t, Q, F);
    else forces(w->g, &w->tiles.plan, d, t, Q, F);
}

/* Sets the memory of a thread up for so many steps of tile k. */
static void open_tile(const work *w, tile_memory *d, int64_t k, int steps)
{
    if (w->tiles.plan.tiles > 1) set_segments(w->g, &w->tiles.plan, k, steps, d);
    for (int i = 0; i < ARRAYS; i++)
        d->read[i] = sites_to_read(w->g, &w->tiles.plan, d, array(w, w->state.now, i), d->copy[i]);
    d->mass = sites_to_read(w->g, &w->tiles.plan, d, w->g->inverse, d->copy[ARRAYS]);
}

/* Arguments of forces_by. */
typedef struct {
    const work   *w;   /* the engine */
    bool          own; /* in the tiles of this process alone */
    double        t;   /* time */
    const double *Q;   /* [stride]: positions of all places */
    double       *F;   /* [stride]: forces on all places */
} forces_of_places;

/* The forces in the tiles of thread `me`. */
static void forces_by(void *ctx, int me)
{
    const forces_of_places *x = ctx;
    const work             *w = x->w;
    tile_memory            *d = &w->tiles.tile_memory[me];
    int64_t                 first, end;
    tiles_of_thread(w, me, x->own, &first, &end);
    for (int64_t k = first; k < end; k++) {
        if (w->tiles.plan.tiles > 1) set_segments(w->g, &w->tiles.plan, k, 1, d);
        const double *from = sites_to_read(w->g, &w->tiles.plan, d, x->Q, d->one[0]);
        for (int f = 0; f < w->g->families && !d->is_copied; f++)
            memcpy(d->one[0] + d->segment[f].at, from + d->segment[f].from,
                   (size_t)d->segment[f].count * sizeof *from);
        forces_at(w, d, x->t, d->one[0], d->one[2]);
        for (int f = 0; f < w->g->families; f++) {
            const segment *y = &d->segment[f];
            memcpy(x->F + y->to, d->one[2] + y->at + y->mine,
                   (size_t)(y->mine_end - y->mine) * sizeof *x->F);
        }
    }
}

static void forces_in_tiles(const work *w, bool own, double t, const double *Q, double *F)
{
    forces_of_places x = { w, own, t, Q, F };
    if (w->tiles.plan.tiles > 1) noe_thread_team_do(w->tiles.team, forces_by, &x);
    else forces_by(&x, 0);
}

/* F = -dU/dq at time t and positions Q, arrays of all places. */
static void forces_everywhere(const work *w, double t, const double *Q, double *F)
{
    forces_in_tiles(w, false, t, Q, F);
}

#define VECTOR(x) ((lanes) * (const loose *)(x))

/* Stores eight doubles.  Where a register holds four, it stores halves: GCC 12 would copy through
 * the stack otherwise. */
INLINE void write_down(double *to, lanes x)
{
#if defined __AVX2__ && !defined __AVX512F__ && __has_builtin(__builtin_shufflevector)
    typedef double half __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));
    *(half *)to = (half)__builtin_shufflevector(x, x, 0, 1, 2, 3);
    *(half *)(to + 4) = (half)__builtin_shufflevector(x, x, 4, 5, 6, 7);
#else
    *(loose *)to = (loose)x;
#endif
}

/* Stores the first `left` of eight doubles, with a streaming store if `streaming` (the state
 * does not fit the caches). */
INLINE void put(double *to, lanes x, int64_t left, bool streaming)
{
#if defined __AVX512F__
    if (streaming && left >= LANES) {
        _mm512_stream_pd(to, (__m512d)x);
        return;
    }
#endif
    (void)streaming;
    if (left >= LANES) write_down(to, x);
    else memcpy(to, &x, (size_t)left * sizeof *to);
}

static double largest(lanes x)
{
    double most = x[0];
    for (int i = 1; i < LANES; i++) most = x[i] > most ? x[i] : most;
    return most;
}

/* Whether x = 0 in all lanes.  The argument is a sum of differences y - y, NaN where y is not
 * finite; `largest` would lose a NaN, a sum does not. */
static bool all_zero(lanes x)
{
    double sum = x[0];
    for (int i = 1; i < LANES; i++) sum += x[i];
    return sum == 0;
}

/* Constant part C_i of Q_i - q, and the first guess of Q_i with the forces at the beginning of the
 * step at all nodes. Returns the largest |Q_i| of the guess. */
static double predict(const work *w, const tile_memory *d, double h)
{
    const double *q = d->read[A_Q], *dq = d->read[A_DQ], *p = d->read[A_P], *dp = d->read[A_DP],
                 *F = d->read[A_F], *m = d->mass;
    lanes size = { 0 };
    for (int i = w->method.lo; i < w->method.hi; i++) {
        const double alpha = w->method.scaled.alpha[i], low = w->method.scaled.alpha_low[i],
                     early = w->method.scaled.early[i], guess = w->method.scaled.guess[i];
        for (int f = 0; f < w->g->families; f++) {
            const segment x = d->segment[f];
            double       *C = d->C[i] + x.at, *Q = d->Q[i] + x.at;
            for (int64_t k = 0; k < x.count; k += LANES) {
                const int64_t at = x.from + k;
                const lanes   force = VECTOR(F + at), inverse = VECTOR(m + at), P = VECTOR(p + at);
                const lanes   c =
                    VECTOR(dq + at)
                    + inverse
                          * (h * (alpha * P + (alpha * VECTOR(dp + at) + low * P + early * force)));
                const lanes first = VECTOR(q + at) + (c + inverse * (guess * force));
                *(loose *)(C + k) = (loose)c;
                *(loose *)(Q + k) = (loose)first;
                size = b_max(size, b_abs(first));
            }
        }
    }
    return largest(size);
}

/* Q_i = q + (C_i + sum_j beta_ij F_j/m) for sites from .. to - 1 of a segment, rounded up to whole
 * vectors.  Returns the largest |change of Q_i|. */
static lanes update(const work *w, const tile_memory *d, int i, const segment *x, int64_t from,
                    int64_t to)
{
    const int     lo = w->method.lo, hi = w->method.hi;
    const double *q = d->read[A_Q] + x->from, *m = d->mass + x->from, *C = d->C[i] + x->at,
                 *F = d->F[lo] + x->at, *beta = w->method.scaled.beta[i], by_first = beta[lo];
    double *Q = d->Q[i] + x->at;
    lanes   change = { 0 };
    for (int64_t k = from; k < to; k += LANES) {
        lanes sum = by_first * VECTOR(F + k);
        for (int j = lo + 1; j < hi; j++) sum += beta[j] * VECTOR(d->F[j] + x->at + k);
        const lanes now = VECTOR(q + k) + (VECTOR(C + k) + VECTOR(m + k) * sum);
        change = b_max(change, b_abs(now - VECTOR(Q + k)));
        *(loose *)(Q + k) = (loose)now;
    }
    return change;
}

/* Result of a step, from good to bad.  MORE: the halos of the tiles are too narrow for the
 * iterations needed; FAILED: no convergence; BROKEN: something is not finite. */
typedef enum { SOLVED, MORE, FAILED, BROKEN } outcome;

/* Fixed-point iteration for the positions at the implicit nodes.  size: largest position; *rounds:
 * evaluations of the forces made; *residual: the last change relative to size. */
static outcome solve(const work *w, const tile_memory *d, double h, double t, double size,
                     int *rounds, double *residual)
{
    /* last: change of the previous iteration; factor: contraction of an iteration; left: estimated
     * error of Q */
    double last = 0, factor = 1, left = INFINITY;
    int    grown = 0;
    for (*rounds = 1;; ++*rounds) {
        lanes change = { 0 };
        for (int i = w->method.lo; i < w->method.hi; i++)
            forces_at(w, d, t + w->method.c[i] * h, d->Q[i], d->F[i]);
        for (int i = w->method.lo; i < w->method.hi; i++)
            /* Convergence is judged by the sites that the tile owns. */
            for (int f = 0; f < w->g->families; f++) {
                const segment *x = &d->segment[f];
                change = b_max(change, update(w, d, i, x, x->mine, x->mine_end));
                update(w, d, i, x, 0, x->mine);
                update(w, d, i, x, x->mine_end, x->count);
            }
        const double e = largest(change);
        *residual = size > 0 ? e / size : 0;
        /* e is infinite; a NaN is lost by b_max and is found at the end of the step. */
        if (e - e != 0) return BROKEN;
        if (e <= CORRECTION_ZERO * size) return SOLVED;
        if (*rounds > 1 && e > SUMS_CLOSE_STALL_ROUNDINGS * EPS * size) factor = e / last;
        left = factor * (e < left ? e : left);
        /* Converged: the step uses the forces at the last positions. */
        if (left <= CORRECTION_ZERO * size) {
            for (int i = w->method.lo; i < w->method.hi; i++)
                forces_at(w, d, t + w->method.c[i] * h, d->Q[i], d->F[i]);
            ++*rounds;
            *residual *= factor;
            return SOLVED;
        }
        if (*rounds > 2 && e >= last && e <= SUMS_CLOSE_STALL_ROUNDINGS * EPS * size) return SOLVED;
        grown += *rounds > 1 && e > last;
        if (grown > GROWN_MOST) return FAILED;
        if (*rounds + 1 >= w->tiles.rounds)
            return w->tiles.plan.tiles > 1 && w->tiles.rounds < ROUNDS_MOST ? MORE : FAILED;
        last = e;
    }
}

/* s + e = a + b exactly (Knuth's TwoSum), in every lane. */
INLINE lanes two_sum_lanes(lanes a, lanes b, lanes *e)
{
    const lanes s = a + b, bb = s - a;
    *e = (a - (s - bb)) + (b - bb);
    return s;
}

/* q and its compensation term at the end of the step, and the forces there if the method has a node
 * at c = 1.  False: something is not finite. */
static bool arrive(const work *w, const tile_memory *d, double h, double t)
{
    const double *q = d->read[A_Q], *dq = d->read[A_DQ], *p = d->read[A_P], *dp = d->read[A_DP],
                 *F = d->read[A_F], *m = d->mass;
    const double by_first = w->method.first ? w->method.scaled.late[0] : 0,
                 low_first = w->method.first ? w->method.scaled.late_low[0] : 0;
    const int lo = w->method.lo, hi = w->method.hi;
    lanes     not_finite = { 0 };
    for (int f = 0; f < w->g->families; f++) {
        const segment x = d->segment[f];
        double       *to = d->one[0] + x.at, *rest = d->one[1] + x.at;
        for (int64_t k = 0; k < x.count; k += LANES) {
            const int64_t at = x.from + k;
            lanes         sum = by_first * VECTOR(F + at), low = VECTOR(dp + at), lost;
            for (int j = lo; j < hi; j++)
                sum += w->method.scaled.late[j] * VECTOR(d->F[j] + x.at + k);
            if (w->method.scaled.low) {
                low += low_first * VECTOR(F + at);
                for (int j = lo; j < hi; j++)
                    low += w->method.scaled.late_low[j] * VECTOR(d->F[j] + x.at + k);
            }
            const lanes by = h * (VECTOR(p + at) + (sum + low));
            const lanes now = two_sum_lanes(VECTOR(q + at), VECTOR(m + at) * by + VECTOR(dq + at),
                                            &lost);
            *(loose *)(to + k) = (loose)now;
            *(loose *)(rest + k) = (loose)lost;
        }
        for (int64_t k = x.mine; k < x.mine_end; k += LANES)
            not_finite += VECTOR(to + k) - VECTOR(to + k);
    }
    if (w->method.last) forces_at(w, d, t + h, d->one[0], d->one[2]);
    return all_zero(not_finite);
}

/* p at the end of the step; writes the sites that the tile owns to the next state.  False:
 * something is not finite. */
static bool deliver_state(const work *w, const tile_memory *d)
{
    const double *p = d->read[A_P], *dp = d->read[A_DP], *F = d->read[A_F], *m = d->mass;
    double *const next[ARRAYS] = { array(w, w->state.next, 0), array(w, w->state.next, 1),
                                   array(w, w->state.next, 2), array(w, w->state.next, 3),
                                   array(w, w->state.next, 4) };
    const double *end = w->method.last ? d->one[2] : d->F[w->method.hi - 1],
                 by_first = w->method.first ? w->method.scaled.kick[0] : 0,
                 by_last = w->method.last ? w->method.scaled.kick[w->method.r - 1] : 0;
    const int   lo = w->method.lo, hi = w->method.hi;
    lanes       not_finite = { 0 };
    const lanes zero = { 0 };
    for (int f = 0; f < w->g->families; f++) {
        const segment x = d->segment[f];
        const bool    streaming = w->state.streaming && x.to % LANES == 0;
        for (int64_t k = x.mine; k < x.mine_end; k += LANES) {
            const int64_t at = x.from + k, here = x.at + k, to = x.to + k - x.mine,
                          left = x.mine_end - k;
            const lanes last = VECTOR(end + here);
            lanes       sum = by_first * VECTOR(F + at), lost;
            for (int j = lo; j < hi; j++) sum += w->method.scaled.kick[j] * VECTOR(d->F[j] + here);
            sum += by_last * last;
            /* Fixed coordinates (1/m = 0) have no momentum. */
            sum = lanes_if(lanes_equal((lanes)VECTOR(m + at), zero), zero, sum);
            const lanes now = two_sum_lanes(VECTOR(p + at), sum + VECTOR(dp + at), &lost);
            put(next[A_Q] + to, VECTOR(d->one[0] + here), left, streaming);
            put(next[A_DQ] + to, VECTOR(d->one[1] + here), left, streaming);
            put(next[A_P] + to, now, left, streaming);
            put(next[A_DP] + to, lost, left, streaming);
            put(next[A_F] + to, last, left, streaming);
            not_finite += now - now;
        }
    }
    return all_zero(not_finite);
}

#endif
