/* F = L_q + f, P = L_v and their derivatives by q and v at one state (t, q, v), in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/linearization.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

bool noe_linearization_open(noe_linearization *x, const noe_integrator *g)
{
    const noe_dynamics *d = &g->system->dyn;
    const size_t        n = (size_t)d->n, inputs = (size_t)noe_tape_inputs(d->n);
    const size_t        outputs = d->hessian ? (size_t)d->hessian->outputs : 0;
    const size_t        slots = d->hessian ? (size_t)d->hessian->slots : 0;
    *x = (noe_linearization){ .g = g, .n = d->n };
    x->F = noe_status_alloc(2 * n + NOE_D_KINDS * n * n + inputs + slots + outputs, sizeof *x->F);
    x->z = noe_status_alloc(5 * n + 6 * n * n + (size_t)d->params + 1, sizeof *x->z);
    if (!x->F || !x->z) return false;
    x->P = x->F + n;
    for (int k = 0; k < NOE_D_KINDS; k++) x->D[k] = x->P + n + (size_t)k * n * n;
    x->in = x->D[NOE_D_KINDS - 1] + n * n, x->slot = x->in + inputs, x->out = x->slot + slots;
    x->param = x->z + 5 * n + 6 * n * n;
    for (int i = 0; i < d->params; i++) x->param[i] = (double)g->param[i];
    return true;
}

void noe_linearization_close(noe_linearization *x)
{
    free(x->F);
    free(x->z);
}

static void by_functions(noe_linearization *x, double t, const quad *q, const quad *v)
{
    const noe_dynamics *d = &x->g->system->dyn;
    const int           n = x->n, N = 2 * n;
    double             *grad = x->z + N, *f = grad + N, *hess = f + n, *dfdz = hess + N * N;
    for (int i = 0; i < n; i++) x->z[i] = (double)q[i], x->z[n + i] = (double)v[i];
    d->L(t, x->z, x->param, grad, hess, d->ctx);
    if (d->f) d->f(t, x->z, x->param, f, dfdz, d->ctx);
    for (int i = 0; i < n; i++) {
        x->F[i] = grad[i] + (d->f ? f[i] : 0), x->P[i] = grad[n + i];
        for (int j = 0; j < n; j++) {
            x->D[NOE_D_FQ][i * n + j] = hess[i * N + j] + (d->f ? dfdz[i * N + j] : 0);
            x->D[NOE_D_FV][i * n + j] = hess[i * N + n + j] + (d->f ? dfdz[i * N + n + j] : 0);
            x->D[NOE_D_PQ][i * n + j] = hess[(n + i) * N + j];
            x->D[NOE_D_PV][i * n + j] = hess[(n + i) * N + n + j];
        }
    }
}

static void by_tape(noe_linearization *x, quad t, const quad *q, const quad *v)
{
    const noe_dynamics *d = &x->g->system->dyn;
    const int           n = x->n;
    const size_t        size = (size_t)n * sizeof *q;
    memset(x->in, 0, (size_t)d->hessian->inputs * sizeof *x->in);
    x->in[0] = t;
    memcpy(x->in + noe_tape_input(NOE_Q, 0, n), q, size);
    memcpy(x->in + noe_tape_input(NOE_V, 0, n), v, size);
    noe_tape_quad_run(d->hessian, x->in, x->slot, x->out);
    memcpy(x->F, x->out, 2 * size);
    memset(x->D[0], 0, NOE_D_KINDS * (size_t)n * size);
    for (int k = 0; k < d->entries; k++) {
        const noe_entry *e = &d->entry[k];
        x->D[e->kind][e->row * n + e->col] = x->out[e->output];
    }
}

bool noe_linearization_at(noe_linearization *x, quad t, const quad *q, const quad *v)
{
    const int n = x->n;
    if (x->g->system->dyn.L) by_functions(x, (double)t, q, v);
    else by_tape(x, t, q, v);
    for (int i = 0; i < 2 * n + NOE_D_KINDS * n * n; i++)
        if (!finiteq(x->F[i])) return false;
    return true;
}
