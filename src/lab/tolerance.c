/* e(h) = max_t,i |q_i(h) - q_i(h/2)| / scale_i, scale_i = max |q_i|: the step h = T/N with e(h) <= tolerance.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lab/tolerance.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEGREES = 4, ROUNDS = 40, IDLE = 2, EVENTS = 12, TRIAL = 32 };
static const int degree[DEGREES] = { 2, 4, 6, 8 };

/* No coordinate's scale is below this part of the largest: what a symmetry keeps at 0 has none of its own. */
static const double share = 1e-4;

typedef struct {
    const noe_system *s;
    quad   *x, *y;        /* [n] of the runs with h and h/2 */
    double *size, *far;   /* [n] largest |q_i|, largest difference */
    quad    t0;
    double  T, tolerance, least, tries;
    int     digits;
    volatile sig_atomic_t *interrupted;
} search;

/* Two runs side by side, h and h/2. */
typedef struct {
    double error, before; /* e, and e one step earlier */
    double at, good, early; /* times after the start: where it ended; up to where e <= tolerance, tolerance/1000 */
    double cost;          /* iterations and Newton matrices a unit of time, weighed by their work */
    bool   end;           /* it came to the end */
} outcome;

static bool stopped(const search *a) { return a->interrupted && *a->interrupted; }

static double compare(search *a, noe_integrator *g, noe_integrator *fine)
{
    const int n = a->s->dyn.n;
    double    scale = 0, e = 0;
    noe_integrator_get(g, NOE_AT_Q, a->x);
    noe_integrator_get(fine, NOE_AT_Q, a->y);
    for (int i = 0; i < n; i++) {
        const double d = fabs((double)(a->x[i] - a->y[i])), q = fabs((double)a->y[i]);
        a->far[i] = d <= a->far[i] ? a->far[i] : isfinite(d) ? d : INFINITY;
        a->size[i] = fmax(a->size[i], q);
        scale = fmax(scale, a->size[i]);
    }
    for (int i = 0; i < n; i++)
        if (a->far[i] > 0) e = fmax(e, a->far[i] / fmax(a->size[i], share * scale));
    return e;
}

/* N steps to the time T after the start; given up where e passes `most`. */
static outcome walk(search *a, int s, double N, double T, double most)
{
    char            name[16];
    outcome         o = { .error = INFINITY, .before = INFINITY };
    const quad      h = (quad)T / N;
    snprintf(name, sizeof name, "gauss %d", s);
    noe_method     *f = noe_method_parse(name);
    noe_integrator *g = f ? noe_integrator_make(a->s, f, h, a->digits) : NULL;
    noe_integrator *fine = g ? noe_integrator_make(a->s, f, h / 2, a->digits) : NULL;
    memset(a->far, 0, (size_t)a->s->dyn.n * sizeof *a->far);
    memset(a->size, 0, (size_t)a->s->dyn.n * sizeof *a->size);
    if (fine && !noe_integrator_ready(g) && !noe_integrator_ready(fine)) {
        double k = 0;
        o.before = o.error = compare(a, g, fine);
        while (k < N && o.error <= most && !stopped(a)) {
            const bool ok = !noe_step(g) && !noe_step(fine) && !noe_step(fine);
            k++, a->tries += 3;
            o.before = o.error;
            o.error = ok ? compare(a, g, fine) : INFINITY;
            o.at = T * k / N;
            if (o.error <= a->tolerance) o.good = o.at;
            if (o.error <= a->tolerance / 1000) o.early = o.at;
        }
        o.end = k >= N && o.error <= most;
        o.cost = (fmax(noe_get(g, "iterations"), k) + noe_get(g, "refreshes") * s * a->s->dyn.n / 4) * (2 + s) / T;
    }
    noe_integrator_free(fine);
    noe_integrator_free(g);
    noe_method_free(f);
    return o;
}

/* A step that resolves the fastest motion at the start: halved until TRIAL steps and twice as many agree to 1e-3. */
static double resolve(search *a)
{
    const char *said = noe_system_suggest(a->s, "step");
    quad        suggested = 0;
    double      h = a->T / 8;
    if (said && noe_model_value(a->s->model, "step", said, &suggested) && suggested > 0)
        h = fmin(h, 64 * (double)suggested);
    noe_error_clear();
    for (int i = 0; i < 60 && !stopped(a); i++, h /= 2) {
        const outcome o = walk(a, 4, TRIAL, fmin(TRIAL * h, a->T), 1e-3);
        noe_error_clear();
        if (o.end) return fmin(h, a->T / TRIAL);
    }
    return 0;
}

/* What degree s would cost: a step for the short time T whose error, growing like t, is the tolerance at the end. */
static double price(search *a, int s, double h, double T, double *step)
{
    const double floor = a->digits > 15 ? 1e-31 : 1e-14;
    const double goal = fmax(a->tolerance / 3 * fmin(1, T / a->T), floor);
    outcome      o = { 0 };
    for (int i = 0; i < 5 && !stopped(a); i++) {
        const double N = fmax(1, ceil(T / h - 1e-9));
        h = T / N;
        o = walk(a, s, N, T, 0.1);
        noe_error_clear();
        const double f = o.end ? pow(goal / fmax(o.error, floor / 10), 0.5 / s) : 0.5;
        if (o.end && f > 0.8 && (f < 1.25 || N == 1)) break;
        h *= fmin(4, fmax(0.125, f));
    }
    *step = h;
    return o.end ? o.cost : INFINITY;
}

static void keep(noe_pick *p, int s, double N, const search *a, const outcome *o)
{
    snprintf(p->method, sizeof p->method, "gauss %d", s);
    p->step = (quad)a->T / N;
    p->steps = N;
    p->error = o->end ? o->error : INFINITY;
}

static void name_horizon(noe_pick *p, const search *a, const outcome *o)
{
    p->reached = (double)a->t0 + o->good;
    p->early = (double)a->t0 + o->early;
}

/* Over the whole run, finer and finer, until the two runs agree within the tolerance; or IDLE halvings have not come
 * farther, and the difference grew there little by little, as rounding does: a jump is an event to be resolved.
 * How far two runs agree is then luck: the horizon is that of the least fortunate of the last three pairs. */
static bool settle(search *a, int s, double h, noe_pick *p)
{
    outcome last[IDLE + 1];
    double  good = -1;
    int     idle = 0, events = 0;
    double  N = fmax(a->least, ceil(a->T / h - 1e-9));
    for (int i = 0; i < ROUNDS && idle < IDLE && events < EVENTS && !stopped(a); i++) {
        const outcome o = walk(a, s, N, a->T, 8 * a->tolerance);
        noe_error_clear();
        if (stopped(a)) return false;
        last[i % (IDLE + 1)] = o;
        if (o.good > good || i == 0) keep(p, s, N, a, &o), name_horizon(p, a, &o);
        if (o.end && o.error <= a->tolerance) return true;
        if (o.good > 1.02 * good) idle = events = 0;
        else if (o.error < 1e3 * fmax(o.before, 1e-3 * a->tolerance)) idle++;
        else events++;
        good = fmax(good, o.good);
        const double end = o.error * fmax(1, a->T / fmax(o.at, a->T / N));
        double       f = isfinite(end) ? pow(a->tolerance / 3 / end, 0.5 / s) : 0.5;
        if (idle || events) f = fmin(f, 0.5);
        N = ceil(N / fmin(0.85, fmax(0.25, f)));
    }
    for (int k = 0; k <= IDLE; k++)
        if ((double)a->t0 + last[k].good < p->reached) name_horizon(p, a, &last[k]);
    return false;
}

static noe_status unreachable(const search *a, const noe_pick *p)
{
    const bool none = !(p->reached > (double)a->t0);
    char       how[80];
    snprintf(how, sizeof how, a->digits > 15 ? "take a larger tolerance" : "--digits 33 goes farther, or take a larger tolerance");
    if (none)
        return noe_fail(NOE_NOT_CONVERGED, "--tolerance %g cannot be reached in %d digits, even for a short time: %s; --force runs "
                        "with the best there is", a->tolerance, a->digits, how);
    return noe_fail(NOE_NOT_CONVERGED, "--tolerance %g cannot be reached in %d digits up to t = %.10g: whatever the step, two runs may "
                    "differ by more after t = %.6g (%s, step %.6g; a thousandfold growth since t = %.4g); end there with "
                    "--until %.4g, %s; --force goes on all the same", a->tolerance, a->digits, (double)a->t0 + a->T, p->reached,
                    p->method, (double)p->step, p->early, (double)a->t0 + 0.98 * (p->reached - (double)a->t0), how);
}

static noe_status choose(search *a, noe_pick *p)
{
    double       cost[DEGREES], step[DEGREES];
    int          best = -1;
    const double h = resolve(a), T = fmin(TRIAL * h, a->T);
    if (stopped(a)) return NOE_STOPPED;
    if (!(h > 0)) {
        return noe_fail(NOE_INVALID, "--tolerance %g: no step from %g down follows the start of this motion; try --method and "
                        "--step by hand, whose message says more", a->tolerance, a->T / 8);
    }
    for (int i = 0; i < DEGREES && !stopped(a); i++) {
        cost[i] = price(a, degree[i], h, T, &step[i]);
        if (cost[i] < INFINITY && (best < 0 || cost[i] < cost[best])) best = i;
    }
    if (stopped(a)) return NOE_STOPPED;
    if (best < 0) return noe_fail(NOE_INVALID, "--tolerance %g: no trial came to an end; give --method and --step", a->tolerance);
    const bool ok = settle(a, degree[best], step[best], p);
    if (stopped(a)) return NOE_STOPPED;
    p->tries = a->tries;
    int used = snprintf(p->why, sizeof p->why, "trials over t = %.4g took per unit of time", T);
    for (int i = 0; i < DEGREES; i++)
        if (cost[i] < INFINITY)
            used += snprintf(p->why + used, sizeof p->why - (size_t)used, "%s %.3g (gauss %d)", i ? "," : "", cost[i], degree[i]);
    return ok ? NOE_OK : unreachable(a, p);
}

noe_status noe_tolerance_pick(const noe_system *s, quad until, double tolerance, int digits, double least,
                              volatile sig_atomic_t *interrupted, noe_pick *p)
{
    const size_t n = (size_t)s->dyn.n;
    search       a = { .s = s, .t0 = s->model->t0, .tolerance = tolerance, .digits = digits, .least = least, .interrupted = interrupted };
    *p = (noe_pick){ .method = "gauss 4", .step = 1, .error = 0, .reached = (double)until };
    a.T = (double)(until - a.t0);
    if (!(a.T > 0)) return NOE_OK; /* no step at all */
    a.x = noe_alloc(2 * n, sizeof *a.x);
    a.size = noe_alloc(2 * n, sizeof *a.size);
    a.y = a.x + n;
    a.far = a.size + n;
    const noe_status status = a.x && a.size ? choose(&a, p) : NOE_NO_MEMORY;
    if (!status || status == NOE_NOT_CONVERGED) p->step = (until - a.t0) / (quad)p->steps;
    free(a.x), free(a.size);
    return status;
}
