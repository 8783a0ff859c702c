/* Some steps are repeated as two half steps: the differences are samples of the local error.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A sample takes as long as several steps.  So the states before these steps are stored, and the
 * steps are repeated when the samples are read, or when there is no room for another state: short
 * runs whose errors nobody reads are spared them.  The engine's state is put aside and back, so
 * that no bit of the run changes. */
#include "integrate/energy_watch.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPACING_PART = 8,      /* mean distance of two samples: this part of the steps so far, */
    SPACING_LEAST = 24,    /* but so many steps at least, since one costs two or three steps, */
    SPACING_MOST = 512,    /* and so many at most; each is 0.5 to 1.5 of it */
    STORED_MOST = 32,      /* states whose steps are not repeated yet */
    STORED_BYTES = 1 << 21 /* of these, unless one takes more: 32 of a chain of 60 coordinates */
};

/* A state before a step that is to be repeated. */
typedef struct {
    size_t   at;     /* its place in the store, bytes */
    unsigned going;  /* bit k: integrator k makes steps */
    double   weight; /* the steps that the sample stands for */
} stored_state;

struct noe_halved_steps {
    noe_integrator *const *g;                      /* [members] */
    int                    members, n;             /* integrators; coordinates of each */
    int                   *samples;                /* [members] taken so far */
    double                 steps;                  /* made so far */
    double                 next, last;             /* steps at the next sample, and at the last */
    double                *v0, *q0, *vh, *v1, *q1; /* [members][n] before, half way, at the end */
    noe_halved_sums       *sum;                    /* [members][n] */
    double                *kept;        /* [members][KEPT][1 + 2n] t, q, v of the last samples */
    void                  *aside;       /* the present state */
    char                  *store;       /* [bytes] states before the steps to be repeated */
    size_t                 bytes, used; /* of the store; of these in use */
    size_t                 every;       /* bytes from v0 on that begin as 0 */
    int                    count, most; /* states in the store, and at most */
    stored_state           stored[STORED_MOST]; /* [count] */
};

void noe_halved_steps_free(noe_halved_steps *x)
{
    if (x) free(x->aside);
    free(x);
}

/* Memory for `most` integrators of this one's system and engine. */
static noe_halved_steps *make(const noe_integrator *g, size_t most)
{
    const size_t n = (size_t)g->system->dyn.n, all = n * most,
                 every = all * (5 * sizeof(double) + sizeof(noe_halved_sums))
                       + most
                             * (sizeof(int) + NOE_HALVED_STEPS_KEPT * (1 + 2 * n) * sizeof(double)),
                 one = g->engine->guard->snapshot_bytes(g->work, true),
                 wanted = STORED_MOST * one < STORED_BYTES ? STORED_MOST * one : STORED_BYTES,
                 store = one > wanted ? one : wanted;
    noe_halved_steps *x = noe_status_alloc(1, sizeof *x + every);
    if (!x) return NULL;
    if (!(x->aside = malloc(one + store)))
        return noe_status_fail(NOE_NO_MEMORY, "out of memory: %zu bytes wanted", one + store),
               free(x), NULL;
    x->n = (int)n, x->store = (char *)x->aside + one, x->bytes = store, x->every = every;
    x->v0 = (double *)(x + 1), x->q0 = x->v0 + all, x->vh = x->q0 + all, x->v1 = x->vh + all,
    x->q1 = x->v1 + all;
    x->kept = x->q1 + all;
    x->sum = (noe_halved_sums *)(x->kept + most * NOE_HALVED_STEPS_KEPT * (1 + 2 * n));
    x->samples = (int *)(x->sum + all);
    /* A function in C may be another one, or of other values, when the samples are read. */
    x->most = g->system->dyn.L ? 1 : STORED_MOST;
    return x;
}

noe_status noe_halved_steps_begin(noe_halved_steps **to, noe_integrator *const *g, int members)
{
    noe_halved_steps *x = *to;
    if (g[0]->stepped.clock || !g[0]->engine->guard)
        return noe_halved_steps_free(x), *to = NULL, NOE_OK;
    if (!x && !(x = *to = make(g[0], (size_t)g[0]->engine->members))) return NOE_NO_MEMORY;
    memset(x->v0, 0, x->every);
    x->g = g, x->members = members, x->count = 0, x->used = 0;
    x->steps = x->last = 0, x->next = SPACING_LEAST / 2.0;
    return NOE_OK;
}

double noe_halved_steps_uneven(double k)
{
    const double x = k * 0.61803398874989485;
    return x - floor(x);
}

void noe_halved_steps_add(noe_halved_sums *s, int n, double h, double w, const double *v0,
                          const double *vh, const double *v1, const double *dq, const double *dv)
{
    for (int j = 0; j < n; j++, s++) {
        if (s->w == 0) s->origin = v1[j];
        const double v = v1[j] - s->origin, u = vh[j] - s->origin,
                     a = (3 * (v1[j] - vh[j]) - (vh[j] - v0[j])) / h,
                     b = -4 * ((v1[j] - vh[j]) - (vh[j] - v0[j])) / (h * h);
        s->fastest = fmax(s->fastest, fabs(v1[j]));
        s->w += w, s->v += w * v, s->vv += w * v * v, s->a += w * a, s->aa += w * a * a;
        s->u += w * u, s->b += w * b, s->uu += w * u * u, s->ub += w * u * b;
        s->dd += w * dv[j] * dv[j], s->qq += w * dq[j] * dq[j];
    }
}

/* The present state of every member that goes makes two steps of half the length; returns the
 * members that could not. */
static unsigned halve(noe_halved_steps *x, unsigned going)
{
    const noe_engine *engine = x->g[0]->engine;
    void *const       work = x->g[0]->work;
    const quad        none = 0;
    engine->guard->save(work), engine->guard->restore(work); /* forgets steps of full length */
    for (int k = 0; k < x->members; k++) {
        quad t, h;
        if (!(going >> k & 1)) continue;
        engine->get(work, NOE_AT_T, x->g[k]->member, &t);
        engine->get(work, NOE_AT_STEP, x->g[k]->member, &h);
        h /= 2;
        engine->set(work, NOE_AT_STEP, x->g[k]->member, &h);
        engine->set(work, NOE_AT_T0, x->g[k]->member, &t);
        engine->set(work, NOE_AT_COUNT, x->g[k]->member, &none);
    }
    unsigned failed = engine->step(work);
    for (int k = 0; k < x->members; k++)
        if (going >> k & 1) noe_integrator_in_double(x->g[k], NOE_AT_V, x->vh + k * x->n);
    return failed | engine->step(work);
}

static double *kept_at(const noe_halved_steps *x, int member, int sample)
{
    return x->kept
         + (member * NOE_HALVED_STEPS_KEPT + sample % NOE_HALVED_STEPS_KEPT) * (1 + 2 * x->n);
}

/* Repeats the step from a stored state: one sample of every member that went. */
static void take_sample(noe_halved_steps *x, const stored_state *from)
{
    const noe_engine *engine = x->g[0]->engine;
    void *const       work = x->g[0]->work;
    const int         n = x->n;
    const unsigned    going = from->going;
    quad              t[x->members], h;
    engine->guard->restore_snapshot(work, x->store + from->at);
    for (int k = 0; k < x->members; k++) {
        if (!(going >> k & 1)) continue;
        noe_integrator_in_double(x->g[k], NOE_AT_V, x->v0 + k * n);
        noe_integrator_in_double(x->g[k], NOE_AT_Q, x->q0 + k * n);
        engine->get(work, NOE_AT_T, x->g[k]->member, &t[k]);
    }
    unsigned failed = engine->step(work);
    for (int k = 0; k < x->members; k++)
        if (going >> k & 1)
            noe_integrator_in_double(x->g[k], NOE_AT_V, x->v1 + k * n),
                noe_integrator_in_double(x->g[k], NOE_AT_Q, x->q1 + k * n);
    engine->guard->restore_snapshot(work, x->store + from->at);
    failed |= halve(x, going);
    for (int k = 0; k < x->members; k++) {
        if (!(going & ~failed) >> k & 1) continue;
        double dq[n], dv[n], size = 0;
        noe_integrator_in_double(x->g[k], NOE_AT_Q, dq),
            noe_integrator_in_double(x->g[k], NOE_AT_V, dv);
        for (int j = 0; j < n; j++) {
            dq[j] = x->q1[k * n + j] - dq[j], dv[j] = x->v1[k * n + j] - dv[j];
            size += fabs(dq[j]) + fabs(dv[j]);
        }
        engine->get(work, NOE_AT_STEP, x->g[k]->member, &h);
        if (!isfinite(size)) continue;
        noe_halved_steps_add(x->sum + k * n, n, 2 * (double)h, from->weight, x->v0 + k * n,
                             x->vh + k * n, x->v1 + k * n, dq, dv);
        double *z = kept_at(x, k, x->samples[k]++);
        *z = (double)t[k];
        memcpy(z + 1, x->q0 + k * n, (size_t)n * sizeof *z);
        memcpy(z + 1 + n, x->v0 + k * n, (size_t)n * sizeof *z);
    }
}

/* The engine's state is then as before. */
void noe_halved_steps_settle(noe_halved_steps *x)
{
    const noe_engine *engine = x->g[0]->engine;
    void *const       work = x->g[0]->work;
    if (!x->count) return;
    engine->guard->take_snapshot(work, x->aside);
    for (int i = 0; i < x->count; i++) take_sample(x, &x->stored[i]);
    engine->guard->restore_snapshot(work, x->aside);
    x->count = 0, x->used = 0;
}

void noe_halved_steps_look(noe_halved_steps *x, unsigned going)
{
    const noe_engine *engine = x->g[0]->engine;
    void *const       work = x->g[0]->work;
    if (++x->steps < x->next) return;
    if (x->used + engine->guard->snapshot_bytes(work, false) > x->bytes) noe_halved_steps_settle(x);
    engine->guard->take_snapshot(work, x->store + x->used);
    x->stored[x->count++] = (stored_state){ x->used, going, x->steps - x->last };
    x->used += engine->guard->snapshot_bytes(work, false);
    if (x->count == x->most) noe_halved_steps_settle(x);
    const double spacing = fmin(fmax(floor(x->steps / SPACING_PART), SPACING_LEAST), SPACING_MOST)
                         * (0.5 + noe_halved_steps_uneven(x->steps));
    x->last = x->steps, x->next = x->steps + floor(spacing);
}

const noe_halved_sums *noe_halved_steps_sums(noe_halved_steps *x, int member, int *samples,
                                             double *steps)
{
    noe_halved_steps_settle(x);
    *samples = x->samples[member], *steps = x->steps;
    return x->sum + member * x->n;
}

int noe_halved_steps_kept(noe_halved_steps *x, int member,
                          noe_halved_state to[NOE_HALVED_STEPS_KEPT])
{
    noe_halved_steps_settle(x);
    const int last = x->samples[member],
              count = last < NOE_HALVED_STEPS_KEPT ? last : NOE_HALVED_STEPS_KEPT;
    for (int k = 0; k < count; k++) {
        const double *z = kept_at(x, member, last - count + k);
        to[k] = (noe_halved_state){ .t = *z, .q = z + 1, .v = z + 1 + x->n };
    }
    return count;
}
