/* N/2^k steps -> .. -> N/2 -> N, each begun where the one before ended.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "control/optimal_motion.h"

#include "control/guess.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>

/* Grids with fewer steps than these may have optima that the problem has not. */
enum { COARSEST = 10 };

static bool check(noe_optimal_motion *x)
{
    const noe_model           *m = x->model;
    const noe_control_problem *o = &m->optimal;
    const bool                 matrices = m->matrix[0].path || m->matrix[1].path;
    const char *const          monitored = "has a monitor, which 'monitor=none' leaves out";
    const char *const          missing = m->constraints   ? "has constraints"
                                       : m->monitor.given ? monitored
                                       : m->events        ? "has events"
                                       : matrices         ? "is given by matrices"
                                                          : NULL;
    if (missing) {
        noe_status_fail(NOE_INVALID, "%s: the model %s: it cannot be optimised", m->name, missing);
        return false;
    }
    if (!o->controls && !o->periodic) {
        noe_status_fail(NOE_INVALID,
                        "%s: nothing can be chosen: declare a control, 'control u in -1..1', and "
                        "let it act, 'force q = u'",
                        m->name);
        return false;
    }
    if (!o->costs && !(o->timed && o->time.lo < o->time.hi) && !o->periodic) {
        noe_status_fail(NOE_INVALID,
                        "%s: no cost is stated: write its integrand, 'cost u^2', or 'final cost = "
                        "..'",
                        m->name);
        return false;
    }
    return true;
}

/* The bounds of the final time, from the model or from --until. */
static bool times(noe_optimal_motion *x)
{
    noe_control_problem *o = &x->f.model->optimal;
    const double         t0 = (double)x->f.model->t0;
    if (!o->timed) o->time = (noe_limits){ x->until, x->until };
    if (isnan((double)o->time.lo)) {
        noe_status_fail(NOE_INVALID,
                        "%s: no end of time: write 'final t = 2', or 'final t in 1..5' where it is "
                        "free, or give --until",
                        x->model->name);
        return false;
    }
    if (!((double)o->time.lo > t0)) {
        noe_status_fail(NOE_INVALID,
                        "%s: the final time may be %g, and the start is at %g: expected a later "
                        "one",
                        x->model->name, (double)o->time.lo, t0);
        return false;
    }
    if (isnan(x->until))
        x->until = isfinite((double)o->time.hi) ? (double)(o->time.lo + o->time.hi) / 2
                                                : 2 * (double)o->time.lo;
    return true;
}

static noe_status solve(noe_optimal_motion *x, int steps)
{
    noe_transcription coarse = x->t;
    const bool        warm = x->grids && x->how == NOE_OPTIMUM;
    noe_status        status = NOE_OK;
    x->t = (noe_transcription){ 0 };
    if (!noe_transcription_make(&x->t, &x->f, x->method, steps)) {
        noe_transcription_drop(&coarse);
        return NOE_INVALID;
    }
    if (warm) noe_guess_refine(&x->t, &coarse);
    else noe_guess_straight(&x->t, x->until - x->t.t0);
    x->search.warm = warm;
    status = noe_interior_point_solve(&x->search, &x->t, &x->how);
    x->iterations += x->search.iterations;
    x->error = NAN;
    if (!status && warm && x->how == NOE_OPTIMUM) {
        const double ratio = (double)steps / coarse.N;
        x->coarse = coarse.N;
        x->error = fabs(coarse.cost - x->t.cost) / (pow(ratio, noe_method_order(x->method)) - 1);
    }
    x->costs[x->grids++] = x->how == NOE_OPTIMUM ? x->t.cost : NAN;
    noe_transcription_drop(&coarse);
    return status;
}

noe_status noe_optimal_motion_find(noe_optimal_motion *x)
{
    x->error = NAN;
    if (!check(x) || !noe_control_functions_make(&x->f, x->model) || !times(x)) return NOE_INVALID;
    int halvings = 0;
    while (x->steps >> (halvings + 1) >= COARSEST) halvings++;
    if (!halvings && x->steps > 1) halvings = 1;
    noe_status status = NOE_OK;
    for (int k = halvings; k >= 0 && !status && x->how != NOE_INTERRUPTED; k--)
        status = solve(x, (x->steps + (1 << k) - 1) >> k);
    return status;
}

bool noe_optimal_motion_unsettled(const noe_optimal_motion *x, char *text, size_t capacity)
{
    /* A method of order 1 halves the changes, active bounds may do that to any; rounding and the
     * tolerance of the search are below the second number. */
    static const double SLOWEST = 0.8, NOTHING = 1e-7;
    const double *const J = x->costs + x->grids - 3;
    if (x->grids < 3) return false;
    const double before = fabs(J[1] - J[0]), last = fabs(J[2] - J[1]);
    if (!(last > SLOWEST * before) || last <= NOTHING * fmax(fabs(J[1]), fabs(J[2]))) return false;
    snprintf(text, capacity,
             "the cost does not settle: %.6g, %.6g, %.6g with %d, %d, %d steps: the grids have "
             "different optima; take more --steps, or begin nearer to the one that is meant, by "
             "bounds",
             J[0], J[1], J[2], (x->steps + 3) / 4, (x->steps + 1) / 2, x->steps);
    return true;
}

void noe_optimal_motion_drop(noe_optimal_motion *x)
{
    noe_transcription_drop(&x->t);
    noe_control_functions_drop(&x->f);
}
