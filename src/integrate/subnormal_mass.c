/* Refuses masses 0 < |m| < 2.2e-308, which double cannot represent with full precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Such subnormal numbers have fewer digits than others, and 1/m may overflow.  m = 0 is not refused
 * here: L_vv is then singular, which the start finds. */
#include "integrate/subnormal_mass.h"

#include "base/status.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static bool is_subnormal(quad m) { return m != 0 && fabsq(m) < DBL_MIN; }

static noe_status refuse(const noe_integrator *g, int i, quad m)
{
    char text[64];
    quadmath_snprintf(text, sizeof text, "%.3Qg", m);
    return noe_status_fail(
        NOE_INVALID,
        "%s: the mass of %s, %s, is below 2.2e-308, the least number that double holds in full: "
        "measure it in other "
        "units%s",
        g->system->source, noe_system_name(g->system, i), text,
        g->system->model ? ", or take --digits 33" : "");
}

/* From the Legendre tape: in double first, and in binary128 where a mass is 0 or subnormal in
 * double. */
static noe_status of_tape(const noe_integrator *g, quad t, const quad *q, const quad *v)
{
    const noe_dynamics *d = &g->system->dyn;
    const noe_tape     *tape = d->legendre;
    const int           n = d->n;
    double             *slot = noe_status_alloc((size_t)tape->slots + 1, sizeof *slot);
    bool                near = false;
    if (!slot) return NOE_NO_MEMORY;
    slot[0] = (double)t;
    for (int i = 0; i < n; i++) {
        slot[noe_tape_input(NOE_Q, i, n)] = (double)q[i];
        slot[noe_tape_input(NOE_V, i, n)] = (double)v[i];
    }
    noe_tape_double_run(tape, slot);
    for (int k = 0; k < d->masses; k++) {
        const double m = slot[tape->out[d->mass[k].output]];
        near |= d->mass[k].row == d->mass[k].col && m > -DBL_MIN && m < DBL_MIN;
    }
    free(slot);
    if (!near) return NOE_OK;
    const size_t inputs = (size_t)noe_tape_inputs(n);
    quad *in = noe_status_alloc(inputs + (size_t)tape->slots + (size_t)tape->outputs, sizeof *in);
    if (!in) return NOE_NO_MEMORY;
    quad      *out = in + inputs + tape->slots;
    noe_status s = NOE_OK;
    in[0] = t;
    memcpy(in + noe_tape_input(NOE_Q, 0, n), q, (size_t)n * sizeof *in);
    memcpy(in + noe_tape_input(NOE_V, 0, n), v, (size_t)n * sizeof *in);
    noe_tape_quad_run(tape, in, in + inputs, out);
    for (int k = 0; k < d->masses && !s; k++)
        if (d->mass[k].row == d->mass[k].col && is_subnormal(out[d->mass[k].output]))
            s = refuse(g, d->mass[k].row, out[d->mass[k].output]);
    free(in);
    return s;
}

static noe_status of_function(const noe_integrator *g, quad t, const quad *q, const quad *v)
{
    const noe_dynamics *d = &g->system->dyn;
    const size_t        n = (size_t)d->n, N = 2 * n, params = (size_t)d->params;
    double             *z = noe_status_alloc(2 * N + N * N + params, sizeof *z);
    if (!z) return NOE_NO_MEMORY;
    double    *grad = z + N, *hess = grad + N, *param = hess + N * N;
    noe_status s = NOE_OK;
    for (size_t i = 0; i < n; i++) z[i] = (double)q[i], z[n + i] = (double)v[i];
    for (size_t i = 0; i < params; i++) param[i] = (double)g->param[i];
    d->L((double)t, z, param, grad, hess, d->ctx);
    for (size_t i = 0; i < n && !s; i++)
        if (is_subnormal(hess[(n + i) * N + n + i]))
            s = refuse(g, (int)i, hess[(n + i) * N + n + i]);
    free(z);
    return s;
}

noe_status noe_subnormal_mass_find(const noe_integrator *g, quad t, const quad *q, const quad *v)
{
    const noe_dynamics *d = &g->system->dyn;
    return d->legendre ? of_tape(g, t, q, v) : d->L ? of_function(g, t, q, v) : NOE_OK;
}
