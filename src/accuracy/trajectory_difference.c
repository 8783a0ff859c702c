/* The difference e of two runs q and q* with different steps, compared while both are computed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "accuracy/trajectory_difference.h"

#include "number/random.h"
#include "number/rounding_unit.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The scale of each coordinate is at least this fraction of the largest scale: a coordinate that a
 * symmetry keeps at 0 has no scale. */
static const double COORDINATE_PART_LEAST = 1e-4;

double noe_trajectory_difference_least_scale(int n, const double *size)
{
    double scale = 0;
    for (int i = 0; i < n; i++) scale = fmax(scale, size[i]);
    return COORDINATE_PART_LEAST * scale;
}

/* Updates size, far and momentum with the present states; returns e up to now. */
static double compare(noe_trajectory_difference *a, noe_integrator *g, noe_integrator *other)
{
    const int n = a->s->dyn.n;
    double    e = 0;
    noe_integrator_state_get(g, NOE_AT_Q, a->x);
    noe_integrator_state_get(other, NOE_AT_Q, a->y);
    for (int i = 0; i < n; i++) {
        const double d = fabs((double)(a->x[i] - a->y[i])), q = fabs((double)a->y[i]);
        a->far[i] = d <= a->far[i] ? a->far[i] : isfinite(d) ? d : INFINITY;
        a->size[i] = fmax(a->size[i], q);
    }
    noe_integrator_state_get(other, NOE_AT_P, a->y);
    for (int i = 0; i < n; i++) a->momentum[i] = fmax(a->momentum[i], fabs((double)a->y[i]));
    const double least = noe_trajectory_difference_least_scale(n, a->size);
    for (int i = 0; i < n; i++)
        if (a->far[i] > 0) e = fmax(e, a->far[i] / fmax(a->size[i], least));
    return e;
}

/* Starts `other` at q_i + r_i size_i with the same momenta; r_i random, |r_i| = 1/2 .. 1 unit in
 * the last place. */
static bool nudge(noe_trajectory_difference *a, noe_integrator *g, noe_integrator *other,
                  const double *size)
{
    const int    n = a->s->dyn.n;
    const double unit = noe_rounding_unit_last_place(a->digits);
    uint64_t     seed = 1;
    const double least = noe_trajectory_difference_least_scale(n, size);
    quad        *at = noe_status_alloc(3 * (size_t)n, sizeof *at);
    bool        *momentum = noe_status_alloc((size_t)n, sizeof *momentum);
    bool         ok = at && momentum && !noe_integrator_start_ready(g);
    if (ok) {
        noe_integrator_state_get(g, NOE_AT_Q, at);
        noe_integrator_state_get(g, NOE_AT_V, at + n);
        noe_integrator_state_get(g, NOE_AT_P, at + 2 * n);
        for (int i = 0; i < n; i++) {
            const double r = noe_random_uniform(&seed) - 0.5;
            at[i] += (quad)((r < 0 ? r - 0.5 : r + 0.5) * unit) * fmax(size[i], least);
            momentum[i] = true;
        }
        ok = !noe_integrator_start_from(other, &a->t0, at, at + n, at + 2 * n, momentum);
    }
    free(momentum);
    free(at);
    return ok;
}

/* Part of the tolerance, and the least of it: some units of rounding. */
static const double NEGLECTED_PART = 1e-4, NEGLECTED_LEAST_DOUBLE = 1e-15,
                    NEGLECTED_LEAST_BINARY128 = 1e-30;

/* Change of a momentum that is neglected in a divided run, relative; well below the tolerance,
 * because the growth of errors is not known. */
static double neglected_change(const noe_trajectory_difference *a)
{
    return fmax(a->tolerance * NEGLECTED_PART,
                a->digits > NOE_DIGITS_DOUBLE ? NEGLECTED_LEAST_BINARY128 : NEGLECTED_LEAST_DOUBLE);
}

static noe_run_beside run_beside(noe_trajectory_difference *a, const noe_candidate *m, double N,
                                 double T, int parts, int group, double most, bool divided)
{
    const int         n = a->s->dyn.n;
    noe_run_beside    o = { .error = INFINITY, .before = INFINITY };
    const quad        h = (quad)T / N;
    noe_method       *f = noe_method_parse(m->name);
    noe_integrator   *g = f ? noe_integrator_make(a->s, f, h, a->digits) : NULL;
    noe_integrator   *other = g ? noe_integrator_make(a->s, f, h * group / parts, a->digits) : NULL;
    bool              ok = other && (parts > 1 || nudge(a, g, other, a->size));
    noe_divided_step *follow = ok && divided ? noe_divided_step_make(
                                   a->enclosure, a->s, f, m->nodes, h * group / parts, a->digits,
                                   neglected_change(a), a->momentum, 16 * N + 1e5)
                                             : NULL;
    ok &= follow || !divided;
    memset(a->far, 0, (size_t)n * sizeof *a->far);
    /* parts == 1: the sizes are those that nudge has used */
    if (parts > 1) memset(a->size, 0, (size_t)n * sizeof *a->size);
    if (!divided) memset(a->momentum, 0, (size_t)n * sizeof *a->momentum);
    if (ok && !noe_integrator_start_ready(g) && !noe_integrator_start_ready(other)) {
        double k = 0;
        o.before = o.error = compare(a, g, other);
        while (k < N && o.error <= most && !noe_trajectory_difference_stopped(a)) {
            for (int i = 0; i < group && ok; i++) ok = !noe_step(g);
            for (int i = 0; i < parts && ok; i++)
                ok = follow ? noe_divided_step_step(follow, other) : !noe_step(other);
            k += group, a->trial_steps += group + parts;
            o.before = o.error;
            o.error = ok ? compare(a, g, other) : INFINITY;
            o.compared_until = T * k / N;
            if (o.error <= a->tolerance) o.agreed_until = o.compared_until;
            if (o.error <= a->tolerance / 1000) o.agreed_finely_until = o.compared_until;
        }
        o.end = k >= N && o.error <= most;
        o.cost = noe_candidate_cost(m, g, k) / T;
    }
    if (follow) {
        a->division = *noe_divided_step_division(follow);
        a->trial_steps += a->division.parts;
    }
    noe_divided_step_free(follow);
    noe_integrator_free(other);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_error_clear();
    return o;
}

noe_run_beside noe_trajectory_difference_run(noe_trajectory_difference *a, const noe_candidate *m,
                                             double N, double T, int parts, int group, double most)
{
    return run_beside(a, m, N, T, parts, group, most, false);
}

noe_run_beside noe_trajectory_difference_run_divided(noe_trajectory_difference *a,
                                                     const noe_candidate *m, double N, double T,
                                                     double most)
{
    return run_beside(a, m, N, T, 2, 1, most, true);
}

bool noe_trajectory_difference_open(noe_trajectory_difference *a)
{
    const size_t n = (size_t)a->s->dyn.n;
    a->x = noe_status_alloc(2 * n, sizeof *a->x);
    a->size = noe_status_alloc(3 * n, sizeof *a->size);
    a->y = a->x ? a->x + n : NULL;
    a->far = a->size ? a->size + n : NULL;
    a->momentum = a->size ? a->size + 2 * n : NULL;
    a->enclosure = NULL;
    return a->x && a->size && noe_enclosure_make(a->s, &a->enclosure);
}

void noe_trajectory_difference_close(noe_trajectory_difference *a)
{
    noe_enclosure_free(a->enclosure);
    free(a->x), free(a->size);
    a->x = NULL, a->size = NULL, a->enclosure = NULL;
}
