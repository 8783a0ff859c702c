/* The way back: lambda over the records of the steps, the parts of the rows, the start.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "adjoint/adjoint.h"
#include "base/status.h"
#include "gradient/adjoint_tapes.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_adjoint_run *x;
    const double    *weight; /* [rows][columns] dJ/d(column) at each row */
    quad            *by,     /* lambda [2n], then dJ/d(parameters) */
        *aside,              /* the same of a fractional step */
        *of_row;             /* weights of a row by q, v, p, energy, observables */
    double *in_double;       /* what a row adds to `by`, where double will do */
    size_t  count,           /* of `by` */
        r;                   /* rows that are still to be added */
    long   placed;           /* number of the piece whose records are in place */
    size_t changes;          /* changes of the motion that are still to be gone back over */
    quad   moved;            /* dJ/d(time of the change by which the piece at hand begins) */
} way;

/* Weights of row r by quantity; false: all are 0. */
static bool spread(way *w, size_t r)
{
    const noe_columns *c = w->x->columns;
    const int          n = w->x->g->system->dyn.n;
    bool               any = false;
    memset(w->of_row, 0,
           (size_t)(3 * n + 1 + w->x->g->system->model->observables) * sizeof *w->of_row);
    for (int k = 0; k < c->count; k++) {
        const noe_column *y = &c->column[k];
        const quad        by = w->weight[r * (size_t)c->count + (size_t)k];
        const int         at = y->kind == NOE_COL_OBSERVABLE ? 3 * n + 1 + y->index
                             : y->at == NOE_AT_Q             ? y->index
                             : y->at == NOE_AT_V             ? n + y->index
                             : y->at == NOE_AT_P             ? 2 * n + y->index
                                                             : 3 * n;
        if (by == 0 || (y->kind == NOE_COL_AT && y->at == NOE_AT_T)) continue;
        w->of_row[at] += by, any = true;
    }
    return any;
}

/* to += the part of row r; false with a message. */
static bool add_row(way *w, size_t r, quad *to)
{
    const noe_dynamics *d = &w->x->g->system->dyn;
    const int           n = d->n;
    if (!spread(w, r)) return true;
    if (w->x->state) {
        const quad         *z = w->x->state + r * (size_t)(3 * n + 2);
        const noe_row_state s = {
            .t = z[0], .H = z[1], .q = z + 2, .v = z + 2 + n, .p = z + 2 + 2 * n
        };
        return noe_adjoint_ends_row(d, &s, w->of_row, to, to + 2 * n);
    }
    for (int i = 0; i < n; i++) to[i] += w->of_row[i], to[n + i] += w->of_row[2 * n + i];
    return true;
}

/* lambda . (dq, dp) [2n], with lambda in `of`. */
static quad along(const way *w, const quad *of, const quad *to)
{
    quad sum = 0;
    for (int i = 0; i < 2 * w->x->g->system->dyn.n; i++) sum += of[i] * to[i];
    return sum;
}

/* dJ/d(NOE_PACES), after those by parameters. */
static quad *paces(const way *w, quad *of)
{
    const noe_model *m = w->x->g->system->model;
    return of + 2 * m->n + m->params;
}

/* to += the part of row r, at the end of a step whose time moves with the parameters: a row is one
 * at fixed time. */
static bool add_row_at_time(way *w, size_t r, quad *to)
{
    memset(w->aside, 0, w->count * sizeof *w->aside);
    if (!add_row(w, r, w->aside)) return false;
    const quad *rates = w->x->state_rates + r * (size_t)(2 * w->x->g->system->dyn.n);
    paces(w, w->aside)[NOE_PACE_TIME] -= along(w, w->aside, rates);
    for (size_t i = 0; i < w->count; i++) to[i] += w->aside[i];
    return true;
}

/* Adds row r, of positions and momenta alone, to lambda in double. */
static void add_row_in_double(way *w, size_t r)
{
    const noe_integrator *g = w->x->g;
    const noe_columns    *c = w->x->columns;
    const int             n = g->system->dyn.n;
    const double         *weight = w->weight + r * (size_t)c->count;
    double               *to = w->in_double, time = 0;
    bool                  any = false;
    memset(to, 0, w->count * sizeof *to);
    for (int k = 0; k < c->count; k++) {
        const noe_column *y = &c->column[k];
        if (weight[k] == 0 || y->at == NOE_AT_T) continue;
        to[y->at == NOE_AT_Q ? y->index : n + y->index] += weight[k], any = true;
    }
    if (!any) return;
    const quad *rates = w->x->state_rates ? w->x->state_rates + r * (size_t)(2 * n) : NULL;
    for (int i = 0; i < 2 * n && rates; i++) time += to[i] * (double)rates[i];
    if (rates) to[2 * n + g->system->model->params + NOE_PACE_TIME] = -time;
    g->engine->adjoint->add(g->work, to);
}

/* Adds the rows at the grid point k. */
static bool add_rows_at(way *w, long k)
{
    const noe_integrator *g = w->x->g;
    bool                  read = false;
    for (; w->r > 0; w->r--) {
        const noe_adjoint_place *p = &w->x->place[w->r - 1];
        if (p->within || p->step != k) break;
        if (!w->x->state && g->digits <= NOE_DIGITS_DOUBLE) {
            add_row_in_double(w, w->r - 1);
            continue;
        }
        if (!read) g->engine->get(g->work, NOE_AT_ADJOINT, 0, w->by), read = true;
        if (w->x->state_rates ? !add_row_at_time(w, w->r - 1, w->by) : !add_row(w, w->r - 1, w->by))
            return false;
    }
    if (read) g->engine->set(g->work, NOE_AT_ADJOINT, 0, w->by);
    return true;
}

static bool not_finite(const way *w, long k)
{
    return noe_status_fail(NOE_NOT_FINITE,
                           "%s: the step number %ld has no finite derivative: second derivatives "
                           "of L are infinite there, or the equations of the step singular",
                           w->x->g->system->source, k + 1),
           false;
}

/* Does the piece of step k at hand begin by a change?  Then the change. */
static const noe_adjoint_change *beginning(const way *w, long k)
{
    const noe_adjoint_change *c = w->changes ? &w->x->change[w->changes - 1] : NULL;
    return c && (c->step == k || (c->step == k - 1 && !c->tailed)) ? c : NULL;
}

/* Adds the rows within a piece of step k, each over its fractional step, to lambda before it. */
static bool add_rows_within(way *w, long k)
{
    noe_adjoint_run *x = w->x;
    noe_integrator  *g = x->g;
    for (; w->r > 0; w->r--) {
        const noe_adjoint_place *p = &x->place[w->r - 1];
        if (!p->within || p->step != k || p->after != w->changes) break;
        memset(w->aside, 0, w->count * sizeof *w->aside);
        if (!add_row(w, w->r - 1, w->aside)) return false;
        if (beginning(w, k))
            w->moved += along(w, w->aside,
                              x->by_begin + (w->r - 1) * (size_t)(2 * g->system->dyn.n));
        g->engine->get(g->work, NOE_AT_ADJOINT, 0, w->by);
        g->engine->set(g->work, NOE_AT_ADJOINT, 0, w->aside);
        if (!g->engine->adjoint->back(g->work, noe_adjoint_between(x, w->r - 1)))
            return not_finite(w, k);
        g->engine->get(g->work, NOE_AT_ADJOINT, 0, w->aside);
        for (size_t i = 0; i < w->count; i++) w->by[i] += w->aside[i];
        g->engine->set(g->work, NOE_AT_ADJOINT, 0, w->by);
    }
    return true;
}

/* Makes the steps of a piece, `span` steps from a kept state, again for their records. */
static bool repeat(way *w, long piece)
{
    noe_adjoint_run *x = w->x;
    noe_integrator  *g = x->g;
    const long       from = piece * x->span, to = from + x->span;
    size_t           bytes;
    g->engine->get(g->work, NOE_AT_ADJOINT, 0, w->by);
    memcpy(g->engine->memory(g->work, &bytes), x->kept + (size_t)piece * x->state_bytes,
           x->state_bytes);
    for (long k = from; k < to && k < x->steps; k++) {
        if (x->interrupted && *x->interrupted)
            return noe_status_fail(NOE_STOPPED, "interrupted"), false;
        const size_t until = noe_adjoint_changes_until(x, k);
        if (until && x->change[until - 1].step == k) {
            memcpy(g->engine->memory(g->work, &bytes), x->change[until - 1].state, x->state_bytes);
            continue;
        }
        if (g->engine->step(g->work)) return not_finite(w, k);
        g->engine->adjoint->record(g->work, x->record + (size_t)(k - from) * x->record_bytes);
    }
    g->engine->set(g->work, NOE_AT_ADJOINT, 0, w->by);
    w->placed = piece;
    return true;
}

/* Takes lambda back over a piece of step k, and the rows in it. */
static bool piece_back(way *w, long k, const char *record)
{
    noe_integrator           *g = w->x->g;
    const noe_adjoint_change *c = beginning(w, k);
    if (c) g->engine->get(g->work, NOE_AT_ADJOINT, 0, w->by);
    w->moved = c ? along(w, w->by, c->begin) : (quad)0;
    if (!g->engine->adjoint->back(g->work, record)) return not_finite(w, k);
    return add_rows_within(w, k);
}

/* The same over step k, with the changes of the motion in it. */
static bool step_back(way *w, long k)
{
    const noe_adjoint_run *x = w->x;
    noe_integrator        *g = x->g;
    const size_t           n = (size_t)g->system->dyn.n;
    const bool             some = w->changes && x->change[w->changes - 1].step == k;
    if (!some) return piece_back(w, k, x->record + (size_t)(k % x->span) * x->record_bytes);
    const noe_adjoint_change *c = &x->change[w->changes - 1];
    if (c->tailed && !piece_back(w, k, c->tail)) return false;
    for (; w->changes && x->change[w->changes - 1].step == k;) {
        c = &x->change[w->changes - 1];
        g->engine->get(g->work, NOE_AT_ADJOINT, 0, w->by);
        if (!noe_adjoint_jump_back(&g->system->dyn, c, w->moved, w->by, w->by + 2 * n))
            return false;
        g->engine->set(g->work, NOE_AT_ADJOINT, 0, w->by);
        w->moved = 0, w->changes--;
        if (c->pieced && !piece_back(w, k, c->piece)) return false;
        if (!c->pieced)
            g->engine->set(g->work, NOE_AT_P, 0, c->in + noe_tape_input(NOE_P, 0, (int)n));
    }
    return true;
}

static bool go(way *w)
{
    noe_adjoint_run *x = w->x;
    noe_integrator  *g = x->g;
    memset(w->by, 0, w->count * sizeof *w->by);
    g->engine->set(g->work, NOE_AT_ADJOINT, 0, w->by);
    w->r = x->rows, w->changes = x->changes;
    w->placed = x->steps ? (x->steps - 1) / x->span : 0; /* as the run has left them */
    if (!add_rows_within(w, x->steps)) return false;
    for (long k = x->steps; k-- > 0;) {
        if (x->interrupted && *x->interrupted)
            return noe_status_fail(NOE_STOPPED, "interrupted"), false;
        if (!add_rows_at(w, k + 1)) return false;
        if (k / x->span != w->placed && !repeat(w, k / x->span)) return false;
        if (!step_back(w, k)) return false;
    }
    return add_rows_at(w, 0);
}

/* The ends of the gradient, at the model's start. */
static bool finish(way *w, quad *by_parameter, quad *by_start)
{
    noe_integrator     *g = w->x->g;
    const size_t        n = (size_t)g->system->dyn.n, params = (size_t)g->system->model->params;
    const noe_dynamics *d = &g->system->dyn;
    quad q[n], v[n], p[n], left_out[(size_t)d->constraints + 1], *const by = w->by + 2 * n;
    g->engine->get(g->work, NOE_AT_ADJOINT, 0, w->by);
    g->engine->get(g->work, NOE_AT_Q, 0, q);
    g->engine->get(g->work, NOE_AT_V, 0, v);
    const quad t0 = g->system->model->t0;
    if (w->x->state_rates) {
        const noe_row_state s = { .t = t0, .q = q, .v = v, .p = p };
        quad                eps;
        g->engine->get(g->work, NOE_AT_P, 0, p);
        g->engine->get(g->work, NOE_AT_FICTITIOUS, 0, &eps);
        if (!noe_monitored_adjoint_start(d, &g->stepped, eps, &s, paces(w, w->by), w->by, by))
            return false;
    }
    if (d->constraints) {
        g->engine->get(g->work, NOE_AT_P, 0, p);
        g->engine->get(g->work, NOE_AT_LEFT_OUT, 0, left_out);
        if (!noe_constrained_adjoint_start(d, left_out, t0, q, v, p, w->by, by)) return false;
        noe_adjoint_ends_given(d, w->by, by);
    } else if (!noe_adjoint_ends_start(d, t0, q, v, w->by, by)) return false;
    memcpy(by_start, w->by, 2 * n * sizeof *by_start);
    memcpy(by_parameter, w->by + 2 * n, params * sizeof *by_parameter);
    return true;
}

bool noe_adjoint_back(noe_adjoint_run *x, const double *weight, quad *by_parameter, quad *by_start)
{
    const noe_dynamics *d = &x->g->system->dyn;
    way                 w = { .x = x, .weight = weight, .count = noe_equations_adjoint_numbers(d) };
    const size_t        numbers = 3 * (size_t)d->n + 1 + (size_t)d->model->observables;
    w.by = noe_status_alloc(2 * w.count + numbers, sizeof *w.by);
    w.in_double = noe_status_alloc(w.count, sizeof *w.in_double);
    const bool ok = w.by && w.in_double;
    w.aside = ok ? w.by + w.count : NULL, w.of_row = ok ? w.aside + w.count : NULL;
    const bool made = ok && go(&w) && finish(&w, by_parameter, by_start);
    noe_integrator_moved(x->g);
    free(w.by), free(w.in_double);
    return made;
}
