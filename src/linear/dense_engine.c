/* The engine for linear systems of few coordinates: one product with a transition matrix a step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     z + rest <- z + (rest + (Phi - 1) z + g + sum_i G_i f(t + c_i h)).
 *
 * Phi - 1 is computed in binary128 and rounded once, so its error is half a unit in the last place
 * of Phi - 1, which is smaller than that of Phi by a factor of the order of h.  With the
 * compensated sum rounding stays far below the error of the method.  k steps of which only the last
 * result is needed are one product with Phi^k - 1. */
#include "linear/dense_engine.h"

#include "base/status.h"
#include "linear/dense_balance.h"
#include "linear/transition_kernel.h"
#include "matrix/eigen_max.h"
#include "linear/quadratic_energy.h"
#include "linear/mode_stability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_linear_state    at;          /* first member: what a restart needs */
    noe_arena          *arena, *own; /* own: memory of what depends on h */
    const noe_dynamics *dyn;         /* the system */
    noe_method          method;      /* the method */
    noe_affine_blocks   part;        /* its constant derivatives */
    /* maps of one step and of `stride` steps, in binary128 */
    noe_affine_map               map, jump;
    const noe_transition_kernel *kernel; /* functions for this instruction set */
    double                       h;      /* step length of `map`; 0: no map yet */
    int                          window; /* option; 0: stability is not checked */
    /* omega^2 of a structure's fastest mode; NAN: not computed yet */
    double omega2;
    double stride; /* number of steps of `jump`; 0: no such map yet */
    /* the rounded maps of one step and of `stride` steps, column by column of `width` numbers */
    double           *E, *g, *Ek, *gk;
    double           *G, *f, *d; /* [nodes][n][width], [nodes][n], [width] */
    noe_dense_balance balance;   /* matrices of the energy balance */
    quad             *v, *x;     /* [n] given velocities, [2n] */
    noe_status        blocks;    /* status of the making of `part` */
} dense;

static void drop(void *self)
{
    noe_arena_free(((dense *)self)->own);
    noe_arena_free(((dense *)self)->arena);
}

static noe_load *load_of(const noe_dynamics *d) { return d->structure ? d->structure->load : NULL; }

static void *make(const noe_dynamics *d, const noe_method *f)
{
    noe_arena *a = noe_arena_new();
    dense     *w = noe_arena_take(a, sizeof *w);
    if (w)
        *w = (dense){ .arena = a,
                      .dyn = d,
                      .method = *f,
                      .kernel = noe_linear_dispatch(),
                      .window = 1,
                      .omega2 = NAN };
    const size_t n = (size_t)d->n;
    if (w && noe_linear_state_make(&w->at, a, d->n, 0)) {
        const size_t W = (size_t)w->at.width;
        w->v = noe_arena_take(a, 3 * n * sizeof *w->v);
        w->d = noe_arena_take(a, W * sizeof *w->d);
        w->x = w->v + n;
        w->blocks = noe_affine_blocks_make(&w->part, a, d);
        if (w->v && w->d && w->blocks != NOE_NO_MEMORY) return w;
    }
    noe_arena_free(a);
    return NULL;
}

static void set(void *self, noe_engine_value what, int member, const quad *x)
{
    (void)member;
    dense *w = self;
    noe_linear_state_set(&w->at, what, x);
    if (what == NOE_AT_V) memcpy(w->v, x, (size_t)w->at.n * sizeof *x);
}

static void set_option(void *self, noe_linear_at what, int value)
{
    dense *w = self;
    if (what == NOE_LINEAR_WINDOW && w->dyn->structure) w->window = value, w->h = 0;
}

static int option(void *self, noe_linear_at what)
{
    const dense *w = self;
    return what == NOE_LINEAR_WINDOW ? w->window
         : what == NOE_LINEAR_BLAS   ? w->dyn->structure && w->dyn->structure->blas
                                     : 0;
}

/* Whether Simpson's quadratic form is preserved: Simpson's method, without damping or
 * load, with no terms but those of M and K. */
static bool is_simpson(const dense *w)
{
    bool other = load_of(w->dyn) || strcmp(w->method.name, "simpson") || w->blocks;
    for (int i = 0; i < w->at.n * w->at.n; i++) other |= w->part.PQ[i] != 0 || w->part.FV[i] != 0;
    for (int i = 0; i < w->at.n; i++) other |= w->part.cP[i] != 0 || w->part.cF[i] != 0;
    return !other;
}

static quad simpson(void *self)
{
    const dense *w = self;
    return is_simpson(w) ? noe_quadratic_energy_simpson(&w->part, &w->at) : (quad)NAN;
}

static void get(void *self, noe_engine_value what, int member, quad *x)
{
    (void)member;
    const dense *w = self;
    if (noe_linear_state_get(&w->at, what, x)) return;
    *x = 0;
    if (what == NOE_AT_V) noe_quadratic_energy_velocities(&w->part, &w->at, x);
    if (what == NOE_AT_ENERGY) *x = (double)noe_quadratic_energy_value(&w->part, &w->at);
    if (what == NOE_AT_BALANCE)
        *x = noe_linear_state_balance(&w->at, (double)noe_quadratic_energy_value(&w->part, &w->at));
}

static void columns(double *to, const quad *A, int rows, int cols, int width)
{
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) to[j * width + i] = (double)A[i * cols + j];
}

/* Refuses a step of a structure beyond the intervals of stability of the method; a Lagrangian as
 * text is not checked. */
static noe_status stable(dense *w)
{
    const noe_structure *s = w->dyn->structure;
    if (!s || !w->window) return NOE_OK;
    if (w->omega2 != w->omega2) {
        noe_factorization *mass = noe_factorization_new(s, 0, 1, NOE_BITS_FAST);
        if (!mass) return NOE_SINGULAR;
        w->omega2 = fmax(0, noe_eigen_max_lanczos(s, mass));
        noe_factorization_free(mass);
        if (w->omega2 != w->omega2) return NOE_NO_MEMORY;
    }
    return noe_mode_stability_check(s, &w->method, *w->at.h, w->omega2, w->window);
}

/* Computes Phi - 1 for step length h, if it has changed. */
static noe_status prepare(dense *w)
{
    if (w->h == *w->at.h) return NOE_OK;
    if (w->blocks) return w->blocks;
    const size_t n = (size_t)w->at.n, W = (size_t)w->at.width;
    w->h = w->stride = 0;
    noe_arena_free(w->own);
    w->own = noe_arena_new();
    noe_status s = stable(w);
    if (s) return s;
    s = noe_affine_map_make(&w->map, w->own, &w->part, &w->method, *w->at.h,
                            load_of(w->dyn) != NULL, !w->dyn->autonomous);
    if (s) return s;
    const size_t nodes = (size_t)w->map.nodes;
    w->E = noe_arena_take(w->own, 2 * (W * W + W) * sizeof *w->E);
    w->G = noe_arena_take(w->own, (nodes * n * W + 1) * sizeof *w->G);
    w->f = noe_arena_take(w->own, (nodes * n + 1) * sizeof *w->f);
    if (!w->E || !w->G || !w->f
        || (w->map.seen && !noe_dense_balance_make(&w->balance, w->own, &w->map, &w->part)))
        return NOE_NO_MEMORY;
    w->g = w->E + W * W, w->Ek = w->g + W, w->gk = w->Ek + W * W;
    columns(w->E, w->map.E, 2 * (int)n, 2 * (int)n, (int)W);
    columns(w->g, w->map.g, 2 * (int)n, 1, (int)W);
    for (size_t i = 0; i < nodes; i++)
        columns(w->G + i * n * W, w->map.G + i * 2 * n * n, 2 * (int)n, (int)n, (int)W);
    w->h = *w->at.h;
    return NOE_OK;
}

static bool all_finite(const dense *w)
{
    double sum = 0;
    for (int i = 0; i < 2 * w->at.n; i++) sum += w->at.z[i] - w->at.z[i];
    return sum == 0;
}

/* Applies the map (E, g) `times` times; each application makes `steps` steps. */
static unsigned apply(dense *w, const double *E, const double *g, double times, double steps)
{
    const double done = w->kernel->steps(2 * w->at.n, E, g, w->at.z, w->at.rest, times);
    *w->at.count += done * steps;
    if (done == times) return 0;
    w->at.why = NOE_NOT_FINITE;
    return 1;
}

/* One application of a map, and the energy that it dissipates. */
static unsigned jump(dense *w, const double *E, const double *g, const double *Q, double steps)
{
    const double before[2] = { w->at.lost[0], w->at.lost[1] };
    if (w->map.Q) noe_dense_balance_dissipate(&w->at, Q);
    const unsigned failed = apply(w, E, g, 1, steps);
    if (failed) memcpy(w->at.lost, before, sizeof before);
    return failed;
}

static unsigned forced(dense *w)
{
    const int n = w->at.n, W = w->at.width;
    memcpy(w->d, w->g, (size_t)W * sizeof *w->d);
    for (int i = 0; i < w->map.nodes; i++) {
        const double t = *w->at.t0 + (*w->at.count + (double)w->map.c[i]) * *w->at.h;
        double      *f = w->f + i * n;
        memset(f, 0, (size_t)n * sizeof *f);
        load_of(w->dyn)(t, f, w->dyn->structure->ctx);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 2 * n; k++) w->d[k] += w->G[(i * n + j) * W + k] * f[j];
    }
    const double before[4] = { w->at.work[0], w->at.work[1], w->at.lost[0], w->at.lost[1] };
    noe_dense_balance_add(&w->balance, &w->at, &w->map, w->f, w->h);
    const unsigned failed = apply(w, w->E, w->d, 1, 1);
    if (failed) memcpy(w->at.work, before, sizeof before);
    return failed;
}

static unsigned step(void *self)
{
    dense *w = self;
    if (w->h != *w->at.h && (w->at.why = prepare(w))) return 1;
    return w->map.nodes ? forced(w) : jump(w, w->E, w->g, w->balance.Q, 1);
}

/* Many steps: as one map from SINGLE_STEPS on, since that takes two matrix products in binary128
 * for every bit of `steps`. */
static unsigned run(void *self, double steps)
{
    enum { SINGLE_STEPS = 16 };
    dense *w = self;
    if ((w->at.why = prepare(w))) return 1;
    if (w->map.nodes) {
        for (double k = 0; k < steps; k++)
            if (forced(w)) return 1;
        return 0;
    }
    if (steps < SINGLE_STEPS && !w->map.Q) return apply(w, w->E, w->g, steps, 1);
    if (steps < SINGLE_STEPS) {
        for (double k = 0; k < steps; k++)
            if (jump(w, w->E, w->g, w->balance.Q, 1)) return 1;
        return 0;
    }
    if (w->stride != steps) {
        const int W = w->at.width;
        w->stride = 0;
        if ((w->at.why = noe_affine_power(&w->jump, w->own, &w->map, steps))) return 1;
        columns(w->Ek, w->jump.E, 2 * w->at.n, 2 * w->at.n, W);
        columns(w->gk, w->jump.g, 2 * w->at.n, 1, W);
        if (w->map.Q)
            noe_dense_balance_round(w->balance.Qk, w->jump.Q,
                                    4 * (size_t)w->at.n * (size_t)w->at.n);
        w->stride = steps;
    }
    return jump(w, w->Ek, w->gk, w->balance.Qk, steps);
}

static unsigned start(void *self, const bool *momentum)
{
    dense    *w = self;
    const int n = w->at.n;
    *w->at.count = 0;
    for (int i = 0; i < 2 * n; i++) w->at.rest[i] = 0;
    if ((w->at.why = prepare(w))) return 1;
    quad *q = w->x, *p = q + n;
    for (int i = 0; i < n; i++) q[i] = w->at.z[i], p[i] = w->at.z[n + i];
    if ((w->at.why = noe_affine_blocks_start(&w->part, w->own, momentum, q, w->v, p))) return 1;
    for (int i = 0; i < n; i++) w->at.z[n + i] = (double)p[i];
    if (!all_finite(w)) w->at.why = NOE_NOT_FINITE;
    *w->at.H0 = (double)noe_quadratic_energy_value(&w->part, &w->at);
    memset(w->at.work, 0, 2 * sizeof *w->at.work);
    memset(w->at.lost, 0, 2 * sizeof *w->at.lost);
    return w->at.why != NOE_OK;
}

static bool derivative(void *self, int member, quad *M)
{
    (void)member;
    const dense *w = self;
    const int    N = 2 * w->at.n;
    for (int i = 0; i < N * N; i++) M[i] = w->map.E[i] + (i % (N + 1) == 0);
    return true;
}

static void summarize(void *self, char *text, size_t size)
{
    const dense *w = self;
    snprintf(text, size, "linear: one product with a matrix of %d x %d a step", 2 * w->at.n,
             2 * w->at.n);
    if (w->dyn->structure && w->dyn->structure->blas) noe_linear_state_print_blas(text, size, true);
}

const noe_engine *noe_dense_engine(const noe_dynamics *d, const noe_method *f)
{
    static const noe_engine_linear linear = { set_option, option, simpson, run };
    static const noe_engine        core = { .members = 1,
                                            .make = make,
                                            .drop = drop,
                                            .set = set,
                                            .get = get,
                                            .start = start,
                                            .step = step,
                                            .derivative = derivative,
                                            .why = noe_linear_state_why,
                                            .memory = noe_linear_state_memory,
                                            .summarize = summarize,
                                            .linear = &linear };
    const bool explicit = f->kind == NOE_SPLITTING || f->kind == NOE_RUNGE_KUTTA;
    if (f->parts || f->variant || (explicit && (!d->structure || f->kick == NOE_KICK_FROZEN)))
        return NULL;
    const bool covered = d->structure || (d->constant && d->autonomous && !d->L);
    return covered && d->n <= NOE_DENSE_MOST && d->n * f->s <= NOE_DENSE_MODES ? &core : NULL;
}
