/* A few steps for a law: states, and the sizes to which their rounding is relative.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/few_steps.h"

#include "base/status.h"
#include "constraint/constraint_point.h"
#include "tape/coupled_blocks.h"
#include "tape/left_out_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

noe_status noe_few_steps_begin(noe_integrator *g, quad t, const quad *q, const quad *z,
                               bool momenta)
{
    bool momentum[g->system->dyn.n];
    memset(momentum, momenta, sizeof momentum);
    return noe_integrator_start_from(g, &t, q, z, z, momentum);
}

noe_integrator *noe_few_steps_new(const noe_system *s, const noe_method *f, quad h, int digits)
{
    noe_integrator *g = noe_integrator_make(s, f, h, digits);
    if (g && !noe_integrator_start_ready(g)) return g;
    noe_integrator_free(g);
    return NULL;
}

double noe_few_steps_distance(const quad *x, const quad *y, const quad *size, int n)
{
    enum { REST = 20 };
    const int half = n / 2;
    quad      least[2] = { 0, 0 };
    double    most = 0;
    for (int i = 0; i < n; i++) least[i / half] = fmaxq(least[i / half], ldexpq(size[i], -REST));
    for (int i = 0; i < n; i++) {
        const bool rests = size[i % half] <= least[0] && size[half + i % half] <= least[1];
        most = fmax(most, (double)(fabsq(x[i] - y[i])
                                   / ((rests ? least[i / half] : size[i]) + (quad)1e-300)));
    }
    return most;
}

void noe_few_steps_share_sizes(noe_integrator *g, quad *size)
{
    const noe_dynamics   *d = &g->system->dyn;
    const int             n = d->n;
    noe_constraint_point *at = d->constraints ? noe_constraint_point_new(d) : NULL;
    int                   block[n];
    quad                  t, h, q[n], v[n], most[2 * n], push[n];
    if (!at) return;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_V, v);
    noe_integrator_state_get(g, NOE_AT_STEP, &h);
    noe_constraint_point_at(at, t, q, v, NOE_DEPENDENT_ROUNDING);
    noe_constraint_point_pushes(at, h, push);
    noe_coupled_blocks_find(d, block);
    for (int j = 0; j < n; j++) {
        size[j] = fmaxq(size[j], fabsq(h) * push[j]);
        size[n + j] = fmaxq(size[n + j], fabsq(at->M[j * n + j]) * push[j]);
    }
    for (int i = 0; i < 2 * n; i++) most[i] = 0;
    for (int k = 0; k < 2; k++) /* max first, then each by its root */
        for (int i = 0; i < 2 * n; i++) {
            const int   j = i % n;
            const quad  root = sqrtq(fabsq(at->M[j * n + j])), unit = i < n ? 1 / root : root;
            quad *const all = &most[(i / n) * n + block[j]];
            if (!k && root > 0) *all = fmaxq(*all, size[i] / unit);
            if (k && root > 0) size[i] = fmaxq(size[i], *all * unit);
        }
    noe_constraint_point_free(at);
}

void noe_few_steps_state(noe_integrator *g, quad *x)
{
    noe_integrator_state_get(g, NOE_AT_Q, x);
    noe_integrator_state_get(g, NOE_AT_P, x + g->system->dyn.n);
}

bool noe_few_steps_walk(noe_integrator *g, int steps, quad *size)
{
    const int n = 2 * g->system->dyn.n;
    quad      x[n];
    for (int k = 0; k <= steps; k++) {
        if (k && noe_step(g)) return false;
        noe_few_steps_state(g, x);
        for (int i = 0; i < n; i++) size[i] = fmaxq(size[i], fabsq(x[i]));
    }
    return true;
}

bool noe_few_steps_walk_conditioned(noe_integrator *g, int steps, quad *size)
{
    const int n = 2 * g->system->dyn.n;
    quad      z[n], *M = noe_integrator_has_jacobian(g)
                           ? noe_status_alloc((size_t)n * (size_t)n, sizeof *M)
                           : NULL;
    bool      ok = true;
    for (int k = 0; k < steps && ok; k++) {
        noe_few_steps_state(g, z);
        ok = noe_few_steps_walk(g, 1, size);
        if (!ok || !M || !g->engine->derivative(g->work, 0, M)) continue;
        for (int i = 0; i < n; i++) {
            quad moved = 0;
            for (int j = 0; j < n; j++) moved += fabsq(M[i * n + j] * z[j]);
            size[i] = fmaxq(size[i], moved);
        }
    }
    free(M);
    return ok;
}
