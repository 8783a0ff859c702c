/* Does a run resolve its motion?  Where it does not, by how much, and the step that would do.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "accuracy/coarse_run.h"

#include "base/status.h"
#include "integrate/energy_error.h"
#include "integrate/singularity_guard.h"

#include <math.h>
#include <stdio.h>

enum { TRIES = 4, MOST_STEPS = 400000, MOST_COORDINATES = 32 };
static const double ERROR_WANTED = 1e-6, /* the local error of the step that is named */
    DIP = 0.0625, /* of a denominator within a step, against its ends: a quarter of a distance */
    FLAT = 1e-3;  /* of the least pivot of L_vv within a step, against its ends */

/* The local error of the same run, from the model's start, by steps of h up to `until`, or NAN. */
static double tried(const noe_integrator *g, const noe_method *f, double h, double until)
{
    noe_integrator *x = noe_integrator_make(g->system, f, h, 15);
    double          error = NAN;
    if (x) {
        const double steps = ceil((until - noe_time(x)) / h) + 2;
        double       done = 0;
        if (steps > 0 && steps <= MOST_STEPS && !noe_advance_steps(x, steps, &done))
            error = noe_local_error_of(x).size;
    }
    noe_integrator_free(x);
    return error;
}

/* A step that keeps the local error below ERROR_WANTED, of two digits; 0: none was found at this price. */
static double enough(const noe_integrator *g, const noe_method *f, double h,
                     const noe_local_error *e)
{
    const bool silent = !noe_error();
    double     size = e->size, found = 0;
    for (int k = 0;
         k < TRIES && found == 0 && g->system->dyn.n <= MOST_COORDINATES && !g->continued; k++) {
        const double by = 0.7 * pow(ERROR_WANTED / size, 1.0 / f->order), raw = h * by,
                     unit = pow(10, floor(log10(fabs(raw))) - 1);
        h = trunc(raw / unit) * unit;
        const double now = tried(g, f, h, e->t);
        if (now <= ERROR_WANTED) found = h;
        else if (!(now > 0)) break;
        size = now;
    }
    if (silent) noe_error_clear();
    return found;
}

bool noe_coarse_run_singular(const noe_integrator *g)
{
    const noe_singularity_guard *x = g->guard;
    return x && (!isnan(x->narrow_t) || x->near < DIP || x->flat < FLAT);
}

void noe_coarse_run_find(noe_coarse_run *c, noe_integrator *g, const noe_method *f)
{
    const noe_local_error        e = noe_local_error_of(g);
    const noe_singularity_guard *x = g->guard;
    *c = (noe_coarse_run){ .local_error = e.size };
    if (e.coarse) {
        quad h;
        noe_integrator_state_get(g, NOE_AT_STEP, &h);
        const double step = enough(g, f, (double)h, &e);
        noe_status_append(
            c->warning, sizeof c->warning,
            "at t = %.6g: the velocity of %.40s jumps by %.2g %% of what it varies from one step to the "
            "next (local error %.2g)",
            e.t, noe_system_name(g->system, e.place), 100 * e.jump, e.size);
        if (step != 0)
            noe_status_append(c->warning, sizeof c->warning,
                              "; a step of %.2g keeps it below %.0e up to there", step,
                              ERROR_WANTED);
        else noe_status_append(c->warning, sizeof c->warning, "; take a smaller step");
    }
    const noe_energy_error y = noe_energy_error_look(g);
    if (y.large)
        noe_status_append(
            c->warning, sizeof c->warning,
            "%sat t = %.6g: the %s of %.40s and what it is coupled to is wrong by %.2g %% of the mean kinetic "
            "energy about the mean velocity: that is not the motion",
            *c->warning ? "; " : "", y.t, g->system->dyn.autonomous ? "energy" : "energy balance",
            noe_system_name(g->system, y.place), 100 * y.size);
    if (x && !isnan(x->narrow_t))
        noe_status_append(
            c->warning, sizeof c->warning,
            "%sat t = %.6g: a step leads from one side to the other of a place or a pulse where a force changes, and is "
            "nearly constant at both its ends: what stands between was not seen; take a smaller step",
            *c->warning ? "; " : "", x->narrow_t);
    const char *and = *c->warning ? "; " : "";
    if (x && x->near < DIP)
        noe_status_append(
            c->warning, sizeof c->warning,
            "%sat t = %.6g: what L divides by falls to %.1e of its values at the ends of a step: a near "
            "collision that the step does not resolve; take a smaller one",
            and, x->near_t, x->near);
    else if (x && x->flat < FLAT)
        noe_status_append(
            c->warning, sizeof c->warning,
            "%sat t = %.6g: within a step the mass matrix L_vv is nearly singular, %.1e of what it is at "
            "its ends: near a pole of the coordinates; take a smaller step, or coordinates without a singularity there, turned axes for "
            "angles",
            and, x->flat_t, x->flat);
}
