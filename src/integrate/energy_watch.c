/* Energy error between looks: steps around a risen velocity jump are repeated, with looks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In a close encounter the energy of a symplectic method is wrong for a few steps only, and right
 * again behind it.  The largest error stands beside the largest jump of a velocity between two
 * steps, which the engine measures in every step (step/velocity_jump.h).  So these jumps are read
 * every NOE_WATCH_STEPS steps; where that of a coordinate has risen, the steps since the state that
 * was stored last are repeated, with a look at the energy at those around the jump, and the present
 * state is put back.  Counts of steps alone decide when. */
#include "integrate/energy_watch.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEMBERS_MOST = 8,
    AROUND = 4,        /* steps before and behind a jump that are looked at */
    PASSES_UNSEEN = 32 /* passes after which the present state is looked at: errors that add up */
};
/* By this factor a jump must have risen since it made steps be repeated. */
static const double RISE_LEAST = 1.15;

struct noe_energy_watch {
    noe_integrator *const *g;                  /* [members] */
    int                    members, n, passes; /* coordinates; times that steps were repeated */
    int                    since;   /* steps since the jumps were read; negative: none were */
    int                    waits;   /* the largest of `pending` */
    int      pending[MEMBERS_MOST]; /* next steps to be looked at: those behind a jump at present */
    unsigned going;                 /* bit k: integrator k makes steps */
    double  *risen,                 /* [members][n] jumps that made steps be repeated */
        *jump, *at;                 /* [n] present jumps; steps made before them */
    double *looked, *looked_from;   /* [members] count of the last look; of the first without gap */
    double  count; /* steps made before the stored state; negative: none is stored */
    size_t  bytes;
    void   *then, *now;             /* [bytes] the stored state; the present one, put aside */
    noe_halved_steps *halved;       /* NULL: not measured */
    bool look[NOE_WATCH_STEPS + 1]; /* at the steps behind the stored state, of one member */
};

void noe_energy_watch_free(noe_energy_watch *x)
{
    if (x) noe_halved_steps_free(x->halved);
    free(x);
}

noe_status noe_energy_watch_new(noe_integrator *const *g, int members, noe_energy_watch **to)
{
    const size_t n = (size_t)g[0]->system->dyn.n, each = (size_t)members;
    size_t       bytes;
    bool         measured = false;
    for (int k = 0; k < members; k++) measured |= g[k]->energy != NULL;
    *to = NULL;
    if (!measured) return NOE_OK;
    g[0]->core->memory(g[0]->work, &bytes);
    noe_energy_watch *x = noe_status_alloc(1, sizeof *x + 2 * bytes
                                                  + (each * n + 2 * n + 2 * each) * sizeof(double));
    if (!x) return NOE_NO_MEMORY;
    *x = (noe_energy_watch){ .g = g, .members = members, .n = (int)n, .bytes = bytes };
    x->going = (1u << members) - 1;
    x->then = x + 1, x->now = (char *)x->then + bytes;
    x->risen = (double *)((char *)x->now + bytes), x->jump = x->risen + each * n;
    x->at = x->jump + n, x->looked = x->at + n, x->looked_from = x->looked + members;
    memset(x->risen, 0, (each * n + 2 * n + 2 * each) * sizeof(double));
    x->count = -1, x->since = NOE_WATCH_STEPS;
    *to = x;
    return noe_halved_steps_new(g, members, &x->halved);
}

static double steps_made(const noe_integrator *g)
{
    quad count;
    g->core->get(g->work, NOE_AT_COUNT, g->member, &count);
    return (double)count;
}

/* Marks in x->look the steps around jumps of member k that have risen, where they were not looked
 * at. */
static bool has_risen(noe_energy_watch *x, int k, double count)
{
    noe_integrator *g = x->g[k];
    double         *risen = x->risen + k * x->n;
    bool            any = false;
    g->core->guard->jumps(g->work, g->member, x->jump, x->at);
    memset(x->look, 0, sizeof x->look);
    for (int j = 0; j < x->n; j++) {
        if (!(x->jump[j] > RISE_LEAST * risen[j])) continue;
        risen[j] = x->jump[j];
        if (x->at[j] + AROUND > count) x->pending[k] = x->waits = AROUND;
        if (x->at[j] - AROUND >= x->looked_from[k] && x->at[j] <= x->looked[k]) continue;
        const double at = x->at[j] - x->count;
        if (x->count < 0 || at < -AROUND || x->at[j] > count) continue;
        const int middle = (int)at, last = middle + AROUND;
        for (int i = middle > AROUND ? middle - AROUND : 1; i <= last && i <= NOE_WATCH_STEPS; i++)
            any = x->look[i] = true;
    }
    return any;
}

/* Makes the steps from the stored state to the present one, and looks at those that are marked. */
static void remeasure_steps(noe_energy_watch *x, int k, double count)
{
    noe_integrator *g = x->g[k];
    size_t          bytes;
    int             last = NOE_WATCH_STEPS;
    while (last > 0 && !x->look[last]) last--;
    memcpy(x->now, g->core->memory(g->work, &bytes), x->bytes);
    memcpy(g->core->memory(g->work, &bytes), x->then, x->bytes);
    for (int i = 1; i <= last && x->count + i < count; i++) {
        if (g->core->step(g->work) >> g->member & 1) break;
        if (x->look[i]) noe_energy_error_look(g);
    }
    memcpy(g->core->memory(g->work, &bytes), x->now, x->bytes);
    noe_integrator_moved(g);
}

/* Measures the steps since the stored state again where the energy error of member k has risen. */
static void remeasure_if_risen(noe_energy_watch *x, int k)
{
    if (!(x->going >> k & 1) || !x->g[k]->energy) return;
    const double count = steps_made(x->g[k]);
    if (has_risen(x, k, count) && count <= x->count + NOE_WATCH_STEPS) remeasure_steps(x, k, count);
}

void noe_energy_watch_forget(noe_energy_watch *x)
{
    for (int k = 0; x && k < x->members; k++) remeasure_if_risen(x, k);
    if (x) x->count = -1, x->since = NOE_WATCH_STEPS;
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
    size_t bytes;
    for (int k = 0; k < x->members; k++) remeasure_if_risen(x, k);
    const noe_integrator *g = x->g[__builtin_ctz(x->going)];
    memcpy(x->then, g->core->memory(g->work, &bytes), x->bytes);
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
    if (!x || !g->energy || !g->ready || g->state) return noe_energy_error_look(g);
    const double count = steps_made(g);
    if (count != x->looked[k] && count != x->looked[k] + 1) x->looked_from[k] = count;
    x->looked[k] = count;
    remeasure_if_risen(x, k);
    return noe_energy_error_look(g);
}

noe_halved_steps *noe_energy_watch_halved(noe_energy_watch *x) { return x->halved; }
