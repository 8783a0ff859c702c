/* What the local errors of all steps add up to, coordinate by coordinate.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A step leads to (q1, v1), two halves of it to (q1 - dq, v1 - dv); times 1/(1 - 2^-p) this is the
 * local error.  For each coordinate by itself,
 *     size = N sqrt(mean(dv^2 + omega^2 dq^2)/(var(v) + var(a)/omega^2)),
 *     omega^2 = -cov(v, v'')/var(v),    a = v',
 * is what N of them make where they all add up: on an oscillation by a Gauss method the phase error
 * in rad, by rk4 phase and amplitude together, by verlet three times the phase error, since a part
 * of its errors alternates.  Constants in V, boosts, units, factors of L and other systems change
 * none of it; the motion of a light body on a heavy one counts by itself.  Friction makes a motion
 * forget: where errors of block B fall at the rate r_B, those of N steps h add up to no more than
 * those of 1/(h r_B) of them (tape/driven_blocks.h).  What an instability, or a shear of the flow,
 * makes of such errors later is not in it. */
#include "integrate/energy_watch.h"

#include "base/status.h"
#include "number/velocity_rounding.h"
#include "system/event_tapes.h"
#include "tape/coupled_blocks.h"
#include "tape/driven_blocks.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES_LEAST = 6 }; /* with fewer nothing is said */
static const double
    /* Size from which it is told: on an oscillation rad of phase. */
    LARGE_ACCUMULATED_ERROR = 0.1;

/* part[n]: 1/(T r_B) of each coordinate's block B, at most 1: the part of a run of length T whose
 * errors it has not forgotten; r_B is a mean over the last samples.  A linear system has no
 * samples, and one rate at all states: q [n] with any velocities.  False: the rates are not
 * known. */
static bool find_remembered(const noe_integrator *g, double T, const double *q, double *part)
{
    const noe_dynamics *d = &g->system->dyn;
    const int           n = d->n;
    noe_halved_state    state[NOE_HALVED_STEPS_KEPT];
    noe_halved_steps   *halved = g->watch ? noe_energy_watch_halved(g->watch) : NULL;
    int                 count = halved ? noe_halved_steps_kept(halved, g->member, state) : 0;
    int                 block_of[n];
    double              rate[n], rest[n];
    bool                known = true;
    for (int j = 0; j < n; j++) part[j] = 1, rate[j] = rest[j] = 0;
    if (d->autonomous) return true;
    if (!count) state[count++] = (noe_halved_state){ 0, q, rest };
    const int blocks = noe_coupled_blocks_find(d, block_of);
    for (int k = 0; k < count && known; k++)
        known = noe_driven_blocks_rates(d, block_of, blocks, state[k].t, state[k].q, state[k].v,
                                        rate);
    for (int j = 0; j < n; j++) {
        const double lost = T * rate[block_of[j]] / count;
        if (known && lost > 1) part[j] = 1 / lost;
    }
    return known;
}

/* The largest of all coordinates, after `steps` steps. */
static noe_accumulated_error largest(const noe_integrator *g, const noe_halved_sums *s,
                                     double steps)
{
    const struct noe_event_tapes *x = g->system->events;
    const int                     n = g->system->dyn.n;
    const double                  N = steps / (1 - pow(2, -g->order));
    noe_accumulated_error         y = { .size = 0 };
    double                       *variance = noe_status_alloc(4 * (size_t)n, sizeof *variance);
    quad                         *wide = noe_status_alloc((size_t)n + 1, sizeof *wide);
    if (!variance || !wide) {
        free(variance), free(wide);
        return (noe_accumulated_error){ .size = NAN };
    }
    double *const least = variance + n, *const q = least + n, *const part = q + n;
    g->engine->get(g->work, NOE_AT_STEP, g->member, wide + n);
    g->engine->get(g->work, NOE_AT_Q, g->member, wide);
    const double noise = noe_velocity_rounding(1, (double)wide[n], g->digits > NOE_DIGITS_DOUBLE);
    for (int j = 0; j < n; j++) q[j] = (double)wide[j];
    const bool known = find_remembered(g, steps * fabs((double)wide[n]), q, part);
    for (int j = 0; j < n; j++) variance[j] = s[j].vv / s[j].w - pow(s[j].v / s[j].w, 2);
    noe_coupled_blocks_least_ranges(&g->system->dyn, noe_energy_error_masses(g), variance, q, noise,
                                    least);
    for (int j = 0; j < n; j++, s++) {
        const double u = s->u / s->w, a = s->a / s->w, aa = s->aa / s->w - a * a,
                     uu = s->uu / s->w - u * u, vv = fmax(variance[j], least[j]),
                     square = (s->ub / s->w - u * s->b / s->w) / uu,
                     /* without oscillation, or with one of errors: velocities alone */
            one = square > 0 && variance[j] >= least[j]
                    ? sqrt((s->dd + square * s->qq) / s->w / (vv + aa / square))
                    : sqrt(s->dd / s->w / vv),
                     size = N * part[j] * one;
        const double still = fmax(NOE_CONSTANT_PART * s->fastest, noise * fabs(q[j]));
        if (!(vv > still * still) || !(size > y.size)) continue;
        y.size = size, y.place = j;
    }
    free(variance), free(wide);
    y.large = known && y.size > LARGE_ACCUMULATED_ERROR && !(x && x->shocks);
    return y;
}

/* Of a linear system with few coordinates: samples along the motion that goes on from the present
 * state, in two integrators of their own, since a step of another length has another matrix. */
static bool sample_linear(const noe_integrator *g, noe_integrator *whole, noe_integrator *half,
                          quad *z, noe_halved_sums *s)
{
    enum { SAMPLES = 64, APART_LINEAR = 13 };
    const int n = g->system->dyn.n;
    quad      t, h, *q = z, *p = z + n, *v0 = p + n, *vh = v0 + n, *v1 = vh + n, *q1 = v1 + n;
    bool      momentum[n];
    for (int j = 0; j < n; j++) momentum[j] = true;
    const noe_integrator *from = g;
    g->engine->get(g->work, NOE_AT_STEP, 0, &h);
    for (int k = 0; k < SAMPLES; k++, from = whole) {
        double at[3][n], dq[n], dv[n];
        from->engine->get(from->work, NOE_AT_T, 0, &t),
            from->engine->get(from->work, NOE_AT_Q, 0, q);
        from->engine->get(from->work, NOE_AT_P, 0, p),
            from->engine->get(from->work, NOE_AT_V, 0, v0);
        if ((!k && noe_integrator_start_from(whole, &t, q, v0, p, momentum))
            || noe_integrator_start_from(half, &t, q, v0, p, momentum)
            || whole->engine->step(whole->work) || half->engine->step(half->work))
            return false;
        half->engine->get(half->work, NOE_AT_V, 0, vh);
        if (half->engine->step(half->work)) return false;
        whole->engine->get(whole->work, NOE_AT_V, 0, v1);
        whole->engine->get(whole->work, NOE_AT_Q, 0, q1);
        half->engine->get(half->work, NOE_AT_Q, 0, q),
            half->engine->get(half->work, NOE_AT_V, 0, p);
        for (int j = 0; j < n; j++) {
            at[0][j] = (double)v0[j], at[1][j] = (double)vh[j], at[2][j] = (double)v1[j];
            dq[j] = (double)(q1[j] - q[j]), dv[j] = (double)(v1[j] - p[j]);
        }
        noe_halved_steps_add(s, n, (double)h, 1, at[0], at[1], at[2], dq, dv);
        for (int i = 1; i < APART_LINEAR * noe_halved_steps_uneven(k); i++)
            if (whole->engine->step(whole->work)) return false;
    }
    return true;
}

static noe_accumulated_error of_linear(noe_integrator *g)
{
    noe_accumulated_error y = { .size = NAN };
    const size_t          n = (size_t)g->system->dyn.n;
    const bool            silent = !noe_error();
    quad                  h, count;
    g->engine->get(g->work, NOE_AT_STEP, 0, &h);
    g->engine->get(g->work, NOE_AT_COUNT, 0, &count);
    noe_method     *f = noe_method_parse(g->method);
    noe_integrator *whole = f ? noe_integrator_make(g->system, f, h, g->digits) : NULL,
                   *half = f ? noe_integrator_make(g->system, f, h / 2, g->digits) : NULL;
    quad            *z = noe_status_alloc(6 * n, sizeof *z);
    noe_halved_sums *s = noe_status_alloc(n, sizeof *s);
    if (whole && half && z && s && whole->engine == g->engine && half->engine == g->engine
        && sample_linear(g, whole, half, z, s))
        y = largest(g, s, (double)count);
    noe_integrator_free(whole), noe_integrator_free(half), noe_method_free(f), free(z), free(s);
    if (silent) noe_error_clear();
    return y;
}

noe_accumulated_error noe_accumulated_error_of(noe_integrator *g)
{
    noe_halved_steps *x = g->watch ? noe_energy_watch_halved(g->watch) : NULL;
    int               samples;
    double            steps;
    if (!x && g->engine->linear && !g->engine->large && g->ready && !g->status && !g->borrows_work)
        return of_linear(g);
    const noe_halved_sums *s = x ? noe_halved_steps_sums(x, g->member, &samples, &steps) : NULL;
    return s && samples >= SAMPLES_LEAST ? largest(g, s, steps)
                                         : (noe_accumulated_error){ .size = NAN };
}
