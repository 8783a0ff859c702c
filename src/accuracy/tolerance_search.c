/* Chooses method and step for a tolerance: the step h = T/N with e(h) <= tolerance.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * e(h) = max over t, i of |q_i(t; h) - q_i(t; h/2)| / scale_i, scale_i = max over t of |q_i(t)|,
 * but at least 1e-4 of the largest scale. */
#include "accuracy/tolerance_search.h"

#include "number/digits.h"
#include "number/rounding_unit.h"
#include "base/status.h"
#include "accuracy/trial_steps.h"
#include "step/step_end.h"

#include <math.h>
#include <stdio.h>

enum {
    ROUNDS = 40, /* pairs of runs of N and 2 N steps; the work ends the search before */
    /* Rounds without a longer time of agreement: where rounding explains it, and in any case. */
    NO_GAIN_ROUNDS = 2,
    NO_GAIN_MOST = 12,
    GROUPS = 20 /* times at which runs are compared whose steps have no other common ends */
};

/* With fewer nodes in the whole run, a pulse or a collision may fall between two nodes. */
static const double NODES_LEAST = 16384;
/* Number of trial steps times coordinates after which the search ends, a matter of seconds, and of
 * trial steps per step of its first choice: what a longer run may take. */
static const double WORK_MOST = 1e7, WORK_PER_STEP = 24;
/* From one round to the next h is multiplied by a factor between these two. */
static const double SHRINK_LEAST = 0.25, SHRINK_MOST = 0.85;
/* A time of agreement counts as longer from this factor on. */
static const double LONGER_AGREEMENT = 1.02;
/* A comparison ends where it differs by this many tolerances: the error is known well enough. */
static const double ENDS_AT = 8;

/* Difference between N steps of a method to the time T and 2 N; ends where
 * e > most. */
static noe_run_beside compare_with_half(noe_tolerance_search *a, const noe_candidate *m, double N,
                                        double T, double most)
{
    return noe_trajectory_difference_run(&a->difference, m, N, T, 2, 1, most);
}

static void keep(noe_tolerance_choice *p, const noe_candidate *m, double N,
                 const noe_tolerance_search *a, const noe_run_beside *o)
{
    snprintf(p->method, sizeof p->method, "%s", m->name);
    p->splitting = m->splitting;
    p->step = (quad)a->T / N;
    p->steps = N;
    p->error = o->end ? o->error : INFINITY;
}

static void name_horizon(noe_tolerance_choice *p, const noe_tolerance_search *a,
                         const noe_run_beside *o)
{
    p->reached = (double)a->difference.t0 + o->agreed_until;
    p->early = (double)a->difference.t0 + o->agreed_finely_until;
}

/* Does rounding explain that two runs with N steps separate at the time T?  Compares a run with one
 * whose initial positions differ by rounding errors: the difference shows the growth of rounding
 * errors in the motion.  Unresolved kinks and events do not contribute, as both runs have the same
 * steps. */
static bool rounding(noe_tolerance_search *a, const noe_candidate *m, double N, double T)
{
    const double unit = noe_rounding_unit_last_place(a->difference.digits),
                 most = a->difference.tolerance / 2;
    if (most < unit) return true;
    const double e = noe_trajectory_difference_run(&a->difference, m,
                                                   fmax(1, noe_step_end_count(N * T / a->T)), T, 1,
                                                   1, most)
                         .error;
    return e > most && e < INFINITY; /* inf: a step failed, which is not a matter of rounding */
}

/* Looks for pulses and kinks between the nodes of N steps that agree with 2 N steps (`settled`):
 * compares the N steps with a run of at least NODES_LEAST nodes.  smooth: each step is compared
 * with a whole number of parts.  Otherwise (kinks, or the first number of steps failed) N and 2 N
 * steps may agree by chance, because the error at a kink depends on the position of the kink in
 * its step, and the two runs can have nearly equal positions.  Then the runs are compared at GROUPS
 * times, and only these times are ends of steps in both runs. */
static noe_run_beside look_between(noe_tolerance_search *a, const noe_candidate *m, double N,
                                   bool smooth, const noe_run_beside *settled)
{
    const double nodes = N * m->nodes;
    if (smooth && nodes * 2 >= NODES_LEAST) return *settled;
    const int group = smooth ? 1 : (int)(N / GROUPS);
    int       parts = (int)ceil(group * fmax(smooth ? 2 : 1.4, NODES_LEAST / nodes));
    while (!smooth && noe_within_steps_common_divisor(parts, group) > 1) parts++;
    noe_run_beside o = noe_trajectory_difference_run(&a->difference, m, N, a->T, parts, group,
                                                     ENDS_AT * a->difference.tolerance);
    o.error = fmax(o.error, settled->error);
    return o;
}

/* Compares N with 2 N steps over the whole run, with growing N.  Ends
 *   - when the two runs agree within the tolerance to the end of the run: true;
 *   - after NO_GAIN_ROUNDS increases of N without a longer time of agreement, where rounding
 *     explains the difference, and after NO_GAIN_MOST whatever the cause;
 *   - after ROUNDS, or where the next comparison would exceed the limits of the work.
 * Where rounding limits the agreement, that time is random: the result is the shortest of the last
 * three pairs of runs. */
static bool refine_until_agreed(noe_tolerance_search *a, const noe_candidate *m, double h,
                                noe_tolerance_choice *p)
{
    noe_run_beside last[NO_GAIN_ROUNDS + 1] = { { 0 } };
    double         agreed = -1;
    int            no_gain = 0;
    const bool     smooth = !a->difference.s->dyn.kinks;
    double         N = fmax(a->least, noe_step_end_count(a->T / h));
    a->within = (noe_within_steps){ .multiple = smooth || a->difference.enclosure ? 1 : GROUPS };
    N = noe_within_steps_count(&a->within, a->T, N);
    const double most = fmin(a->limit,
                             a->difference.trial_steps
                                 + fmax(WORK_MOST / a->difference.s->dyn.n, WORK_PER_STEP * N));
    p->limited_by_rounding = false;
    for (int i = 0; i < ROUNDS && !noe_tolerance_search_stopped(a); i++) {
        noe_run_beside o = compare_with_half(a, m, N, a->T, ENDS_AT * a->difference.tolerance);
        if (o.end && o.error <= a->difference.tolerance)
            o = a->difference.enclosure
                  ? noe_within_steps_look(&a->within, &a->difference, m, N, a->T, &o)
                  : look_between(a, m, N, smooth && i == 0, &o);
        if (noe_tolerance_search_stopped(a)) return false;
        last[i % (NO_GAIN_ROUNDS + 1)] = o;
        p->least = a->T / N / 2;
        if (o.agreed_until > agreed || i == 0) keep(p, m, N, a, &o), name_horizon(p, a, &o);
        if (o.end && o.error <= a->difference.tolerance) return true;
        if (o.agreed_until > LONGER_AGREEMENT * agreed)
            no_gain = no_gain > NO_GAIN_ROUNDS ? no_gain - NO_GAIN_ROUNDS : 0;
        else no_gain++;
        agreed = fmax(agreed, o.agreed_until);
        if (no_gain == 1 && a->difference.enclosure && a->difference.s->dyn.kinks
            && !(a->within.division.divided > 0)) { /* is there a jump in time? */
            noe_within_steps_look(&a->within, &a->difference, m, N, a->T, &o);
            if (!a->within.aligned)
                a->within = (noe_within_steps){ .multiple = a->within.multiple };
        }
        if (no_gain >= NO_GAIN_ROUNDS && o.error < INFINITY
            && o.agreed_until > a->within.compared_until
            && (p->limited_by_rounding = rounding(a, m, N, fmax(o.compared_until, a->T / N))))
            break;
        if (no_gain >= NO_GAIN_MOST) break;
        const double end = o.error * fmax(1, a->T / fmax(o.compared_until, a->T / N));
        double f = isfinite(end) ? pow(a->difference.tolerance / 3 / end, 1.0 / m->order) : 0.5;
        if (no_gain) f = fmin(f, 0.5);
        N = noe_within_steps_count(&a->within, a->T, N / fmin(SHRINK_MOST, fmax(SHRINK_LEAST, f)));
        if (a->difference.trial_steps + 3 * N > most) break;
    }
    for (int k = 0; k <= NO_GAIN_ROUNDS && p->limited_by_rounding; k++)
        if ((double)a->difference.t0 + last[k].agreed_until < p->reached)
            name_horizon(p, a, &last[k]);
    return false;
}

/* Two runs that agree for long may both have missed a pulse or a kink earlier: shortens
 * `reached` to the time of agreement with a run of divided steps. */
static void shorten(noe_tolerance_search *a, const noe_candidate *m, noe_tolerance_choice *p)
{
    const double after = p->reached - (double)a->difference.t0;
    const bool   known = a->within.division.divided > 0;
    if (!a->difference.enclosure || !(after > 0)
        || (known ? after <= a->within.agreed_until : p->limited_by_rounding))
        return;
    const double            N = fmax(1, noe_step_end_count(p->steps * after / a->T));
    const noe_run_beside    agreed = { .end = true };
    const noe_step_division division = a->within.division;
    const noe_run_beside    o = noe_within_steps_look(&a->within, &a->difference, m, N,
                                                      N * a->T / p->steps, &agreed);
    p->reached = fmin(p->reached, (double)a->difference.t0 + o.agreed_until);
    if (known && division.t <= p->reached + 2 * a->T / p->steps)
        a->within.division = division; /* the same event, found with shorter steps */
    p->early = fmin(p->early, p->reached);
}

/* Part of the interval that no trial step is shorter than: those of noe_trial_steps_resolve()
 * end at 2^-62 of it, where rounding may be all that a state changes by. */
static const double SHORTEST_PART = 0x1p-40;

/* No trial step agreed with its halves at the start: fails with the message of a very short
 * step, if that step fails, too. */
static noe_status no_start(const noe_tolerance_search *a)
{
    noe_method     *f = noe_method_parse("gauss 4");
    noe_integrator *g = f ? noe_integrator_make(a->difference.s, f, (quad)a->T * SHORTEST_PART,
                                                a->difference.digits)
                          : NULL;
    const bool      told = g && (noe_integrator_start_ready(g) || noe_step(g));
    noe_integrator_free(g);
    noe_method_free(f);
    if (told) return NOE_INVALID;
    return noe_status_fail(NOE_INVALID,
                           "--tolerance %g: no step from %g down follows the start of this motion; "
                           "give --method and --step",
                           a->difference.tolerance, a->T / 8);
}

/* What each candidate costs to the tolerance, by trials over a short time T. */
typedef struct {
    double         T;
    noe_trial_cost of[NOE_CANDIDATES];
} trials;

/* Trials are given up above so many times the least cost found. */
static const double HOPELESS = 2;

/* The highest orders come first: to small errors trials of low order take longest. */
static int find_cheapest(noe_tolerance_search *a, double h, trials *x)
{
    const bool gauss = a->difference.enclosure || a->difference.digits > NOE_DIGITS_DOUBLE;
    int        best = NOE_CANDIDATE_GAUSS_4; /* none ends: a short event lies before T */
    for (int i = 0; i < NOE_CANDIDATES; i++)
        x->of[i] = (noe_trial_cost){ .cost = INFINITY, .step = h };
    for (int i = NOE_CANDIDATES; i-- > 0 && !noe_tolerance_search_stopped(a);) {
        const noe_candidate *m = &noe_candidate_all[i];
        if (m->splitting && (gauss || !noe_candidate_suits(m, a->difference.s))) continue;
        x->of[i] = noe_trial_steps_cost(&a->difference, a->T, m, h, x->T,
                                        HOPELESS * x->of[best].cost);
        if (x->of[i].cost < x->of[best].cost || !(x->of[best].cost < INFINITY)) best = i;
    }
    return x->of[best].cost < INFINITY ? best : NOE_CANDIDATE_GAUSS_4;
}

static void tell_trials(const trials *x, noe_tolerance_choice *p)
{
    int used = snprintf(p->why, sizeof p->why, "no trial reached t = %.4g", x->T);
    for (int i = 0, told = 0; i < NOE_CANDIDATES; i++) {
        const noe_trial_cost of = x->of[i];
        if (!(of.cost < INFINITY)) continue;
        if (!told++)
            used = snprintf(p->why, sizeof p->why, "trials over t = %.4g took per unit of time",
                            x->T);
        used += snprintf(p->why + used, sizeof p->why - (size_t)used, "%s %s%.3g (%s)",
                         told > 1 ? "," : "", of.at_least ? "more than " : "", of.cost,
                         noe_candidate_all[i].name);
    }
}

/* Chooses method and step.  NOE_NOT_CONVERGED, without a message: no step reaches the end within
 * the tolerance; *p: the best choice. */
static noe_status choose(noe_tolerance_search *a, noe_tolerance_choice *p)
{
    const double h = noe_trial_steps_resolve(&a->difference, a->T);
    trials       x = { .T = fmin(NOE_TRIAL_STEPS * h, a->T) };
    if (noe_tolerance_search_stopped(a)) return NOE_STOPPED;
    if (!(h > 0)) return no_start(a);
    const int            best = find_cheapest(a, h, &x);
    const noe_candidate *m = &noe_candidate_all[best];
    if (noe_tolerance_search_stopped(a)) return NOE_STOPPED;
    const bool ok = refine_until_agreed(a, m, x.of[best].step, p);
    if (!ok && !noe_tolerance_search_stopped(a)) shorten(a, m, p);
    if (noe_tolerance_search_stopped(a)) return NOE_STOPPED;
    p->trial_steps = a->difference.trial_steps;
    tell_trials(&x, p);
    return ok ? NOE_OK : NOE_NOT_CONVERGED;
}

noe_status noe_tolerance_search_to(noe_tolerance_search *a, quad until, noe_tolerance_choice *p)
{
    *p = (noe_tolerance_choice){
        .method = "gauss 4", .step = 1, .error = 0, .reached = (double)until
    };
    a->difference.t0 = a->difference.s->model->t0;
    a->difference.trial_steps = 0;
    a->T = (double)(until - a->difference.t0);
    if (!(a->T > 0)) return NOE_OK; /* the run has no step */
    const noe_status status = noe_trajectory_difference_open(&a->difference) ? choose(a, p)
                                                                             : NOE_NO_MEMORY;
    if (!status || status == NOE_NOT_CONVERGED)
        p->step = (until - a->difference.t0) / (quad)p->steps;
    noe_trajectory_difference_close(&a->difference);
    return status;
}
