/* Steps of another length, for rows of a structure between two steps: pi = h p, rho = h^2 K q/24.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/structure_engine.h"

/* What a step of the present length needs: after a restart no step has prepared the factors. */
static noe_status prepare(noe_structure_engine *w)
{
    const bool made = w->prepared.h == *w->at.h && w->team;
    return made ? NOE_OK : noe_structure_prepare_make(w);
}

/* The state between two steps; its compensation terms are 0. */
static noe_status place(void *self, quad t, const double *q, const double *p)
{
    noe_structure_engine *w = self;
    if ((w->at.why = prepare(w))) return w->at.why;
    noe_linear_state_place(&w->at, w->s, (double)t);
    for (int i = 0; i < w->at.n; i++) {
        w->state.q[i] = q[i];
        w->state.p[i] = *w->at.h * p[i];
        w->state.dq[i] = w->state.dp[i] = 0;
    }
    noe_structure_product_stiffness(w, w->state.q, w->state.r);
    return NOE_OK;
}

/* Changes the unit h of the momenta, and of rho. */
static void rescale(noe_structure_engine *w, double h)
{
    const double by = h / *w->at.h;
    for (int i = 0; i < w->at.n; i++) {
        w->state.p[i] *= by, w->state.dp[i] *= by;
        w->state.r[i] *= by * by;
    }
    *w->at.h = h;
}

static void shorten(void *self, const quad *t, const quad *tau, const void *ahead)
{
    noe_structure_engine *w = self;
    if (ahead) w->matrix.omega2 = ((const noe_structure_engine *)ahead)->matrix.omega2;
    rescale(w, (double)*tau);
    *w->at.t0 = (double)*t, *w->at.count = -1;
}

static void lengthen(void *self, quad h) { rescale(self, (double)h); }

/* Do steps of another length need another factorization? */
static bool factorises(void *self)
{
    noe_structure_engine *w = self;
    if (noe_structure_engine_is_explicit(w) || (w->at.why = prepare(w))) return false;
    return !w->prepared.polynomial;
}

const noe_engine_fraction noe_structure_fraction = { shorten, lengthen, place, factorises };
