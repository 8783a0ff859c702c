/* Energy change H(t) - H(0) of a run in binary128, and its sensitivity to rounding of the state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/quad_energy.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

bool noe_quad_energy_open(noe_quad_energy *e, const noe_system *s, quad h)
{
    *e = (noe_quad_energy){ .sampled = s->model != NULL,
                            .constrained = s->dyn.constraints > 0,
                            .h = fabs((double)h) };
    if (!e->sampled) return true;
    e->x = noe_state_values_new(s->dyn.n);
    return noe_random_state_open(&e->at, s) && e->x;
}

/* H at the present state; raises the unit to the effect of rounding here: |p| |v|, and in a step
 * the effect of rounded forces at rounded positions, with constraints that of the rounded positions
 * themselves; and `push` to the momentum that forces and their rounding make in a step. */
static quad from_state(noe_quad_energy *e, noe_integrator *g)
{
    noe_random_state *x = e->x;
    double            motion = 0, unit = 0, push = 0;
    noe_integrator_state_get(g, NOE_AT_T, &x->t);
    noe_integrator_state_get(g, NOE_AT_Q, x->q);
    noe_integrator_state_get(g, NOE_AT_V, x->v);
    noe_state_values_find(&e->at, x);
    double dF[x->n], dP[x->n];
    noe_state_values_rounding(&e->at, x, dF, dP);
    quad H = -x->L;
    for (int i = 0; i < x->n; i++) {
        const double v = fabs((double)x->v[i]), p = fabs((double)x->P[i]);
        H += x->P[i] * x->v[i];
        motion += p * v / 2;
        const double rough = (e->h * dF[i] + dP[i]) * 0x1p53;
        unit += p * v + rough * v;
        if (e->constrained) unit += fabs((double)(x->F[i] * x->q[i]));
        push = fmax(push, e->h * fabs((double)x->F[i]) + rough);
    }
    if (isfinite(motion)) e->motion_energy = fmax(e->motion_energy, motion);
    if (isfinite(unit)) e->unit = fmax(e->unit, unit);
    if (isfinite(push)) e->push = fmax(e->push, push);
    return H;
}

quad noe_quad_energy_look(noe_quad_energy *e, noe_integrator *g)
{
    quad H;
    if (e->sampled) H = from_state(e, g);
    else {
        const double *v = noe_v(g), *p = noe_p(g);
        double        motion = 0;
        for (int i = 0; i < g->system->dyn.n; i++) motion += fabs(v[i] * p[i]) / 2;
        H = noe_get(g, "energy");
        e->motion_energy = fmax(e->motion_energy, motion);
        e->unit = fmax(e->unit, fabs((double)H) + motion);
    }
    if (!e->begun) e->H0 = H, e->begun = true;
    return H - e->H0;
}

double noe_quad_energy_scale(const noe_quad_energy *e)
{
    return e->motion_energy > 0 ? e->motion_energy : e->unit > 0 ? e->unit : 1;
}

void noe_quad_energy_close(noe_quad_energy *e)
{
    if (e->sampled) noe_random_state_close(&e->at);
    free(e->x);
}
