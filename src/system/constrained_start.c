/* Initial conditions of systems with constraints: g(t, q) = 0 and G v + g_t = 0.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Positions move by q <- q - M^-1 G^T (G M^-1 G^T)^-1 g, the shortest way in the metric of the
 * kinetic energy, as momenta do by p <- p + G^T mu. */
#include "system/constrained_start.h"

#include "base/status.h"
#include "system/constraint_point.h"
#include "token/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, SHOWN = 6 };
static const double
    /* Part of the largest position up to which a start is moved without a word: the digits that a
     * start is usually written with. */
    WRITTEN = 1e-6,
    /* A pivot of the scaled G M^-1 G^T below this is 0: constraints depend on each other. */
    DEPENDENT = 1e-12;

static const char *name(const noe_system *system, int a)
{
    return system->model->constraint[a].name;
}

static int line(const noe_system *system, int a)
{
    const noe_model *m = system->model;
    const noe_source s = { m->name, m->text, m->length, NULL };
    return noe_source_line(&s, m->constraint[a].named);
}

/* |g_a| / |G_a|, the largest: a distance. */
static quad distance(const noe_constraint_point *x, int *worst)
{
    quad most = 0;
    for (int a = 0; a < x->m; a++) {
        const quad d = x->g[a] == 0 ? 0 : fabsq(x->g[a]) / x->size[a];
        if (!(d <= most)) most = d, *worst = a;
    }
    return most;
}

/* Newton's method from q; false: it does not lead to the constraints. */
static bool approach(noe_constraint_point *x, quad t, quad *q, const quad *rest)
{
    quad mu[x->m], last = INFINITY;
    int  worst = 0;
    for (int it = 0; it < ROUNDS; it++) {
        quad most = 0;
        noe_constraint_point_at(x, t, q, rest, DEPENDENT);
        if (!x->regular) return false;
        const quad far = distance(x, &worst);
        for (int j = 0; j < x->n; j++) most = fmaxq(most, fabsq(q[j]));
        if (far <= 0x1p-108 * most || far == 0) return true;
        if (!(far < last) && it > 20) return far <= 0x1p-90 * most;
        last = far;
        noe_constraint_point_solve(x, x->g, mu);
        for (int a = 0; a < x->m; a++)
            for (int j = 0; j < x->n; j++) q[j] -= x->NG[a * x->n + j] * mu[a];
    }
    return false;
}

static noe_status off(const noe_system *system, int worst, quad difference, const quad *q,
                      bool found)
{
    const noe_model *m = system->model;
    char             text[400] = "";
    size_t           used = 0;
    const int        n = system->dyn.n, shown = n < SHOWN ? n : SHOWN;
    for (int j = 0; j < shown && found && used < sizeof text; j++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.40s = %.10g", j ? ", " : "",
                                 m->coordinate[j]->name, (double)q[j]);
    return noe_status_fail(
        NOE_INVALID,
        "%s:%d: the constraint '%.60s' does not hold at the start: its sides differ by %.3g; "
        "%s%s%s",
        system->source, line(system, worst), name(system, worst), (double)difference,
        found ? "the nearest start that satisfies all constraints is "
              : "no start near it satisfies "
                "all constraints",
        text, found && n > SHOWN ? ", .." : "");
}

/* Refuses constraints that depend on each other at the point, by name. */
static noe_status dependent(const noe_system *system, const noe_constraint_point *x)
{
    const int a = x->order[x->rank];
    char      more[40] = "";
    if (x->m - x->rank > 1) snprintf(more, sizeof more, " (and %d more)", x->m - x->rank - 1);
    if (x->size[a] == 0)
        return noe_status_fail(
            NOE_SINGULAR,
            "%s:%d: the constraint '%.60s'%s has the gradient 0 at the start, and no force: "
            "write it so that its two sides cross, 'x = 0' for 'x^2 = 0'",
            system->source, line(system, a), name(system, a), more);
    return noe_status_fail(
        NOE_SINGULAR,
        "%s:%d: the constraint '%.60s'%s follows from the others at the start, so that its force "
        "is not determined: take it out if it is redundant, or start elsewhere if the start is a "
        "dead point",
        system->source, line(system, a), name(system, a), more);
}

noe_status noe_constrained_start_positions(const noe_system *system, quad t, quad *q)
{
    const int             n = system->dyn.n;
    const size_t          bytes = (size_t)n * sizeof *q;
    noe_constraint_point *x = noe_constraint_point_new(&system->dyn);
    quad                 *near = noe_status_alloc(2 * (size_t)n, sizeof *near), most = 0, moved = 0;
    int                   worst = 0;
    noe_status            s = NOE_NO_MEMORY;
    if (x && near) {
        noe_constraint_point_at(x, t, q, near + n, DEPENDENT);
        const bool regular = x->regular; /* else the engine's start tells */
        distance(x, &worst);
        const quad difference = fabsq(x->g[worst]);
        memcpy(near, q, bytes);
        const bool found = approach(x, t, near, near + n);
        for (int j = 0; j < n; j++)
            most = fmaxq(most, fabsq(q[j])), moved = fmaxq(moved, fabsq(near[j] - q[j]));
        if (!regular) s = NOE_OK;
        else if (!found || moved > WRITTEN * most) s = off(system, worst, difference, near, found);
        else s = x->rank < x->m ? dependent(system, x) : NOE_OK;
        if (!s && regular) memcpy(q, near, bytes);
    }
    noe_constraint_point_free(x);
    free(near);
    return s;
}

unsigned noe_constrained_start_momenta(const noe_system *system, const noe_engine *core, void *work,
                                       int member)
{
    const int             n = system->dyn.n, m = system->dyn.constraints;
    noe_constraint_point *x = noe_constraint_point_new(&system->dyn);
    quad *v = noe_status_alloc(3 * (size_t)n + (size_t)m, sizeof *v), *q = v + n, *p = q + n,
         *mu = p + n, t, last = INFINITY;
    bool    *momentum = noe_status_alloc((size_t)n, sizeof *momentum);
    unsigned failed = !x || !v || !momentum;
    for (int j = 0; j < n && momentum; j++) momentum[j] = true;
    core->get(work, NOE_AT_T, member, &t);
    for (int it = 0; it < ROUNDS && !failed; it++) {
        quad error = 0;
        core->get(work, NOE_AT_Q, member, q);
        core->get(work, NOE_AT_V, member, v);
        core->get(work, NOE_AT_P, member, p);
        noe_constraint_point_at(x, t, q, v, DEPENDENT);
        for (int a = 0; a < m; a++) {
            quad size = fabsq(x->rate[a]) + (quad)1e-300;
            for (int j = 0; j < n; j++) size += fabsq(x->G[a * n + j] * v[j]);
            error = fmaxq(error, fabsq(x->hidden[a]) / size);
        }
        if (!(error < last / 2) || error == 0) break;
        last = error;
        noe_constraint_point_solve(x, x->hidden, mu);
        for (int a = 0; a < m; a++)
            for (int j = 0; j < n; j++) p[j] -= x->G[a * n + j] * mu[a];
        core->set(work, NOE_AT_P, member, p);
        failed = core->start(work, momentum);
    }
    noe_constraint_point_free(x);
    free(v);
    free(momentum);
    return failed;
}
