/* --tolerance of a model with a monitor: the step at the start, verified by a run with half of it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps that follow a monitor end at no common times.  So a run with the step h is compared with
 * one with h/2 at the ends of all of its own steps, which are dense where the motion is fast: the
 * second is read there by a part of a step.  From long steps down by the order of the method, until
 * the two agree within the tolerance and neither step is coarse. */
#include "accuracy/monitored_tolerance.h"

#include "accuracy/coarse_run.h"
#include "accuracy/trajectory_difference.h"
#include "base/status.h"
#include "between/fractional_step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 60,           /* pairs of runs */
    NO_GAIN_HALVINGS = 3,  /* halvings without a smaller difference, after which rounding is seen */
    COARSE_MOST = 8,       /* trials in turn that agree and are coarse all the same: G jumps */
    FIRST_STEPS = 16,      /* the first trial has so many steps, if the monitor stayed as it is */
    STEPS_MOST = 20000000, /* of one run */
    /* Newton matrices of both runs for each step above which roots are followed from free flight.
     * Such steps are too long, and a comparison of many of them ends. */
    MATRICES_A_STEP = 16
};
/* unknowns^3 of all matrices: some half a second of factorisations. */
static const double OPERATIONS_MOST = 3e9;
/* The tolerance above which a degree of 4 is cheaper than one of 8. */
static const double COARSE = 1e-4;

typedef struct {
    const noe_system *s;
    const char       *method;            /* name of the method */
    int               order, digits;     /* of the method; of the arithmetic */
    quad              until;             /* end of the run, in time */
    double tolerance, most, trial_steps; /* asked for; most steps of a run; steps so far */
    volatile sig_atomic_t *interrupted;
    const quad            *end;        /* [n] positions at `until` that have to be met, or NULL */
    bool                   jumps;      /* steps stay coarse however short they are */
    quad                  *q, *other;  /* [n] positions of two runs at one time */
    double                *size, *far; /* [n] max |other_i|, max |q_i - other_i| */
} search;

/* One comparison. */
typedef struct {
    double error, steps;   /* difference, relative to the coordinates; steps of the run with h */
    double reached, early; /* times up to which it was within the tolerance, and 1/1000 of it */
    bool   whole, coarse;  /* both runs reached the end; the steps do not follow the motion yet */
} pair;

static bool stopped(const search *a) { return a->interrupted && *a->interrupted; }

/* The run f up to t and its positions there; false: it could not. */
static bool positions_at(search *a, noe_integrator *f, quad t)
{
    for (bool arrived = false; !arrived; a->trial_steps++)
        if (noe_advance_monitored(f, t, &arrived)) return false;
    quad now;
    f->engine->get(f->work, NOE_AT_T, 0, &now);
    noe_integrator *y = f;
    if (now != t && (noe_fractional_step_mark(f) || !(y = noe_fractional_step_at(f, t))))
        return false;
    y->engine->get(y->work, NOE_AT_Q, 0, a->other);
    noe_fractional_step_leave(f);
    return true;
}

/* The difference so far, relative to the scale of each coordinate. */
static double difference(search *a)
{
    const int n = a->s->dyn.n;
    double    worst = 0;
    for (int i = 0; i < n; i++) {
        a->size[i] = fmax(a->size[i], (double)fabsq(a->other[i]));
        a->far[i] = fmax(a->far[i], (double)fabsq(a->q[i] - a->other[i]));
    }
    const double least = noe_trajectory_difference_least_scale(n, a->size);
    for (int i = 0; i < n; i++)
        if (a->far[i] > 0) worst = fmax(worst, a->far[i] / fmax(a->size[i], least));
    return worst;
}

/* Does the run f end where it has to?  Two runs may step over the same narrow wall. */
static bool meets_end(search *a, noe_integrator *f)
{
    if (!a->end) return true;
    if (!positions_at(a, f, a->until)) return false;
    const double least = noe_trajectory_difference_least_scale(a->s->dyn.n, a->size);
    for (int i = 0; i < a->s->dyn.n; i++)
        if (!(fabsq(a->other[i] - a->end[i]) <= 2 * (quad)a->tolerance * fmax(a->size[i], least)))
            return false;
    return true;
}

static noe_integrator *begin(search *a, quad h)
{
    noe_method     *m = noe_method_parse(a->method);
    noe_integrator *g = m ? noe_integrator_make(a->s, m, h, a->digits) : NULL;
    noe_method_free(m);
    if (g && !noe_integrator_start_ready(g)) return g;
    noe_integrator_free(g);
    return NULL;
}

/* Do steps take many matrices, and have these taken long? */
static bool takes_many_matrices(const search *a, noe_integrator *g, noe_integrator *f, double steps)
{
    const double unknowns = a->order / 2 * a->s->dyn.n,
                 matrices = noe_get(g, "refreshes") + noe_get(f, "refreshes");
    return matrices > MATRICES_A_STEP * steps
        && matrices * (unknowns * unknowns * unknowns) > OPERATIONS_MOST;
}

/* Runs with h and h/2; ends where they differ by more than 1/8. */
static pair compare(search *a, quad h)
{
    const int       n = a->s->dyn.n;
    noe_integrator *g = begin(a, h), *f = begin(a, h / 2);
    pair            o = { .error = INFINITY, .reached = (double)a->s->model->t0 };
    bool            arrived = false, ok = g && f;
    for (int i = 0; i < n; i++) a->size[i] = a->far[i] = 0;
    o.early = o.reached;
    while (ok && !arrived && !stopped(a)) {
        quad t;
        ok = !noe_advance_monitored(g, a->until, &arrived);
        a->trial_steps++, o.steps++;
        if (!ok) break;
        g->engine->get(g->work, NOE_AT_T, 0, &t);
        g->engine->get(g->work, NOE_AT_Q, 0, a->q);
        ok = positions_at(a, f, t);
        if (!ok) break;
        o.error = difference(a);
        if (o.error <= a->tolerance) o.reached = (double)t;
        if (o.error <= a->tolerance / 1000) o.early = (double)t;
        if (!(o.error <= 0.125) || o.steps > a->most || takes_many_matrices(a, g, f, o.steps))
            break;
    }
    o.whole = ok && arrived;
    if (o.whole) {
        const noe_local_error e = noe_local_error_of(g);
        o.coarse = e.coarse || noe_coarse_run_singular(g) || !meets_end(a, f);
    } else o.error = INFINITY;
    noe_integrator_free(g), noe_integrator_free(f);
    noe_error_clear();
    return o;
}

/* From long steps down. */
static noe_status descend(search *a, double least, noe_tolerance_choice *p)
{
    quad   h = (a->until - a->s->model->t0) / FIRST_STEPS;
    double best = INFINITY;
    int    no_gain = 0, coarse = 0;
    p->reached = (double)a->s->model->t0;
    for (int k = 0; k < ROUNDS && !stopped(a); k++) {
        const pair o = compare(a, h);
        const bool good = o.whole && !o.coarse && o.error <= a->tolerance;
        if (o.whole && o.error < best) no_gain = 0;
        else if (o.whole && !o.coarse) no_gain++;
        if (o.whole) best = fmin(best, o.error);
        coarse = o.coarse && o.error <= a->tolerance ? coarse + 1 : 0;
        a->jumps = coarse >= COARSE_MOST;
        p->least = (double)(h / 2);
        if (good || o.reached > p->reached) {
            p->step = h;
            p->steps = o.steps;
            p->error = o.error;
            p->reached = o.reached;
            p->early = o.early;
        }
        if (good && o.steps >= least) {
            p->reached = (double)a->until;
            return NOE_OK;
        }
        if (good) {
            h *= o.steps / (least + 1);
            continue;
        }
        if (o.steps > a->most || no_gain >= NO_GAIN_HALVINGS || a->jumps) {
            p->limited_by_rounding = no_gain >= NO_GAIN_HALVINGS;
            break;
        }
        const double f = o.whole && !o.coarse ? pow(a->tolerance / 3 / o.error, 1. / a->order)
                                              : 0.5;
        h *= fmax(0.25, fmin(0.8, f));
    }
    return stopped(a) ? NOE_STOPPED : NOE_NOT_CONVERGED;
}

noe_status noe_monitored_tolerance_pick(const noe_system *s, quad until, double tolerance,
                                        int digits, double least, double most, const quad *end,
                                        volatile sig_atomic_t *interrupted, noe_tolerance_choice *p)
{
    const size_t n = (size_t)s->dyn.n;
    const bool   coarse = tolerance > COARSE;
    search       a = { .s = s,
                       .method = coarse ? "gauss 4" : "gauss 8",
                       .order = coarse ? 8 : 16,
                       .digits = digits,
                       .until = until,
                       .tolerance = tolerance,
                       .most = fmin(most, STEPS_MOST),
                       .end = end,
                       .interrupted = interrupted };
    *p = (noe_tolerance_choice){ .step = 1, .reached = (double)until };
    snprintf(p->method, sizeof p->method, "%s", a.method);
    if (!(until > s->model->t0)) return NOE_OK;
    a.q = noe_status_alloc(2 * n, sizeof *a.q);
    a.size = noe_status_alloc(2 * n, sizeof *a.size);
    noe_status status = NOE_NO_MEMORY;
    if (a.q && a.size) {
        a.other = a.q + n, a.far = a.size + n;
        status = descend(&a, least, p);
    }
    p->trial_steps = a.trial_steps;
    snprintf(p->why, sizeof p->why,
             "they follow the monitor; compared with half of them at the end of each");
    free(a.q), free(a.size);
    if (status != NOE_NOT_CONVERGED) return status;
    return noe_status_fail(
        status,
        "--tolerance %g is not reached up to t = %.10g with the monitor: of the steps that were "
        "tried, down to %.2g at the start, the best agree with their halves up to t = %.6g%s; take "
        "a larger tolerance, %sanother monitor, or none; --force goes on all the same",
        tolerance, (double)until, p->least, p->reached,
        p->limited_by_rounding ? ", and shorter ones do not agree better: rounding"
        : a.jumps
            ? ", but not one of them follows the motion: L or the monitor jumps or bends there"
            : "",
        digits > NOE_DIGITS_DOUBLE ? "" : "--digits 33, ");
}
