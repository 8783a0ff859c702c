/* The engine for structures of many processes: state, steps, options.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is read of the state is gathered: all processes have the same rows.  The set-up is in
 * mpi/structure_setup.c. */
#include "structure_together.h"

#include "engines.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading and writing the state ---- */

static void forget(structure_engine *w) { memset(w->fresh, 0, sizeof w->fresh); }

static double *vector(structure_engine *w, noe_engine_value what)
{
    return what == NOE_AT_Q ? w->q : what == NOE_AT_V ? w->v : w->p;
}

/* One of q, v and p of all coordinates. */
static const double *gathered(structure_engine *w, noe_engine_value what)
{
    double   *to = vector(w, what);
    const int k = what == NOE_AT_Q ? 0 : what == NOE_AT_V ? 1 : 2;
    if (!w->own || w->fresh[k]) return to;
    w->engine->get(w->own, what, 0, w->wide);
    for (int i = 0; i < w->part.n; i++) w->local[i] = (double)w->wide[i];
    halo_gather(w->share.halo, w->local, to);
    w->fresh[k] = true;
    return to;
}

static void set(void *self, noe_engine_value what, int member, const quad *x)
{
    structure_engine *w = self;
    if (what == NOE_AT_T0) w->t0 = *x;
    if (what == NOE_AT_STEP) w->h = *x;
    if (what == NOE_AT_Q || what == NOE_AT_V || what == NOE_AT_P)
        for (int i = 0; i < w->dyn->n; i++) vector(w, what)[i] = (double)x[i];
    else if (w->own) w->engine->set(w->own, what, member, x);
    forget(w);
}

static void get(void *self, noe_engine_value what, int member, quad *x)
{
    structure_engine *w = self;
    if (what == NOE_AT_Q || what == NOE_AT_V || what == NOE_AT_P) {
        const double *from = gathered(w, what);
        for (int i = 0; i < w->dyn->n; i++) x[i] = from[i];
    } else if (w->own) w->engine->get(w->own, what, member, x);
    else *x = what == NOE_AT_T0 || what == NOE_AT_T ? w->t0 : what == NOE_AT_STEP ? w->h : 0;
}

static double one(void *self, noe_engine_value what, int i) { return gathered(self, what)[i]; }

/* Gives the own engine a vector of all coordinates. */
static void hand_over(structure_engine *w, noe_engine_value what)
{
    for (int i = 0; i < w->part.n; i++) w->wide[i] = vector(w, what)[w->share.global[i]];
    w->engine->set(w->own, what, 0, w->wide);
}

static unsigned start(void *self, const bool *momentum)
{
    structure_engine *w = self;
    double            bad = 0;
    int               given = 0;
    for (int i = 0; i < w->dyn->n; i++) {
        given += momentum[i];
        bad += (w->q[i] - w->q[i]) + (momentum[i] ? w->p[i] - w->p[i] : w->v[i] - w->v[i]);
    }
    if (!w->own && (w->why = structure_open(w))) return structure_close(w), 1;
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
    w->why = bad != 0                            ? NOE_NOT_FINITE
           : w->engine->start(w->own, part) == 0 ? NOE_OK
                                                 : w->engine->why(w->own, 0);
    free(part);
    forget(w);
    return (w->why = together_agree(w->why)) != NOE_OK;
}

static unsigned step(void *self)
{
    structure_engine *w = self;
    stepping = true;
    const unsigned failed = w->engine->step(w->own);
    stepping = false, in_steps.steps += !failed;
    w->why = failed ? w->engine->why(w->own, 0) : NOE_OK;
    forget(w);
    return failed;
}

static noe_status why(void *self, int member)
{
    return (void)member, ((structure_engine *)self)->why;
}

/* Of this process: what copies it puts it back in this process. */
static void *memory(void *self, size_t *bytes)
{
    structure_engine *w = self;
    if (!w->own && (w->why = structure_open(w))) return *bytes = 0, w->q;
    forget(w);
    return w->engine->memory(w->own, bytes);
}

/* ---- the whole state, as one process has it ---- */

enum { ARRAYS = 7 };

/* The arrays of the share's state and of the whole; the number of them. */
static int arrays(structure_engine *w, double *own[ARRAYS], double *all[ARRAYS])
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

static bool make_whole(structure_engine *w)
{
    const size_t n = (size_t)w->dyn->n;
    if (!w->own) w->why = structure_open(w);
    if (w->whole.memory || !w->own) return w->own != NULL;
    w->arena = noe_arena_new();
    return w->arena
        && noe_linear_state_make(&w->whole, w->arena, w->dyn->n, w->own->state.vh ? 3 * n : n);
}

static const void *whole(void *self, size_t *bytes)
{
    structure_engine *w = self;
    double           *own[ARRAYS], *all[ARRAYS];
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
    structure_engine *w = self;
    double           *own[ARRAYS], *all[ARRAYS];
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
    structure_engine *w = self;
    if ((int)what < STRUCTURE_OPTIONS) w->option[what] = value;
    if (w->own) w->engine->linear->set(w->own, what, value);
}

static int option(void *self, noe_linear_at what)
{
    structure_engine *w = self;
    if (w->own) return w->engine->linear->get(w->own, what);
    return (int)what < STRUCTURE_OPTIONS && w->option[what] >= 0 ? w->option[what]
                                                                 : what == NOE_LINEAR_WINDOW;
}

static quad simpson(void *self)
{
    structure_engine *w = self;
    return w->own ? w->engine->linear->simpson(w->own) : (quad)NAN;
}

static void set_threads(void *self, int threads)
{
    structure_engine *w = self;
    w->threads = threads;
    if (w->own) w->engine->large->set_threads(w->own, threads ? threads : 1);
}

static int threads(void *self) { return ((structure_engine *)self)->threads; }

static void summarize(void *self, char *text, size_t size)
{
    structure_engine *w = self;
    if (!w->own) return;
    w->engine->summarize(w->own, text, size);
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
    structure_engine       *w = self;
    const structure_engine *x = ahead;
    w->engine->fraction->shorten(w->own, t, tau, x ? x->own : NULL);
    forget(w);
}

static void lengthen(void *self, quad h)
{
    structure_engine *w = self;
    w->engine->fraction->lengthen(w->own, h);
    forget(w);
}

static noe_status place(void *self, quad t, const double *q, const double *p)
{
    structure_engine *w = self;
    if (!w->own && (w->why = structure_open(w))) return w->why;
    double *own = noe_status_alloc(2 * (size_t)w->part.n, sizeof *own);
    w->why = own ? NOE_OK : NOE_NO_MEMORY;
    for (int i = 0; i < w->part.n && own; i++) {
        own[i] = q[w->share.global[i]];
        own[w->part.n + i] = p[w->share.global[i]];
    }
    if (!(w->why = together_agree(w->why)))
        w->why = together_agree(w->engine->fraction->place(w->own, t, own, own + w->part.n));
    free(own);
    forget(w);
    return w->why;
}

static bool factorises(void *self)
{
    structure_engine *w = self;
    return !w->own || w->engine->fraction->factorises(w->own);
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
                                           .make = structure_make,
                                           .drop = structure_drop,
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
