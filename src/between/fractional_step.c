/* Fractional step: (q, p)(t_n + tau) by one step of length tau from the grid point t_n.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "between/fractional_step.h"

#include "base/status.h"
#include "between/hermite_state.h"
#include "integrate/singularity_guard.h"
#include "number/rounding_unit.h"
#include "step/part_search.h"
#include "step/step_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With a monitor G the time of the next step is known to its first order alone; noe_at() goes as
 * far as this many of it. */
static const quad NEXT_STEPS_MOST = 2;

struct noe_fraction {
    void      *left; /* [bytes] engine state at t_n */
    size_t     bytes;
    quad       t, h, count; /* t_n; the step of the grid; steps made until t_n */
    bool       marked;      /* `left` is filled */
    noe_status why;         /* of the last step that could not be made */
    /* Interpolation: */
    noe_hermite_end end[2]; /* grid points at t_n and t_n + h */
    bool            known;  /* both are read */
    void           *aside;  /* [bytes] engine state of the run while another is in its place */
    bool            placed; /* it is */
    double         *q, *p;  /* [n] the interpolated state */
};

bool noe_fractional_step_interpolates(const noe_integrator *g)
{
    const noe_engine_fraction *x = g->engine->fraction;
    return x && x->place && x->factorises(g->work);
}

/* The integrator that makes the fractional steps; the options of the run are in the engine state,
 * except the number of threads and the parameters of functions in C. */
static noe_integrator *probe(const noe_integrator *g, quad h)
{
    noe_method     *f = noe_method_parse(g->method);
    noe_integrator *x = f ? noe_integrator_make(g->system, f, h, g->digits) : NULL;
    noe_method_free(f);
    if (!x) return NULL;
    if (x->engine->large)
        x->engine->large->set_threads(x->work, g->engine->large->threads(g->work));
    if (x->engine->linear) { /* one step cannot be unstable */
        const noe_engine_linear *l = x->engine->linear;
        l->set(x->work, NOE_LINEAR_FACTOR_BITS,
               g->engine->linear->get(g->work, NOE_LINEAR_FACTOR_BITS));
        l->set(x->work, NOE_LINEAR_WINDOW, 0);
    }
    x->work_unknown = g->work_unknown;
    x->ready = x->continued = true;
    return x;
}

/* Everything in one block of memory, and the probe. */
static noe_status make(noe_integrator *g)
{
    const size_t n = (size_t)g->system->dyn.n;
    const bool   between = noe_fractional_step_interpolates(g);
    const size_t numbers = between ? (NOE_HERMITE_ROOM + 2) * n : 0;
    size_t       bytes;
    quad         h;
    g->engine->memory(g->work, &bytes);
    g->engine->get(g->work, NOE_AT_STEP, 0, &h);
    if (!between && !g->probe && !(g->probe = probe(g, h))) return NOE_NO_MEMORY;
    noe_fraction *x = noe_status_alloc(1, sizeof *x + (between ? 2 : 1) * bytes
                                              + numbers * sizeof(double));
    if (!x) return NOE_NO_MEMORY;
    g->fraction = x;
    x->bytes = bytes;
    x->left = x + 1;
    x->aside = (char *)x->left + bytes;
    if (!between) return NOE_OK;
    x->q = (double *)((char *)x->aside + bytes);
    x->p = x->q + n;
    noe_hermite_state_lay_out(x->end, (int)n, x->p + n);
    return NOE_OK;
}

noe_status noe_fractional_step_mark(noe_integrator *g)
{
    noe_status s = noe_integrator_start_ready(g);
    if (s) return s;
    if (g->digits > NOE_DIGITS_QUAD || g->borrows_work)
        return noe_status_fail(
            NOE_INVALID, "%d digits: states between the steps are computed in 15 or 33 digits",
            g->digits);
    if (!g->fraction && (s = make(g))) return s;
    noe_fraction *x = g->fraction;
    noe_fractional_step_leave(g);
    memcpy(x->left, g->engine->memory(g->work, &x->bytes), x->bytes);
    g->engine->get(g->work, NOE_AT_T, 0, &x->t);
    g->engine->get(g->work, NOE_AT_STEP, 0, &x->h);
    g->engine->get(g->work, NOE_AT_COUNT, 0, &x->count);
    x->marked = true, x->known = false;
    return NOE_OK;
}

/* Is the run one step beyond t_n? */
static bool is_ahead(const noe_integrator *g)
{
    const noe_fraction *x = g->fraction;
    quad                count;
    g->engine->get(g->work, NOE_AT_COUNT, 0, &count);
    return count == x->count + 1;
}

void noe_fractional_step_leave(noe_integrator *g)
{
    noe_fraction *x = g->fraction;
    size_t        bytes;
    if (!x || !x->placed) return;
    memcpy(g->engine->memory(g->work, &bytes), x->aside, x->bytes);
    x->placed = false;
    noe_integrator_moved(g);
}

void noe_fractional_step_return(noe_integrator *g)
{
    noe_fraction *x = g->fraction;
    size_t        bytes;
    if (!x || !x->marked) return;
    noe_fractional_step_leave(g);
    memcpy(g->engine->memory(g->work, &bytes), x->left, x->bytes);
    noe_singularity_guard_set_back(g->guard);
    noe_integrator_moved(g);
}

/* Reads both grid points; the run is stepped, and taken back, where it stands at t_n. */
static noe_status read_ends(noe_integrator *g)
{
    noe_fraction *x = g->fraction;
    size_t        bytes;
    void *const   memory = g->engine->memory(g->work, &bytes);
    const bool    ahead = is_ahead(g);
    noe_status    s = ahead ? NOE_OK : noe_smooth_step(g);
    if (!s) s = noe_hermite_state_read(g, &x->end[1]);
    memcpy(x->aside, memory, bytes);
    memcpy(memory, x->left, bytes);
    noe_integrator_moved(g);
    if (!s) s = noe_hermite_state_read(g, &x->end[0]);
    if (ahead) memcpy(memory, x->aside, bytes);
    noe_integrator_moved(g);
    x->known = s == NOE_OK;
    return s;
}

/* Puts the interpolated state in the place of the run's. */
static noe_integrator *interpolate(noe_integrator *g, quad t)
{
    noe_fraction *x = g->fraction;
    size_t        bytes;
    if (!x->known && (x->why = read_ends(g))) return NULL;
    noe_hermite_state_between(g->stepped.structure, x->end, (double)((t - x->t) / x->h), x->q,
                              x->p);
    memcpy(x->aside, g->engine->memory(g->work, &bytes), x->bytes);
    if ((x->why = g->engine->fraction->place(g->work, t, x->q, x->p))) return NULL;
    x->placed = true;
    noe_integrator_moved(g);
    return g;
}

/* Steps of a transformed Lagrangian: the part of a step that ends at t, step/part_search.h. */
static bool reach(noe_integrator *g, noe_integrator *y, quad t)
{
    noe_fraction     *x = g->fraction;
    const noe_engine *engine = y->engine;
    quad              there, span;
    size_t            bytes;
    engine->get(y->work, NOE_AT_PACE, 0, &span);
    if (is_ahead(g)) g->engine->get(g->work, NOE_AT_T, 0, &there), span = there - x->t;
    noe_part_search at = noe_part_search_begin(t, x->t, span,
                                               noe_rounding_unit_last_place(g->digits));
    for (int k = 0; k < NOE_PART_TRIALS; k++) {
        const quad tau = at.c * x->h;
        if (k) memcpy(engine->memory(y->work, &bytes), x->left, x->bytes);
        engine->fraction->shorten(y->work, &t, &tau, is_ahead(g) ? g->work : NULL);
        const bool made = !engine->step(y->work);
        engine->get(y->work, NOE_AT_T, 0, &there);
        engine->get(y->work, NOE_AT_PACE, 0, &span);
        const noe_part_outcome o = noe_part_search_next(&at, made, there, span);
        if (o != NOE_PART_GOES_ON) return o == NOE_PART_FOUND;
    }
    return false;
}

/* Makes the fractional step. */
static noe_integrator *step(noe_integrator *g, quad t, quad tau)
{
    noe_fraction     *x = g->fraction;
    noe_integrator   *y = g->probe;
    const noe_engine *engine = y->engine;
    const quad        before = -1;
    size_t            bytes;
    memcpy(engine->memory(y->work, &bytes), x->left, x->bytes);
    noe_integrator_moved(y);
    if (g->params) {
        memcpy(y->param, g->param, (size_t)g->params * sizeof *y->param);
        engine->set(y->work, NOE_AT_PARAM, 0, y->param);
    }
    if (tau == 0) return y;
    bool made = false;
    if (y->stepped.transformed) made = reach(g, y, t);
    else if (engine->fraction && engine->fraction->shorten)
        engine->fraction->shorten(y->work, &t, &tau, is_ahead(g) ? g->work : NULL);
    else {
        engine->set(y->work, NOE_AT_STEP, 0, &tau);
        engine->set(y->work, NOE_AT_T0, 0, &t);
        engine->set(y->work, NOE_AT_COUNT, 0, &before);
    }
    if (y->stepped.transformed ? made : !engine->step(y->work)) {
        /* what depends on h is that of the run */
        if (engine->fraction && engine->fraction->lengthen)
            engine->fraction->lengthen(y->work, x->h);
        else engine->set(y->work, NOE_AT_STEP, 0, &x->h);
        if (y->stepped.clock) engine->set(y->work, NOE_AT_T0, 0, &t);
        return y;
    }
    const noe_status why = engine->why(y->work,
                                       0); /* NOE_OK: the steps of reach() did not converge */
    x->why = noe_status_fail(
        why ? why : NOE_NOT_CONVERGED,
        "t = %.12g: the fractional step of %.3g from t = %.12g could not be made: %s", (double)t,
        (double)tau, (double)x->t, "try a smaller step");
    return NULL;
}

/* Do two times differ by the roundings of t_0 + k h alone?  A row asked for at a grid point is then
 * that of the grid, not of a step of length 1e-34. */
static bool is_same_time(quad a, quad b)
{
    return fabsq(a - b)
        <= 4 * (quad)noe_rounding_unit_half(NOE_DIGITS_QUAD) * fmaxq(fabsq(a), fabsq(b));
}

/* The state at t = t_n + tau. */
static noe_integrator *take(noe_integrator *g, quad t, quad tau)
{
    noe_fraction *x = g->fraction;
    if (!x || !x->marked) return NULL;
    noe_fractional_step_leave(g);
    if (is_ahead(g)) {
        quad now;
        g->engine->get(g->work, NOE_AT_T, 0, &now);
        if (t == now || (!g->stepped.clock && (tau == x->h || is_same_time(t, now)))) return g;
    }
    if (!g->stepped.clock && is_same_time(t, x->t)) t = x->t, tau = 0;
    return g->probe ? step(g, t, tau) : interpolate(g, t);
}

noe_integrator *noe_fractional_step_take(noe_integrator *g, quad tau)
{
    return take(g, g->fraction ? g->fraction->t + tau : 0, tau);
}

noe_integrator *noe_fractional_step_at(noe_integrator *g, quad t)
{
    return take(g, t, g->fraction ? t - g->fraction->t : 0);
}

quad noe_fractional_step_column(noe_integrator *g, noe_integrator *y, const noe_column *c)
{
    const bool between = y != g || (g->fraction && g->fraction->placed);
    quad       t;
    if (c->exact && between) {
        noe_integrator_state_get(y, NOE_AT_T, &t);
        return noe_exact_column_value(g, c, &t);
    }
    if (between && c->kind >= NOE_COL_SOLVER && c->kind != NOE_COL_SIMPSON)
        return noe_column_value(g, c); /* a statistic of the run */
    if (!between || c->kind != NOE_COL_AT) return noe_column_value(y, c);
    switch (c->at) {
    case NOE_AT_WORK:
    case NOE_AT_DISSIPATED:
    case NOE_AT_BALANCE:
    case NOE_AT_T:
    case NOE_AT_Q:
    case NOE_AT_P:
    case NOE_AT_V:
    case NOE_AT_ENERGY: return noe_column_value(y, c);
    default: return noe_column_value(g, c);
    }
}

noe_status noe_fractional_step_mark_before(noe_integrator *g, double t)
{
    const noe_status s = noe_fractional_step_mark(g);
    if (s) return s;
    const noe_fraction *x = g->fraction;
    quad                h = x->h;
    if (g->stepped.clock) g->engine->get(g->work, NOE_AT_PACE, 0, &h);
    if (g->stepped.transformed) h *= NEXT_STEPS_MOST;
    const quad share = (t - x->t) / h;
    if (!(share >= -NOE_STEP_END_PART && share <= 1 + NOE_STEP_END_PART))
        return noe_status_fail(
            NOE_INVALID, "t = %.12g: expected a time within the next step, from %.12g to %.12g", t,
            (double)x->t, (double)(x->t + h));
    return NOE_OK;
}

noe_status noe_fractional_step_read(noe_integrator *g, double t, double *q, double *p)
{
    const size_t    bytes = (size_t)g->system->dyn.n * sizeof *q;
    noe_integrator *y = noe_fractional_step_at(g, t);
    if (!y) return g->fraction->why;
    memcpy(q, noe_q(y), bytes), memcpy(p, noe_p(y), bytes);
    noe_fractional_step_leave(g);
    return NOE_OK;
}
