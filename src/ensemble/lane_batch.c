/* Lane batch: steps up to 8 integrators together, one trajectory in each SIMD lane.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * (q, p)_k(t) -> (q, p)_k(t + h), k = 0 .. 7.  A lane whose trajectory has left the batch gets a
 * copy of a trajectory that is still in the batch, so that a discarded trajectory does not add
 * iterations to the steps of the others. */
#include "ensemble/lane_batch.h"

#include "base/status.h"
#include "integrate/energy_watch.h"
#include "integrate/monitor_check.h"
#include "integrate/singularity_guard.h"
#include "system/select_engine.h"

#include <math.h>

bool noe_lane_batch_applies(const noe_system *s, const noe_method *f)
{
    const bool written = !s->dyn.groups && !s->dyn.structure && !s->dyn.L && s->model;
    return written && noe_engine_lanes()->members == NOE_LANE_BATCH
        && noe_select_engine(s, f, NOE_DIGITS_DOUBLE, NULL) == noe_engine_double();
}

void noe_lane_batch_leave(noe_lane_batch *x, int k)
{
    noe_energy_watch_settle(x->g[k] ? x->g[k]->watch : NULL);
    x->going &= ~(1u << k);
    if (x->going) x->engine->batch->clone(x->work, __builtin_ctz(x->going), k);
}

static void place(noe_lane_batch *x, int k, quad solver)
{
    const noe_integrator *g = x->g[k];
    const noe_model      *m = g->system->model;
    const int             n = g->system->dyn.n;
    quad                  begin[3 * n];
    for (int i = 0; i < n; i++)
        begin[i] = m->begin[i].q, begin[n + i] = m->begin[i].v, begin[2 * n + i] = m->begin[i].p;
    x->engine->set(x->work, NOE_AT_T0, k, &m->t0);
    x->engine->set(x->work, NOE_AT_Q, k, begin);
    x->engine->set(x->work, NOE_AT_V, k, begin + n);
    x->engine->set(x->work, NOE_AT_P, k, begin + 2 * n);
    x->engine->solver->choose(x->work, k, solver);
}

static bool same_momenta(const noe_model *a, const noe_model *b)
{
    bool same = true;
    for (int i = 0; i < a->n; i++) same &= a->begin[i].has_p == b->begin[i].has_p;
    return same;
}

/* A run alone says that its monitor is not positive at the start. */
static unsigned without_monitor(const noe_lane_batch *x)
{
    unsigned all = 0;
    for (int k = 0; k < x->count; k++) {
        const noe_model *m = x->g[k]->system->model;
        quad             q[m->n], G;
        for (int i = 0; i < m->n; i++) q[i] = m->begin[i].q;
        G = noe_monitor_check_value(x->g[k], m->t0, q);
        if (!(G > 0 && finiteq(G))) all |= 1u << k;
    }
    return all;
}

static void start(noe_lane_batch *x)
{
    const noe_system *s = x->g[0]->system;
    bool              momentum[s->dyn.n];
    for (int i = 0; i < s->dyn.n; i++) momentum[i] = s->model->begin[i].has_p;
    for (int k = x->count; k < NOE_LANE_BATCH; k++) x->engine->batch->clone(x->work, 0, k);
    const unsigned failed = x->engine->start(x->work, momentum) | without_monitor(x);
    x->going = (1u << x->count) - 1;
    for (int k = 0; k < x->count; k++) {
        x->g[k]->ready = true;
        if (!(failed >> k & 1))
            noe_energy_error_begin(x->g[k]); /* without memory the energy error is not measured */
    }
    for (int k = 0; k < NOE_LANE_BATCH; k++)
        if (failed >> k & 1) noe_lane_batch_leave(x, k);
    for (int k = x->count; k < NOE_LANE_BATCH && x->going; k++) noe_lane_batch_leave(x, k);
    if (noe_energy_watch_begin(&x->watch, x->g, x->count))
        noe_error_clear(); /* without memory it is measured in rows alone */
    for (int k = 0; k < x->count; k++) x->g[k]->watch = x->watch;
}

bool noe_lane_batch_make(noe_lane_batch *x, const noe_system *const *s, int count,
                         const noe_method *f, quad step, quad solver)
{
    if (x->first != s[0]) noe_lane_batch_drop(x);
    x->engine = noe_engine_lanes(), x->count = count, x->going = 0;
    if (!x->work && !(x->work = x->engine->make(noe_system_steps(s[0]), f))) return false;
    x->first = s[0];
    for (int k = 0; k < count; k++) {
        if (!x->engine->batch->adopt(x->work, k, noe_system_steps(s[k]))
            || !same_momenta(s[0]->model, s[k]->model))
            return false;
        if (!(x->g[k] = noe_integrator_borrow(x->engine, x->work, k, s[k], f, step)))
            return noe_error_clear(), false;
        place(x, k, solver);
    }
    start(x);
    return true;
}

void noe_lane_batch_end(noe_lane_batch *x)
{
    for (int k = 0; k < x->count; k++) noe_integrator_free(x->g[k]), x->g[k] = NULL;
    x->count = 0;
}

void noe_lane_batch_drop(noe_lane_batch *x)
{
    noe_lane_batch_end(x);
    noe_energy_watch_free(x->watch);
    if (x->work) x->engine->drop(x->work);
    *x = (noe_lane_batch){ 0 };
}

/* Bit k: the next step of trajectory k has to be checked for singularities. */
static unsigned due(noe_lane_batch *x)
{
    unsigned all = 0;
    for (int k = 0; k < x->count; k++)
        if (x->going >> k & 1 && noe_singularity_guard_due(x->g[k])) all |= 1u << k;
    return all;
}

/* Number of the next steps, at most `steps`, that need no check of singularities in any
 * trajectory; all singularity guards count these steps as made. */
static double rest(noe_lane_batch *x, double steps)
{
    for (int k = 0; k < x->count; k++)
        if (x->going >> k & 1) steps = fmin(steps, noe_singularity_guard_rest(x->g[k]));
    for (int k = 0; k < x->count; k++) noe_singularity_guard_skip(x->g[k], (int)steps);
    return steps;
}

/* One step; returns the trajectories that could not make it.  As in noe_smooth_step: a member that
 * is run alone says the same of its energy. */
static unsigned step(noe_lane_batch *x)
{
    if (x->watch) noe_energy_watch_step(x->watch, x->going);
    return x->engine->step(x->work) & x->going;
}

static void leave(noe_lane_batch *x, unsigned failed)
{
    for (failed &= x->going; failed; failed &= failed - 1)
        noe_lane_batch_leave(x, __builtin_ctz(failed));
}

void noe_lane_batch_advance(noe_lane_batch *x, double steps)
{
    while (steps > 0 && x->going) {
        for (double unchecked_steps = rest(x, steps); unchecked_steps > 0 && x->going;
             unchecked_steps--, steps--)
            leave(x, step(x));
        if (steps <= 0 || !x->going) break;
        steps--;
        const unsigned looks = due(x);
        unsigned       failed = step(x);
        for (unsigned left = looks & ~failed; left; left &= left - 1) {
            const int k = __builtin_ctz(left);
            if (noe_singularity_guard_passed(x->g[k])) failed |= 1u << k;
        }
        leave(x, failed);
    }
    for (int k = 0; k < x->count; k++) noe_integrator_moved(x->g[k]);
}
