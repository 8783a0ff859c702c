/* The end of a run, and how far it is from another one: what tests of --tolerance share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RUN_END_H
#define RUN_END_H

#include "random.h"
#include "integrate/integrator.h"

#include <math.h>

/* The end of so many steps, and, where wanted, the largest |q_i| on the way. */
static UNUSED bool end(const noe_system *s, const char *method, int digits, double steps, quad T,
                       quad *q, double *size)
{
    const int       n = noe_system_dim(s);
    noe_method     *f = noe_method_parse(method);
    noe_integrator *g = noe_integrator_make(s, f, T / (quad)steps, digits);
    bool            ok = g && !noe_integrator_start_ready(g);
    if (ok) noe_integrator_state_get(g, NOE_AT_Q, q);
    for (int i = 0; i < n && size && ok; i++) size[i] = fabs((double)q[i]);
    for (double k = 0; k < steps && ok; k++) {
        ok = !noe_step(g);
        if (ok && (size || k + 1 == steps)) noe_integrator_state_get(g, NOE_AT_Q, q);
        for (int i = 0; i < n && size && ok; i++) size[i] = fmax(size[i], fabs((double)q[i]));
    }
    noe_error_clear();
    noe_integrator_free(g);
    noe_method_free(f);
    return ok;
}

static UNUSED double distance(int n, const quad *q, const quad *ref, const double *size)
{
    double scale = 0, e = 0;
    for (int i = 0; i < n; i++) scale = fmax(scale, size[i]);
    for (int i = 0; i < n; i++) {
        const double d = fabs((double)(q[i] - ref[i]));
        if (d > 0) e = fmax(e, d / fmax(size[i], 1e-4 * scale));
    }
    return e;
}

#endif
