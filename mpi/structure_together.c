/* The engine for structures of many processes: noether's own engine on the share of each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine of linear/structure_engine.c steps the rows of this process and those around them,
 * and calls the share (matrix/structure.h) where it needs the others.  What is read of the state
 * is gathered: all processes have the same rows.  A share is made at the first start, when the
 * length of a step and so the number of its products are known. */
#include "engines.h"
#include "partition.h"
#include "share.h"

#include "base/hash.h"
#include "base/status.h"
#include "linear/mode_stability.h"
#include "linear/structure_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Work on the rows around the own ones, relative to these, up to which one exchange a step pays. */
static const double DEEP_MOST = 0.3;

enum { OPTIONS = NOE_LINEAR_BLAS };

typedef struct {
    const noe_dynamics   *dyn; /* the whole system; borrowed */
    noe_method            method;
    const noe_engine     *core;
    noe_structure_engine *own; /* engine of the share; NULL: not started yet */
    share                 share;
    noe_dynamics          part; /* the system of the share */
    noe_status            why;
    quad                  t0, h;           /* before the start */
    int                   option[OPTIONS]; /* given before the start; -1: not given */
    int                   threads;
    double               *q, *v, *p; /* [n] each, of all coordinates: given, or gathered */
    bool                  fresh[3];  /* which of them are those of the present state */
    double               *local;     /* [own.n] */
    noe_linear_state      whole;     /* the whole state, for a file; memory NULL: not made */
    noe_arena            *arena;
    quad                 *wide; /* [own.n] */
} engine;

/* The owners of the rows, and the fastest mode: the same for all engines of one structure. */
static struct {
    uint64_t hash;
    int     *owner, n;
    double   omega2;
} known;

static void close_share(engine *w)
{
    if (w->own) w->core->drop(w->own);
    w->own = NULL;
    share_drop(&w->share);
    free(w->local), free(w->wide);
    w->local = NULL, w->wide = NULL;
}

static void drop(void *self)
{
    engine *w = self;
    close_share(w);
    noe_arena_free(w->arena);
    free(w->q);
    free(w);
}

static void *make(const noe_dynamics *d, const noe_method *f)
{
    engine      *w = noe_status_alloc(1, sizeof *w);
    const size_t n = (size_t)d->n;
    if (!w) return NULL;
    w->dyn = d, w->method = *f, w->core = noe_structure_engine_select(d, f);
    w->q = noe_status_alloc(3 * n, sizeof *w->q);
    w->v = w->q + n, w->p = w->v + n;
    for (int i = 0; i < OPTIONS; i++) w->option[i] = -1;
    if (w->q) return w;
    drop(w);
    return NULL;
}

static uint64_t hash_of(const noe_structure *s)
{
    const noe_sparse *const matrix[] = { s->M, s->K };
    uint64_t                x = NOE_HASH_BEGIN;
    for (int i = 0; i < 2; i++)
        x = noe_hash(x, matrix[i]->value, (size_t)matrix[i]->start[s->n] * sizeof(double));
    return x;
}

/* Owners and fastest mode, by a share of one layer. */
static noe_status know(const noe_structure *s)
{
    const uint64_t hash = hash_of(s);
    int64_t        blocks;
    if (known.owner && known.hash == hash && known.n == s->n) return NOE_OK;
    const int width = noe_block_rows_width(s->K, &blocks);
    share     x = { 0 };
    free(known.owner);
    known.owner = noe_status_alloc((size_t)s->n, sizeof *known.owner);
    known.hash = hash, known.n = s->n;
    noe_status status = known.owner && width ? NOE_OK : NOE_NO_MEMORY;
    if ((status = together_agree(status))) return status;
    status = partition_rows(s, width, known.owner);
    if (!status) status = share_cut(&x, s, known.owner, 1);
    if (!(status = together_agree(status))) status = share_join(&x);
    if (!(status = together_agree(status))) status = fastest_mode(&x, &known.omega2);
    share_drop(&x);
    status = together_agree(status);
    if (status) free(known.owner), known.owner = NULL;
    return status;
}

/* Products of a step by polynomials one after another; 0: it is made otherwise. */
static int products(const engine *w)
{
    const noe_structure     *s = w->dyn->structure;
    const double             h = (double)w->h;
    noe_stage_pencil         x;
    noe_chebyshev_polynomial c;
    int                      count = 1;
    if (w->method.kind != NOE_GALERKIN || !s->mass || s->C || w->option[NOE_LINEAR_FACTORISE] == 1
        || !noe_stage_pencil_make(&x, &w->method, h * s->alpha, s->beta / h))
        return 0;
    for (int j = 0; j < x.count; j++) {
        if (!noe_chebyshev_polynomial_make(&c, x.lambda[j], h * h / NOE_UNIT * known.omega2))
            return 0;
        count += c.degree;
    }
    return count;
}

/* Layers around the own rows: those of a whole step where they cost little, else one. */
static int choose_depth(const engine *w)
{
    const char *ask = getenv("NOETHER_HALO"); /* deep, shallow: for measurements and tests */
    const int   deep = products(w);
    int64_t     around, own = 0;
    if (!deep || (ask && !strcmp(ask, "shallow"))) return 0;
    around = share_around(w->dyn->structure, known.owner, together.rank, deep);
    for (int i = 0; i < w->dyn->n; i++) own += known.owner[i] == together.rank;
    double part = (double)around / (double)own;
    MPI_Allreduce(MPI_IN_PLACE, &part, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return part <= DEEP_MOST || (ask && !strcmp(ask, "deep")) ? deep : 0;
}

/* The window of stability needs the whole structure, which each process has. */
static noe_status stable(const engine *w)
{
    const int window = w->option[NOE_LINEAR_WINDOW];
    return noe_mode_stability_check(w->dyn->structure, &w->method, (double)w->h, known.omega2,
                                    window > 0 ? window : 1);
}

static noe_status open_share(engine *w)
{
    const noe_structure *s = w->dyn->structure;
    int                  depth = 0;
    noe_status           status = together_agree(NOE_OK);
    if (!status) status = know(s);
    if (!status) status = together_agree(stable(w));
    if (status) return status;
    depth = choose_depth(w);
    status = together_agree(share_cut(&w->share, s, known.owner, depth ? depth : 1));
    if (!status) status = together_agree(share_join(&w->share));
    if (status) return status;
    w->share.functions.depth = depth;
    w->share.functions.omega2 = known.omega2;
    w->part = (noe_dynamics){ .n = w->share.own.n,
                              .linear = true,
                              .constant = true,
                              .forced = w->dyn->forced,
                              .autonomous = w->dyn->autonomous,
                              .structure = &w->share.own };
    w->local = noe_status_alloc((size_t)w->part.n, sizeof *w->local);
    w->wide = noe_status_alloc((size_t)w->part.n, sizeof *w->wide);
    w->own = w->local && w->wide ? w->core->make(&w->part, &w->method) : NULL;
    if (!w->own || !halo_prepare_gather(w->share.halo, w->share.global)) status = NOE_NO_MEMORY;
    if (!status) {
        w->core->set(w->own, NOE_AT_T0, 0, &w->t0);
        w->core->set(w->own, NOE_AT_STEP, 0, &w->h);
        for (int i = 0; i < OPTIONS; i++)
            if (w->option[i] >= 0) w->core->linear->set(w->own, (noe_linear_at)i, w->option[i]);
        w->core->large->set_threads(w->own, w->threads ? w->threads : 1);
    }
    return together_agree(status);
}

/* ---- reading and writing the state ---- */

static void forget(engine *w) { memset(w->fresh, 0, sizeof w->fresh); }

static double *vector(engine *w, noe_engine_value what)
{
    return what == NOE_AT_Q ? w->q : what == NOE_AT_V ? w->v : w->p;
}

/* One of q, v and p of all coordinates. */
static const double *gathered(engine *w, noe_engine_value what)
{
    double   *to = vector(w, what);
    const int k = what == NOE_AT_Q ? 0 : what == NOE_AT_V ? 1 : 2;
    if (!w->own || w->fresh[k]) return to;
    w->core->get(w->own, what, 0, w->wide);
    for (int i = 0; i < w->part.n; i++) w->local[i] = (double)w->wide[i];
    halo_gather(w->share.halo, w->local, to);
    w->fresh[k] = true;
    return to;
}

static void set(void *self, noe_engine_value what, int member, const quad *x)
{
    engine *w = self;
    if (what == NOE_AT_T0) w->t0 = *x;
    if (what == NOE_AT_STEP) w->h = *x;
    if (what == NOE_AT_Q || what == NOE_AT_V || what == NOE_AT_P)
        for (int i = 0; i < w->dyn->n; i++) vector(w, what)[i] = (double)x[i];
    else if (w->own) w->core->set(w->own, what, member, x);
    forget(w);
}

static void get(void *self, noe_engine_value what, int member, quad *x)
{
    engine *w = self;
    if (what == NOE_AT_Q || what == NOE_AT_V || what == NOE_AT_P) {
        const double *from = gathered(w, what);
        for (int i = 0; i < w->dyn->n; i++) x[i] = from[i];
    } else if (w->own) w->core->get(w->own, what, member, x);
    else *x = what == NOE_AT_T0 || what == NOE_AT_T ? w->t0 : what == NOE_AT_STEP ? w->h : 0;
}

static double one(void *self, noe_engine_value what, int i) { return gathered(self, what)[i]; }

/* Gives the own engine a vector of all coordinates. */
static void hand_over(engine *w, noe_engine_value what)
{
    for (int i = 0; i < w->part.n; i++) w->wide[i] = vector(w, what)[w->share.global[i]];
    w->core->set(w->own, what, 0, w->wide);
}

static unsigned start(void *self, const bool *momentum)
{
    engine *w = self;
    double  bad = 0;
    int     given = 0;
    for (int i = 0; i < w->dyn->n; i++) {
        given += momentum[i];
        bad += (w->q[i] - w->q[i]) + (momentum[i] ? w->p[i] - w->p[i] : w->v[i] - w->v[i]);
    }
    if (!w->own && (w->why = open_share(w))) return close_share(w), 1;
    if (given && given < w->dyn->n && !w->dyn->structure->mass) {
        w->why = noe_status_fail(NOE_INVALID,
                                 "momenta of some coordinates and velocities of others "
                                 "with a consistent mass matrix: several processes "
                                 "begin with one or the other");
        return 1;
    }
    bool *part = noe_status_alloc((size_t)w->part.n, sizeof *part);
    if ((w->why = together_agree(part ? NOE_OK : NOE_NO_MEMORY))) return free(part), 1;
    for (int i = 0; i < w->dyn->n && given && given < w->dyn->n; i++)
        if (!momentum[i]) w->p[i] = w->dyn->structure->mass[i] * w->v[i];
    for (int i = 0; i < w->part.n; i++) part[i] = given > 0;
    if (bad != 0) w->q[0] = NAN, w->q[w->dyn->n - 1] = NAN;
    hand_over(w, NOE_AT_Q), hand_over(w, given ? NOE_AT_P : NOE_AT_V);
    w->why = bad != 0                          ? NOE_NOT_FINITE
           : w->core->start(w->own, part) == 0 ? NOE_OK
                                               : w->core->why(w->own, 0);
    free(part);
    forget(w);
    return (w->why = together_agree(w->why)) != NOE_OK;
}

static unsigned step(void *self)
{
    engine *w = self;
    stepping = true;
    const unsigned failed = w->core->step(w->own);
    stepping = false, in_steps.steps += !failed;
    w->why = failed ? w->core->why(w->own, 0) : NOE_OK;
    forget(w);
    return failed;
}

static noe_status why(void *self, int member) { return (void)member, ((engine *)self)->why; }

/* Of this process: what copies it puts it back in this process. */
static void *memory(void *self, size_t *bytes)
{
    engine *w = self;
    if (!w->own && (w->why = open_share(w))) return *bytes = 0, w->q;
    forget(w);
    return w->core->memory(w->own, bytes);
}

/* ---- the whole state, as one process has it ---- */

enum { ARRAYS = 7 };

/* The arrays of the share's state and of the whole; the number of them. */
static int arrays(engine *w, double *own[ARRAYS], double *all[ARRAYS])
{
    const noe_structure_state *x = &w->own->state;
    const size_t               n = (size_t)w->dyn->n;
    double *const              from[] = { x->q, x->p, x->dq, x->dp, x->r, x->vh, x->ah };
    double *const              to[] = { w->whole.z,           w->whole.z + n, w->whole.rest,
                                        w->whole.rest + n,    w->whole.more,  w->whole.more + n,
                                        w->whole.more + 2 * n };
    memcpy(own, from, sizeof from), memcpy(all, to, sizeof to);
    return x->vh ? 7 : 5;
}

static bool make_whole(engine *w)
{
    const size_t n = (size_t)w->dyn->n;
    if (!w->own) w->why = open_share(w);
    if (w->whole.memory || !w->own) return w->own != NULL;
    w->arena = noe_arena_new();
    return w->arena
        && noe_linear_state_make(&w->whole, w->arena, w->dyn->n, w->own->state.vh ? 3 * n : n);
}

static const void *whole(void *self, size_t *bytes)
{
    engine *w = self;
    double *own[ARRAYS], *all[ARRAYS];
    *bytes = 0;
    if (together_agree(make_whole(w) ? NOE_OK : NOE_NO_MEMORY)) return NULL;
    const noe_linear_state *x = &w->own->at;
    const int               count = arrays(w, own, all);
    for (int k = 0; k < count; k++) halo_gather(w->share.halo, own[k], all[k]);
    *w->whole.t0 = *x->t0, *w->whole.h = *x->h, *w->whole.count = *x->count, *w->whole.H0 = *x->H0;
    w->whole.work[0] = noe_structure_share_sum(&w->share.own, x->work[0] + x->work[1]);
    w->whole.lost[0] = noe_structure_share_sum(&w->share.own, x->lost[0] + x->lost[1]);
    return noe_linear_state_memory(&w->whole, bytes);
}

static bool place_whole(void *self, const void *from, size_t bytes)
{
    engine *w = self;
    double *own[ARRAYS], *all[ARRAYS];
    if (!make_whole(w) || bytes != w->whole.numbers * sizeof(double)) return false;
    memcpy(w->whole.memory, from, bytes);
    noe_linear_state *x = &w->own->at;
    const int         count = arrays(w, own, all);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < w->part.n; i++) own[k][i] = all[k][w->share.global[i]];
    *x->t0 = *w->whole.t0, *x->h = *w->whole.h, *x->count = *w->whole.count, *x->H0 = *w->whole.H0;
    memset(x->work, 0, 2 * sizeof *x->work), memset(x->lost, 0, 2 * sizeof *x->lost);
    if (!together.rank)
        memcpy(x->work, w->whole.work, 2 * sizeof *x->work),
            memcpy(x->lost, w->whole.lost, 2 * sizeof *x->lost);
    forget(w);
    return true;
}

/* ---- options and the line of the summary ---- */

static void set_option(void *self, noe_linear_at what, int value)
{
    engine *w = self;
    if ((int)what < OPTIONS) w->option[what] = value;
    if (w->own) w->core->linear->set(w->own, what, value);
}

static int option(void *self, noe_linear_at what)
{
    engine *w = self;
    if (w->own) return w->core->linear->get(w->own, what);
    return (int)what < OPTIONS && w->option[what] >= 0 ? w->option[what]
                                                       : what == NOE_LINEAR_WINDOW;
}

static quad simpson(void *self)
{
    engine *w = self;
    return w->own ? w->core->linear->simpson(w->own) : (quad)NAN;
}

static void set_threads(void *self, int threads)
{
    engine *w = self;
    w->threads = threads;
    if (w->own) w->core->large->set_threads(w->own, threads ? threads : 1);
}

static int threads(void *self) { return ((engine *)self)->threads; }

static void summarize(void *self, char *text, size_t size)
{
    engine *w = self;
    if (!w->own) return;
    w->core->summarize(w->own, text, size);
    const int depth = w->share.functions.depth;
    noe_status_append(text, size, "; %d processes, this one %d rows", together.count,
                      halo_owned(w->share.halo));
    if (depth)
        noe_status_append(text, size, " and %d around them, %d layers deep: one exchange a step",
                          w->part.n - halo_owned(w->share.halo), depth);
    else
        noe_status_append(text, size, " and %d around them: an exchange a product",
                          w->part.n - halo_owned(w->share.halo));
}

/* ---- steps of another length ---- */

static void shorten(void *self, const quad *t, const quad *tau, const void *ahead)
{
    engine       *w = self;
    const engine *x = ahead;
    w->core->fraction->shorten(w->own, t, tau, x ? x->own : NULL);
    forget(w);
}

static void lengthen(void *self, quad h)
{
    engine *w = self;
    w->core->fraction->lengthen(w->own, h);
    forget(w);
}

static void place(void *self, quad t, const double *q, const double *p)
{
    engine *w = self;
    if (!w->own && (w->why = open_share(w))) return;
    double *own = noe_status_alloc(2 * (size_t)w->part.n, sizeof *own);
    for (int i = 0; i < w->part.n && own; i++)
        own[i] = q[w->share.global[i]], own[w->part.n + i] = p[w->share.global[i]];
    if (own) w->core->fraction->place(w->own, t, own, own + w->part.n);
    free(own);
    forget(w);
}

static bool factorises(void *self)
{
    engine *w = self;
    return !w->own || w->core->fraction->factorises(w->own);
}

const noe_engine *structure_together(void)
{
    static const noe_engine_fraction fraction = { shorten, lengthen, place, factorises };
    static const noe_engine_linear   linear = { set_option, option, simpson, NULL };
    static const noe_engine_large    large = { .one = one,
                                               .set_threads = set_threads,
                                               .threads = threads,
                                               .whole = whole,
                                               .place_whole = place_whole };
    static const noe_engine          x = { .members = 1,
                                           .make = make,
                                           .drop = drop,
                                           .set = set,
                                           .get = get,
                                           .start = start,
                                           .step = step,
                                           .why = why,
                                           .memory = memory,
                                           .summarize = summarize,
                                           .fraction = &fraction,
                                           .linear = &linear,
                                           .large = &large };
    return &x;
}
