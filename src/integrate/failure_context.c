/* Failure context: the last good state, the straight path q + s h v ahead of it, and the message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/failure_context.h"

#include "base/status.h"
#include "method/stability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMED = 6 }; /* coordinates that a message names, at most */

bool noe_failure_context_open(noe_failure_context *s, noe_integrator *g, noe_status why)
{
    const int n = g->system->dyn.n;
    *s = (noe_failure_context){ .g = g, .n = n, .status = why };
    if (n > NOE_WHOLE_MOST || !(g->system->dyn.L || g->system->dyn.hessian)
        || !noe_linearization_open(&s->x, g))
        return false;
    s->q = noe_status_alloc(3 * (size_t)n, sizeof *s->q);
    s->rate = noe_status_alloc((size_t)n, sizeof *s->rate);
    if (!s->q || !s->rate) return false;
    s->v = s->q + n, s->there = s->v + n;
    noe_integrator_state_get(g, NOE_AT_T, &s->t);
    noe_integrator_state_get(g, NOE_AT_STEP, &s->h);
    noe_integrator_state_get(g, NOE_AT_Q, s->q);
    noe_integrator_state_get(g, NOE_AT_V, s->v);
    quad sum = 0;
    for (int i = 0; i < n; i++) sum += s->v[i];
    return finiteq(sum);
}

void noe_failure_context_close(noe_failure_context *s)
{
    noe_linearization_close(&s->x);
    free(s->q);
    free(s->rate);
}

int noe_failure_context_names(noe_failure_context *s, const bool *chosen)
{
    int count = 0, shown = 0;
    for (int i = 0; i < s->n; i++) count += chosen[i];
    for (int i = 0; i < s->n && shown < NAMED; i++)
        if (chosen[i]) {
            noe_failure_context_cause(s, "%s%.40s",
                                      !shown               ? ""
                                      : shown + 1 == count ? " and "
                                                           : ", ",
                                      noe_failure_context_name(s, i));
            shown++;
        }
    if (!count) noe_failure_context_cause(s, "no coordinate in particular");
    if (count > shown) noe_failure_context_cause(s, " and %d others", count - shown);
    return count;
}

void noe_failure_context_places(noe_failure_context *s, const bool *chosen, const quad *q,
                                const quad *d, double share)
{
    for (int i = 0, shown = 0; i < s->n && shown < NAMED; i++) {
        if (!chosen[i]) continue;
        /* A difference far below q and d is rounding: the coordinate is 0. */
        const quad x = q[i] + share * d[i], small = 1e-6 * fminq(fabsq(q[i]), fabsq(d[i]));
        noe_failure_context_cause(s, "%s%.40s = %.6g", shown++ ? ", " : "",
                                  noe_failure_context_name(s, i),
                                  fabsq(x) < small ? 0.0 : (double)x);
    }
}

bool noe_failure_context_good(noe_failure_context *s, double share)
{
    for (int i = 0; i < s->n; i++) s->there[i] = s->q[i] + share * s->h * s->v[i];
    return noe_linearization_at(&s->x, s->t + share * s->h, s->there, s->v);
}

double noe_failure_context_stiffness(noe_failure_context *s)
{
    const int n = s->n;
    double    most = 0;
    for (int i = 0; i < n; i++) {
        s->rate[i] = 0;
        for (int j = 0; j < n; j++) {
            const quad m = fabsq(s->x.D[NOE_D_PV][i * n + i] * s->x.D[NOE_D_PV][j * n + j]);
            if (m > 0) s->rate[i] += fabs((double)(s->x.D[NOE_D_FQ][i * n + j] / sqrtq(m)));
        }
        most = fmax(most, s->rate[i]);
    }
    return most;
}

double noe_failure_context_edge(const char *method)
{
    noe_method *m = noe_method_parse(method);
    double      edge = INFINITY;
    if (m && noe_stability_windows(m, INFINITY, &edge, 1) && edge == 0) edge = INFINITY;
    noe_method_free(m);
    return edge;
}

noe_status noe_failure_context_tell(noe_failure_context *s)
{
    quad t, k, h;
    noe_integrator_state_get(s->g, NOE_AT_T, &t);
    noe_integrator_state_get(s->g, NOE_AT_COUNT, &k);
    noe_integrator_state_get(s->g, NOE_AT_STEP, &h);
    if (!s->cause[0])
        noe_failure_context_cause(
            s, "%s",
            s->status == NOE_NOT_FINITE
                ? "a value is not finite"
                : "no solution of the step's equations near the motion, nor in parts of the step");
    if (!s->advice[0])
        noe_failure_context_advise(s, "try a smaller step than %.3g", fabs((double)h));
    return noe_status_fail(s->status,
                           "step %.0f from t = %.12g: %s; the state before the step is kept; %s",
                           (double)k + 1, (double)t, s->cause, s->advice);
}
