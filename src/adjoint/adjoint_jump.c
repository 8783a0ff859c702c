/* The way back over an event that changes the motion: event/event_sensitivity.c, transposed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * mu = dJ/dp+.  Of an impact kappa = -mu.n/(n.N n) is dJ/d(what n.v+ misses), N = L_vv^-1, and
 *     mu + kappa N n  goes to p,  lambda mu + kappa (lambda N n + v+ + e v) to dn,
 *     -kappa N n  to L_vq dq + L_vt dt + P_c dc,  kappa e n  to v.
 * What all of these give the time of the event moves q, p and c by
 *     dt = -dg/(rate of g along the end of the step). */
#include "adjoint/adjoint.h"
#include "base/status.h"
#include "event/event_place.h"
#include "gradient/adjoint_tapes.h"

#include <string.h>

typedef struct {
    const noe_dynamics *d;
    noe_event_place     place;
    quad               *z, *of_row, /* dJ/d(direction) [3n + 2]; dJ/d(rows of the tape) [n + 4] */
        *by;                        /* [params] */
} way;

/* Row `row` has the weight `much`. */
static void add_row(way *w, int row, quad much)
{
    const noe_event_derivatives *y = w->place.y;
    if (much == 0) return;
    for (const noe_row_entry *e = y->entry; e < y->entry + y->entries; e++) {
        if (e->row != row) continue;
        if (e->leaf < w->place.leaves) w->z[e->leaf] += much * w->place.out[e->output];
        else w->by[e->leaf - w->place.leaves] += much * w->place.out[e->output];
    }
}

/* Weights y of L_vq dq + L_vt dt + P_c dc, with velocities v. */
static bool add_rest(way *w, const noe_state_jet *jet, const quad *v, const quad *y)
{
    const int           n = w->place.n;
    const noe_row_state s = { .t = w->place.in[0], .q = w->place.q, .v = v, .p = w->place.p };
    for (int i = 0; i < n; i++) {
        if (jet->P_t) w->z[3 * n + 1] += jet->P_t[i] * y[i];
        for (int j = 0; j < n; j++) w->z[j] += jet->G[i * n + j] * y[i];
    }
    return noe_adjoint_ends_momenta(w->d, &s, y, w->by);
}

static bool impact_back(way *w, const noe_event *e, bool undone, const quad *mu)
{
    const noe_event_place *x = &w->place;
    const int              n = x->n;
    const quad             given = e->restitution, r = undone ? 1 / given : given;
    quad                   normal[n], N[n], y[n], push[n], moving = 0;
    memset(normal, 0, sizeof normal);
    for (const noe_row_entry *f = x->y->entry; f < x->y->entry + x->y->entries; f++)
        if (f->row == 1 && f->leaf < n) normal[f->leaf] = x->out[f->output];
        else if (f->row == 1 && f->leaf == 3 * n + 1) moving = x->out[f->output];
    memcpy(N, normal, sizeof N);
    if (!noe_event_place_divide(x, &x->after, N)) return false;
    for (int i = 0; i < n; i++) push[i] = x->p_after[i] - x->p[i];
    const quad lambda = noe_quad_dot(push, normal, n) / noe_quad_dot(normal, normal, n),
               kappa = -noe_quad_dot(mu, normal, n) / noe_quad_dot(normal, N, n),
               by_r = kappa * (moving + noe_quad_dot(normal, x->v, n));
    for (int i = 0; i < n; i++) {
        w->z[2 * n + i] += mu[i] + kappa * N[i];
        w->z[n + i] += kappa * r * normal[i];
        w->of_row[2 + i] = lambda * mu[i] + kappa * (lambda * N[i] + x->v_after[i] + r * x->v[i]);
        y[i] = -kappa * N[i];
    }
    w->of_row[2 + n] = (1 + r) * kappa;
    w->of_row[3 + n] = undone ? -by_r / (given * given) : by_r;
    return add_rest(w, &x->after, x->v_after, y);
}

static bool assigned_back(way *w, const noe_event *e, const quad *mu)
{
    const noe_event_place *x = &w->place;
    const int              n = x->n;
    const bool             velocities = e->then == NOE_THEN_VELOCITIES;
    quad                   kept[n];
    for (int i = 0; i < n; i++)
        kept[i] = velocities ? noe_quad_dot(x->after.M + i * n, mu, n) : mu[i];
    for (int i = 0; i < e->assigned; i++) {
        w->of_row[2 + i] = kept[e->to[i].index];
        kept[e->to[i].index] = 0;
    }
    for (int i = 0; i < n; i++) w->z[(velocities ? n : 2 * n) + i] += kept[i];
    return !velocities || add_rest(w, &x->after, x->v_after, mu);
}

/* dE and dv become dq, dp and dc. */
static bool complete_back(way *w)
{
    const int n = w->place.n;
    quad     *y = w->z + n;
    add_row(w, 0, w->z[3 * n]);
    if (!noe_event_place_divide(&w->place, &w->place.before, y)) return false;
    for (int i = 0; i < n; i++) w->z[2 * n + i] += y[i], y[i] = -y[i];
    return add_rest(w, &w->place.before, w->place.v, y);
}

static bool go(way *w, const noe_adjoint_change *c, quad moved, quad *lambda)
{
    const noe_event *const e = &w->d->model->event[c->event];
    const int              n = w->place.n, leaves = w->place.leaves;
    memcpy(w->z, lambda, (size_t)n * sizeof *lambda);
    if (!(e->then == NOE_THEN_BOUNCE ? impact_back(w, e, c->undone, lambda + n)
                                     : assigned_back(w, e, lambda + n)))
        return false;
    for (int row = 2; row < 4 + (e->then == NOE_THEN_BOUNCE ? n : e->assigned - 2); row++)
        add_row(w, row, w->of_row[row]);
    const quad by_time = moved + noe_quad_dot(w->z, c->end, leaves);
    add_row(w, 1, -by_time / c->rate);
    if (!complete_back(w)) return false;
    memcpy(lambda, w->z, (size_t)n * sizeof *lambda);
    memcpy(lambda + n, w->z + 2 * n, (size_t)n * sizeof *lambda);
    return true;
}

bool noe_adjoint_jump_back(const noe_dynamics *d, const noe_adjoint_change *c, quad moved,
                           quad *lambda, quad *by)
{
    const int                 n = d->n, rows = 4 + n + d->model->event[c->event].assigned;
    quad                      z[3 * n + 2], of_row[rows];
    way                       w = { .d = d, .z = z, .of_row = of_row, .by = by };
    const noe_gradient *const all = d->adjoint->events;
    memset(z, 0, sizeof z), memset(of_row, 0, sizeof of_row);
    bool ok = noe_event_place_make(&w.place, d, &all->event[c->event], c->in, c->v, c->p);
    if (ok && !(ok = go(&w, c, moved, lambda)))
        noe_status_fail(NOE_SINGULAR, "%s: L_vv is singular at t = %.12g: no derivative there",
                        d->model->name, (double)c->in[0]);
    noe_event_place_drop(&w.place);
    return ok;
}
