/* A run made once more with half the step, or a quarter: how far the two are apart.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     max_j of |dq_j|/range(q_j - trend), |dv_j|/range(v_j),
 * or, of few steps or many coordinates, max_B |dv|_B/|range(v)|_B.
 * What an instability, the shear of a flow or a loss of energy makes of local errors shows in no
 * local measure.  It shows between two runs.  The ranges are those of the repeated run; the trend
 * of q_j is the straight line through it in time, so that translations, boosts, units, constants in
 * V and other systems change nothing.  Within a few steps a coordinate may be near its turning
 * point, and of a chain some have hardly begun to move: there only the velocities of all
 * coordinates that are coupled are compared together, |x|_B^2 = sum_{j,k in B} |M_jk x_j x_k|. */
#include "accuracy/repeated_run.h"

#include "base/status.h"
#include "event/event_step.h"
#include "integrate/energy_watch.h"
#include "between/fractional_step.h"
#include "number/velocity_rounding.h"
#include "tape/coupled_blocks.h"

#include <math.h>
#include <stdlib.h>

/* Of all constants here no measurement of other values is recorded. */
enum {
    /* Samples of the repeated run after equally many steps each, at most; they give its ranges. */
    SAMPLES = 400,
    /* Of steps that follow a monitor: times at which two runs are compared; most steps of the
     * repeated run, by (steps of the run) x parts. */
    TIMES = 24,
    MORE_STEPS = 4,
    REPEATED_COORDINATES_MOST = 1000,
    COORDINATES_EACH = 32 /* most coordinates of a run in which each coordinate is compared, if it
                             has NOE_FEW_STEPS or more */
};
static const double
    /* Part of a range by which two runs that went apart on their way are apart; the same of
     * positions where steps follow a monitor: at a pericentre velocities change in no time. */
    MET = 0.25,
    MET_MONITORED = 0.05,
    /* Part of a step up to which the times of two states are one: 0 or half a step in the runs of
     * 68 systems of systems/. */
    SAME_TIME = 1e-6;

typedef struct {
    int     n, count;      /* coordinates; samples */
    double *t, *q, *v, *p; /* [count] times, [count][n] positions, velocities, momenta */
} samples;

static noe_status make_room(samples *s, size_t room)
{
    const size_t n = (size_t)s->n;
    if (!(s->t = noe_status_alloc(room * (3 * n + 1), sizeof *s->t))) return NOE_NO_MEMORY;
    s->q = s->t + room, s->v = s->q + room * n, s->p = s->v + room * n;
    return NOE_OK;
}

static void take(samples *s, noe_integrator *x)
{
    const int n = s->n, k = s->count++;
    s->t[k] = noe_time(x);
    for (int j = 0; j < n; j++) s->q[k * n + j] = noe_q(x)[j], s->v[k * n + j] = noe_v(x)[j];
    for (int j = 0; j < n; j++) s->p[k * n + j] = noe_p(x)[j];
}

/* Range of z_j about its trend in time or, without `trend`, of z_j itself. */
static double range_of(const samples *s, const double *z, int j, bool trend)
{
    double t = 0, m = 0, tt = 0, tz = 0, least = INFINITY, most = -INFINITY;
    for (int k = 0; k < s->count; k++) t += s->t[k] / s->count, m += z[k * s->n + j] / s->count;
    for (int k = 0; k < s->count && trend; k++) {
        tt += (s->t[k] - t) * (s->t[k] - t);
        tz += (s->t[k] - t) * (z[k * s->n + j] - m);
    }
    for (int k = 0; k < s->count; k++) {
        const double y = z[k * s->n + j] - m - (tt > 0 ? tz / tt * (s->t[k] - t) : 0);
        least = fmin(least, y), most = fmax(most, y);
    }
    return most - least;
}

/* The states of the run that were kept on its way. */
static int states_kept(const noe_integrator *g, noe_halved_state *to)
{
    noe_halved_steps *x = g->watch ? noe_energy_watch_halved(g->watch) : NULL;
    return x ? noe_halved_steps_kept(x, g->member, to) : 0;
}

/* Makes `steps` steps h of x and takes samples, also at the times of the states that were kept. */
static noe_status march(noe_integrator *x, double steps, double h, const noe_integrator *g,
                        samples *s)
{
    noe_halved_state kept[NOE_HALVED_STEPS_KEPT];
    const int        count = states_kept(g, kept);
    const double     from = noe_time(x), apart = ceil(steps / SAMPLES);
    double           done, k = 0;
    noe_status       failed = make_room(s, SAMPLES + NOE_HALVED_STEPS_KEPT + 2);
    if (failed) return failed;
    take(s, x);
    for (int i = 0; k < steps; k += done) {
        double next = fmin(k + apart, steps);
        while (i < count && round((kept[i].t - from) / h) <= k) i++;
        if (i < count) next = fmin(next, round((kept[i].t - from) / h));
        if ((failed = noe_advance_steps(x, next - k, &done))) return failed;
        take(s, x);
    }
    return isfinite(noe_get(x, "energy")) ? NOE_OK : NOE_NOT_FINITE;
}

/* The run itself once more, where its steps follow a monitor: samples after every so many steps. */
static noe_status march_alike(noe_integrator *x, double steps, samples *s)
{
    const double apart = ceil(steps / TIMES);
    noe_status   failed = make_room(s, TIMES + 2);
    for (double k = 0, done; k < steps && !failed; k += done) {
        failed = noe_advance_steps(x, fmin(apart, steps - k), &done);
        if (!failed) take(s, x);
    }
    return failed;
}

/* The steps of x, which follow a monitor, and samples: after every so many steps, and at the times
 * of `at`, by fractional steps; mark [at->count]: the numbers of these. */
static noe_status march_monitored(noe_integrator *x, double steps, const samples *at, samples *s,
                                  int *mark)
{
    const double apart = ceil(steps / SAMPLES), most = MORE_STEPS * steps + MORE_STEPS;
    double       k = 0;
    noe_status   failed = make_room(s, (size_t)MORE_STEPS * (SAMPLES + 2) + TIMES + 2);
    if (failed) return failed;
    take(s, x);
    for (int i = 0; i < at->count && !failed; i++) {
        bool arrived = false;
        while (!failed && !arrived && k < most)
            if (!(failed = noe_advance_monitored(x, at->t[i], &arrived)) && !arrived
                && fmod(++k, apart) == 0)
                take(s, x);
        noe_integrator *y = failed || !arrived ? NULL : noe_fractional_step_at(x, at->t[i]);
        if (y) mark[i] = s->count, take(s, y), s->t[mark[i]] = at->t[i];
        else if (!failed) failed = NOE_NOT_CONVERGED;
        noe_fractional_step_leave(x);
    }
    return failed;
}

/* Compares the state q, v (NULL: q alone) of the run with sample k of a run with steps h.  Where a
 * velocity varies by rounding there is no motion, and nothing is compared; where it varies by
 * little beside others of a mechanism, it is compared by itself. */
static void compare_state(noe_repeated_run *y, const noe_integrator *g, const samples *s, int k,
                          double h, const double *q, const double *v)
{
    const int n = s->n, at = k * n;
    double    V[n], least[n];
    for (int j = 0; j < n; j++) V[j] = pow(range_of(s, s->v, j, false), 2);
    noe_coupled_blocks_least_ranges(&g->system->dyn, noe_energy_error_masses(g), V, q,
                                    noe_velocity_rounding(1, h, false), least);
    *y = (noe_repeated_run){ .t = s->t[k], .parts = y->parts };
    for (int j = 0; j < n; j++) {
        const double Q = range_of(s, s->q, j, true), range = sqrt(fmax(V[j], least[j])),
                     size = fmax(fabs(s->q[at + j]), fabs(s->q[j])),
                     fast = fmax(fabs(s->v[at + j]), fabs(s->v[j]));
        if (!(range > fmax(NOE_CONSTANT_PART * fast, noe_velocity_rounding(size, h, false))))
            continue;
        double apart = v ? fabs(v[j] - s->v[at + j]) / range : 0;
        if (V[j] >= least[j] && Q > NOE_CONSTANT_PART * size)
            apart = fmax(apart, fabs(q[j] - s->q[at + j]) / Q);
        if (apart > y->apart) y->apart = apart, y->place = j;
    }
}

/* Compares the velocities at the end, those of each coupled set together. */
static void compare_together(noe_repeated_run *y, const noe_integrator *g, const samples *s,
                             double h, const double *v, const double *p)
{
    const int     n = s->n, at = (s->count - 1) * n;
    const double *M = noe_energy_error_masses(g); /* NULL: p_j is a constant times v_j */
    double       *range = noe_status_alloc(2 * (size_t)n, sizeof *range), *apart = range + n;
    int          *block_of = noe_status_alloc((size_t)n, sizeof *block_of);
    const int     blocks = !M || !block_of ? 1 : noe_coupled_blocks_find(&g->system->dyn, block_of);
    for (int j = 0; j < n && range && block_of; j++) {
        const double fast = fmax(fabs(s->v[at + j]), fabs(s->v[j]));
        range[j] = range_of(s, s->v, j, false), apart[j] = fabs(v[j] - s->v[at + j]);
        const double still = noe_velocity_rounding(s->q[at + j], h, false);
        if (!(range[j] > fmax(NOE_CONSTANT_PART * fast, still))) range[j] = apart[j] = 0;
    }
    for (int b = 0; b < blocks && range && block_of; b++) {
        double all = 0, difference = 0, most = 0;
        int    place = 0;
        for (int j = 0; j < n; j++) {
            double part = M ? 0 : fabs(p[j] - s->p[at + j]) * apart[j];
            if (!M) all += range_of(s, s->p, j, false) * range[j];
            for (int k = 0; k < n && M; k++)
                if (block_of[j] == b && block_of[k] == b) {
                    part += M[j * n + k] * apart[j] * apart[k];
                    all += M[j * n + k] * range[j] * range[k];
                }
            if (part > most) most = part, place = j;
            difference += part;
        }
        if (all > 0 && !(sqrt(difference / all) <= y->apart)) {
            y->apart = sqrt(difference / all);
            y->place = place;
        }
    }
    free(range), free(block_of);
}

/* At the end; where that is much the same, at the states kept before, since two runs that went
 * apart may meet by chance. */
static void compare(noe_repeated_run *y, const noe_integrator *g, const samples *s, double h)
{
    noe_halved_state kept[NOE_HALVED_STEPS_KEPT];
    const int        n = s->n, count = states_kept(g, kept);
    double          *z = noe_status_alloc(2 * (size_t)n, sizeof *z);
    quad            *wide = noe_status_alloc(2 * (size_t)n, sizeof *wide);
    if (!z || !wide) {
        free(z), free(wide);
        return;
    }
    g->engine->get(g->work, NOE_AT_Q, g->member, wide);
    g->engine->get(g->work, NOE_AT_V, g->member, wide + n);
    for (int j = 0; j < 2 * n; j++) z[j] = (double)wide[j];
    if (y->together) {
        g->engine->get(g->work, NOE_AT_P, g->member, wide);
        for (int j = 0; j < n; j++) z[j] = (double)wide[j];
        y->apart = 0, y->t = s->t[s->count - 1];
        compare_together(y, g, s, h, z + n, z);
        free(z), free(wide);
        return;
    }
    /* At the time of an impact one run may have the velocities before it, the other those after. */
    const bool jumps = g->system->events && g->system->events->acts;
    compare_state(y, g, s, s->count - 1, h, z, jumps ? NULL : z + n);
    for (int i = 0; i < count && y->apart < MET; i++)
        for (int k = 0; k < s->count; k++) {
            noe_repeated_run x = *y;
            if (!(fabs(s->t[k] - kept[i].t) <= SAME_TIME * fabs(h))) continue;
            compare_state(&x, g, s, k, h, kept[i].q, jumps ? NULL : kept[i].v);
            if (x.apart > MET) *y = x;
            break;
        }
    free(z), free(wide);
}

/* A repeated run that an event or a lack of memory ended says nothing about the run. */
static bool tells_nothing(noe_status failed)
{
    return failed == NOE_NO_MEMORY || failed == NOE_STOPPED;
}

bool noe_repeated_run_begin(noe_integrator *x, const noe_integrator *g)
{
    if (noe_integrator_start_alike(x, g)) return false;
    if (!g->events) return true;
    if (noe_event_step_attach(x)) return false;
    if (x->events) x->events->stop_at = g->events->stop_at;
    return true;
}

/* Both runs, with steps h and h/parts, where these follow a monitor; how far they are apart at the
 * end, or where the end is much the same the positions at times before. */
static void compare_monitored(noe_repeated_run *y, const noe_integrator *g, const noe_method *f,
                              noe_integrator *x, double h, double steps)
{
    const int       n = g->system->dyn.n, parts = y->parts;
    samples         own = { .n = n }, s = { .n = n };
    int             mark[TIMES + 2];
    noe_integrator *z = noe_integrator_make(g->system, f, h, NOE_DIGITS_DOUBLE);
    noe_status      failed = z && noe_repeated_run_begin(z, g) ? march_alike(z, steps, &own)
                                                               : NOE_NO_MEMORY;
    y->apart = failed ? NAN : 0; /* an event may end the run once more, too */
    if (!failed && (failed = march_monitored(x, parts * steps, &own, &s, mark))) {
        y->apart = tells_nothing(failed) ? NAN : INFINITY;
        y->t = noe_time(x);
    }
    for (int i = own.count - 1; i >= 0 && !failed && y->apart < MET_MONITORED; i--) {
        noe_repeated_run once = *y;
        const bool       last = i == own.count - 1;
        compare_state(&once, g, &s, mark[i], h, own.q + i * n, last ? own.v + i * n : NULL);
        if (last || once.apart > MET_MONITORED) *y = once;
    }
    noe_integrator_free(z), free(own.t), free(s.t);
}

/* The run with steps h/parts. */
static noe_repeated_run make(const noe_integrator *g, const noe_method *f, int parts, double most)
{
    noe_repeated_run y = { .apart = NAN, .parts = parts };
    const int        n = g->system->dyn.n;
    quad             h, count;
    samples          s = { .n = n };
    g->engine->get(g->work, NOE_AT_STEP, g->member, &h);
    noe_integrator *x = noe_integrator_make(g->system, f, h / parts, NOE_DIGITS_DOUBLE);
    const bool      begun = x && noe_repeated_run_begin(x, g);
    const double    until = noe_time(g), from = begun ? noe_time(x) : NAN;
    const bool      varies = noe_system_monitored(g->system);
    if (varies) g->engine->get(g->work, NOE_AT_COUNT, g->member, &count);
    else count = roundq(((quad)until - (quad)from) / h);
    if (!begun || count < 1 || !((double)count * n <= most)) {
        noe_integrator_free(x);
        return y;
    }
    if (varies) {
        compare_monitored(&y, g, f, x, (double)h, (double)count);
        noe_integrator_free(x);
        return y;
    }
    y.together = count < NOE_FEW_STEPS || n > COORDINATES_EACH;
    const noe_status failed = march(x, parts * (double)count, (double)h / parts, g, &s);
    if (!failed && fabs(noe_time(x) - until) <= SAME_TIME * fabs((double)h))
        compare(&y, g, &s, (double)h);
    if (failed && !tells_nothing(failed))
        y = (noe_repeated_run){ .apart = INFINITY, .t = noe_time(x), .parts = parts };
    noe_integrator_free(x), free(s.t);
    return y;
}

noe_repeated_run noe_repeated_run_make(const noe_integrator *g, const noe_method *f, double most)
{
    quad count;
    /* An L given as a function takes a time that is not known. */
    if (g->system->dyn.n > REPEATED_COORDINATES_MOST || g->continued || g->status
        || g->system->dyn.L)
        return (noe_repeated_run){ .apart = NAN };
    const bool             silent = !noe_error();
    const noe_repeated_run half = make(g, f, 2, most);
    g->engine->get(g->work, NOE_AT_COUNT, g->member, &count);
    /* Two coarse runs may end alike by chance: both turn where the motion does not. */
    const noe_repeated_run quarter = count < NOE_FEW_STEPS ? make(g, f, 4, most) : half;
    if (silent) noe_error_clear();
    return quarter.apart > half.apart && isfinite(quarter.apart) ? quarter : half;
}
