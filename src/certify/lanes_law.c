/* Steps in the lanes of a vector beside steps alone: the same bits, or the same motion.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/few_steps.h"
#include "certify/laws.h"

#include <math.h>
#include <string.h>

/* The lanes leave the same constraints out as g: those that follow from others. */
static void leave_out_alike(const noe_engine *engine, void *w, noe_integrator *g)
{
    const int m = g->system->dyn.constraints;
    quad      now[m + 1], before[m + 1];
    if (!m) return;
    g->engine->get(g->work, NOE_AT_LEFT_OUT, g->member, now);
    engine->get(w, NOE_AT_LEFT_OUT, 0, before);
    for (int a = 0; a < m; a++)
        if (now[a] != before[a]) {
            for (int i = 0; i < engine->members; i++) engine->set(w, NOE_AT_LEFT_OUT, i, now);
            return;
        }
}

/* Starts all lanes where g starts, but for other positions or, with constraints, other momenta in
 * three lanes of four.  With constraints a start is projected, so that g starts first. */
static bool start_lanes(const noe_engine *engine, void *w, noe_integrator *g, quad h)
{
    const int  n = g->system->dyn.n;
    const bool constrained = g->system->dyn.constraints;
    quad       q[n], z[n], other[n], t;
    bool       momentum[n];
    memset(momentum, constrained, sizeof momentum);
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_Q, q);
    noe_integrator_state_get(g, constrained ? NOE_AT_P : NOE_AT_V, z);
    if (noe_few_steps_begin(g, t, q, z, constrained)) return false;
    if (constrained)
        noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_P, z);
    for (int m = 0; m < engine->members; m++) {
        engine->set(w, NOE_AT_T0, m, &t), engine->set(w, NOE_AT_STEP, m, &h);
        for (int i = 0; i < n; i++)
            other[i] = (constrained ? z[i] : q[i]) * (1 + (m % 4) * (quad)0.0009765625);
        engine->set(w, NOE_AT_Q, m, constrained ? q : other), engine->set(w, NOE_AT_V, m, z);
        engine->set(w, NOE_AT_P, m, constrained ? other : z);
    }
    leave_out_alike(engine, w, g);
    return !engine->start(w, momentum);
}

/* size[2]: positions and momenta, at least as large as the terms of a step.  A force k (x - c)
 * has the rounding of k c, however far its origin is. */
static void size_terms(const noe_system *s, const noe_method *f, quad h, double *size)
{
    enum { STEPS = 4 };
    const int       n = s->dyn.n;
    quad            most[2 * n];
    noe_integrator *g = s->model ? noe_few_steps_new(s, f, h, NOE_DIGITS_QUAD) : NULL;
    memset(most, 0, sizeof most);
    if (g && noe_few_steps_walk_conditioned(g, STEPS, most))
        for (int i = 0; i < 2 * n; i++) size[i / n] = fmax(size[i / n], (double)most[i]);
    noe_integrator_free(g);
}

/* The law "same bits": the trajectory by itself and in SIMD lanes of a batch whose other lanes have
 * other initial conditions.  A linear engine computes another way than the lanes, so there the law
 * is "linear route": the distance of the two results. */
void noe_lanes_law(const noe_system *s, const noe_method *f, quad h, noe_laws *laws)
{
    const int         n = s->dyn.n, steps = laws->reach < 100 ? laws->reach : 100;
    const noe_engine *engine = noe_engine_lanes();
    void             *w = engine->make(noe_system_steps(s), f);
    noe_integrator   *g = noe_few_steps_new(s, f, h, NOE_DIGITS_DOUBLE);
    quad              alone[2 * n], lane[2 * n];
    int               different = -1;
    double            apart = 0, size[2] = { 0, 0 };
    const bool        linear = g && g->engine->summarize;
    if (linear) size_terms(s, f, h, size);
    if (w && g) {
        different = 0;
        if (!start_lanes(engine, w, g, h)) different = -1;
        for (int k = 0; k < steps && different == 0; k++) {
            if (noe_step(g)) break;
            engine->step(w);
            leave_out_alike(engine, w, g);
            engine->get(w, NOE_AT_Q, 0, lane), engine->get(w, NOE_AT_P, 0, lane + n);
            for (int i = 0; i < 2 * n; i++) size[i / n] = fmax(size[i / n], (double)fabsq(lane[i]));
        }
        noe_few_steps_state(g, alone);
        for (int m = 0; m < engine->members && different >= 0; m += 4) {
            engine->get(w, NOE_AT_Q, m, lane), engine->get(w, NOE_AT_P, m, lane + n);
            for (int i = 0; i < 2 * n; i++) different += lane[i] != alone[i];
            for (int i = 0; i < 2 * n; i++)
                if (lane[i] != alone[i])
                    apart = fmax(apart, (double)fabsq(lane[i] - alone[i]) / size[i / n]);
        }
    }
    if (w) engine->drop(w);
    noe_integrator_free(g);
    if (linear) {
        noe_law_list_add(laws, "linear route", different < 0 ? INFINITY : apart, 2e-14,
                         "its distance from the general engine after %d steps, of the largest "
                         "position or momentum and their terms",
                         steps);
        return;
    }
    if (different < 0) {
        noe_law_list_add_unmeasurable(laws, "same bits", "the lanes do not start");
        return;
    }
    noe_law_list_add(laws, "same bits", different, 0,
                     "numbers that differ between a SIMD lane and alone, after %d steps", steps);
}
