/* Finds events within the steps of a run, and a number of steps that resolves them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A pulse, kink or jump between the nodes is found by comparison with a run of divided steps
 * (accuracy/divided_step.h). */
#include "accuracy/within_steps.h"

#include <math.h>
#include <stdio.h>

enum {
    FRACTION = 10000,  /* greatest denominator of the time of a jump, as a part of the run */
    MULTIPLE = 1000000 /* greatest number that the number of steps is a multiple of */
};

double noe_within_steps_common_divisor(double a, double b)
{
    while (b > 0) {
        const double r = fmod(a, b);
        a = b, b = r;
    }
    return a;
}

/* Part of the run up to which the time of a jump is known at best. */
static const double TIME_ROUNDED = 1e-13;

/* Approximates the time of a jump by the fraction m/q of the run and makes `multiple` a multiple of
 * q: the jump then falls on the end of a step, where it does not reduce the order. */
static void align(noe_within_steps *x, double after, double T)
{
    const double part = after / T, close = fmax(2 * x->division.t_error / T, TIME_ROUNDED);
    x->aligned = false;
    if (!x->division.what.kink || x->division.what.of_state) return;
    for (double q = 1; q <= FRACTION; q++) {
        if (fabs(part * q - round(part * q)) > close * q) continue;
        const double multiple = x->multiple / noe_within_steps_common_divisor(x->multiple, q) * q;
        x->aligned = multiple > x->multiple && multiple <= MULTIPLE;
        if (x->aligned) x->multiple = multiple;
        return;
    }
}

noe_run_beside noe_within_steps_look(noe_within_steps *x, noe_trajectory_difference *a,
                                     const noe_candidate *m, double N, double T,
                                     const noe_run_beside *settled)
{
    noe_run_beside o = noe_trajectory_difference_run_divided(a, m, N, T, 8 * a->tolerance);
    o.error = fmax(o.error, settled->error);
    if (o.error <= a->tolerance || !(a->division.divided > 0)) return o;
    const double after = a->division.t - (double)a->t0;
    x->division = a->division;
    x->compared_until = fmax(x->compared_until, o.compared_until);
    if (after <= o.compared_until) o.agreed_until = fmax(o.agreed_until, after);
    x->agreed_until = fmax(x->agreed_until, o.agreed_until);
    align(x, after, T);
    return o;
}

/* Longest step that may resolve the events: twice the shortest part that a smooth variation
 * required, and kink_length where the kink is not at the end of a step. */
static double longest(const noe_within_steps *x)
{
    if (x->division.what.wall) return 0;
    return fmin(2 * x->division.least, x->aligned ? INFINITY : x->division.kink_length);
}

double noe_within_steps_count(const noe_within_steps *x, double T, double N)
{
    if (x->division.divided > 0) N = fmax(N, T / longest(x));
    return x->multiple * ceil(N / x->multiple);
}

bool noe_within_steps_print(const noe_within_steps *x, char *text, size_t size)
{
    if (!(x->division.divided > 0)) return false;
    const int used = snprintf(text, size, "%s %s, within a step at t = %.10g",
                              noe_enclosure_operation(x->division.what.op),
                              x->division.what.of_state ? "of the state" : "of t", x->division.t);
    if (x->division.what.wall)
        snprintf(text, size,
                 "L jumps by %s of the state at t = %.10g, which no step can follow: write it as a "
                 "steep slope",
                 noe_enclosure_operation(x->division.what.op), x->division.t);
    else if (longest(x) < INFINITY && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", which takes steps below %.2g", longest(x));
    return true;
}
