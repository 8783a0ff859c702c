/* Trials over a short time: h with e(h) = tolerance T / (3 T_run), and the work per unit of time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "accuracy/trial_steps.h"

#include "base/status.h"
#include "step/step_end.h"

#include <math.h>

/* The error that a trial aims at, a third of the tolerance, is not below some tens of roundings. */
static const double LEAST_DOUBLE = 1e-14, LEAST_BINARY128 = 1e-31;
/* A trial whose step is within these factors of the one aimed at is not repeated; from one trial to
 * the next the step changes by at most the others. */
static const double NEAR_LEAST = 0.8, NEAR_MOST = 1.25, SHORTER_MOST = 0.125, LONGER_MOST = 4;

static noe_run_beside compare_with_half(noe_trajectory_difference *a, const noe_candidate *m,
                                        double N, double T, double most)
{
    return noe_trajectory_difference_run(a, m, N, T, 2, 1, most);
}

/* Trial steps, each half of the one before, from an eighth of the interval or so many suggested
 * steps on, until one is found that agrees with its halves to a part FOLLOWED: the search begins
 * there. */
enum { TRIALS_MOST = 60, SUGGESTED_MOST = 64 };
static const double FOLLOWED = 1e-3;

double noe_trial_steps_resolve(noe_trajectory_difference *a, double T)
{
    const char *said = noe_system_suggest(a->s, "step");
    quad        suggested = 0;
    double      h = T / 8;
    if (said && noe_parse_model_value(a->s->model, "step", said, &suggested) && suggested > 0)
        h = fmin(h, SUGGESTED_MOST * (double)suggested);
    noe_error_clear();
    for (int i = 0; i < TRIALS_MOST && !noe_trajectory_difference_stopped(a); i++, h /= 2) {
        const noe_run_beside o = compare_with_half(a, &noe_candidate_all[NOE_CANDIDATE_GAUSS_4],
                                                   NOE_TRIAL_STEPS, fmin(NOE_TRIAL_STEPS * h, T),
                                                   FOLLOWED);
        if (o.end) return fmin(h, T / NOE_TRIAL_STEPS);
    }
    return 0;
}

noe_trial_cost noe_trial_steps_cost(noe_trajectory_difference *a, double whole,
                                    const noe_candidate *m, double h, double T, double hopeless)
{
    const double   least_goal = a->digits > NOE_DIGITS_DOUBLE ? LEAST_BINARY128 : LEAST_DOUBLE;
    const double   goal = fmax(a->tolerance / 3 * fmin(1, T / whole), least_goal);
    double         failed = INFINITY; /* h that failed, if any */
    noe_trial_cost x = { .cost = INFINITY, .step = h };
    for (int i = 0; i < 5 && !noe_trajectory_difference_stopped(a); i++) {
        const double N = fmax(1, noe_step_end_count(T / h));
        h = T / N;
        const noe_run_beside o = compare_with_half(a, m, N, T, 0.1);
        const double f = o.end ? pow(goal / fmax(o.error, least_goal / 10), 1.0 / m->order) : 0.5;
        if (o.end) x.cost = o.cost, x.step = h;
        else failed = h;
        if (o.end && f > NEAR_LEAST && (f < NEAR_MOST || N == 1)) return x;
        /* With a step f times as long: a longer one takes no less work, a shorter one may. */
        const double least = f > 1 ? o.cost / f : noe_candidate_cost_least(m, N / f) / T;
        const bool   measured = o.end && o.error > 10 * least_goal; /* not rounding */
        if (measured && least > hopeless) {
            x.cost = least, x.at_least = true;
            return x;
        }
        h *= fmin(LONGER_MOST, fmax(SHORTER_MOST, f));
        if (h >= failed) h = sqrt(x.step * failed); /* of an explicit method that is not stable */
    }
    if (h < failed) x.step = h;
    return x;
}
