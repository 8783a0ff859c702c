/* The engine for linear systems of few coordinates: one product with a transition matrix a step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     z + rest <- z + (rest + (Phi - 1) z + g + sum_i G_i f(t + c_i h)).
 *
 * Phi - 1 is computed in binary128 and rounded once, so its error is half a unit in the last place
 * of Phi - 1, which is smaller than that of Phi by a factor of the order of h.  With the
 * compensated sum rounding stays far below the error of the method.  Many steps are made in blocks,
 * each one product with a power of Phi: linear/step_blocks.h. */
#include "linear/dense_engine.h"

#include "base/status.h"
#include "linear/dense_balance.h"
#include "linear/step_blocks.h"
#include "matrix/eigen_max.h"
#include "linear/quadratic_energy.h"
#include "linear/mode_stability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_linear_state             at;          /* first member: what a restart needs */
    noe_arena                   *arena, *own; /* own: memory of what depends on h */
    const noe_dynamics          *dyn;         /* the system */
    noe_method                   method;      /* the method */
    noe_affine_blocks            part;        /* its constant derivatives */
    noe_affine_map               map;         /* of one step, in binary128 */
    noe_step_blocks              blocks;      /* of many */
    const noe_transition_kernel *kernel;      /* functions for this instruction set */
    double                       h;           /* step length of `map`; 0: no map yet */
    int                          window;      /* option; 0: stability is not checked */
    /* omega^2 of a structure's fastest mode; NAN: not computed yet */
    double            omega2;
    double           *G, *f, *d;   /* [nodes][n][width], [nodes][n], [width] */
    noe_dense_balance balance;     /* matrices of the energy balance */
    quad             *v, *x;       /* [n] given velocities, [2n] */
    double           *V;           /* [2n + 1][n]: v = V (q, p, 1), columns one after the other */
    noe_status        part_status; /* status of the making of `part` */
} dense;

static void drop(void *self)
{
    noe_arena_free(((dense *)self)->own);
    noe_arena_free(((dense *)self)->arena);
}

static noe_load *load_of(const noe_dynamics *d) { return d->structure ? d->structure->load : NULL; }

/* V = [-PV^-1 PQ, PV^-1, -PV^-1 cP], rounded. */
static void round_velocities(dense *w)
{
    const noe_affine_blocks *x = &w->part;
    const int                n = x->n;
    for (int i = 0; i < n; i++) {
        const quad *const row = x->inverse + i * n;
        quad              at_rest = 0;
        for (int j = 0; j < n; j++) {
            quad by_q = 0;
            for (int k = 0; k < n; k++)
                if (x->PQ[k * n + j] != 0) by_q -= row[k] * x->PQ[k * n + j];
            at_rest -= row[j] * x->cP[j];
            w->V[j * n + i] = (double)by_q, w->V[(n + j) * n + i] = (double)row[j];
        }
        w->V[2 * n * n + i] = (double)at_rest;
    }
}

static void velocities(const void *self, double *v)
{
    const dense *w = self;
    const int    n = w->at.n;
    memcpy(v, w->V + 2 * n * n, (size_t)n * sizeof *v);
    for (int j = 0; j < 2 * n; j++)
        for (int i = 0; i < n; i++) v[i] += w->V[j * n + i] * w->at.z[j];
}

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
    if (w && noe_linear_state_make(&w->at, a, d->n, noe_step_blocks_numbers(d->n))) {
        const size_t W = (size_t)w->at.width;
        w->v = noe_arena_take(a, 3 * n * sizeof *w->v);
        w->d = noe_arena_take(a, W * sizeof *w->d);
        w->x = w->v + n;
        w->part_status = noe_affine_blocks_make(&w->part, a, d);
        w->V = noe_arena_take(a, (2 * n + 1) * n * sizeof *w->V);
        if (w->V && !w->part_status) round_velocities(w);
        if (w->v && w->d && w->V && noe_step_blocks_make(&w->blocks, a, w->kernel, &w->at)
            && w->part_status != NOE_NO_MEMORY)
            return w;
    }
    noe_arena_free(a);
    return NULL;
}

static void set(void *self, noe_engine_value what, int member, const quad *x)
{
    (void)member;
    dense *w = self;
    noe_linear_state_set(&w->at, what, x);
    noe_step_blocks_begin(&w->at);
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
static bool keeps_simpson_form(const dense *w)
{
    bool other = load_of(w->dyn) || strcmp(w->method.name, "simpson") || w->part_status;
    for (int i = 0; i < w->at.n * w->at.n; i++) other |= w->part.PQ[i] != 0 || w->part.FV[i] != 0;
    for (int i = 0; i < w->at.n; i++) other |= w->part.cP[i] != 0 || w->part.cF[i] != 0;
    return !other;
}

static quad simpson(void *self)
{
    const dense *w = self;
    return keeps_simpson_form(w) ? noe_quadratic_energy_simpson(&w->part, &w->at) : (quad)NAN;
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
    if (w->part_status) return w->part_status;
    const size_t n = (size_t)w->at.n, W = (size_t)w->at.width;
    w->h = 0;
    noe_arena_free(w->own);
    w->own = noe_arena_new();
    noe_status s = stable(w);
    if (s) return s;
    s = noe_affine_map_make(&w->map, w->own, &w->part, &w->method, *w->at.h,
                            load_of(w->dyn) != NULL, !w->dyn->autonomous);
    if (s) return s;
    const size_t nodes = (size_t)w->map.nodes;
    w->G = noe_arena_take(w->own, (nodes * n * W + 1) * sizeof *w->G);
    w->f = noe_arena_take(w->own, (nodes * n + 1) * sizeof *w->f);
    if (!w->G || !w->f
        || (w->map.seen && !noe_dense_balance_make(&w->balance, w->own, &w->map, &w->part)))
        return NOE_NO_MEMORY;
    noe_step_blocks_set(&w->blocks, &w->map, w->at.width);
    for (size_t i = 0; i < nodes; i++)
        noe_step_blocks_columns(w->G + i * n * W, w->map.G + i * 2 * n * n, 2 * (int)n, (int)n,
                                (int)W);
    w->h = *w->at.h;
    return NOE_OK;
}

static bool all_finite(const dense *w)
{
    double sum = 0;
    for (int i = 0; i < 2 * w->at.n; i++) sum += w->at.z[i] - w->at.z[i];
    return sum == 0;
}

static unsigned forced(dense *w)
{
    const int     n = w->at.n, W = w->at.width;
    const double *E = w->blocks.level[0].E;
    memcpy(w->d, w->blocks.level[0].g, (size_t)W * sizeof *w->d);
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
    if (w->kernel->steps(2 * n, E, w->d, w->at.z, w->at.rest, 1) == 1) return ++*w->at.count, 0;
    memcpy(w->at.work, before, sizeof before);
    w->at.why = NOE_NOT_FINITE;
    return 1;
}

static unsigned run(void *self, double steps)
{
    dense *w = self;
    if (w->h != *w->at.h && (w->at.why = prepare(w))) return 1;
    if (!w->map.nodes)
        return (w->at.why = noe_step_blocks_run(&w->blocks, &w->at, steps)) != NOE_OK;
    for (double k = 0; k < steps; k++)
        if (forced(w)) return 1;
    return 0;
}

static unsigned step(void *self) { return run(self, 1); }

static unsigned start(void *self, const bool *momentum)
{
    dense    *w = self;
    const int n = w->at.n;
    *w->at.count = 0;
    for (int i = 0; i < 2 * n; i++) w->at.rest[i] = 0;
    noe_step_blocks_begin(&w->at);
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
    static const noe_engine_linear linear = { set_option, option, simpson, velocities };
    static const noe_engine        engine = { .members = 1,
                                              .make = make,
                                              .drop = drop,
                                              .set = set,
                                              .get = get,
                                              .start = start,
                                              .step = step,
                                              .run = run,
                                              .derivative = derivative,
                                              .why = noe_linear_state_why,
                                              .memory = noe_linear_state_memory,
                                              .summarize = summarize,
                                              .linear = &linear };
    const bool explicit = f->kind == NOE_SPLITTING || f->kind == NOE_RUNGE_KUTTA;
    if (f->parts || (explicit && (!d->structure || f->kick == NOE_KICK_FROZEN))) return NULL;
    const bool covered = d->structure || (d->constant && d->autonomous && !d->L);
    return covered && d->n <= NOE_DENSE_MOST && d->n * f->s <= NOE_DENSE_MODES ? &engine : NULL;
}
