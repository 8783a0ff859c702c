/* Some steps are repeated as two half steps: the differences are samples of the local error.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's state is put aside and back, so that no bit of the run changes. */
#include "integrate/energy_watch.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPACING_PART = 8,   /* a sample after this part of the steps made so far, */
    SPACING_LEAST = 24, /* but after so many at least, since it costs two or three steps */
    SPACING_MOST = 512  /* and after so many at most */
};

struct noe_halved_steps {
    noe_integrator *const *g;                    /* [members] */
    int                    members, n, *samples; /* [members] so far */
    double                 steps, next, last;    /* made so far; of the next sample, of the last */
    size_t                 bytes;
    double                *v0, *vh, *v1, *q1; /* [members][n] before, half way, at the end */
    noe_halved_sums       *sum;               /* [members][n] */
    double                *kept;  /* [members][KEPT][1 + 2n] t, q, v of the last samples */
    void                  *aside; /* [bytes] the present state */
};

void noe_halved_steps_free(noe_halved_steps *x) { free(x); }

noe_status noe_halved_steps_new(noe_integrator *const *g, int members, noe_halved_steps **to)
{
    const size_t n = (size_t)g[0]->system->dyn.n, all = n * (size_t)members;
    size_t       bytes;
    *to = NULL;
    if (g[0]->as.clock || !g[0]->core->guard) return NOE_OK;
    g[0]->core->memory(g[0]->work, &bytes);
    noe_halved_steps *x = noe_status_alloc(
        1, sizeof *x + all * (4 * sizeof(double) + sizeof(noe_halved_sums)) + bytes
               + (size_t)members
                     * (sizeof(int) + NOE_HALVED_STEPS_KEPT * (1 + 2 * n) * sizeof(double)));
    if (!x) return NOE_NO_MEMORY;
    *x = (noe_halved_steps){
        .g = g, .members = members, .n = (int)n, .bytes = bytes, .next = SPACING_LEAST / 2.0
    };
    x->v0 = (double *)(x + 1), x->vh = x->v0 + all, x->v1 = x->vh + all, x->q1 = x->v1 + all;
    x->kept = x->q1 + all;
    x->sum = (noe_halved_sums *)(x->kept + (size_t)members * NOE_HALVED_STEPS_KEPT * (1 + 2 * n));
    x->aside = x->sum + all;
    x->samples = (int *)((char *)x->aside + bytes);
    return *to = x, NOE_OK;
}

/* to [n] = q or v of member k. */
static void read_state(noe_integrator *g, noe_engine_value what, double *to)
{
    g->core->get(g->work, what, g->member, g->x);
    for (int j = 0; j < g->system->dyn.n; j++) to[j] = (double)g->x[j];
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
    const noe_engine *core = x->g[0]->core;
    void *const       work = x->g[0]->work;
    const quad        none = 0;
    core->guard->remember(work), core->guard->take_back(work); /* forgets steps of full length */
    for (int k = 0; k < x->members; k++) {
        quad t, h;
        if (!(going >> k & 1)) continue;
        core->get(work, NOE_AT_T, x->g[k]->member, &t);
        core->get(work, NOE_AT_STEP, x->g[k]->member, &h);
        h /= 2;
        core->set(work, NOE_AT_STEP, x->g[k]->member, &h);
        core->set(work, NOE_AT_T0, x->g[k]->member, &t);
        core->set(work, NOE_AT_COUNT, x->g[k]->member, &none);
    }
    unsigned failed = core->step(work);
    for (int k = 0; k < x->members; k++)
        if (going >> k & 1) read_state(x->g[k], NOE_AT_V, x->vh + k * x->n);
    return failed | core->step(work);
}

static double *kept_at(const noe_halved_steps *x, int member, int sample)
{
    return x->kept
         + (member * NOE_HALVED_STEPS_KEPT + sample % NOE_HALVED_STEPS_KEPT) * (1 + 2 * x->n);
}

int noe_halved_steps_kept(const noe_halved_steps *x, int member,
                          noe_halved_state to[NOE_HALVED_STEPS_KEPT])
{
    const int last = x->samples[member],
              count = last < NOE_HALVED_STEPS_KEPT ? last : NOE_HALVED_STEPS_KEPT;
    for (int k = 0; k < count; k++) {
        const double *z = kept_at(x, member, last - count + k);
        to[k] = (noe_halved_state){ .t = *z, .q = z + 1, .v = z + 1 + x->n };
    }
    return count;
}

/* One sample of every member that goes; the state is then as before. */
static void take_sample(noe_halved_steps *x, unsigned going, double weight)
{
    const noe_engine *core = x->g[0]->core;
    void *const       work = x->g[0]->work;
    const int         n = x->n;
    size_t            bytes;
    quad              h;
    memcpy(x->aside, core->memory(work, &bytes), x->bytes);
    for (int k = 0; k < x->members; k++)
        if (going >> k & 1) read_state(x->g[k], NOE_AT_V, x->v0 + k * n);
    unsigned failed = core->step(work), sampled = 0;
    for (int k = 0; k < x->members; k++)
        if (going >> k & 1)
            read_state(x->g[k], NOE_AT_V, x->v1 + k * n),
                read_state(x->g[k], NOE_AT_Q, x->q1 + k * n);
    memcpy(core->memory(work, &bytes), x->aside, x->bytes);
    failed |= halve(x, going);
    for (int k = 0; k < x->members; k++) {
        if (!(going & ~failed) >> k & 1) continue;
        double dq[n], dv[n], size = 0;
        read_state(x->g[k], NOE_AT_Q, dq), read_state(x->g[k], NOE_AT_V, dv);
        for (int j = 0; j < n; j++) {
            dq[j] = x->q1[k * n + j] - dq[j], dv[j] = x->v1[k * n + j] - dv[j];
            size += fabs(dq[j]) + fabs(dv[j]);
        }
        core->get(work, NOE_AT_STEP, x->g[k]->member, &h);
        if (!isfinite(size)) continue;
        noe_halved_steps_add(x->sum + k * n, n, 2 * (double)h, weight, x->v0 + k * n, x->vh + k * n,
                             x->v1 + k * n, dq, dv);
        sampled |= 1u << k;
    }
    memcpy(core->memory(work, &bytes), x->aside, x->bytes);
    for (int k = 0; k < x->members; k++) {
        if (!(sampled >> k & 1)) continue;
        double *z = kept_at(x, k, x->samples[k]++);
        quad    t;
        core->get(work, NOE_AT_T, x->g[k]->member, &t);
        *z = (double)t, read_state(x->g[k], NOE_AT_Q, z + 1);
        memcpy(z + 1 + n, x->v0 + k * n, (size_t)n * sizeof *z);
    }
}

void noe_halved_steps_look(noe_halved_steps *x, unsigned going)
{
    if (++x->steps < x->next) return;
    take_sample(x, going, x->steps - x->last);
    const double most = fmin(fmax(floor(x->steps / SPACING_PART), SPACING_LEAST), SPACING_MOST)
                      * (0.5 + noe_halved_steps_uneven(x->steps));
    x->last = x->steps, x->next = x->steps + floor(most);
}

const noe_halved_sums *noe_halved_steps_sums(const noe_halved_steps *x, int member, int *samples,
                                             double *steps)
{
    *samples = x->samples[member], *steps = x->steps;
    return x->sum + member * x->n;
}
