/* Method and step for a tolerance, or why there are none and until when there are.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "accuracy/monitored_tolerance.h"
#include "accuracy/tolerance.h"

#include "number/digits.h"
#include "base/status.h"
#include "accuracy/tolerance_search.h"

#include <math.h>
#include <stdio.h>

/* text: a value for --until up to which the tolerance is reached, verified by a choice of its own.
 * False: none was found with about twice the steps of the refused choice. */
static bool advise(const noe_tolerance_search *refused, double reached, char *text, size_t size)
{
    static const double part[] = { 0.98, 0.95, 0.9, 0.8, 0.5 };
    const double        t0 = (double)refused->difference.t0;
    double              left = 2 * refused->difference.trial_steps + 1e5;
    for (size_t k = 0;
         k < sizeof part / sizeof *part && left > 0 && !noe_tolerance_search_stopped(refused);
         k++) {
        noe_tolerance_search a = *refused;
        a.limit = left;
        noe_tolerance_choice p;
        quad                 until;
        snprintf(text, size, "%.4g", t0 + part[k] * (reached - t0));
        if (!noe_parse_model_value(a.difference.s->model, "until", text, &until)
            || !((double)until > t0))
            return false;
        const noe_status status = noe_tolerance_search_to(&a, until, &p);
        noe_error_clear();
        left -= a.difference.trial_steps;
        if (!status) return true;
        if (status != NOE_NOT_CONVERGED) return false;
        reached = fmin(reached, p.reached);
    }
    return false;
}

static noe_status unreachable(const noe_tolerance_search *a, noe_tolerance_choice *p)
{
    const double t0 = (double)a->difference.t0, tolerance = a->difference.tolerance;
    const int    digits = a->difference.digits;
    char         end[64] = "", to[32], how[80];
    char         what[200] =
        "a collision, the end of what L is defined for, a jump or a kink of an if, abs, min, max?";
    if (p->reached > t0 && advise(a, p->reached, to, sizeof to))
        snprintf(end, sizeof end, "end there with --until %s, ", to);
    if (noe_tolerance_search_stopped(a)) return NOE_STOPPED;
    snprintf(how, sizeof how,
             digits > NOE_DIGITS_DOUBLE ? "take a larger tolerance"
                                        : "--digits 33 goes farther, or take a larger tolerance");
    p->within = noe_within_steps_print(&a->within, what, sizeof what) && !p->limited_by_rounding;
    if (!p->limited_by_rounding)
        return noe_status_fail(NOE_NOT_CONVERGED,
                               "--tolerance %g is not reached up to t = %.10g: steps down to %.2g "
                               "do not resolve what happens "
                               "after t = %.6g (%s); %stake a larger tolerance, or give --method "
                               "and --step; --force goes on all the same",
                               tolerance, t0 + a->T, p->least, p->reached, what, end);
    if (!*end)
        return noe_status_fail(NOE_NOT_CONVERGED,
                               "--tolerance %g cannot be reached in %d digits, even for a short "
                               "time: %s; --force runs "
                               "with the best there is",
                               tolerance, digits, how);
    return noe_status_fail(NOE_NOT_CONVERGED,
                           "--tolerance %g cannot be reached in %d digits up to t = %.10g: "
                           "whatever the step, two runs may "
                           "differ by more after t = %.6g (%s, step %.6g; a thousandfold growth "
                           "since t = %.4g); %s%s; --force goes on all "
                           "the same",
                           tolerance, digits, t0 + a->T, p->reached, p->method, (double)p->step,
                           p->early, end, how);
}

bool noe_tolerance_end(const noe_system *s, const noe_tolerance_choice *p, int digits, quad *q)
{
    noe_method     *m = noe_method_parse(p->method);
    noe_integrator *g = m ? noe_integrator_make(s, m, p->step, digits) : NULL;
    double          done;
    const bool ok = g && !noe_integrator_start_ready(g) && !noe_advance_steps(g, p->steps, &done);
    if (ok) g->engine->get(g->work, NOE_AT_Q, 0, q);
    noe_integrator_free(g), noe_method_free(m);
    return ok;
}

noe_status noe_tolerance_pick(const noe_system *s, quad until, double tolerance, int digits,
                              double least, volatile sig_atomic_t *interrupted,
                              noe_tolerance_choice *p)
{
    noe_tolerance_search a = { .least = least,
                               .limit = INFINITY,
                               .difference = { .s = s,
                                               .tolerance = tolerance,
                                               .digits = digits,
                                               .interrupted = interrupted } };
    if (noe_system_monitored(s))
        return noe_monitored_tolerance_pick(s, until, tolerance, digits, least, INFINITY, NULL,
                                            interrupted, p);
    const noe_status status = noe_tolerance_search_to(&a, until, p);
    return status == NOE_NOT_CONVERGED ? unreachable(&a, p) : status;
}
