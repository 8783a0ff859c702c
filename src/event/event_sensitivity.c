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
#include "event/event_state.h"

#include "base/status.h"
#include "gradient/gradient.h"
#include "matrix/small_solve.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const noe_event_derivatives *y;
    int                          n, k, leaves; /* leaves without those by c */
    const quad                  *v, *p;        /* before the event */
    const quad                  *out;          /* of y->tape */
    noe_state_jet                jet;          /* before the event */
} place;

/* The derivative of a row along z [leaves], and by column c (-1: by none). */
static quad slope(const place *x, int row, const quad *z, int c)
{
    quad sum = 0;
    for (const noe_row_entry *e = x->y->entry; e < x->y->entry + x->y->entries; e++) {
        if (e->row != row) continue;
        if (e->leaf < x->leaves) sum += x->out[e->output] * z[e->leaf];
        else if (e->leaf == x->leaves + c) sum += x->out[e->output];
    }
    return sum;
}

/* L_vq dq + L_vt dt + P_c, to [n]. */
static void momenta_at_rest(const place *x, const noe_state_jet *jet, const quad *z, int c,
                            quad *to)
{
    const int n = x->n;
    for (int i = 0; i < n; i++) {
        to[i] = (c < 0 ? 0 : jet->P[c * n + i]) + (jet->P_t ? jet->P_t[i] * z[3 * n + 1] : 0);
        for (int j = 0; j < n; j++) to[i] += jet->G[i * n + j] * z[j];
    }
}

/* dv [n] = L_vv^-1 (dp - ..), in the place of dp - ..; false: L_vv is singular. */
static bool divide(const place *x, const noe_state_jet *jet, quad *dp)
{
    const int n = x->n;
    quad      M[n * n];
    memcpy(M, jet->M, sizeof M);
    return noe_small_solve_columns(M, n, dp, 1);
}

/* dv and dE of a direction whose dq, dp and dt are given. */
static bool complete(const place *x, quad *z, int c)
{
    const int n = x->n;
    quad      rest[n];
    momenta_at_rest(x, &x->jet, z, c, rest);
    for (int i = 0; i < n; i++) z[n + i] = z[2 * n + i] - rest[i];
    if (!divide(x, &x->jet, z + n)) return false;
    z[3 * n] = 0;
    z[3 * n] = slope(x, 0, z, c);
    return true;
}

/* The direction along the end of the step that led to the event; at its beginning that of the
 * motion itself. */
static bool along_end(const place *x, noe_integrator *at, quad tau, quad *z)
{
    const int n = x->n;
    quad      by[4 * n];
    z[3 * n + 1] = 1;
    if (tau == 0) {
        memcpy(z, x->v, (size_t)n * sizeof *z);
        memcpy(z + 2 * n, x->jet.F, (size_t)n * sizeof *z);
    } else {
        if (!at->engine->events->by_times(at->work, by)) return false;
        memcpy(z, by + 2 * n, (size_t)n * sizeof *z);
        memcpy(z + 2 * n, by + 3 * n, (size_t)n * sizeof *z);
    }
    return complete(x, z, -1);
}

/* dp+ of an impact, from the direction z of the state before it. */
static bool impact(const place *x, const noe_state_jet *after, const quad *v, const quad *p,
                   const noe_event *e, bool back, const quad *z, int c, quad *dp)
{
    const int  n = x->n;
    const quad given = e->restitution, of_given = slope(x, 3 + n, z, c),
               r = back ? 1 / given : given, dr = back ? -of_given / (given * given) : of_given;
    quad normal[n], dn[n], rest[n], A[n], N[n], lambda = 0, square = 0, moving = 0;
    for (int i = 0; i < n; i++) normal[i] = 0;
    for (const noe_row_entry *y = x->y->entry; y < x->y->entry + x->y->entries; y++)
        if (y->row == 1 && y->leaf < n) normal[y->leaf] = x->out[y->output];
        else if (y->row == 1 && y->leaf == 3 * n + 1) moving = x->out[y->output];
    for (int i = 0; i < n; i++) {
        lambda += (p[i] - x->p[i]) * normal[i], square += normal[i] * normal[i];
        dn[i] = slope(x, 2 + i, z, c);
    }
    lambda /= square;
    momenta_at_rest(x, after, z, c, rest);
    quad speed = moving, miss = (1 + r) * slope(x, 2 + n, z, c), inertia = 0;
    for (int i = 0; i < n; i++) {
        A[i] = z[2 * n + i] + lambda * dn[i] - rest[i], N[i] = normal[i];
        speed += normal[i] * x->v[i];
        miss += dn[i] * v[i] + r * (dn[i] * x->v[i] + normal[i] * z[n + i]);
    }
    if (!divide(x, after, A) || !divide(x, after, N)) return false;
    miss += dr * speed;
    for (int i = 0; i < n; i++) miss += normal[i] * A[i], inertia += normal[i] * N[i];
    const quad change = -miss / inertia;
    for (int i = 0; i < n; i++) dp[i] = z[2 * n + i] + lambda * dn[i] + change * normal[i];
    return true;
}

/* dp+ of assignments. */
static void assigned(const place *x, const noe_state_jet *after, const noe_event *e, const quad *z,
                     int c, quad *dp)
{
    const int  n = x->n;
    const bool velocities = e->then == NOE_THEN_VELOCITIES;
    quad       dv[n];
    memcpy(dv, z + n, sizeof dv);
    memcpy(dp, z + 2 * n, (size_t)n * sizeof *dp);
    for (int i = 0; i < e->assigned; i++)
        (velocities ? dv : dp)[e->to[i].index] = slope(x, 2 + i, z, c);
    if (!velocities) return;
    momenta_at_rest(x, after, z, c, dp);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) dp[i] += after->M[i * n + j] * dv[j];
}

static noe_status no_derivative(const noe_event_state *x, const noe_integrator *at, int k,
                                const char *why)
{
    return noe_status_fail(NOE_NOT_FINITE,
                           "t = %.12g: the motion has no derivative beyond the event '%.60s': %s",
                           noe_time(at), x->model->event[k].name, why);
}

/* All columns; before [2n][columns]: S at fixed time. */
static noe_status columns(noe_event_state *s, noe_integrator *at, int event, quad tau,
                          const place *x, const quad *before, const noe_state_jet *after,
                          const quad *v, const quad *p)
{
    const noe_event *const e = &s->model->event[event];
    const int              n = x->n, k = x->k;
    quad                   end[x->leaves], z[x->leaves], dp[n];
    if (!along_end(x, at, tau, end))
        return no_derivative(s, at, event, "the step to it has no finite derivative by its length");
    const quad rate = slope(x, 1, end, -1);
    if (rate == 0 || !finiteq(rate))
        return no_derivative(s, at, event, "the motion touches the surface and does not cross it");
    for (int c = 0; c < k; c++) {
        memset(z, 0, sizeof z);
        for (int i = 0; i < n; i++) {
            z[i] = before[i * k + c];
            z[2 * n + i] = before[(n + i) * k + c];
        }
        bool       ok = complete(x, z, c);
        const quad dt = -slope(x, 1, z, c) / rate;
        for (int i = 0; i < x->leaves; i++) z[i] += dt * end[i];
        if (e->then == NOE_THEN_BOUNCE) ok = ok && impact(x, after, v, p, e, s->h < 0, z, c, dp);
        else assigned(x, after, e, z, c, dp);
        for (int i = 0; i < n; i++) {
            s->after[i * k + c] = z[i], s->after[(n + i) * k + c] = dp[i];
            ok &= finiteq(z[i]) && finiteq(dp[i]);
        }
        s->after[2 * n * k + c] = dt;
        if (!ok) return no_derivative(s, at, event, "it is not a finite number there");
    }
    return NOE_OK;
}

noe_status noe_event_sensitivity(noe_event_state *s, noe_integrator *at, int k, quad tau,
                                 const quad *before, const quad *after)
{
    const noe_dynamics *d = &at->system->dyn;
    const int           n = d->n;
    quad                v[2][n];
    if (s->changes++)
        return no_derivative(s, at, k, "two events change the motion at the same time");
    for (int i = 0; i < 2; i++) {
        at->engine->set(at->work, NOE_AT_P, 0, i ? after : before);
        noe_integrator_moved(at);
        if (!i) noe_event_state_inputs(s, at);
        if (!i) noe_integrator_state_get(at, NOE_AT_ENERGY, s->in + noe_tape_input(NOE_H, 0, n));
        noe_integrator_state_get(at, NOE_AT_V, v[i]);
    }
    place           x = { .y = &d->by->event[k], .n = n, .k = d->columns, .leaves = 3 * n + 2 };
    const noe_tape *tape = x.y->tape;
    const size_t    numbers = (size_t)(tape->slots + tape->outputs);
    noe_state_jet   jet;
    const quad     *q = s->in + noe_tape_input(NOE_Q, 0, n);
    quad           *out = noe_status_alloc(numbers + 2 * (size_t)(n * x.k), sizeof *out);
    void           *old = noe_state_jet_at(d, s->in[0], q, v[0], &x.jet),
         *new = noe_state_jet_at(d, s->in[0], q, v[1], &jet);
    noe_status status = NOE_NO_MEMORY;
    if (out && old && new) {
        quad *const S = out + numbers;
        noe_tape_quad_run(tape, s->in, out, out + tape->slots);
        at->engine->get(at->work, NOE_AT_SENSITIVITY, 0, S);
        x.v = v[0], x.p = before, x.out = out + tape->slots;
        status = columns(s, at, k, tau, &x, S, &jet, v[1], after);
    }
    free(out), free(old), free(new);
    return status;
}
