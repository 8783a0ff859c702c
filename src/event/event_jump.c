/* The momenta after an event: p <- p - (1 + e) (n.v + g_t) n / (n.N n), N = L_vv^-1, n = g_q.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * That is the impact with restitution e on the surface g = 0, which moves where g depends on t; N n
 * makes the impulse normal to the surface in the metric of the kinetic energy, so that e = 1
 * preserves the energy on a surface at rest, and every e the momenta of symmetries that the surface
 * shares.  Where L is not quadratic in the velocities the size of the impulse is that for which the
 * normal velocity after it is -e times that before.  Assigned velocities or momenta replace
 * those of their coordinates; the other coordinates keep their velocities, or momenta.  With
 * constraints the impulse is n - G^T mu, and what is assigned is projected: p <- p - G^T mu with
 * G v + g_t = 0. */
#include "event/event_state.h"

#include "base/status.h"
#include "matrix/small_solve.h"
#include "constraint/constraint_point.h"
#include "tape/left_out_bounds.h"

#include <stdlib.h>
#include <string.h>

/* Where L is not quadratic in the velocities: trials of an impulse, at most, and of velocities for
 * one.  With 60 of an impulse particles of up to 1e4 mc are turned, too. */
enum { TRIALS = 1000, VELOCITY_TRIALS = 200 };
/* The last correction of an impulse, of its size, below its rounding in double, and what velocities
 * may leave of the momenta before and after.  No other values were tried. */
static const quad IMPULSE_REST = 1e-18, MOMENTUM_REST = 1e-26;
/* Some roundings of velocities in binary128. */
static const double VELOCITY_ROUNDING = 16 * 0x1p-113;
/* Part of n.N n that constraints leave: below it the surface contains all motions that they
 * allow.  The part is a square: of a gradient with roundings of double 1e-32 is left.  No other
 * values were tried. */
static const double LEFT_FREE_PART = 1e-20;

/* L_v at the state in x->in, with velocities v: P [n], and L_vv in M [n][n] unless it is NULL. */
static void legendre(noe_event_state *x, const noe_dynamics *d, const quad *v, quad *P, quad *M)
{
    const int n = x->n;
    memcpy(x->in + noe_tape_input(NOE_V, 0, n), v, (size_t)n * sizeof *v);
    noe_tape_quad_run(d->legendre, x->in, x->wide, x->out);
    if (P) memcpy(P, x->out, (size_t)n * sizeof *P);
    if (!M) return;
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int k = 0; k < d->masses; k++)
        M[d->mass[k].row * n + d->mass[k].col] = x->out[d->mass[k].output];
}

static noe_status no_normal(const noe_event_state *x, const noe_integrator *at, int k)
{
    return noe_status_fail(
        NOE_SINGULAR,
        "t = %.12g: the event '%.60s' cannot bounce: its gradient is 0 or not finite there, "
        "so that the surface has no normal, or the constraints hold the motion along it",
        noe_time(at), x->model->event[k].name);
}

/* Takes out of the impulse's direction `normal` [n] what the constraints take up:
 * normal <- normal - G^T mu, mu = S^-1 G N, and N <- M^-1 normal.  Returns mu . g_t: G v = -g_t on
 * both sides of the impact. */
static quad constrain(const noe_constraint_point *y, quad *normal, quad *N)
{
    quad moving = 0;
    quad push[y->m], mu[y->m];
    for (int a = 0; a < y->m; a++) push[a] = noe_quad_dot(y->G + a * y->n, N, y->n);
    noe_constraint_point_solve(y, push, mu);
    for (int a = 0; a < y->m; a++) {
        moving += mu[a] * y->rate[a];
        for (int j = 0; j < y->n; j++) {
            normal[j] -= y->G[a * y->n + j] * mu[a];
            N[j] -= y->NG[a * y->n + j] * mu[a];
        }
    }
    return moving;
}

/* The constraints at the state of `at`, with velocities v; NULL: there are none, or no memory. */
static noe_constraint_point *constraints_at(const noe_event_state *x, const noe_integrator *at,
                                            const quad *v)
{
    const noe_dynamics   *d = &at->system->dyn;
    noe_constraint_point *y = d->constraints ? noe_constraint_point_new(d) : NULL;
    if (y)
        noe_redundant_constraints_at(at, y, x->in[0], x->in + noe_tape_input(NOE_Q, 0, x->n), v,
                                     NOE_DEPENDENT_ROUNDING);
    return y;
}

/* Projects momenta [n] that were assigned: p <- p - G^T S^-1 (G v + g_t), L_v(v) = p. */
static noe_status project(const noe_event_state *x, noe_integrator *at, quad *p)
{
    enum { ROUNDS = 8 };
    const int n = x->n, m = at->system->dyn.constraints;
    quad      before[n], v[n], mu[m + 1], last = INFINITY;
    if (!m) return NOE_OK;
    noe_integrator_state_get(at, NOE_AT_P, before);
    for (int it = 0; it < ROUNDS; it++) {
        quad worst = 0;
        at->engine->set(at->work, NOE_AT_P, 0, p);
        noe_integrator_moved(at);
        noe_integrator_state_get(at, NOE_AT_V, v);
        noe_constraint_point *y = constraints_at(x, at, v);
        if (!y) return NOE_NO_MEMORY;
        for (int a = 0; a < m; a++) worst = fmaxq(worst, fabsq(y->hidden[a]));
        noe_constraint_point_solve(y, y->hidden, mu);
        for (int a = 0; a < m && worst < last / 2; a++)
            for (int j = 0; j < n; j++) p[j] -= y->G[a * n + j] * mu[a];
        noe_constraint_point_free(y);
        if (!(worst < last / 2)) break;
        last = worst;
    }
    at->engine->set(at->work, NOE_AT_P, 0, before);
    noe_integrator_moved(at);
    return NOE_OK;
}

/* A step back in time comes to the state before the event, which must follow from that after it. */
static noe_status not_undone(const noe_event_state *x, const noe_integrator *at, int k)
{
    return noe_status_fail(
        NOE_SINGULAR,
        "t = %.12g: what was before the event '%.60s' does not follow from what is after it: a "
        "negative step goes back over impacts with a restitution above 0 alone",
        noe_time(at), x->model->event[k].name);
}

/* An impact: p = p0 + impulse n, n.v + g_t = -e speed. */
typedef struct {
    noe_event_state *x;
    noe_integrator  *at;
    int              k;      /* number of the event */
    quad             e,      /* restitution */
        speed,               /* n.v + g_t before */
        moving,              /* g_t, and what constraints that move add to it */
        inertia;             /* n.N n before */
    const quad *p0, *normal; /* momenta before, direction of the impulse [n] */
    quad       *v,           /* velocities before [n] */
        *after,              /* velocities after [n] */
        *M, *A;              /* L_vv, and a copy of it [n][n] */
} impact;

/* The square of what a rounding of v [n] makes of its momenta: (|M| |v| ROUNDING)^2. */
static quad rounding_of(const impact *y, const quad *v)
{
    const int n = y->x->n;
    quad      all = 0;
    for (int i = 0; i < n; i++) {
        quad one = 0;
        for (int j = 0; j < n; j++) one += fabsq(y->M[i * n + j] * v[j]);
        all += one * one;
    }
    return all * (quad)VELOCITY_ROUNDING * (quad)VELOCITY_ROUNDING;
}

/* v [n] with L_v(v) = p, from a v not too far away, and L_vv there in y->M: Newton's method, whose
 * corrections are halved until the momenta come nearer.  False: none was found. */
static bool velocities_of(const impact *y, const quad *p, quad *v)
{
    const noe_dynamics *d = &y->at->system->dyn;
    const int           n = y->x->n;
    quad                rest[n], P[n], next[n], wrong = 0;
    const quad          size = noe_quad_dot(p, p, n) + noe_quad_dot(y->p0, y->p0, n),
               least = MOMENTUM_REST * MOMENTUM_REST * size;
    legendre(y->x, d, v, P, y->M);
    for (int j = 0; j < n; j++) rest[j] = p[j] - P[j], wrong += rest[j] * rest[j];
    bool fresh = true;
    for (int it = 0, halved = 0; it < VELOCITY_TRIALS; it++) {
        if (fresh) {
            memcpy(y->A, y->M, (size_t)(n * n) * sizeof *y->A);
            if (!noe_small_solve_columns(y->A, n, rest, 1)) return false;
        }
        for (int j = 0; j < n; j++) next[j] = v[j] + ldexpq(rest[j], -halved);
        quad left = 0;
        legendre(y->x, d, next, P, y->M);
        for (int j = 0; j < n; j++) left += (p[j] - P[j]) * (p[j] - P[j]);
        fresh = left < wrong;
        if (!fresh && wrong <= least) break;
        halved = !fresh ? halved + 1 : halved > 2 ? halved - 2 : 0;
        if (!fresh) continue;
        memcpy(v, next, sizeof next);
        for (int j = 0; j < n; j++) rest[j] = p[j] - P[j];
        wrong = left;
    }
    legendre(y->x, d, v, P, y->M);
    return wrong <= fmaxq(least, rounding_of(y, v));
}

/* The same from v or, where that does not lead there, from rest.  Where momenta grow without bound
 * towards a speed, as near that of light, the velocities of two large momenta lie on a thin shell,
 * around which Newton's method goes in steps as short as its thickness; from within it goes
 * straight.  *rest: begin with rest, as the last search that succeeded did. */
static bool velocities_anywhere(const impact *y, const quad *p, quad *v, bool *rest)
{
    const size_t bytes = (size_t)y->x->n * sizeof *v;
    quad         given[y->x->n];
    memcpy(given, v, bytes);
    for (int i = 0; i < 2; i++, *rest = !*rest) {
        if (*rest) memset(v, 0, bytes);
        else memcpy(v, given, bytes);
        if (velocities_of(y, p, v)) return true;
    }
    return false;
}

/* p [n] = momenta after the impact, for L that is not quadratic in the velocities.  The normal
 * velocity grows with the impulse, so that two impulses are kept between which it is right:
 * Newton's corrections between these, else their middle.  (By the mass before the impact alone a
 * particle of v = 0.99 c left with 80 times its energy.) */
static noe_status find_impulse(const impact *y, quad *p)
{
    const int n = y->x->n;
    quad      more = -(1 + y->e) * y->speed / y->inertia, near = 0, far = 0, most = INFINITY;
    quad      N[n], v[n], start[n]; /* start: velocities at `near` */
    bool      between = false, from_rest = false;
    memcpy(start, y->v, sizeof start);
    for (int i = 0; i < TRIALS; i++) {
        if (fabsq(more) > most) more = more > 0 ? most : -most;
        quad impulse = near + more;
        if (between && !(more * (far - impulse) > 0)) impulse = (near + far) / 2;
        for (int j = 0; j < n; j++) p[j] = y->p0[j] + impulse * y->normal[j];
        const noe_status s = project(y->x, y->at, p);
        if (s) return s;
        memcpy(v, start, sizeof v), memcpy(N, y->normal, sizeof N);
        if (!velocities_anywhere(y, p, v, &from_rest) || !noe_small_solve_columns(y->M, n, N, 1)) {
            more = (impulse - near) / 2; /* too far from `start` */
            most = fabsq(more);
            if (most <= IMPULSE_REST * fabsq(near)) break;
            continue;
        }
        most *= 2;
        const quad rest = noe_quad_dot(y->normal, v, n) + y->moving + y->e * y->speed,
                   correction = -rest / noe_quad_dot(y->normal, N, n);
        if (fabsq(correction) <= IMPULSE_REST * fabsq(impulse)) {
            memcpy(y->after, v, sizeof v);
            return NOE_OK;
        }
        if ((rest > 0) == (y->speed > 0)) near = impulse, memcpy(start, v, sizeof start);
        else far = impulse, between = true;
        more = impulse + correction - near;
    }
    return noe_status_fail(
        NOE_SINGULAR,
        "t = %.12g: no impulse was found for the event '%.60s', after which the normal velocity is "
        "-%g times that before",
        noe_time(y->at), y->x->model->event[y->k].name, (double)y->e);
}

/* p [n] after the impact; a step back in time, h < 0, comes from after it: e is then 1/e.
 * memory: twice [n][n] and 5 n numbers. */
static noe_status bounce(noe_event_state *x, noe_integrator *at, int k, quad *p, bool rising,
                         quad *after, noe_event_change *change, quad *memory)
{
    /* Newton's corrections of the velocity before: 1 - v/c of a momentum of 1e5 mc is 5e-11, of
     * which a double leaves 2e-6, whose square is left by one of them. */
    enum { NEARER = 3 };
    const noe_dynamics *d = &at->system->dyn;
    const int           n = x->n;
    const bool          back = x->h < 0;
    const quad          given = x->model->event[k].restitution, e = back ? 1 / given : given;
    quad *M = memory, *N = M + n * n, *v = N + n, *p0 = v + n, *normal = p0 + n, *w = normal + n;
    noe_tape_quad_run(x->tapes->then[k], x->in, x->wide, x->out);
    memcpy(normal, x->out, (size_t)n * sizeof *normal);
    quad moving = x->out[n];
    memcpy(v, x->in + noe_tape_input(NOE_V, 0, n), (size_t)n * sizeof *v);
    memcpy(p0, p, (size_t)n * sizeof *p0);
    /* The velocity that has exactly these momenta: v itself is rounded, and comes from momenta with
     * their compensation.  Without it every impact adds energy, 1e-16 of it. */
    quad *const A = w + n;
    const int   rounds = d->momenta_linear ? 1 : NEARER;
    for (int i = 0; i < rounds; i++) {
        legendre(x, d, v, w, M);
        memcpy(A, M, (size_t)(n * n) * sizeof *A);
        for (int j = 0; j < n; j++) w[j] = p[j] - w[j];
        if (!noe_small_solve_columns(A, n, w, 1)) return no_normal(x, at, k);
        for (int j = 0; j < n; j++) v[j] += w[j];
    }
    memcpy(N, normal, (size_t)n * sizeof *N);
    const quad speed = noe_quad_dot(normal, v, n) + moving;
    if (!noe_small_solve_columns(M, n, N, 1)) return no_normal(x, at, k);
    noe_constraint_point *point = constraints_at(x, at, v);
    if (!point && d->constraints) return NOE_NO_MEMORY;
    const quad alone = noe_quad_dot(normal, N, n);
    if (point) moving -= constrain(point, normal, N);
    noe_constraint_point_free(point);
    const quad inertia = noe_quad_dot(normal, N, n);
    if (!(fabsq(inertia) > LEFT_FREE_PART * fabsq(alone))) return no_normal(x, at, k);
    if (!finiteq(inertia) || !finiteq(speed)) return no_normal(x, at, k);
    if ((speed > 0) != (rising != back) || speed == 0) return NOE_OK;
    if (back && given == 0) return not_undone(x, at, k);
    *change = (noe_event_change){ true, e != 1 || moving != 0 };
    const impact y = { x, at, k, e, speed, moving, inertia, p0, normal, v, after, M, A };
    if (!d->momenta_linear) return find_impulse(&y, p);
    for (int j = 0; j < n; j++) p[j] -= (1 + e) * speed / inertia * normal[j];
    return NOE_OK;
}

static noe_status assign(noe_event_state *x, noe_integrator *at, int k, quad *p, quad *memory)
{
    const noe_event *e = &x->model->event[k];
    const int        n = x->n;
    quad            *v = memory;
    if (x->h < 0) return not_undone(x, at, k);
    memcpy(v, x->in + noe_tape_input(NOE_V, 0, n), (size_t)n * sizeof *v);
    noe_tape_quad_run(x->tapes->then[k], x->in, x->wide, x->out);
    for (int i = 0; i < e->assigned; i++)
        *(e->then == NOE_THEN_VELOCITIES ? &v[e->to[i].index] : &p[e->to[i].index]) = x->out[i];
    if (e->then == NOE_THEN_VELOCITIES) legendre(x, &at->system->dyn, v, p, NULL);
    for (int i = 0; i < n; i++)
        if (!finiteq(p[i]))
            return noe_status_fail(
                NOE_NOT_FINITE, "t = %.12g: the event '%.60s' assigns a value that is not finite",
                noe_time(at), e->name);
    return NOE_OK;
}

/* p [n] after the event, and velocities from which to look for those that belong to p. */
static noe_status momenta_after(noe_event_state *x, noe_integrator *at, int k, bool rising, quad *p,
                                quad *v, noe_event_change *change)
{
    const bool   bounces = x->model->event[k].then == NOE_THEN_BOUNCE;
    const size_t n = (size_t)x->n;
    quad        *memory = noe_status_alloc(2 * n * n + 5 * n, sizeof *memory);
    if (!memory) return NOE_NO_MEMORY;
    noe_event_state_inputs(x, at);
    noe_integrator_state_get(at, NOE_AT_P, p);
    memcpy(v, x->in + noe_tape_input(NOE_V, 0, x->n), n * sizeof *v);
    *change = (noe_event_change){ !bounces, !bounces };
    const noe_status s = bounces ? bounce(x, at, k, p, rising, v, change, memory)
                                 : assign(x, at, k, p, memory);
    free(memory);
    return s || bounces ? s : project(x, at, p);
}

noe_status noe_event_jump_change(noe_event_state *x, noe_integrator *at, int k, bool rising,
                                 quad *p, noe_event_change *all, bool *changed)
{
    noe_event_change own;
    quad before[x->n], *const v = p + x->n;
    noe_status s = momenta_after(x, at, k, rising, p, v, &own);
    *changed = !s && own.changed;
    if (!*changed) return s;
    all->changed = true, all->booked |= own.booked;
    noe_integrator_state_get(at, NOE_AT_P, before);
    if (x->after && (s = noe_event_sensitivity(x, at, k, x->tau, before, p))) return s;
    if (x->turning && (s = x->turning(x->turning_ctx, x, at, k, x->tau, before, p))) return s;
    if (at->system->dyn.momenta_linear) at->engine->set(at->work, NOE_AT_P, 0, p);
    else at->engine->events->impulse(at->work, 0, p, false);
    noe_integrator_moved(at);
    return NOE_OK;
}
