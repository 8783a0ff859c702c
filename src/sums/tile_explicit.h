/* Steps of one tile by a splitting (kicks and drifts), or one by an explicit Runge-Kutta method.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     kick: p <- p + x h F(q),     drift: q <- q + x h p/m.
 *
 * A tile goes through all flows of a step, or of several steps, while it is in the cache; its halo
 * is as wide as the influence of a site in these.  If the first and the last flow are kicks, the
 * forces of the last kick are those of the first kick of the next step.
 *
 * Within a step the variables are u = q - q_0 and w = p - p_0.  Their initial values are the
 * compensation terms of the previous step.  A rounding error of u is of the size of one of h v, as
 * in every term of a compensated sum, so one compensated addition a step is enough. */
#ifndef NOE_SUMS_TILE_EXPLICIT_H
#define NOE_SUMS_TILE_EXPLICIT_H

#include "sums/gather_forces.h"
#include "sums/tile_implicit.h"

/* Scratch arrays d->one[..]: positions, u, w, forces. */
enum { E_Q, E_U, E_W, E_F };

/* The data of a segment: q, p and 1/m at the beginning of the step; u and w; the forces. */
typedef struct {
    const double   *q, *p, *m, *u, *w; /* see above */
    const summands *F;                 /* the forces */
} moving;

static moving moving_of(const tile_memory *d, const segment *x)
{
    return (moving){ d->read[A_Q] + x->from,  d->read[A_P] + x->from,  d->mass + x->from,
                     d->read[A_DQ] + x->from, d->read[A_DP] + x->from, NULL };
}

/* Evaluates the forces at the positions E_Q; d->sum then gives them. */
static void evaluate(const work *w, const tile_memory *d)
{
    if (d->gathers) work_strips(w->g, d, w->state.now[T0]);
    else forces_at(w, d, w->state.now[T0], d->one[E_Q], d->one[E_F]);
}

/* Eight forces.  The summands are passed by value: otherwise the compiler must assume that a store
 * changes them. */
INLINE lanes force_of(const summands x, const int count, int64_t k)
{
    lanes F = count > 0 ? x.sign[0] * VECTOR(x.from[0] + k)
                        : (lanes){ 0 }; /* what it is added to is never -0 */
    if (count > 1) F += x.sign[1] * VECTOR(x.from[1] + k);
    if (count > 2) F += x.sign[2] * VECTOR(x.from[2] + k);
    if (count > 3) F += x.sign[3] * VECTOR(x.from[3] + k);
    return F;
}

/* DO(count) with a count that is a constant for the compiler. */
#define OF_SUMMANDS(many, DO) \
    switch (many) {           \
    case 0: DO(0); break;     \
    case 1: DO(1); break;     \
    case 2: DO(2); break;     \
    case 3: DO(3); break;     \
    default: DO(SUMMANDS);    \
    }

/* The forces at the positions E_Q, written to F. */
static void forces_there(const work *w, const tile_memory *d, double *F)
{
    if (!d->gathers) {
        forces_at(w, d, w->state.now[T0], d->one[E_Q], F);
        return;
    }
    work_strips(w->g, d, w->state.now[T0]);
    for (int f = 0; f < w->g->families; f++) {
        const segment *x = &d->segment[f];
        const summands sum = d->sum[f];
#define DO(terms)                                 \
    for (int64_t k = 0; k < x->count; k += LANES) \
    *(loose *)(F + x->at + k) = (loose)force_of(sum, terms, k)
        OF_SUMMANDS(sum.count, DO)
#undef DO
    }
}

/* w <- w + kick F,  u <- u + drift (p + w)/m,  Q = q + u: the flows between two evaluations of the
 * forces. */
INLINE void flow_by(const tile_memory *d, const segment *x, const moving *a, const bool kicks,
                    const int count, double kick, double drift)
{
    const double  *q = a->q, *p = a->p, *m = a->m, *from_u = a->u, *from_w = a->w;
    const summands F = *a->F;
    double        *Q = d->one[E_Q] + x->at, *U = d->one[E_U] + x->at, *W = d->one[E_W] + x->at;
    const int64_t  end = x->count;
    for (int64_t k = 0; k < end; k += LANES) {
        lanes w = VECTOR(from_w + k);
        if (kicks) write_down(W + k, w += kick * force_of(F, count, k));
        const lanes u = VECTOR(from_u + k) + drift * ((VECTOR(p + k) + w) * VECTOR(m + k));
        write_down(U + k, u);
        write_down(Q + k, VECTOR(q + k) + u);
    }
}

static void flow_on(const tile_memory *d, const segment *x, const moving *a, double kick,
                    double drift)
{
#define DO(terms) flow_by(d, x, a, true, terms, kick, drift)
    OF_SUMMANDS(a->F->count, DO)
#undef DO
}

/* The sites that a tile owns in the next state.  F NULL: the forces are not stored; streaming:
 * streaming stores. */
typedef struct {
    double *q, *dq, *p, *dp, *F; /* see above */
    bool    streaming;           /* see above */
} arrival;

static arrival arrival_of(const work *w, const segment *x)
{
    return (arrival){ array(w, w->state.next, A_Q) + x->to,
                      array(w, w->state.next, A_DQ) + x->to,
                      array(w, w->state.next, A_P) + x->to,
                      array(w, w->state.next, A_DP) + x->to,
                      w->state.forces_known ? array(w, w->state.next, A_F) + x->to : NULL,
                      w->state.streaming && x->to % LANES == 0 };
}

/* Writes q + u and p + w with their compensation terms to `left` places from k on.  Returns the
 * product of the compensation terms, which is NaN where a sum is not finite. */
INLINE lanes arrive_at(const arrival *to, int64_t k, int64_t left, lanes q, lanes p, lanes m,
                       lanes u, lanes w, lanes F)
{
    const lanes zero = { 0 };
    lanes       dq, dp;
    /* what is fixed has no momentum */
    q = two_sum_lanes(q, u, &dq),
    p = two_sum_lanes(p, lanes_if(lanes_equal(m, zero), zero, w), &dp);
    put(to->q + k, q, left, to->streaming);
    put(to->dq + k, dq, left, to->streaming);
    put(to->p + k, p, left, to->streaming);
    put(to->dp + k, dp, left, to->streaming);
    if (to->F) put(to->F + k, F, left, to->streaming);
    return dq * dp;
}

INLINE lanes first_of(lanes x, int64_t left)
{
    static const lane_mask number = { 0, 1, 2, 3, 4, 5, 6, 7 };
    return lanes_if(number < left, x, (lanes){ 0 });
}

/* The last kick and drift of the step; drift 0: there is none. */
INLINE lanes end_by(const work *s, const segment *x, const moving *a, const int count, double kick,
                    double drift)
{
    const arrival  to = arrival_of(s, x);
    const summands F = *a->F;
    const double  *q = a->q + x->mine, *p = a->p + x->mine, *m = a->m + x->mine,
                 *from_u = a->u + x->mine, *from_w = a->w + x->mine;
    const int64_t end = x->mine_end - x->mine, whole = end / LANES * LANES;
    lanes         lost = { 0 };
#define ARRIVE(left)                                                                    \
    const lanes f = force_of(F, count, x->mine + k), w = VECTOR(from_w + k) + kick * f; \
    lanes       u = VECTOR(from_u + k);                                                 \
    if (drift != 0) u += drift * ((VECTOR(p + k) + w) * VECTOR(m + k));                 \
    const lanes rest = arrive_at(&to, k, left, VECTOR(q + k), VECTOR(p + k), VECTOR(m + k), u, w, f)
    for (int64_t k = 0; k < whole; k += LANES) {
        ARRIVE(LANES);
        lost += rest;
    }
    if (whole < end) {
        const int64_t k = whole;
        ARRIVE(end - k);
        lost += first_of(rest, end - k);
    }
#undef ARRIVE
    return lost;
}

static lanes flow_out(const work *s, const segment *x, const moving *a, double kick, double drift)
{
    lanes lost;
#define DO(terms) lost = end_by(s, x, a, terms, kick, drift)
    OF_SUMMANDS(a->F->count, DO)
#undef DO
    return lost;
}

/* A kick, then a drift; 0: there is none. */
typedef struct {
    double kick, drift; /* lengths in time */
} flow_lengths;

/* The last kick and drift of a step and the first of the next one, both at the same forces, for all
 * sites of a segment that has been copied; the state between them is q and p, and the compensation
 * terms are where the next u and w begin.  kicks: the next step begins with a kick. */
INLINE void join_flows_by(const tile_memory *d, const segment *x, const moving *a, const bool kicks,
                          const int count, flow_lengths last, flow_lengths first)
{
    const lanes    zero = { 0 };
    const summands F = *a->F;
    const double  *m = a->m, *from_u = a->u, *from_w = a->w;
    double        *q = d->copy[A_Q] + x->at, *p = d->copy[A_P] + x->at, *Q = d->one[E_Q] + x->at,
           *U = d->one[E_U] + x->at, *W = d->one[E_W] + x->at;
    for (int64_t k = 0, end = x->count; k < end; k += LANES) {
        const lanes f = force_of(F, count, k), M = VECTOR(m + k), P = VECTOR(p + k);
        lanes       w = VECTOR(from_w + k) + last.kick * f, u = VECTOR(from_u + k), dq, dp;
        if (last.drift != 0) u += last.drift * ((P + w) * M);
        const lanes q_now = two_sum_lanes(VECTOR(q + k), u, &dq),
                    p_now = two_sum_lanes(P, lanes_if(lanes_equal(M, zero), zero, w), &dp);
        w = dp;
        if (kicks) w += first.kick * f;
        u = dq + first.drift * ((p_now + w) * M);
        write_down(q + k, q_now);
        write_down(p + k, p_now);
        write_down(W + k, w);
        write_down(U + k, u);
        write_down(Q + k, q_now + u);
    }
}

static void join_flows(const tile_memory *d, const segment *x, const moving *a, bool kicks,
                       flow_lengths last, flow_lengths first)
{
#define KICKING(terms) join_flows_by(d, x, a, true, terms, last, first)
#define DRIFTING(terms) join_flows_by(d, x, a, false, terms, last, first)
    if (kicks) OF_SUMMANDS(a->F->count, KICKING)
    else OF_SUMMANDS(a->F->count, DRIFTING)
#undef KICKING
#undef DRIFTING
}

/* Sets the pointers of the fused loop for a step of the tile. */
static void line_up_state(const work *w, const tile_memory *d)
{
    const noe_fused_loop *x = &w->machine.fused;
    for (int f = 0; f < w->g->families; f++) {
        const segment *s = &d->segment[f];
        double       **at = d->line + x->state + f * NOE_FUSED_STATE;
        at[NOE_FUSED_NEW_W] = d->one[E_W] + s->at;
        /* at first */
        at[NOE_FUSED_W] = w->method.drift_first ? (double *)d->read[A_DP] + s->from
                                                : at[NOE_FUSED_NEW_W];
        at[NOE_FUSED_U] = at[NOE_FUSED_NEW_U] = d->one[E_U] + s->at;
        at[NOE_FUSED_NEW_Q] = d->one[E_Q] + s->at;
        at[NOE_FUSED_P] = (double *)d->read[A_P] + s->from; /* what is the state is only read */
        at[NOE_FUSED_Q] = (double *)d->read[A_Q] + s->from;
        at[NOE_FUSED_M] = (double *)d->mass + s->from;
    }
    for (int k = 0; k < w->g->groups; k++)
        if (d->strip[k].count)
            *(loose *)(d->cell + x->group[k].first * LANES) = (loose)splat(w->state.now[T0]);
}

/* Forces at the positions E_Q, kick and drift to the next positions, by the fused loop. */
static void fused_flow(const work *w, const tile_memory *d, double kick, double drift)
{
    const noe_fused_loop *x = &w->machine.fused;
    *(loose *)(d->cell + x->kick * LANES) = (loose)splat(kick);
    *(loose *)(d->cell + x->drift * LANES) = (loose)splat(drift);
    const size_t bytes = (size_t)(d->segment->count + LANES - 1) / LANES * LANES * sizeof(double);
    memcpy(d->cell + x->bytes * LANES, &bytes, sizeof bytes);
    if (d->whole > 0) x->whole(d->line, d->cell, (size_t)d->whole * sizeof(double));
    else x->run(d->line, d->cell, bytes);
    for (int f = 0; f < w->g->families; f++)
        d->line[x->state + f * NOE_FUSED_STATE + NOE_FUSED_W] = d->one[E_W] + d->segment[f].at;
}

/* The kick and drift that begin with flow i, the first of which may be a drift alone. */
static flow_lengths flows_at(const work *w, int i, double h)
{
    const bool kicks = i || !w->method.drift_first, drifts = i + kicks < w->method.flows;
    return (flow_lengths){ kicks ? w->method.flow[i] * h : 0,
                           drifts ? w->method.flow[i + kicks] * h : 0 };
}

/* So many steps of a tile; the first kick of every step but the first is at the forces of the last
 * one before it.  What is not finite stays so until the last step, which finds it. */
static outcome split_tile(const work *w, const tile_memory *d, int steps, double h)
{
    lanes      lost = { 0 };
    const bool drift_first = w->method.drift_first,
               asks = !drift_first && !w->state.forces_known; /* for forces at the very beginning */
    for (int f = 0; asks && f < w->g->families; f++) {
        const segment *x = &d->segment[f];
        memcpy(d->one[E_Q] + x->at, d->read[A_Q] + x->from, (size_t)x->count * sizeof(double));
    }
    if (asks) evaluate(w, d);
    if (d->fuses) line_up_state(w, d);
    for (int step = 0; step < steps; step++)
        /* a step that follows another has made its first flows in join_flows() */
        for (int i = step ? 1 + !drift_first : 0; i < w->method.flows;
             i += 1 + (i || !drift_first)) {
            const flow_lengths now = flows_at(w, i, h), first = flows_at(w, 0, h);
            const bool         kicks = i || !drift_first;
            const bool last = i + 1 + kicks >= w->method.flows, fused = d->fuses && i && !last;
            if (fused) fused_flow(w, d, now.kick, now.drift);
            else if (i) evaluate(w, d);
            for (int f = 0; f < w->g->families && !fused; f++) {
                const segment *x = &d->segment[f];
                const summands given = alone(d->read[A_F] + x->from);
                moving         a = moving_of(d, x);
                a.F = i || asks ? &d->sum[f] : &given;
                if (i) a.u = d->one[E_U] + x->at;
                if (i > drift_first || step) a.w = d->one[E_W] + x->at;
                if (last && step + 1 < steps) join_flows(d, x, &a, !drift_first, now, first);
                else if (last) lost += flow_out(w, x, &a, now.kick, now.drift);
                else if (kicks) flow_on(d, x, &a, now.kick, now.drift);
                else flow_by(d, x, &a, false, 0, 0, now.drift);
            }
        }
    return all_zero(lost - lost) ? SOLVED : BROKEN;
}

/* An explicit Runge-Kutta step; velocities of stage i are in d->Q[i], forces in d->F[i]. */
static outcome stages_tile(const work *w, const tile_memory *d, double h)
{
    const lanes zero = { 0 };
    lanes       lost = zero;
    for (int i = 0; i <= w->method.r; i++) {
        const double *c = i < w->method.r ? w->method.beta[i] : w->method.b;
        for (int f = 0; f < w->g->families; f++) {
            const segment *x = &d->segment[f];
            const moving   a = moving_of(d, x);
            const arrival  to = arrival_of(w, x);
            for (int64_t k = i < w->method.r ? 0 : x->mine;
                 k < (i < w->method.r ? x->count : x->mine_end); k += LANES) {
                lanes v = zero, F = zero;
                for (int l = 0; l < i; l++) {
                    if (c[l] == 0) continue;
                    v += c[l] * VECTOR(d->Q[l] + x->at + k);
                    F += c[l] * VECTOR(d->F[l] + x->at + k);
                }
                const lanes u = VECTOR(a.u + k) + h * v, m = VECTOR(a.m + k);
                F = VECTOR(a.w + k) + h * F;
                if (i == w->method.r) {
                    lost += first_of(arrive_at(&to, k - x->mine, x->mine_end - k, VECTOR(a.q + k),
                                               VECTOR(a.p + k), m, u, F, zero),
                                     x->mine_end - k);
                    continue;
                }
                *(loose *)(d->one[E_Q] + x->at + k) = (loose)(VECTOR(a.q + k) + u);
                *(loose *)(d->Q[i] + x->at + k) = (loose)((VECTOR(a.p + k) + F) * m);
            }
        }
        if (i < w->method.r) forces_there(w, d, d->F[i]);
    }
    return all_zero(lost - lost) ? SOLVED : BROKEN;
}

/* May a tile make several steps?  Only where no step begins by evaluating the forces. */
static bool steps_together(const work *w)
{
    return w->method.flows > 1 && (w->method.drift_first || w->state.forces_known);
}

/* Evaluations of the forces in a step. */
static int evaluations(const work *w)
{
    if (!w->method.flows) return w->method.r;
    return (w->method.flows + !w->method.drift_first) / 2 - w->state.forces_known;
}

static bool explicit_numbers(work *w, const noe_method *f)
{
    w->method.explicit = true;
    if (f->kind == NOE_SPLITTING) {
        w->method.flows = f->flows, w->method.drift_first = f->drift_first;
        w->method.flow = noe_arena_take(w->arena, ((size_t)f->flows + 1) * sizeof *w->method.flow);
        for (int i = 0; w->method.flow && i < f->flows; i++) w->method.flow[i] = (double)f->flow[i];
        w->state.forces_known = !f->drift_first && f->flows % 2; /* kicks at both ends */
        return w->method.flow != NULL;
    }
    w->method.r = w->method.hi = f->r;
    for (int i = 0; i < f->r; i++) {
        w->method.b[i] = (double)f->b[i];
        for (int l = 0; l < f->r; l++) w->method.beta[i][l] = (double)f->A[i][l];
    }
    return true;
}

#endif
