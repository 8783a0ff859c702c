/* Q_i = q + h/m ( alpha_i p + h sum_j beta_ij F_j ):  one vector equation a node that is not explicit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With constant masses the modes of the velocity follow from the forces, a = G^-1 ( w p + h sum_i b_i X_i F_i ) / m,
 * G = sum_i b_i l_i l_i', so positions at the nodes are the only unknowns (doc/theory.md, section 14).  A node at the
 * beginning of the step is where the last one ended; the force at its end enters no position.  Simpson has one
 * implicit node.  The fixed point contracts by about h^2 beta max(omega^2). */
#ifndef NOE_SUMS_SUMS_STEP_H
#define NOE_SUMS_SUMS_STEP_H

#include "method/stage_modes.h"
#include "sums/partition.h"

enum { HEAD = 24, ARRAYS = 5, FIRST_ROUNDS = 10, MOST_ROUNDS = 80, CACHE = 1 << 24 };

typedef struct newton newton;

/* The coefficients of a step of length h.  Rounded one by one they would make a method that is not quite symplectic,
 * and the energy would drift by 1e-18 a step.  So the weights h b_j are rounded, and what goes with them in q follows from
 * the rounded ones, in two doubles: beta_ij/b_j, and for q at the end (1 - c_j), are what symplecticity is a matter of. */
typedef struct {
    double h, kick[NOE_MAX_POINTS]; /* h b_j */
    double alpha[NOE_MAX_POINTS], alpha_low[NOE_MAX_POINTS];
    double early[NOE_MAX_POINTS]; /* of F at the beginning in Q_i, in units of h/m */
    double beta[NOE_MAX_POINTS][NOE_MAX_POINTS],
        guess[NOE_MAX_POINTS]; /* of F_j in Q_i, in units of 1/m; their sum */
    double late[NOE_MAX_POINTS],
        late_low[NOE_MAX_POINTS]; /* of F_j in q at the end, in units of h/m */
    bool low;
} scaled;

typedef struct {
    noe_arena      *arena;
    const noe_sums *g;
    int             r, lo, hi;   /* nodes; lo .. hi-1 are implicit */
    bool            first, last; /* explicit ones at c = 0, c = 1 */
    double          c[NOE_MAX_POINTS], b[NOE_MAX_POINTS], beta[NOE_MAX_POINTS][NOE_MAX_POINTS];
    quad    alpha[NOE_MAX_POINTS], share[NOE_MAX_POINTS][NOE_MAX_POINTS], rest[NOE_MAX_POINTS];
    scaled  by;         /* what these are for a step */
    double *now, *next; /* HEAD numbers, then q, dq, p, dp, F, and where K is from [stride each] */
    size_t  stride, wide; /* wide: places in whole vectors */
    tiling  t;
    sharing shares;               /* of the one tile there is */
    int     rounds;               /* iterations for which the rims are wide enough */
    int     slots;                /* of the widest group */
    tile_memory     *tile_memory; /* [desks] */
    noe_block_loops *loops;       /* [groups]: of their forces, for all desks */
    noe_fused_loop   fused;       /* of all of them, for all desks */
    int              desks, threads,
        most; /* threads: asked for, 0 as many as processors; most: that have something to do */
    noe_thread_team *team; /* NULL: alone */
    noe_status       why;
    bool             past; /* the state is written past the caches */
    bool explicit;
    int             flows; /* of a splitting; 0: a Runge-Kutta method of r stages, beta and b */
    bool            drift_first, known; /* known: its first forces are those of the last kick */
    double         *flow;
    int             parts;        /* of a composition */
    double         *part, length; /* that of the present one, in steps */
    double         *before;       /* the state before the step, of a composition */
    noe_stage_modes modes;
    newton         *newton;                           /* NULL until it is wanted */
    double          edge;                             /* omega h of the first window of stability */
    double          per_round, per_solve, per_matrix; /* operations, to compare solvers by */
} work;

/* Of the head.  STIFF: steps that Newton's method has before the fixed point is tried again; WAIT: steps before that is
 * compared with Newton's; SPENT: operations of BLOCK steps of Newton's, COST: of one of the fixed point. */
enum {
    T0,
    STEP,
    COUNT,
    ITERATIONS,
    RESIDUAL,
    H0,
    SOLVER,
    FROZEN,
    REFRESHES,
    CONTRACTED,
    STIFF,
    WAIT,
    PATIENCE,
    SPENT,
    BLOCK,
    COST,
    KINETIC
};

static double *array(const work *w, double *state, int k)
{
    return state + HEAD + (size_t)k * w->stride;
}
enum { A_Q, A_DQ, A_P, A_DP, A_F, A_K, STATE };

static double low_part(quad x)
{
    const quad low = x - (double)x;
    return fabsq(low) < (quad)1e-28 * fabsq(x) ? 0 : (double)low;
}

static void take_length(work *w, double h)
{
    scaled *n = &w->by;
    if (n->h == h) return;
    *n = (scaled){ .h = h };
    for (int i = 0; i < w->r; i++) {
        n->kick[i] = h * w->b[i];
        n->alpha[i] = (double)w->alpha[i], n->alpha_low[i] = low_part(w->alpha[i]);
    }
    for (int i = 0; i < w->r; i++) {
        const quad late = n->kick[i] * w->rest[i];
        n->late[i] = (double)late, n->late_low[i] = low_part(late);
        n->low |= n->late_low[i] != 0 || n->alpha_low[i] != 0;
        n->early[i] = w->first ? (double)(n->kick[0] * w->share[i][0]) : 0;
        for (int j = w->lo; j < w->hi; j++)
            n->guess[i] += n->beta[i][j] = (double)((quad)h * n->kick[j] * w->share[i][j]);
    }
}

static void forces_at(const work *w, const tile_memory *d, double t, const double *Q, double *F)
{
    if (w->shares.count) shared_forces(w->g, &w->shares, w->team, w->tile_memory, t, Q, F);
    else forces(w->g, &w->t, d, t, Q, F);
}

/* Tile k before the desk. */
static void sit_down(const work *w, tile_memory *d, int64_t k)
{
    if (w->t.tiles > 1) cut(w->g, &w->t, k, d);
    for (int i = 0; i < ARRAYS; i++)
        d->read[i] = opened(w->g, &w->t, d, array(w, w->now, i), d->bent[i]);
    d->mass = opened(w->g, &w->t, d, w->g->inverse, d->bent[ARRAYS]);
}

typedef struct {
    const work   *w;
    double        t;
    const double *Q;
    double       *F;
} everywhere;

static void forces_by(void *ctx, int me)
{
    const everywhere *x = ctx;
    const work       *w = x->w;
    tile_memory      *d = &w->tile_memory[me];
    const int         size = w->t.tiles > 1 ? noe_thread_team_size(w->team) : 1;
    for (int64_t k = w->t.tiles * me / size; k < w->t.tiles * (me + 1) / size; k++) {
        if (w->t.tiles > 1) cut(w->g, &w->t, k, d);
        const double *from = opened(w->g, &w->t, d, x->Q, d->one[0]);
        for (int f = 0; f < w->g->families && !d->is_bent; f++)
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

/* F = -U'(Q) of all places. */
static void forces_everywhere(const work *w, double t, const double *Q, double *F)
{
    everywhere x = { w, t, Q, F };
    if (w->t.tiles > 1) noe_thread_team_do(w->team, forces_by, &x);
    else forces_by(&x, 0);
}

#define VECTOR(x) ((lanes) * (const loose *)(x))

/* Eight numbers; where registers hold four as halves, which GCC 12 takes through the stack otherwise. */
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

/* The first `left` of eight numbers, past the caches where the state is too large for them. */
INLINE void put(double *to, lanes x, int64_t left, bool past)
{
#if defined __AVX512F__
    if (past && left >= LANES) {
        _mm512_stream_pd(to, (__m512d)x);
        return;
    }
#endif
    (void)past;
    if (left >= LANES) write_down(to, x);
    else memcpy(to, &x, (size_t)left * sizeof *to);
}

static double largest(lanes x)
{
    double most = x[0];
    for (int i = 1; i < LANES; i++) most = x[i] > most ? x[i] : most;
    return most;
}

/* Is x - x = 0 in all lanes?  The largest would lose what is no number. */
static bool all_zero(lanes x)
{
    double sum = x[0];
    for (int i = 1; i < LANES; i++) sum += x[i];
    return sum == 0;
}

/* C_i and a first guess: the forces are those at the end of the last step.  Returns the largest of the guess. */
static double predict(const work *w, const tile_memory *d, double h)
{
    const double *q = d->read[A_Q], *dq = d->read[A_DQ], *p = d->read[A_P], *dp = d->read[A_DP],
                 *F = d->read[A_F], *m = d->mass;
    lanes size = { 0 };
    for (int i = w->lo; i < w->hi; i++) {
        const double alpha = w->by.alpha[i], low = w->by.alpha_low[i], early = w->by.early[i],
                     guess = w->by.guess[i];
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

/* Q_i from the forces at from .. to - 1 of a segment, rounded up to whole vectors; the largest change. */
static lanes update(const work *w, const tile_memory *d, int i, const segment *x, int64_t from,
                    int64_t to)
{
    const int     lo = w->lo, hi = w->hi;
    const double *q = d->read[A_Q] + x->from, *m = d->mass + x->from, *C = d->C[i] + x->at,
                 *F = d->F[lo] + x->at, *beta = w->by.beta[i], by_first = beta[lo];
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

typedef enum { SOLVED, MORE, FAILED, BROKEN } outcome;

/* Of the largest position: an error of the nodes that the energy does not show in 1e7 steps.  What is left of them is no
 * rounding, it is the same from step to step. */
static const double CORRECTION_ZERO = 0x1p-53 / 256;

/* The implicit nodes; how many rounds. */
static outcome solve(const work *w, const tile_memory *d, double h, double t, double size,
                     int *rounds, double *residual)
{
    double last = 0, factor = 1,
           left = INFINITY; /* what an iteration leaves of an error; the error of Q, by that */
    int grown = 0;
    for (*rounds = 1;; ++*rounds) {
        lanes change = { 0 };
        for (int i = w->lo; i < w->hi; i++) forces_at(w, d, t + w->c[i] * h, d->Q[i], d->F[i]);
        for (int i = w->lo; i < w->hi; i++)
            for (int f = 0; f < w->g->families; f++) { /* what counts is what the tile owns */
                const segment *x = &d->segment[f];
                change = b_max(change, update(w, d, i, x, x->mine, x->mine_end));
                update(w, d, i, x, 0, x->mine);
                update(w, d, i, x, x->mine_end, x->count);
            }
        const double e = largest(change);
        *residual = size > 0 ? e / size : 0;
        if (e - e != 0) return BROKEN; /* a nan shows at the end */
        if (e <= CORRECTION_ZERO * size) return SOLVED;
        if (*rounds > 1 && e > 64 * EPS * size) factor = e / last;
        left = factor * (e < left ? e : left);
        if (left <= CORRECTION_ZERO * size) { /* the forces there are the last */
            for (int i = w->lo; i < w->hi; i++) forces_at(w, d, t + w->c[i] * h, d->Q[i], d->F[i]);
            ++*rounds;
            *residual *= factor;
            return SOLVED;
        }
        if (*rounds > 2 && e >= last && e <= 64 * EPS * size) return SOLVED;
        grown += *rounds > 1 && e > last;
        if (grown > 3) return FAILED;
        if (*rounds + 1 >= w->rounds)
            return w->t.tiles > 1 && w->rounds < MOST_ROUNDS ? MORE : FAILED;
        last = e;
    }
}

INLINE lanes two_sum_lanes(lanes a, lanes b, lanes *e)
{
    const lanes s = a + b, bb = s - a;
    *e = (a - (s - bb)) + (b - bb);
    return s;
}

/* q at the end of the step, and the forces there. */
static bool arrive(const work *w, const tile_memory *d, double h, double t)
{
    const double *q = d->read[A_Q], *dq = d->read[A_DQ], *p = d->read[A_P], *dp = d->read[A_DP],
                 *F = d->read[A_F], *m = d->mass;
    const double by_first = w->first ? w->by.late[0] : 0,
                 low_first = w->first ? w->by.late_low[0] : 0;
    const int lo = w->lo, hi = w->hi;
    lanes     poison = { 0 };
    for (int f = 0; f < w->g->families; f++) {
        const segment x = d->segment[f];
        double       *to = d->one[0] + x.at, *rest = d->one[1] + x.at;
        for (int64_t k = 0; k < x.count; k += LANES) {
            const int64_t at = x.from + k;
            lanes         sum = by_first * VECTOR(F + at), low = VECTOR(dp + at), lost;
            for (int j = lo; j < hi; j++) sum += w->by.late[j] * VECTOR(d->F[j] + x.at + k);
            if (w->by.low) {
                low += low_first * VECTOR(F + at);
                for (int j = lo; j < hi; j++) low += w->by.late_low[j] * VECTOR(d->F[j] + x.at + k);
            }
            const lanes by = h * (VECTOR(p + at) + (sum + low));
            const lanes now = two_sum_lanes(VECTOR(q + at), VECTOR(m + at) * by + VECTOR(dq + at),
                                            &lost);
            *(loose *)(to + k) = (loose)now;
            *(loose *)(rest + k) = (loose)lost;
        }
        for (int64_t k = x.mine; k < x.mine_end; k += LANES)
            poison += VECTOR(to + k) - VECTOR(to + k);
    }
    if (w->last) forces_at(w, d, t + h, d->one[0], d->one[2]);
    return all_zero(poison);
}

/* p at the end; what the tile owns goes into the next state. */
static bool deliver_state(const work *w, const tile_memory *d)
{
    const double *p = d->read[A_P], *dp = d->read[A_DP], *F = d->read[A_F], *m = d->mass;
    double *const next[ARRAYS] = { array(w, w->next, 0), array(w, w->next, 1), array(w, w->next, 2),
                                   array(w, w->next, 3), array(w, w->next, 4) };
    const double *end = w->last ? d->one[2] : d->F[w->hi - 1],
                 by_first = w->first ? w->by.kick[0] : 0,
                 by_last = w->last ? w->by.kick[w->r - 1] : 0;
    const int   lo = w->lo, hi = w->hi;
    lanes       poison = { 0 };
    const lanes zero = { 0 };
    for (int f = 0; f < w->g->families; f++) {
        const segment x = d->segment[f];
        const bool    past = w->past && x.to % LANES == 0;
        for (int64_t k = x.mine; k < x.mine_end; k += LANES) {
            const int64_t at = x.from + k, here = x.at + k, to = x.to + k - x.mine,
                          left = x.mine_end - k;
            const lanes last = VECTOR(end + here);
            lanes       sum = by_first * VECTOR(F + at), lost;
            for (int j = lo; j < hi; j++) sum += w->by.kick[j] * VECTOR(d->F[j] + here);
            sum += by_last * last;
            sum = lanes_if(VECTOR(m + at) == zero, zero, sum); /* what is fixed has no momentum */
            const lanes now = two_sum_lanes(VECTOR(p + at), sum + VECTOR(dp + at), &lost);
            put(next[A_Q] + to, VECTOR(d->one[0] + here), left, past);
            put(next[A_DQ] + to, VECTOR(d->one[1] + here), left, past);
            put(next[A_P] + to, now, left, past);
            put(next[A_DP] + to, lost, left, past);
            put(next[A_F] + to, last, left, past);
            poison += now - now;
        }
    }
    return all_zero(poison);
}

#endif
