/* The engine for finite-element structures of any size: memory, start, step, access to the state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/structure_engine.h"

#include "base/status.h"
#include "method/quadrature.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop(void *self)
{
    noe_structure_engine *w = self;
    noe_structure_prepare_forget(w);
    noe_factorization_free(w->matrix.mass);
    noe_block_rows_free(w->matrix.k);
    noe_thread_team_free(w->team);
    noe_arena_free(w->arena);
}

/* Scratch of a step: y_j and g need 2n numbers for complex shifts, s n for all modes at once. */
static bool lay_out(noe_structure_engine *w)
{
    const noe_structure         *x = w->s;
    noe_structure_scratch *const to = &w->scratch;
    const bool splits = w->method.kind == NOE_SPLITTING, runge = w->method.kind == NOE_RUNGE_KUTTA;
    const size_t n = (size_t)w->at.n, s = (size_t)w->method.s, wide = s < 2 ? 2 * n : s * n,
                 r = (size_t)w->method.r;
    const size_t loads = !x->load ? 0
                       : splits   ? ((size_t)w->method.flows + !w->method.drift_first) / 2
                                  : r;
    w->balance.kept = (x->load && !x->weight) || x->C || x->alpha != 0 || x->beta != 0;
    const size_t looks = runge || (w->balance.kept && !splits) ? r : 0, kicks = runge ? r : 0;
    const size_t rows = s + 6 + loads + looks + kicks;
    double      *room = noe_arena_take(w->arena, (2 * wide + rows * n) * sizeof *room);
    if (!room) return false;
    to->g = room, to->y[0] = to->g + wide, room = to->y[0] + wide;
    for (size_t j = 1; j < s && s > 1; j++, room += n) to->y[j] = room;
    to->u = room, to->d = to->u + n, to->e = to->d + n, to->v = to->e + n, room = to->v + n;
    double *const imaginary = room;
    room += 2 * n;
    if (loads && !(to->f = noe_arena_take(w->arena, loads * sizeof *to->f))) return false;
    for (size_t i = 0; i < loads; i++, room += n) to->f[i] = room;
    if (!(to->hv = noe_arena_take(w->arena, (r + 1) * sizeof *to->hv))
        || !(to->kick = noe_arena_take(w->arena, (r + 1) * sizeof *to->kick)))
        return false;
    for (size_t i = 0; i < looks; i++, room += n) to->hv[i] = room;
    for (size_t i = 0; i < kicks; i++, room += n) to->kick[i] = room;
    /* Newmark's method: both loads do work along the same displacement. */
    if (w->method.kind == NOE_NEWMARK && w->balance.kept) to->hv[1] = to->hv[0];
    noe_chebyshev_step *y = &w->prepared.poly;
    *y = (noe_chebyshev_step){ .k = w->matrix.k,
                               .q = w->state.q,
                               .p = w->state.p,
                               .dq = w->state.dq,
                               .dp = w->state.dp,
                               .r = w->state.r,
                               .u = to->u,
                               .res = to->g,
                               .d = { to->d, to->e },
                               .resi = to->g + n,
                               .di = { imaginary, imaginary + n },
                               .mass = w->s->mass };
    memcpy(y->y, to->y, sizeof y->y);
    if (!w->s->mass) return true;
    double *inverse = noe_arena_take(w->arena, n * sizeof *inverse);
    for (size_t i = 0; inverse && i < n; i++) inverse[i] = 1 / w->s->mass[i];
    y->inverse = inverse;
    return inverse != NULL;
}

static void *make(const noe_dynamics *d, const noe_method *f)
{
    enum { PRODUCTS = 16 }; /* products with k that share a pass through memory */
    noe_arena            *a = noe_arena_new();
    noe_structure_engine *w = noe_arena_take(a, sizeof *w);
    if (!w) return noe_arena_free(a), NULL;
    *w = (noe_structure_engine){ .arena = a,
                                 .dyn = d,
                                 .s = d->structure,
                                 .method = *f,
                                 .kernel = noe_chebyshev_dispatch(),
                                 .matrix.omega2 = NAN,
                                 .option.window = 1 };
    const size_t n = (size_t)d->n;
    quad         look[NOE_MAX_POINTS], share[NOE_MAX_POINTS];
    noe_quadrature_gauss(NOE_POWER_NODES, look, share);
    for (int i = 0; i < NOE_POWER_NODES; i++) {
        w->balance.node[i] = (double)look[i];
        w->balance.weight[i] = (double)share[i];
    }
    if (noe_linear_state_make(&w->at, a, d->n, f->kind == NOE_NEWMARK ? 3 * n : n)) {
        w->state.q = w->at.z;
        w->state.p = w->state.q + n;
        w->state.dq = w->at.rest;
        w->state.dp = w->state.dq + n;
        w->state.r = w->at.more;
        if (f->kind == NOE_NEWMARK) w->state.vh = w->state.r + n, w->state.ah = w->state.vh + n;
        w->matrix.k = noe_block_rows_from(w->s->K, PRODUCTS);
        if (w->matrix.k && lay_out(w)) return w;
    }
    drop(w);
    return NULL;
}

static void set_bits(noe_structure_engine *w, noe_factor_bits bits)
{
    if (w->option.bits == bits) return;
    noe_structure_prepare_forget(w);
    noe_factorization_free(w->matrix.mass);
    w->matrix.mass = NULL, w->option.bits = bits;
}

static void set(void *self, noe_engine_value what, int member, const quad *x)
{
    (void)member;
    noe_structure_engine *w = self;
    noe_linear_state_set(&w->at, what, x);
    for (int i = 0; what == NOE_AT_V && i < w->at.n; i++) w->scratch.v[i] = (double)x[i];
}

static void set_option(void *self, noe_linear_at what, int value)
{
    noe_structure_engine *w = self;
    if (what == NOE_LINEAR_WINDOW) w->option.window = value, w->prepared.h = 0;
    if (what == NOE_LINEAR_FACTORISE) w->option.factorise = value != 0, w->prepared.h = 0;
    if (what == NOE_LINEAR_FACTOR_BITS) set_bits(w, (noe_factor_bits)value);
}

static int option(void *self, noe_linear_at what)
{
    noe_structure_engine *w = self;
    return what == NOE_LINEAR_WINDOW      ? w->option.window
         : what == NOE_LINEAR_FACTORISE   ? w->option.factorise
         : what == NOE_LINEAR_FACTOR_BITS ? (int)w->option.bits
                                          : noe_structure_summary_blas(w);
}

static void set_threads(void *self, int threads)
{
    noe_structure_engine *w = self;
    w->option.threads = threads;
    noe_thread_team_free(w->team);
    w->team = NULL;
}

static int threads(void *self) { return ((noe_structure_engine *)self)->option.threads; }

/* h^2 H2 = pi.u/2 - 24/16 u.k u + 24/2 q.rho - 24^2/16 rho.w + 24^3/576 w.k w,  u = M^-1 pi, w =
 * M^-1 rho. */
static double simpson_energy(noe_structure_engine *w)
{
    double *u = w->scratch.e, *a = w->scratch.d, *k = w->scratch.u;
    noe_factorization_solve(w->matrix.mass, w->state.p, u);
    double H = noe_structure_share_dot(w->s, w->state.p, u) / 2
             + 12 * noe_structure_share_dot(w->s, w->state.q, w->state.r);
    noe_structure_product_stiffness(w, u, k);
    H -= 1.5 * noe_structure_share_dot(w->s, u, k);
    noe_factorization_solve(w->matrix.mass, w->state.r, a);
    noe_structure_product_stiffness(w, a, k);
    return (H - 36 * noe_structure_share_dot(w->s, w->state.r, a)
            + 24 * noe_structure_share_dot(w->s, a, k))
         / (*w->at.h * *w->at.h);
}

static bool keeps_simpson_form(const noe_structure_engine *w)
{
    const noe_structure *s = w->s;
    return !strcmp(w->method.name, "simpson") && !s->C && !s->load && s->alpha == 0 && s->beta == 0;
}

static quad simpson(void *self)
{
    noe_structure_engine *w = self;
    if (!keeps_simpson_form(w) || !noe_structure_state_velocities(w)) return (double)NAN;
    if (w->prepared.h != *w->at.h && noe_structure_prepare_make(w)) return (double)NAN;
    return simpson_energy(w);
}

/* The energy balance where every process has a part of the work and of what was dissipated. */
static double shared_balance(const noe_structure_engine *w, double energy)
{
    const double done = (w->at.lost[0] - w->at.work[0]) + (w->at.lost[1] - w->at.work[1]);
    return (energy - *w->at.H0) + noe_structure_share_sum(w->s, done);
}

static void get(void *self, noe_engine_value what, int member, quad *x)
{
    (void)member;
    noe_structure_engine *w = self;
    const int             n = w->at.n;
    const double          h = *w->at.h;
    if (noe_linear_state_get(&w->at, what, x)) {
        if (what == NOE_AT_WORK || what == NOE_AT_DISSIPATED)
            *x = noe_structure_share_sum(w->s, (double)*x);
        for (int i = 0; what == NOE_AT_P && i < n; i++) x[i] = w->state.p[i] / *w->at.h;
        return;
    }
    if (what == NOE_AT_BALANCE) {
        get(self, NOE_AT_ENERGY, 0, x);
        *x = w->s->share ? shared_balance(w, (double)*x)
                         : (quad)noe_linear_state_balance(&w->at, (double)*x);
        return;
    }
    *x = 0;
    if (what != NOE_AT_V && what != NOE_AT_ENERGY) return;
    const bool ok = noe_structure_state_velocities(w);
    if (what == NOE_AT_ENERGY)
        *x = -w->s->rest
           - (w->s->weight ? noe_structure_share_dot(w->s, w->s->weight, w->state.q) : 0);
    if (what == NOE_AT_ENERGY)
        *x += ok ? noe_structure_share_dot(w->s, w->state.p, w->scratch.e) / (2 * h)
                       + NOE_STIFFNESS_DIVISOR / 2
                             * noe_structure_share_dot(w->s, w->state.q, w->state.r) / (h * h)
                 : NAN;
    for (int i = 0; what == NOE_AT_V && i < n; i++) x[i] = ok ? w->scratch.e[i] : NAN;
}

/* The loads at the nodes of an implicit method.  False: one is not finite. */
static bool loads(noe_structure_engine *w)
{
    bool ok = true;
    for (int l = 0; w->scratch.f && l < w->method.r && !noe_structure_engine_is_explicit(w); l++)
        ok &= noe_load_at_node(w, w->prepared.x.c[l], w->scratch.f[l]);
    return ok;
}

static unsigned step(void *self)
{
    noe_structure_engine *w = self;
    if ((w->prepared.h != *w->at.h || !w->team) && (w->at.why = noe_structure_prepare_make(w)))
        return 1;
    w->at.why = NOE_NOT_FINITE;
    for (int i = 0; i < noe_thread_team_size(w->team) && !w->s->share; i++)
        if (w->prepared.poly.huge[i]) return 1;
    if (!loads(w)) return 1;
    if (noe_structure_engine_is_explicit(w)) {
        if (!noe_structure_explicit_step(w)) return 1;
    } else if (w->state.vh) noe_structure_newmark_step(w);
    else if (w->prepared.polynomial) noe_chebyshev_sweep_step(w);
    else noe_structure_direct_step(w);
    w->at.why = NOE_OK;
    if (w->balance.kept && w->prepared.polynomial) noe_structure_balance_look(w);
    if (w->balance.kept && w->method.kind != NOE_SPLITTING) noe_structure_balance_add(w);
    *w->at.count += 1;
    return 0;
}

/* All velocities from the momenta of some coordinates and the velocities of the others: solves (M
 * v)_i = p_i for the former, with v_i given for the latter. */
static noe_status mixed(noe_structure_engine *w, const bool *momentum)
{
    const noe_sparse *M = w->s->M;
    noe_sparse       *A = noe_sparse_new(M->n, M->start[M->n] + M->n);
    int64_t           at = 0;
    if (!A) return NOE_NO_MEMORY;
    for (int i = 0; i < M->n; i++) {
        w->scratch.e[i] = momentum[i] ? w->state.p[i] : w->scratch.v[i];
        if (!momentum[i]) A->col[at] = i, A->value[at++] = 1;
        for (int64_t k = M->start[i]; k < M->start[i + 1] && momentum[i]; k++) {
            A->col[at] = M->col[k];
            A->value[at++] = M->value[k];
        }
        A->start[i + 1] = at;
    }
    noe_factorization *x = noe_factorization_general(A, w->option.bits);
    noe_sparse_free(A);
    if (!x) return NOE_SINGULAR;
    noe_factorization_solve(x, w->scratch.e, w->scratch.v);
    noe_factorization_free(x);
    return NOE_OK;
}

static unsigned start(void *self, const bool *momentum)
{
    noe_structure_engine *w = self;
    const int             n = w->at.n;
    int                   given = 0;
    double                bad = 0;
    *w->at.count = 0;
    memset(w->prepared.poly.huge, 0, sizeof w->prepared.poly.huge);
    if ((w->at.why = noe_structure_prepare_make(w))) return 1;
    for (int i = 0; i < n; i++) given += momentum[i];
    if (given && given < n && (w->at.why = mixed(w, momentum))) return 1;
    if (given < n) noe_structure_share_times(w->s, w->s->M, w->scratch.v, w->scratch.e);
    for (int i = 0; i < n; i++) {
        w->state.p[i] = *w->at.h * (momentum[i] ? w->state.p[i] : w->scratch.e[i]);
        w->state.dq[i] = w->state.dp[i] = 0;
        bad += (w->state.q[i] - w->state.q[i]) + (w->state.p[i] - w->state.p[i]);
    }
    noe_structure_product_stiffness(w, w->state.q, w->state.r);
    memset(w->at.work, 0, 2 * sizeof *w->at.work);
    memset(w->at.lost, 0, 2 * sizeof *w->at.lost);
    if (bad == 0) {
        quad H;
        get(w, NOE_AT_ENERGY, 0, &H);
        *w->at.H0 = (double)H;
    }
    if (bad != 0) w->at.why = NOE_NOT_FINITE;
    if (w->state.vh && !w->at.why) {
        if (!loads(w)) w->at.why = NOE_NOT_FINITE;
        else noe_structure_newmark_start(w);
    }
    return w->at.why != NOE_OK;
}

/* The step is an affine map: column c of its derivative is its value at the unit vector c less
 * its value at 0, computed by a second engine state. */
static bool derivative(void *self, int member, quad *M)
{
    (void)member;
    const noe_structure_engine *w = self;
    const int                   n = w->at.n, N = 2 * n;
    const quad                  t0 = *w->at.t0, h = *w->at.h;
    noe_structure_engine       *x = make(w->dyn, &w->method);
    double                     *zero = noe_status_alloc((size_t)N, sizeof *zero);
    quad                       *z = noe_status_alloc((size_t)N, sizeof *z);
    bool *momentum = noe_status_alloc((size_t)n, sizeof *momentum), ok = x && zero && z && momentum;
    if (ok) {
        set(x, NOE_AT_T0, 0, &t0), set(x, NOE_AT_STEP, 0, &h);
        for (int i = NOE_LINEAR_WINDOW; i <= NOE_LINEAR_FACTOR_BITS; i++)
            set_option(x, (noe_linear_at)i, option(self, (noe_linear_at)i));
        set_threads(x, w->option.threads);
    }
    for (int i = 0; i < n && ok; i++) momentum[i] = true;
    for (int c = -1; c < N && ok; c++) {
        memset(z, 0, (size_t)N * sizeof *z);
        if (c >= 0) z[c] = 1;
        set(x, NOE_AT_Q, 0, z), set(x, NOE_AT_P, 0, z + n);
        ok = !start(x, momentum) && !step(x);
        for (int r = 0; r < N; r++) {
            const double y = r < n ? x->state.q[r] + x->state.dq[r]
                                   : (x->state.p[r - n] + x->state.dp[r - n]) / *w->at.h;
            if (c < 0) zero[r] = y;
            else M[r * N + c] = (quad)y - zero[r];
        }
    }
    if (x) drop(x);
    free(zero), free(z), free(momentum);
    return ok;
}

const noe_engine *noe_structure_engine_select(const noe_dynamics *d, const noe_method *f)
{
    static const noe_engine_linear linear = { set_option, option, simpson, NULL };
    static const noe_engine_large  large = { .one = noe_structure_state_one,
                                             .pieces = noe_structure_state_pieces,
                                             .set_threads = set_threads,
                                             .threads = threads };
    static const noe_engine        engine = { .members = 1,
                                              .make = make,
                                              .drop = drop,
                                              .set = set,
                                              .get = get,
                                              .start = start,
                                              .step = step,
                                              .derivative = derivative,
                                              .why = noe_linear_state_why,
                                              .memory = noe_linear_state_memory,
                                              .summarize = noe_structure_summary_print,
                                              .fraction = &noe_structure_fraction,
                                              .linear = &linear,
                                              .large = &large };
    if (!d->structure || f->parts || f->kick == NOE_KICK_FROZEN) return NULL;
    const noe_structure *s = d->structure;
    const bool           solved = f->kind == NOE_SPLITTING && f->kick == NOE_KICK_EXACT
                     && (s->C || s->beta != 0);
    /* The exact kick of other damping is a matrix exponential, not a product with K. */
    return solved ? NULL : &engine;
}
