/* The way of a run with a monitor: its state at a time, the way back, how many steps it can make.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/laws.h"
#include "certify/few_steps.h"
#include "base/status.h"
#include "between/fractional_step.h"

/* Makes b, which begins where g stands, go back on the way of g.  Its fictitious step is that of g
 * backwards.  Its own start has computed E, or the density, anew: those of g take their place, the
 * density that of the next step of g. */
void noe_monitored_way_turn(const noe_integrator *g, noe_integrator *b)
{
    const noe_engine_value kept = g->stepped.transformed ? NOE_AT_LEVEL : NOE_AT_DENSITY;
    quad                   forth, back, pace, value;
    if (!g->stepped.clock) return;
    g->engine->get(g->work, NOE_AT_FICTITIOUS, 0, &forth);
    g->engine->get(g->work, NOE_AT_PACE, 0, &pace);
    if (g->stepped.transformed) g->engine->get(g->work, kept, 0, &value);
    else value = forth / pace;
    back = -forth;
    b->engine->set(b->work, NOE_AT_FICTITIOUS, 0, &back);
    b->engine->set(b->work, kept, 0, &value);
}

double noe_monitored_way_missed(noe_integrator *b, quad t0, quad t)
{
    quad now;
    noe_integrator_state_get(b, NOE_AT_T, &now);
    return (double)(fabsq(now - t0) / fmaxq(fabsq(t - t0), fabsq(t)));
}

/* The state at time `end`, where the steps follow a monitor and lead to other times for each h. */
bool noe_monitored_way_state(noe_integrator *g, quad end, quad *x)
{
    bool arrived = false;
    while (!arrived)
        if (noe_advance_monitored(g, end, &arrived)) return false;
    noe_status            s = noe_fractional_step_mark(g);
    noe_integrator *const y = s ? NULL : noe_fractional_step_at(g, end);
    if (y) noe_few_steps_state(y, x);
    noe_fractional_step_leave(g);
    return y != NULL;
}

typedef struct {
    int  made;      /* steps of a run, until one fails */
    bool failed;    /* one has */
    quad t, before; /* the time that they took, and all but the last, in units of h */
} way;

static bool step_until_failure(const noe_system *s, const noe_method *f, quad h, int most, way *to)
{
    noe_integrator *g = noe_few_steps_new(s, f, h, NOE_DIGITS_DOUBLE);
    quad            t0, t;
    *to = (way){ 0 };
    if (!g) return false;
    noe_integrator_state_get(g, NOE_AT_T, &t0);
    while (to->made < most && !(to->failed = noe_step(g) != NOE_OK)) {
        noe_integrator_state_get(g, NOE_AT_T, &t);
        to->before = to->t;
        to->t = fabsq((t - t0) / h);
        to->made++;
    }
    noe_integrator_free(g);
    return true;
}

/* Steps of h that are made before t reaches infinity in a finite fictitious time; 0: it does not.
 * Where G grows with the distance as r^a and the motion is unbounded, t is about
 * (tau* - tau)^-1/(a-1).  Steps then end next to tau*, whatever their length: the coarse way
 * without its last step is a step or more away from tau*, the fine one a few steps that are FINER
 * times shorter.  The fine way therefore ends at a later time, GROWN times at least for a up to 3.
 * Where a singularity or the solver ends the run, fine steps end where coarse ones have ended, or
 * go on.  For a = 1 t grows as an exponential, and a run ends when r^2 or t is beyond the range of
 * numbers. */
static int endless(const noe_system *s, const noe_method *f, quad h, int most)
{
    enum {
        LEAST = 64,   /* steps of the coarse way, so that the last is a small part of it */
        HALVINGS = 7, /* of h, at most, to have so many */
        BEYOND = 8,   /* steps after the coarse end that the fine way may make */
        FINER = 16    /* by how much its steps are shorter */
    };
    static const double GROWN = 1.5;
    way                 coarse, fine;
    quad                step = h;
    int                 first = 0;
    for (int i = 0;; i++, step /= 2, most = 2 * (coarse.made + BEYOND)) {
        if (i > HALVINGS || !step_until_failure(s, f, step, most, &coarse) || !coarse.failed)
            return 0;
        if (!i) first = coarse.made;
        if (coarse.made >= LEAST) break;
    }
    /* A sum of two doubles, as t is, has lost the first step then. */
    if (coarse.t > (quad)0x1p106) return first;
    if (!step_until_failure(s, f, step / FINER, FINER * (coarse.made + BEYOND), &fine)
        || !fine.failed)
        return 0;
    return fine.t / FINER > GROWN * coarse.before ? first : 0;
}

int noe_monitored_way_reach(const noe_system *s, const noe_method *f, quad h, int most)
{
    /* The last steps before tau*, along which G is multiplied: ((MARGIN + 1)/MARGIN)^3, 1.4, in one
     * for a = 3/2.  No other value was tried. */
    enum { MARGIN = 8 };
    const bool clean = !noe_error();
    const int  made = s->stepped.clock ? endless(s, f, h, most) : 0;
    if (clean) noe_error_clear();
    return !made ? most : made > MARGIN ? made - MARGIN : 0;
}
