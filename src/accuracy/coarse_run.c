/* Do the steps of a run resolve the motion?  If not: the error, and a step that does.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "accuracy/coarse_run.h"

#include "base/status.h"
#include "integrate/energy_watch.h"
#include "integrate/singularity_guard.h"
#include "constraint/dead_point_watch.h"

#include <math.h>
#include <stdio.h>

enum {
    TRIES = 4,
    TRIED_STEPS_MOST = 400000,
    TRIED_COORDINATES_MOST = 32,
    /* Steps times coordinates up to which a run is repeated: always, a matter of some 0.2 s, and
     * where its errors may be large, or are not measured. */
    REPEATED_ALWAYS = 100000,
    REPEATED_MOST = 400000
};
/* Sum of the local errors from which on a run is repeated: the true error may be thirty times that,
 * doc/theory.md, section 6. */
static const double REPEATED_FROM = 1.0 / 300;
static const double ERROR_WANTED = 1e-6, /* largest local error of the recommended step */
    DIP =
        0.0625, /* smallest denominator in L within a step, relative to the ends; (1/4)^2 for r^2 */
    FLAT = 1e-3,        /* smallest pivot of L_vv within a step, relative to the ends of the step */
    STOPPED = 1.0 / 64, /* a step that takes this part of the first, by a monitor that falls to 0 */
    ALL_VARIED = 100, /* lost impulse by the deviation of the velocity, whose number says nothing */
    APART =
        0.05, /* part of its range by which a coordinate ends elsewhere, from which it is told */
    AGREES = 0.01,       /* the same, up to which a run with half the step ends alike */
    TRIAL_RATIO = 0.125; /* ratio of a trial step to the trial step before */

bool noe_coarse_run_singular(const noe_integrator *g)
{
    const noe_singularity_guard *x = g->guard;
    const noe_lost_impulse       y = noe_lost_impulse_of(g);
    return x
        && (!isnan(x->narrow_t) || !isnan(y.passed) || x->least_u_ratio < DIP
            || x->least_m_ratio < FLAT || y.large);
}

/* The same run from the initial conditions with steps h up to `until`; NULL: a step failed, or more
 * than TRIED_STEPS_MOST steps would be needed. */
static noe_integrator *run_with_step(const noe_integrator *g, const noe_method *f, double h,
                                     double until)
{
    noe_integrator *x = noe_integrator_make(g->system, f, h, NOE_DIGITS_DOUBLE);
    const bool      begun = x && noe_repeated_run_begin(x, g);
    const double    steps = begun ? ceil((until - noe_time(x)) / h) + 2 : 0;
    double          done = 0;
    if (steps > 0 && steps <= TRIED_STEPS_MOST && !noe_advance_steps(x, steps, &done)) return x;
    noe_integrator_free(x);
    return NULL;
}

/* h rounded to two significant digits, towards 0. */
static double two_digits(double h)
{
    const double unit = pow(10, floor(log10(fabs(h))) - 1);
    return trunc(h / unit) * unit;
}

static bool can_try(const noe_integrator *g)
{
    return g->system->dyn.n <= TRIED_COORDINATES_MOST && !g->continued
        && !noe_system_monitored(g->system);
}

/* A step with a local error of at most ERROR_WANTED; 0: none was found in TRIES trials. */
static double find_step(const noe_integrator *g, const noe_method *f, double h,
                        const noe_local_error *e)
{
    const bool   silent = !noe_error();
    const double until = g->engine->guard ? e->t + h : e->t; /* with the step that a jump begins */
    double       size = e->size, found = 0;
    for (int k = 0; k < TRIES && found == 0 && can_try(g); k++) {
        h = two_digits(h * 0.7 * pow(ERROR_WANTED / size, 1.0 / f->order));
        noe_integrator *x = run_with_step(g, f, h, until);
        const double    now = x ? noe_local_error_of(x).size : NAN;
        noe_integrator_free(x);
        if (now <= ERROR_WANTED) found = h;
        else if (!(now > 0)) break;
        size = now;
    }
    if (silent) noe_error_clear();
    return found;
}

/* Appends to the warning a step with which the run has no warning up to `until`; if none was found,
 * the shortest trial step. */
static void append_step(noe_coarse_run *c, const noe_integrator *g, const noe_method *f, double h,
                        double until)
{
    const bool silent = !noe_error();
    double     found = 0, failed = 0;
    for (int k = 0; k < TRIES && found == 0 && can_try(g); k++) {
        h = two_digits(h * TRIAL_RATIO);
        noe_integrator *x = run_with_step(g, f, h, until);
        if (!x) break;
        if (!noe_coarse_run_singular(x) && !noe_local_error_of(x).coarse
            && !noe_energy_watch_look(x).large)
            found = h;
        else failed = h;
        noe_integrator_free(x);
    }
    if (silent) noe_error_clear();
    if (found != 0)
        noe_status_append(c->warning, sizeof c->warning,
                          "; a trial run with a step of %.2g had no warning up to there", found);
    else if (failed != 0)
        noe_status_append(c->warning, sizeof c->warning,
                          "; trial runs with steps down to %.2g do not resolve it", failed);
}

/* The later of the times a and b of a run with steps h, which may be negative. */
static double later(double h, double a, double b) { return h > 0 ? fmax(a, b) : fmin(a, b); }

/* Appends the warnings of the singularity guard. */
static void find_singular(noe_coarse_run *c, const noe_integrator *g, const noe_method *f, double h)
{
    const noe_singularity_guard *x = g->guard;
    const noe_lost_impulse       y = noe_lost_impulse_of(g);
    char *const                  to = c->warning;
    const size_t                 room = sizeof c->warning;
    if (!noe_coarse_run_singular(g)) return;
    const double narrow_t = h > 0 ? fmin(x->narrow_t, y.passed) : fmax(x->narrow_t, y.passed);
    double       until = NAN; /* time of the last warning, in the direction of the run */
    if (y.large) {
        noe_status_append(
            to, room,
            "%sat t = %.6g: the force on %.40s jumps within a step, or varies faster; "
            "the quadrature of the step errs in its impulse by ",
            *to ? "; " : "", y.t, noe_system_name(g->system, y.place));
        if (y.size < ALL_VARIED)
            noe_status_append(to, room, "%.2g %% of the standard deviation of that velocity",
                              100 * y.size);
        else noe_status_append(to, room, "far more than that velocity varies");
        until = later(h, until, y.t);
    }
    if (!isnan(narrow_t)) {
        noe_status_append(to, room,
                          "%sat t = %.6g: a step passes a narrow region or a short pulse in which "
                          "a force changes, or a jump of L, and the force is nearly constant at "
                          "both ends of the step: its nodes do not resolve the change",
                          *to ? "; " : "", narrow_t);
        until = later(h, until, narrow_t);
    }
    if (x->least_u_ratio < DIP) {
        noe_status_append(to, room,
                          "%sat t = %.6g: a denominator in L falls to %.1e of its values at the "
                          "ends of a step: a near collision that the step does not resolve",
                          *to ? "; " : "", x->least_u_t, x->least_u_ratio);
        until = later(h, until, x->least_u_t);
    } else if (x->least_m_ratio < FLAT) {
        noe_status_append(to, room,
                          "%sat t = %.6g: within a step the mass matrix L_vv is nearly singular, "
                          "%.1e of its size at the ends of the step: near a singularity of the "
                          "coordinates; take coordinates without a singularity there, for angles "
                          "other axes",
                          *to ? "; " : "", x->least_m_t, x->least_m_ratio);
        until = later(h, until, x->least_m_t);
    }
    append_step(c, g, f, h, until);
}

/* Appends where a step passed a dead point that it did not resolve. */
static void find_dead_point(noe_coarse_run *c, const noe_integrator *g)
{
    const noe_dead_point_watch *x = g->dead_points;
    if (!x || isnan(x->t)) return;
    noe_status_append(c->warning, sizeof c->warning,
                      "%sat t = %.6g: a step passes close to a dead point, where the constraint "
                      "'%.60s' nearly follows from the others, and does not resolve it: the "
                      "motion may go on in the other assembly; take smaller steps",
                      *c->warning ? "; " : "", x->t,
                      noe_system_constraint(g->system, x->constraint));
}

/* The run made once more with half the step, if it has at most so many steps times coordinates. */
static const noe_repeated_run *repeated(noe_coarse_run *c, const noe_integrator *g,
                                        const noe_method *f, double most)
{
    if (!(c->repeated_most >= most)) {
        c->repeated = noe_repeated_run_make(g, f, most);
        c->repeated_most = most;
    }
    return &c->repeated;
}

/* Are errors of many steps so large that the motion at the end is another one?  A run of few steps
 * is repeated with half the step, and a longer one where its errors may be large: by a Runge-Kutta
 * method always, since it loses energy, and a phase runs ahead with the square of the time.  The
 * sum of the local errors is told beside it: a small fast motion on a large slow one has no part in
 * the range of its coordinate. */
static void find_accumulated(noe_coarse_run *c, noe_integrator *g, const noe_method *f)
{
    const noe_accumulated_error e = noe_accumulated_error_of(g);
    const bool                  loses = f->kind == NOE_RUNGE_KUTTA;
    const noe_repeated_run      x = *repeated(
             c, g, f, !(e.size <= REPEATED_FROM) || loses ? REPEATED_MOST : REPEATED_ALWAYS);
    char *const       to = loses ? c->warning : c->note;
    const size_t      room = loses ? sizeof c->warning : sizeof c->note;
    const bool        apart = x.apart > APART, told = e.large;
    const char *const part = x.parts == 4 ? "a quarter of the step" : "half the step";
    if (apart || told) noe_status_append(to, room, "%s", *to ? "; " : "");
    if (told && loses)
        noe_status_append(to, room,
                          "the local errors of all steps add up to as much as %.2g %% of what the "
                          "velocity of %.40s varies, and %.40s is not symplectic, so that its "
                          "motion may be lost",
                          100 * e.size, noe_system_name(g->system, e.place), g->method);
    else if (told)
        noe_status_append(to, room,
                          "the local errors of all steps may add up to %.2g rad in the phase of "
                          "%.40s",
                          e.size, noe_system_name(g->system, e.place));
    if (apart && isinf(x.apart))
        noe_status_append(to, room, "%sthe same run with %s ends at t = %.6g", told ? ": " : "",
                          part, x.t);
    else if (apart && x.together)
        noe_status_append(to, room,
                          "%sthe same run with %s has other velocities at t = %.6g, of "
                          "%.40s most, by %.2g %% of what they vary",
                          told ? ": " : "", part, x.t, noe_system_name(g->system, x.place),
                          100 * x.apart);
    else if (apart)
        noe_status_append(to, room,
                          "%sthe same run with %s has another %.40s at t = %.6g, by "
                          "%.2g %% of its range",
                          told ? ": " : "", part, noe_system_name(g->system, x.place), x.t,
                          100 * x.apart);
    if (apart && !told)
        noe_status_append(to, room, ": the motion is unstable, or the step too long");
    if (apart || told)
        noe_status_append(to, room, "; %s a smaller step, or use --tolerance",
                          apart ? "take" : "compare with");
}

void noe_coarse_run_note(noe_coarse_run *c, noe_integrator *g, const noe_method *f)
{
    if (c->unfinished) find_accumulated(c, g, f);
    c->unfinished = false;
}

/* Does the run agree with one of half the step, although velocities seem to jump: because the first
 * accelerations seem to where steps are few, or the last mode of a step, which is read as its
 * error, is none?  Of a longer run each coordinate must be compared: a sum hides a light one. */
static bool is_right(noe_coarse_run *c, const noe_integrator *g, const noe_method *f)
{
    quad count;
    g->engine->get(g->work, NOE_AT_COUNT, g->member, &count);
    const noe_repeated_run *x = repeated(c, g, f, REPEATED_MOST);
    return count < NOE_FEW_STEPS ? x->apart <= APART : x->apart <= AGREES && !x->together;
}

void noe_coarse_run_find(noe_coarse_run *c, noe_integrator *g, const noe_method *f)
{
    const noe_local_error e = noe_local_error_of(g);
    quad                  h;
    *c = (noe_coarse_run){ .local_error = e.size,
                           .accumulated_error = noe_accumulated_error_of(g).size,
                           .unfinished = f->kind != NOE_RUNGE_KUTTA };
    noe_integrator_state_get(g, NOE_AT_STEP, &h);
    if (e.coarse && !is_right(c, g, f)) {
        const double step = find_step(g, f, (double)h, &e);
        noe_status_append(c->warning, sizeof c->warning,
                          "at t = %.6g: the velocity of %.40s jumps by %.2g %% of what it varies "
                          "from one step to the "
                          "next (local error %.2g)",
                          e.t, noe_system_name(g->system, e.place), 100 * e.jump, e.size);
        if (step != 0)
            noe_status_append(c->warning, sizeof c->warning,
                              "; a step of %.2g keeps it below %.0e up to there", step,
                              ERROR_WANTED);
    }
    const noe_energy_error y = noe_energy_watch_look(g);
    c->energy_error = y.size;
    if (y.large)
        noe_status_append(c->warning, sizeof c->warning,
                          "%sat t = %.6g: the %s of %.40s and what it is coupled to is wrong by "
                          "%.2g %% of the mean kinetic energy about the mean velocity: the run "
                          "does not follow the motion",
                          *c->warning ? "; " : "", y.t, y.driven ? "energy balance" : "energy",
                          noe_system_name(g->system, y.place), 100 * y.size);
    if (y.large && g->shortest_step > 0 && g->shortest_step < STOPPED * fabsq(h))
        noe_status_append(
            c->warning, sizeof c->warning,
            ": the monitor has fallen to %.1e of that at the start, and the error of the "
            "energy is divided by it, so that the motion may turn around where it should "
            "not; add a constant to the monitor",
            (double)(g->shortest_step / fabsq(h)));
    if (!c->unfinished) find_accumulated(c, g, f);
    find_singular(c, g, f, (double)h);
    find_dead_point(c, g);
}
