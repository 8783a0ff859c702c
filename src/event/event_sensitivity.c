/* S after an event from S before it: its time moves with the columns, and so does what follows it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Along (dt, dq, dp) of the state at the event, with dc, the event function moves by dg.  The
 * event stays one, dg + (dg of the step by its end) dt = 0, which gives dt.  After an impact, with
 * n = g_q and the impulse lambda,
 *     dp+ = dp + dlambda n + lambda dn,   L_v(q, v+) = p+,
 *     n.dv+ + dn.v+ + dg_t + e (n.dv + dn.v + dg_t) + de (n.v + g_t) = 0,
 * by the implicit function theorem on the equations of event_jump.c.  Assignments are
 * differentiated as they are.  S after the event is that of the state at the moving time. */
#include "event/event_place.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* dp+ of an impact, from the direction z of the state before it. */
static bool impact_derivative(const noe_event_place *x, const noe_event *e, bool back,
                              const quad *z, int c, quad *dp)
{
    const int  n = x->n;
    const quad given = e->restitution, of_given = noe_event_place_slope(x, 3 + n, z, c),
               r = back ? 1 / given : given, dr = back ? -of_given / (given * given) : of_given;
    quad normal[n], dn[n], rest[n], A[n], N[n], lambda = 0, square = 0, moving = 0;
    for (int i = 0; i < n; i++) normal[i] = 0;
    for (const noe_row_entry *y = x->y->entry; y < x->y->entry + x->y->entries; y++)
        if (y->row == 1 && y->leaf < n) normal[y->leaf] = x->out[y->output];
        else if (y->row == 1 && y->leaf == 3 * n + 1) moving = x->out[y->output];
    for (int i = 0; i < n; i++) {
        lambda += (x->p_after[i] - x->p[i]) * normal[i], square += normal[i] * normal[i];
        dn[i] = noe_event_place_slope(x, 2 + i, z, c);
    }
    lambda /= square;
    noe_event_place_rest(x, &x->after, z, c, rest);
    quad speed = moving, miss = (1 + r) * noe_event_place_slope(x, 2 + n, z, c), inertia = 0;
    for (int i = 0; i < n; i++) {
        A[i] = z[2 * n + i] + lambda * dn[i] - rest[i], N[i] = normal[i];
        speed += normal[i] * x->v[i];
        miss += dn[i] * x->v_after[i] + r * (dn[i] * x->v[i] + normal[i] * z[n + i]);
    }
    if (!noe_event_place_divide(x, &x->after, A) || !noe_event_place_divide(x, &x->after, N))
        return false;
    miss += dr * speed;
    for (int i = 0; i < n; i++) miss += normal[i] * A[i], inertia += normal[i] * N[i];
    const quad change = -miss / inertia;
    for (int i = 0; i < n; i++) dp[i] = z[2 * n + i] + lambda * dn[i] + change * normal[i];
    return true;
}

/* dp+ of assignments. */
static void assigned(const noe_event_place *x, const noe_event *e, const quad *z, int c, quad *dp)
{
    const int  n = x->n;
    const bool velocities = e->then == NOE_THEN_VELOCITIES;
    quad       dv[n];
    memcpy(dv, z + n, sizeof dv);
    memcpy(dp, z + 2 * n, (size_t)n * sizeof *dp);
    for (int i = 0; i < e->assigned; i++)
        (velocities ? dv : dp)[e->to[i].index] = noe_event_place_slope(x, 2 + i, z, c);
    if (!velocities) return;
    noe_event_place_rest(x, &x->after, z, c, dp);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) dp[i] += x->after.M[i * n + j] * dv[j];
}

/* All columns; before [2n][columns]: S at fixed time. */
static noe_status columns(noe_event_state *s, noe_integrator *at, int event,
                          const noe_event_place *x, const quad *before)
{
    const noe_event *const e = &s->model->event[event];
    const int              n = x->n, k = at->system->dyn.columns;
    quad                   z[x->leaves], dp[n];
    for (int c = 0; c < k; c++) {
        memset(z, 0, sizeof z);
        for (int i = 0; i < n; i++) {
            z[i] = before[i * k + c];
            z[2 * n + i] = before[(n + i) * k + c];
        }
        bool       ok = noe_event_place_complete(x, z, c);
        const quad dt = -noe_event_place_slope(x, 1, z, c) / x->rate;
        for (int i = 0; i < x->leaves; i++) z[i] += dt * x->end[i];
        if (e->then == NOE_THEN_BOUNCE) ok = ok && impact_derivative(x, e, s->h < 0, z, c, dp);
        else assigned(x, e, z, c, dp);
        for (int i = 0; i < n; i++) {
            s->after[i * k + c] = z[i], s->after[(n + i) * k + c] = dp[i];
            ok &= finiteq(z[i]) && finiteq(dp[i]);
        }
        s->after[2 * n * k + c] = dt;
        if (!ok) return noe_event_place_refuse(s, at, event, "it is not a finite number there");
    }
    return NOE_OK;
}

noe_status noe_event_sensitivity(noe_event_state *s, noe_integrator *at, int k, quad tau,
                                 const quad *before, const quad *after)
{
    const noe_dynamics *d = &at->system->dyn;
    noe_event_place     x;
    noe_status          status = noe_event_place_find(s, at, k, tau, before, after, &x);
    quad *S = status ? NULL : noe_status_alloc(2 * (size_t)(d->n * d->columns), sizeof *S);
    if (S) {
        at->engine->get(at->work, NOE_AT_SENSITIVITY, 0, S);
        status = columns(s, at, k, &x, S);
    } else if (!status) status = NOE_NO_MEMORY;
    free(S);
    noe_event_place_drop(&x);
    return status;
}
