/* Makes an integrator of a system, a method and a step size, and frees it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/optional_library.h"
#include "matrix/structure.h"
#include "integrate/energy_watch.h"
#include "integrate/event_memory.h"
#include "integrate/singularity_guard.h"
#include "constraint/constraint_point.h"
#include "constraint/dead_point_watch.h"
#include "system/select_engine.h"

#include <stdlib.h>
#include <string.h>

/* Exponent k of the velocity jump, O(h^k): s for odd s, s + 1 for even s; 2 without polynomials. */
static int jump_exponent(const noe_method *f)
{
    return f->kind == NOE_GALERKIN ? f->s + (f->s + 1) % 2 : 2;
}

/* An integrator without engine and engine state; NULL with a message. */
static noe_integrator *blank(const noe_system *s, const noe_method *f, int digits)
{
    const bool          splits = f->kind == NOE_SPLITTING;
    noe_splitting_check splitting = { 0 };
    if (splits && !s->dyn.constraints && (s->model || s->dyn.structure) && !s->dyn.groups
        && noe_splitting_check_system(s, f->name, NULL, NULL, &splitting))
        return NULL;
    const size_t    n = (size_t)s->dyn.n, slots = s->observe ? (size_t)s->observe->slots : 0;
    noe_integrator *g = noe_status_alloc(1, sizeof *g);
    if (!g) return NULL;
    g->system = s;
    g->params = s->dyn.params;
    g->digits = digits;
    strcpy(g->method, noe_method_name(f));
    g->splits = splits;
    g->freezes = splits && f->kick == NOE_KICK_FROZEN;
    g->in_v = f->in_v;
    g->order = f->order;
    g->error_exponent = jump_exponent(f);
    g->splitting = splitting;
    g->x = noe_status_alloc(s->dyn.groups ? n + 1 : 3 * n + 2 + (size_t)noe_tape_inputs(s->dyn.n),
                            sizeof *g->x);
    g->slot = noe_status_alloc(slots + 1, sizeof *g->slot);
    g->seen = noe_status_alloc((size_t)(s->model ? s->model->observables : 0) + 1, sizeof *g->seen);
    g->param = noe_status_alloc((size_t)g->params + 1, sizeof *g->param);
    g->q = noe_status_alloc(3 * n, sizeof *g->q);
    if (!g->x || !g->slot || !g->seen || !g->q || !g->param) {
        noe_integrator_free(g);
        return NULL;
    }
    g->v = g->q + n;
    g->p = g->v + n;
    return g;
}

static bool as_matrices(const noe_integrator *g)
{
    return g->stepped.structure && g->stepped.structure != g->system->dyn.structure;
}

/* Where sums are stepped as matrices: columns name places of the sums, the matrices have only the
 * places that move.  Fills g->dof, the map from places to coordinates. */
static bool number_places(noe_integrator *g)
{
    const noe_sums *x = g->system->dyn.groups;
    if (!x || !as_matrices(g)) return true;
    if (!(g->dof = noe_status_alloc((size_t)x->places + 1, sizeof *g->dof))) return false;
    for (int i = 0, k = 0; i < x->places; i++) g->dof[i] = x->inverse[i] != 0 ? k++ : -1;
    return true;
}

noe_integrator *noe_integrator_make(const noe_system *s, const noe_method *f, quad step, int digits)
{
    if (!s || !f) return NULL;
    if (!finiteq(step) || step == 0) {
        noe_status_fail(NOE_INVALID, "the step is %g: expected a finite number that is not zero",
                        (double)step);
        return NULL;
    }
    if (s->dyn.groups && (digits > NOE_DIGITS_DOUBLE || !noe_sums_engine(s->dyn.groups, f))
        && s->dyn.groups->places <= NOE_COORDINATES_MOST) {
        /* Sums have no engine for this method or these digits. */
        noe_system     *written = noe_system_written(s, f->name);
        noe_integrator *g = noe_integrator_make(written, f, step, digits);
        if (g) g->written = written;
        else noe_system_free(written);
        return g;
    }
    noe_integrator *g = blank(s, f, digits);
    if (!g) return NULL;
    g->engine = noe_select_engine(s, f, digits, &g->stepped);
    g->work = g->engine ? g->engine->make(&g->stepped, f) : NULL;
    if (!g->work || !number_places(g)) {
        noe_integrator_free(g);
        return NULL;
    }
    if (g->engine->digits) g->engine->digits->set(g->work, digits);
    g->engine->set(g->work, NOE_AT_STEP, 0, &step);
    return g;
}

noe_integrator *noe_integrator_borrow(const noe_engine *engine, void *work, int member,
                                      const noe_system *s, const noe_method *f, quad step)
{
    noe_integrator *g = blank(s, f, NOE_DIGITS_DOUBLE);
    if (!g) return NULL;
    g->engine = engine;
    g->work = work;
    g->member = member;
    g->borrows_work = true;
    if (noe_system_monitored(s)) g->stepped = s->stepped;
    engine->set(work, NOE_AT_STEP, member, &step);
    return g;
}

void noe_integrator_drop_exact(noe_integrator *g)
{
#ifdef NOE_ARB
    noe_exact_solution_free(g->exact);
    noe_wide_free(g->wide);
#endif
    g->exact = NULL;
    g->wide = NULL;
}

void noe_integrator_free(noe_integrator *g)
{
    if (!g) return;
    if (g->work && !g->borrows_work) g->engine->drop(g->work);
    if (noe_integrator_uses_sums(g)) noe_sums_setup_drop(g->stepped.groups);
    if (as_matrices(g)) noe_structure_free(g->stepped.structure);
    free(g->dof);
    free(g->x);
    free(g->slot);
    free(g->seen);
    free(g->param);
    free(g->jacobian);
    noe_constraint_point_free(g->point);
    free(g->reaction);
    noe_dead_point_watch_free(g->dead_points);
    noe_singularity_guard_free(g->guard);
    noe_energy_error_free(g->energy);
    if (!g->borrows_work) noe_energy_watch_free(g->watch);
    noe_local_error_free(g->local_error);
    free(g->fraction);
    if (g->events && g->events->queue) noe_integrator_free(g->events->queue->reader);
    noe_event_memory_free(g->events);
    noe_integrator_free(g->probe);
    free(g->fallback_state);
    free(g->from);
    noe_integrator_drop_exact(g);
    free(g->q);
    noe_integrator_free(g->expanded);
    noe_system_free(g->written);
    free(g);
}
