/* Energy error between looks: steps around a risen velocity jump are repeated, with looks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In a close encounter the energy of a symplectic method is wrong for a few steps only, and right
 * again after it.  The largest error stands beside the largest jump of a velocity between two
 * steps, which the engine measures in every step (step/velocity_jump.h).  So these jumps are read
 * every NOE_WATCH_STEPS steps; where that of a coordinate has risen, the steps since the state that
 * was stored last are repeated, with a look at the energy at those around the jump, and the present
 * state is put back.  Counts of steps alone decide when.
 *
 * Steps that follow a monitor have the error of the fictitious motion divided by the monitor: where
 * the pace falls, and after it, all steps are looked at. */
#include "integrate/energy_watch.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMBERS_MOST = 8,
    AROUND = 4,        /* steps before and after a jump that are looked at */
    PASSES_UNSEEN = 32 /* passes after which the present state is looked at: errors that add up */
};
/* By this factor a jump must have risen since it made steps be repeated. */
static const double RISE_LEAST = 1.15;
/* The pace of steps that follow a monitor has fallen when it is below this part of the least. */
static const double PACE_FALLS = 0.25;

struct noe_energy_watch {
    noe_integrator *const *g;                  /* [members] */
    int                    members, n, passes; /* in `g`; coordinates; times of reading */
    int                    since;              /* steps since the jumps were read */
    int                    waits;              /* the largest of `pending` */
    int      pending[MEMBERS_MOST]; /* next steps to be looked at: those after a jump at present */
    unsigned going;                 /* bit k: integrator k makes steps */
    double  *risen,                 /* [members][n] jumps that made steps be repeated */
        *jump, *at;                 /* [n] present jumps; steps made with those after them */
    double  *looked, *looked_from;  /* [members] count of the last look; of the first without gap */
    double  *least;                 /* [members] the least pace so far, to a factor of 4; 0: none */
    unsigned fallen;          /* bit k: the pace of integrator k fell in the interval before */
    double   count;           /* steps made before the stored state; negative: none is stored */
    void    *then, *now;      /* the stored state; the present one, put aside */
    noe_halved_steps *halved; /* NULL: not measured */
    /* which steps after the stored state are to be looked at, of each member */
    bool look[MEMBERS_MOST][NOE_WATCH_STEPS + 1];
};

void noe_energy_watch_free(noe_energy_watch *x)
{
    if (x) noe_halved_steps_free(x->halved), free(x->then);
    free(x);
}

/* Memory for `most` integrators of this one's system and engine. */
static noe_energy_watch *make(const noe_integrator *g, size_t most)
{
    const size_t      n = (size_t)g->system->dyn.n, numbers = most * n + 2 * n + 3 * most;
    noe_energy_watch *x = noe_status_alloc(1, sizeof *x + numbers * sizeof(double));
    if (!x) return NULL;
    const size_t bytes = g->engine->guard->snapshot_bytes(g->work, true);
    if (!(x->then = malloc(2 * bytes)))
        return noe_status_fail(NOE_NO_MEMORY, "out of memory: %zu bytes wanted", 2 * bytes),
               free(x), NULL;
    x->now = (char *)x->then + bytes, x->n = (int)n;
    x->risen = (double *)(x + 1), x->jump = x->risen + most * n, x->at = x->jump + n;
    x->looked = x->at + n, x->looked_from = x->looked + most, x->least = x->looked_from + most;
    return x;
}

noe_status noe_energy_watch_begin(noe_energy_watch **to, noe_integrator *const *g, int members)
{
    const size_t n = (size_t)g[0]->system->dyn.n, most = (size_t)g[0]->engine->members;
    bool         measured = false;
    for (int k = 0; k < members; k++) measured |= g[k]->energy != NULL;
    if (!measured) return noe_energy_watch_free(*to), *to = NULL, NOE_OK;
    noe_energy_watch *x = *to;
    if (!x && !(x = *to = make(g[0], most))) return NOE_NO_MEMORY;
    memset(x->risen, 0, (most * n + 2 * n + 3 * most) * sizeof *x->risen);
    memset(x->pending, 0, sizeof x->pending);
    x->g = g, x->members = members, x->going = (1u << members) - 1;
    x->passes = x->waits = 0, x->count = -1, x->since = NOE_WATCH_STEPS, x->fallen = 0;
    return noe_halved_steps_begin(&x->halved, g, members);
}

static double steps_made(const noe_integrator *g)
{
    quad count;
    g->engine->get(g->work, NOE_AT_COUNT, g->member, &count);
    return (double)count;
}

/* Marks in look [NOE_WATCH_STEPS + 1] the steps around jumps of member k that have risen, where
 * they were not looked at. */
static bool has_risen(noe_energy_watch *x, int k, double count, bool *look)
{
    noe_integrator *g = x->g[k];
    double         *risen = x->risen + k * x->n;
    bool            any = false;
    g->engine->guard->jumps(g->work, g->member, x->jump, x->at);
    for (int j = 0; j < x->n; j++) {
        if (!(x->jump[j] > RISE_LEAST * risen[j])) continue;
        risen[j] = x->jump[j];
        if (x->at[j] + AROUND > count) x->pending[k] = x->waits = AROUND;
        if (x->at[j] - AROUND >= x->looked_from[k] && x->at[j] <= x->looked[k]) continue;
        const double at = x->at[j] - x->count;
        if (x->count < 0 || at < -AROUND || x->at[j] > count) continue;
        const int middle = (int)at, last = middle + AROUND;
        for (int i = middle > AROUND ? middle - AROUND : 1; i <= last && i <= NOE_WATCH_STEPS; i++)
            any = look[i] = true;
    }
    return any;
}

/* Marks all steps in look [NOE_WATCH_STEPS + 1] where the pace of member k has fallen, now or an
 * interval before. */
static bool has_slowed(noe_energy_watch *x, int k, bool *look)
{
    const noe_integrator *g = x->g[k];
    const bool            fell = x->fallen >> k & 1;
    quad                  pace;
    if (!g->stepped.clock) return false;
    g->engine->get(g->work, NOE_AT_PACE, g->member, &pace);
    const double now = fabs((double)pace);
    const bool   falls = now < PACE_FALLS * x->least[k];
    if (falls || x->least[k] == 0) x->least[k] = now;
    x->fallen = (x->fallen & ~(1u << k)) | (unsigned)falls << k;
    if (falls || fell) memset(look, 1, (NOE_WATCH_STEPS + 1) * sizeof *look);
    return falls || fell;
}

/* Makes the steps from the stored state to the present one, as many as are marked in x->look for
 * the members of which `which` has a bit, and looks at those that are marked. */
static void remeasure_steps(noe_energy_watch *x, unsigned which)
{
    double          count[MEMBERS_MOST];
    noe_integrator *g = x->g[__builtin_ctz(which)];
    int             last = 0;
    for (int k = 0; k < x->members; k++) {
        if (!(which >> k & 1)) continue;
        count[k] = steps_made(x->g[k]);
        for (int i = NOE_WATCH_STEPS; i > last; i--)
            if (x->look[k][i]) last = i;
    }
    g->engine->guard->take_snapshot(g->work, x->now);
    g->engine->guard->restore_snapshot(g->work, x->then);
    for (int i = 1; i <= last && which; i++) {
        const unsigned failed = g->engine->step(g->work);
        for (int k = 0; k < x->members; k++) {
            if (!(which >> k & 1)) continue;
            if (failed >> x->g[k]->member & 1 || x->count + i >= count[k]) which &= ~(1u << k);
            else if (x->look[k][i]) noe_energy_error_look(x->g[k]);
        }
    }
    g->engine->guard->restore_snapshot(g->work, x->now);
    for (int k = 0; k < x->members; k++) noe_integrator_moved(x->g[k]);
}

/* Measures the steps since the stored state again where the energy error of a member has risen:
 * all members in one repetition. */
static void remeasure_risen(noe_energy_watch *x)
{
    unsigned which = 0;
    memset(x->look, 0, sizeof x->look);
    for (int k = 0; k < x->members; k++) {
        if (!(x->going >> k & 1) || !x->g[k]->energy) continue;
        const double count = steps_made(x->g[k]);
        const bool   risen = has_risen(x, k, count, x->look[k]),
                   slowed = has_slowed(x, k, x->look[k]);
        if ((risen || slowed) && x->count >= 0 && count <= x->count + NOE_WATCH_STEPS)
            which |= 1u << k;
    }
    if (which) remeasure_steps(x, which);
}

void noe_energy_watch_forget(noe_energy_watch *x)
{
    if (!x) return;
    remeasure_risen(x);
    x->count = -1, x->since = NOE_WATCH_STEPS;
}

void noe_energy_watch_settle(noe_energy_watch *x)
{
    if (x && x->halved) noe_halved_steps_settle(x->halved);
}

/* Looks at the members of which steps are pending. */
static void measure_pending(noe_energy_watch *x)
{
    x->waits--;
    for (int k = 0; k < x->members; k++)
        if (x->pending[k] > 0 && x->going >> k & 1) x->pending[k]--, noe_energy_error_look(x->g[k]);
}

/* Reads the jumps of all members, and stores the state. */
static void close_interval(noe_energy_watch *x)
{
    remeasure_risen(x);
    const noe_integrator *g = x->g[__builtin_ctz(x->going)];
    g->engine->guard->take_snapshot(g->work, x->then);
    x->count = steps_made(g);
    x->since = 0;
    if (++x->passes % PASSES_UNSEEN) return;
    for (int k = 0; k < x->members; k++)
        if (x->going >> k & 1) noe_energy_error_look(x->g[k]);
}

void noe_energy_watch_step(noe_energy_watch *x, unsigned going)
{
    x->going = going;
    if (!going) return;
    if (x->halved) noe_halved_steps_look(x->halved, going);
    if (x->waits > 0) measure_pending(x);
    if (++x->since >= NOE_WATCH_STEPS) close_interval(x);
}

noe_energy_error noe_energy_watch_look(noe_integrator *g)
{
    noe_energy_watch *x = g->watch;
    const int         k = g->member;
    if (!x || !g->energy || !g->ready || g->status) return noe_energy_error_look(g);
    const double count = steps_made(g);
    if (count != x->looked[k] && count != x->looked[k] + 1) x->looked_from[k] = count;
    x->looked[k] = count;
    remeasure_risen(x);
    return noe_energy_error_look(g);
}

noe_halved_steps *noe_energy_watch_halved(noe_energy_watch *x) { return x->halved; }
