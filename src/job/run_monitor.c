/* Shows the progress of a run and prints its summary, with energy error, momenta and warnings.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/run_monitor.h"
#include "base/stopwatch.h"

#include "job/solver_report.h"
#include "inspect/properties.h"
#include "matrix/structure.h"
#include "system/event_tapes.h"
#include "integrate/energy_watch.h"
#include "tape/kinetic_energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Most coordinates with which the frequencies of a linear system are computed before a run. */
enum { FREQUENCIES_MOST = 64 };

/* Energy error relative to the mean kinetic energy from which a motion counts as not resolved,
 * where the engine does not measure energy errors. */
static const double UNRESOLVED_ERROR = 0.05, UNRESOLVED_AT_START = 0.5;
/* Drift relative to the whole energy that may be due to rounding. */
static const double DRIFT_NOISE = 1e-9;
enum {
    ROWS_LEAST = 4, /* least number of rows for a mean kinetic energy; before NOE_FEW_STEPS rows
                         UNRESOLVED_AT_START is the limit */
    /* Rows at all of which energy and momenta are looked at, in binary128, which takes as long as
     * ten steps; then at every second, third, .. row, and at the last.  Of N rows these are
     * 64 log(N/36); energy_watch.h looks between them. */
    LOOKED_ALL = 64,
    /* The same where nothing is printed and the engine measures the energy between rows. */
    LOOKED_ALL_QUIET = 16
};

/* The value of a column at present, rounded to double in a run of 15 digits. */
static quad value(noe_integrator *g, const noe_column *c)
{
    const quad x = noe_column_value(g, c);
    return g->digits > NOE_DIGITS_DOUBLE ? x : (double)x;
}

/* Does the engine measure what a quiet run has to say of its energy? */
static bool measured(const noe_run_monitor *w, const noe_integrator *g)
{
    return w->quiet && g->energy;
}

static void print_growth(double growth)
{
    fprintf(stderr,
            "  WARNING: kicks back in time amplify damped motions %.3g-fold within a step: take a "
            "smaller step, or \"verlet\" or \"simpson\", whose kicks all go forward\n",
            growth);
}

/* Prints the choice of --tolerance. */
static void print_choice(const noe_job_setup *x)
{
    const noe_tolerance_choice *p = &x->pick;
    if (!*p->why) return;
    fprintf(stderr, "  --tolerance %g: %s with %.0f steps; %s\n", x->tolerance, p->method, p->steps,
            p->why);
    if (p->error <= x->tolerance)
        fprintf(stderr,
                "  the whole run and one with shorter steps differ by at most %.1e of each "
                "coordinate's size; %.3g steps in trial runs\n",
                p->error, p->trial_steps);
    else
        fprintf(
            stderr,
            "  WARNING: the tolerance holds up to t = %.6g only; what follows is not the motion "
            "from this start to so many digits\n",
            p->reached);
}

void noe_run_monitor_broken(quad last)
{
    fprintf(stderr, "  the end is no whole number of steps away: the last step ends at t = %.10g\n",
            (double)last);
}

void noe_run_monitor_start(noe_run_monitor *w, const noe_job_setup *x, double steps, bool whole,
                           bool quiet)
{
    const noe_system *s = x->system;
    const int         n = s->dyn.n;
    const double      h = (double)x->step;
    *w = (noe_run_monitor){
        .system = s, .quiet = quiet, .steps = steps, .terminal = isatty(STDERR_FILENO)
    };
    w->began = w->last = noe_stopwatch_seconds();
    w->method = x->method;
    if (!noe_momentum_monitor_open(&w->momenta, x->symmetries))
        w->momenta.s = NULL; /* out of memory: a summary without momenta */
    noe_column_name_find(s, "energy", &w->energy);
    noe_column_name_find(s, "balance", &w->balance);
    noe_column_name_find(s, "dissipated", &w->dissipated);
    w->H0 = value(x->g, &w->energy);
    w->looked_all = measured(w, x->g) ? LOOKED_ALL_QUIET : LOOKED_ALL;
    if (quiet) return;
    fprintf(stderr, "%s: %d coordinate%s, %s (order %d), step %.10g\n", s->source, n,
            n > 1 ? "s" : "", noe_method_name(x->method),
            noe_splitting_check_order(&x->g->splitting, x->method), h);
    print_choice(x);
    char redundant[600];
    if (s->dyn.constraints && noe_redundant_constraints_name(x->g, redundant, sizeof redundant))
        fprintf(stderr, "  %s\n", redundant);
    const int order = noe_splitting_check_order(&x->g->splitting, x->method);
    if (order < x->method->order)
        fprintf(stderr, "  WARNING: forces depend on %s: %s has the order %d on such systems\n",
                x->g->splitting.damped ? "velocities" : "other coordinates",
                noe_method_name(x->method), order);
    if (order < 1)
        fprintf(
            stderr,
            "  WARNING: %s is inconsistent: its error does not fall with the step; 'noether show "
            "%s' says why\n",
            noe_method_name(x->method), noe_method_name(x->method));
    const double growth = noe_splitting_check_growth(&x->g->splitting, x->method, h);
    if (growth > 2) print_growth(w->growth = growth);
    noe_properties *facts = s->dyn.linear && !s->dyn.structure && n <= FREQUENCIES_MOST
                              ? noe_properties_find(s, x->method, h)
                              : NULL;
    if (facts && facts->stable_step > 0 && !facts->inside)
        fprintf(stderr,
                "  WARNING: the step is beyond the largest stable one, %.6g: the motion will grow "
                "without bound; take a smaller step, or a gauss method\n",
                facts->stable_step);
    noe_properties_free(facts);
    if (!whole) noe_run_monitor_broken(noe_time(x->g) + steps * h);
}

/* Do events change the motion by impacts or assignments? */
static bool has_impacts(const noe_system *s) { return s->events && s->events->shocks; }

/* Is the energy conserved by everything that happens? */
static bool closed(const noe_system *s) { return s->dyn.autonomous && !has_impacts(s); }

/* Of many coordinates, without arrays of all of them. */
static double kinetic_energy(const noe_run_monitor *w, noe_integrator *g)
{
    const noe_engine_large *large = g->engine->large;
    if (large && large->kinetic) return large->kinetic(g->work);
    return noe_kinetic_energy_of(&w->system->dyn, noe_time(g), noe_q(g), noe_v(g), noe_p(g));
}

/* The energy, its scale and what was dissipated at the present state, in the mean with this weight.
 */
static void look_at_energy(noe_run_monitor *w, noe_integrator *g, double weight)
{
    const double H0 = (double)w->H0, T = kinetic_energy(w, g);
    const quad   H = value(g, &w->energy);
    w->energy_scale = fmax(w->energy_scale, fmax(fabs(H0), fabs(T)));
    const double error = (double)(closed(w->system) ? H - w->H0 : value(g, &w->balance));
    const double unseen = g->digits > NOE_DIGITS_QUAD ? fabs(H0) * 0x1p-112
                                                      : 0; /* resolution of H - H0, in binary128 */
    w->worst = isfinite((double)H) ? fmax(w->worst, fmax(fabs(error), unseen)) : INFINITY;
    w->kinetic += weight * T;
    w->weight += weight;
    const double lost = (double)noe_column_value(g, &w->dissipated);
    if (w->looks && lost < w->lost - 1e-9 * w->energy_scale && !w->fed++) w->fed_at = noe_time(g);
    w->lost = lost;
}

/* Takes the present state into account, in the mean with this weight. */
static void look(noe_run_monitor *w, noe_integrator *g, double weight)
{
    if (!measured(w, g)) look_at_energy(w, g, weight);
    if (noe_local_error_known(g)) noe_energy_watch_look(g);
    w->looks++;
    noe_momentum_monitor_look(&w->momenta, g);
}

bool noe_run_monitor_compares(const noe_run_monitor *w, const noe_integrator *g)
{
    return closed(w->system) && !measured(w, g);
}

void noe_run_monitor_energy(noe_run_monitor *w, quad H)
{
    const double error = fabs((double)(H - w->H0));
    w->worst = isfinite(error) ? fmax(w->worst, error) : INFINITY;
}

/* Rows from one look to the next. */
static long rows_apart(const noe_run_monitor *w) { return 1 + w->rows / w->looked_all; }

bool noe_run_monitor_due(const noe_run_monitor *w) { return w->rows % rows_apart(w) == 0; }

static void count_row(noe_run_monitor *w, long apart)
{
    w->since_look = w->rows % apart;
    w->rows++;
}

void noe_run_monitor_kept(noe_run_monitor *w) { count_row(w, rows_apart(w)); }

void noe_run_monitor_row(noe_run_monitor *w, noe_integrator *g)
{
    const long apart = rows_apart(w);
    count_row(w, apart);
    if (!w->since_look) look(w, g, (double)apart);
    else if (noe_run_monitor_compares(w, g)) noe_run_monitor_energy(w, value(g, &w->energy));
}

void noe_run_monitor_look(noe_run_monitor *w, noe_integrator *g)
{
    if (!measured(w, g)) look(w, g, 1);
}

void noe_run_monitor_last(noe_run_monitor *w, noe_integrator *g)
{
    if (w->since_look) look(w, g, (double)w->since_look);
    w->since_look = 0;
}

void noe_run_monitor_steps(noe_run_monitor *w, bool begin)
{
    if (w->quiet) return;
    w->seconds += begin ? -noe_stopwatch_seconds() : noe_stopwatch_seconds();
}

void noe_run_monitor_progress(noe_run_monitor *w, double done)
{
    if (w->quiet || !w->terminal) return;
    const double now = noe_stopwatch_seconds(), spent = now - w->began;
    if (spent < 2 || now - w->last < 0.25) return;
    w->last = now;
    w->shown = true;
    fprintf(stderr, "\r  %3.0f %%  step %.0f of %.0f  %.3g steps/s  %.0f s left   ",
            100 * done / w->steps, done, w->steps, done / spent,
            (w->steps - done) * spent / fmax(done, 1));
}

/* Prints how the equations of the steps were solved. */
static void print_route(noe_integrator *g, const noe_method *f)
{
    char text[400];
    if (g->engine->summarize) {
        g->engine->summarize(g->work, text, sizeof text);
        fprintf(stderr, "  %s\n", text);
        return;
    }
    if (f->kind != NOE_GALERKIN) return;
    const double all = noe_get(g, "steps"), hard = noe_get(g, "subdivided");
    if (!(all > 0)) return; /* it stopped at an event, where the count begins anew */
    fprintf(
        stderr,
        "  per step %.3g iterations, %.2g Newton matrices; equations solved to %.1e of the momenta",
        noe_get(g, "iterations") / all, noe_get(g, "refreshes") / all, noe_get(g, "residual"));
    const double smooth = noe_get(g, "contracted");
    if (smooth > 0) /* a divided step counts once */
        fprintf(stderr, "; %.3g %% of the steps by %s", 100 * fmin(smooth / all, 1),
                g->system->dyn.constraints ? "impulses alone" : "the fixed point");
    if (hard > 0) fprintf(stderr, "; %.0f step%s subdivided", hard, hard > 1 ? "s" : "");
    fprintf(stderr, "\n");
}

static void print_massless(const noe_structure *s, const noe_model *m)
{
    if (!s || !s->massless) return;
    if (m && m->projected)
        fprintf(stderr, "  the start is projected onto what directions without mass allow: %s\n",
                m->projected);
    fprintf(stderr, "  %d direction%s without mass follow%s the others%s\n", s->massless,
            s->massless > 1 ? "s" : "", s->massless > 1 ? "" : "s",
            s->oblique_massless && s->load
                ? "; their own response to the loads is not contained in the "
                  "coordinates"
                : "");
}

static void print_constraints(const noe_integrator *g)
{
    if (*g->projected)
        fprintf(stderr, "  the start is projected onto what the constraints allow: %s\n",
                g->projected);
}

/* Largest residual of the equations of a step, relative to the momenta; 0: no equations were
 * solved. */
static double solved(const noe_run_monitor *w, noe_integrator *g)
{
    return g->engine->summarize || w->method->kind != NOE_GALERKIN ? 0 : noe_get(g, "residual");
}

void noe_run_monitor_withdrawn(const noe_run_monitor *w, noe_integrator *g, double done, char *to,
                               size_t capacity)
{
    const double residual = solved(w, g);
    const int    i = noe_momentum_monitor_broken(&w->momenta, w->method, g->digits, done, residual);
    *to = 0;
    if (i >= 0 && !has_impacts(w->system))
        snprintf(to, capacity,
                 "%s = %.60s%s drifts by %.1e of its size, and rounding makes %.1e: that it is "
                 "conserved is withdrawn; L does not have this symmetry where the motion went, or "
                 "a step is wrong",
                 w->momenta.s->found[i].name, w->momenta.s->found[i].momentum,
                 strlen(w->momenta.s->found[i].momentum) > 60 ? " .." : "",
                 noe_momentum_monitor_drift(&w->momenta, i),
                 noe_momentum_monitor_bound(&w->momenta, i, w->method, g->digits, done, residual));
}

void noe_run_monitor_wrong(const noe_run_monitor *w, const noe_integrator *g, char *to,
                           size_t capacity)
{
    const double mean = w->weight > 0 ? w->kinetic / w->weight : 0;
    *to = 0;
    if (g->energy || w->looks < ROWS_LEAST) return;
    const double limit = w->looks < NOE_FEW_STEPS ? UNRESOLVED_AT_START : UNRESOLVED_ERROR;
    if (!(w->worst <= limit * mean) && w->worst > DRIFT_NOISE * w->energy_scale)
        snprintf(
            to, capacity,
            "the energy is wrong by %.2g %% of the mean kinetic energy: the run does not follow "
            "the motion",
            100 * w->worst / mean);
}

/* What became of the momentum of a symmetry over `done` steps. */
static void print_momentum(const noe_run_monitor *w, const noe_integrator *g, int i, double done,
                           double residual)
{
    const noe_momentum_monitor *x = &w->momenta;
    const noe_symmetry         *y = &x->s->found[i];
    const double                drift = noe_momentum_monitor_drift(x, i),
                 bound = noe_momentum_monitor_bound(x, i, w->method, g->digits, done, residual);
    fprintf(stderr, "  %s = %.60s%s ", y->name, y->momentum, strlen(y->momentum) > 60 ? " .." : "");
    if (y->forced_along)
        fprintf(stderr, "changes by up to %.1e of its size: the forces' impulse\n", drift);
    else if (y->transformed_lacks)
        fprintf(stderr,
                "changes by up to %.1e of its size: the monitor has not its symmetry, so that it "
                "is bounded, not preserved; 'monitor .. reversible' preserves it\n",
                drift);
    else if (drift > bound && has_impacts(w->system))
        fprintf(stderr, "changes by up to %.1e of its size: the impulse of events\n", drift);
    else if (drift > bound)
        fprintf(stderr, "drifts by %.1e of its size: it is not preserved\n", drift);
    else if (bound >= 1) fprintf(stderr, "is 0 to rounding\n");
    else
        fprintf(
            stderr, "drifts by %.1e of its size; promised: preserved %s\n", drift,
            noe_symmetry_promise_name[noe_momentum_monitor_promise(x, i, w->method, g->digits)]);
}

static void print_momenta(const noe_run_monitor *w, const noe_integrator *g, double done,
                          double residual)
{
    const noe_symmetries *s = w->momenta.s;
    for (int i = 0; s && i < s->count; i++)
        if (s->found[i].kind != NOE_ENERGY && !s->found[i].depends)
            print_momentum(w, g, i, done, residual);
}

void noe_run_monitor_end(noe_run_monitor *w, noe_integrator *g, double done, bool interrupted)
{
    if (w->shown) fprintf(stderr, "\r%78s\r", "");
    if (interrupted)
        fprintf(stderr, "  interrupted: the rows up to t = %.10g are kept\n", noe_time(g));
    if (done < 1) return;
    if (w->quiet) return;
    fprintf(stderr,
            "  %.0f step%s to t = %.10g in %.3g s, %.3g us a step; rows and output %.3g s\n", done,
            done > 1 ? "s" : "", noe_time(g), w->seconds, 1e6 * w->seconds / done,
            fmax(0, noe_stopwatch_seconds() - w->began - w->seconds));
    const double growth = exp(noe_get(g, "growth"));
    if (growth > 2 && growth > 1.1 * w->growth)
        print_growth(growth); /* larger than the factor printed at the start */
    print_route(g, w->method);
    if (w->verbose) noe_solver_report_print(g, w->method, stderr);
    print_massless(w->system->dyn.structure, w->system->model);
    print_constraints(g);
    const double scale = w->energy_scale;
    fprintf(
        stderr,
        "  %s at most %.2e of %.6g = max(|H0|, largest kinetic energy), H0 = %.10g, at %ld rows\n",
        closed(w->system) ? "energy error" : "energy balance",
        scale > 0 ? w->worst / scale : w->worst, scale, (double)w->H0,
        closed(w->system) ? w->rows : w->looks);
    if (!closed(w->system))
        fprintf(stderr, "  the energy balance is energy %.6g + dissipated %.6g - work %.6g - H0\n",
                noe_get(g, "energy"), w->lost, noe_get(g, "work"));
    if (!g->energy && w->system->dyn.n > NOE_ENERGY_COORDINATES)
        fprintf(stderr,
                "  energy_error of coupled sets and accumulated_error: not measured with more than "
                "%d coordinates\n",
                NOE_ENERGY_COORDINATES);
    if (w->fed)
        fprintf(
            stderr,
            "  NOTE: the dissipation feeds energy into the motion, first before t = %.6g: damping "
            "is negative there\n",
            w->fed_at);
    print_momenta(w, g, done, solved(w, g));
}

void noe_run_monitor_close(noe_run_monitor *w) { noe_momentum_monitor_close(&w->momenta); }
