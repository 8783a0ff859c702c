/* Makes the system, method and integrator of a job from its options.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "accuracy/monitored_tolerance.h"
#include "job/job_model.h"
#include "job/job_setup.h"

#include "base/status.h"
#include "job/momentum_columns.h"
#include "job/program.h"
#include "job/derivative_columns.h"
#include "token/lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_LEAST = 200 }; /* least number of steps of --tolerance, for smooth curves */
/* Errors that --tolerance may ask for: above the rounding of binary128, 1e-34; and small enough for
 * what two runs differ by to be the error of one. */
static const double TOLERANCE_LEAST = 1e-30, TOLERANCE_MOST = 0.01;

/* Searches the symmetries of a small system and adds their momenta as observables. */
static void observe_symmetries(noe_job_setup *x, const noe_job *j)
{
    x->symmetries = noe_momentum_columns_find(x->system,
                                              noe_momentum_columns_searched(j, x->system));
    noe_system *more = x->symmetries ? noe_momentum_columns_add(x->system, x->symmetries) : NULL;
    if (!more) return;
    noe_system_free(x->system);
    x->system = more;
}

static bool choose_system(noe_job_setup *x, const noe_job *j)
{
    const noe_program *p = j->program;
    if (p) {
        x->borrowed = true;
        x->system = p->system;
        x->symmetries = p->symmetries;
        return true;
    }
    /* Members of an ensemble, trial runs and laws take the matrices whole. */
    const bool many = j->ensemble || j->sweep || j->scatter,
               divided = !many && !j->tolerance && !j->certifies;
    const noe_processes *readers = divided ? j->processes : NULL;
    x->system = j->from ? noe_job_model_resume(j, readers, &x->restart)
                        : noe_job_model_load(j, readers);
    if (!x->system) return false;
    if (!noe_derivative_columns_differentiate(&x->system, j)) return false;
    if (!j->quiet) noe_model_warnings_print(x->system);
    observe_symmetries(x, j);
    /* Laws of structures are those of the divided run; others, and members, each process steps for
     * itself. */
    if (!many && (!j->certifies || x->system->dyn.structure)) x->system->processes = j->processes;
    return true;
}

/* The option `said`, else the suggestion of the model, else NULL with a message. */
static const char *word(const noe_job_setup *x, const noe_job *j, const char *said,
                        const char *what)
{
    const char *suggested = noe_system_suggest(x->system, what);
    if (said || suggested) return said ? said : suggested;
    const bool one = !j->certifies && !j->ensemble && !j->sweep && !j->scatter,
               chosen = one && strcmp(what, "until");
    noe_status_fail(NOE_INVALID, "no %s: give --%s, %sor write 'suggest %s = ...' in %s", what,
                    what, chosen ? "or --tolerance 1e-9, which chooses method and step, " : "",
                    what, x->system->source);
    return NULL;
}

/* *value = the number of an option as `said`, else as the model suggests it; an expression of the
 * model's parameters, where there is a model. */
static bool number(const noe_job_setup *x, const noe_job *j, const char *said, const char *what,
                   quad *value)
{
    char        option[16] = "--";
    const char *text = word(x, j, said, what);
    if (!text) return false;
    if (*text != '+' && noe_lexer_number(text, strlen(text), value)) return true;
    if (x->system->model)
        return noe_parse_model_value(x->system->model, said ? strcat(option, what) : what, text,
                                     value);
    return noe_status_fail(NOE_INVALID, "--%s %.80s: expected a number", what, text), false;
}

/* The output times of --times and the end of the run: --until, else the last output time, else the
 * suggestion of the model. */
static bool choose_end(noe_job_setup *x, const noe_job *j)
{
    x->times.in_double = x->digits <= NOE_DIGITS_DOUBLE;
    if (j->times && !noe_output_times_parse(&x->times, x->system->model, j->times)) return false;
    if (j->program && !noe_output_times_list(&x->times, j->program->time, j->program->times))
        return false;
    if (!x->times.ranges || j->until) return number(x, j, j->until, "until", &x->until);
    x->until = noe_output_times_last(&x->times);
    return true;
}

/* Where the choice x->pick has many equal steps: steps that follow `monitor auto` take their place,
 * if a tenth of their number is enough.  equal: the status of that choice. */
static noe_status pick_monitored(noe_job_setup *x, const noe_job *j, noe_status equal)
{
    /* Equal steps from which on a monitor is tried; by so much its steps must be fewer. */
    enum { MONITOR_STEPS_LEAST = 2000, MONITOR_GAIN = 10 };
    const bool           failed = equal == NOE_NOT_CONVERGED;
    noe_tolerance_choice p = { .steps = 0 };
    if ((equal && !failed) || j->monitor || x->borrowed || noe_system_monitored(x->system)
        || !(x->pick.steps >= MONITOR_STEPS_LEAST) || x->system->dyn.groups || x->pick.splitting
        || (failed && x->pick.within))
        return equal;
    quad *const end = failed ? NULL : noe_status_alloc((size_t)x->system->dyn.n, sizeof *end);
    if (!failed && !(end && noe_tolerance_end(x->system, &x->pick, x->digits, end))) {
        free(end);
        return equal;
    }
    const char *const message = failed ? noe_error() : NULL;
    char             *kept = message ? noe_status_alloc(strlen(message) + 1, 1) : NULL;
    if (kept) strcpy(kept, message);
    noe_system *const m = noe_system_let(x->system, "monitor = auto");
    const noe_status  s = m ? noe_monitored_tolerance_pick(
                              m, x->until, x->tolerance, x->digits, j->every > 1 ? 1 : STEPS_LEAST,
                              x->pick.steps / (failed ? 1 : MONITOR_GAIN), end, j->interrupted, &p)
                            : NOE_INVALID;
    const bool        better = !s && (failed || p.steps * MONITOR_GAIN <= x->pick.steps);
    noe_error_clear();
    if (better) {
        m->usual = x->system->usual;
        noe_system_free(x->system);
        x->system = m;
        x->pick = p;
    } else {
        noe_system_free(m);
        if (kept) noe_status_fail(equal, "%s", kept);
    }
    free(kept), free(end);
    return s == NOE_STOPPED ? s : better ? NOE_OK : equal;
}

/* --tolerance: chooses method and step by trial runs. */
static bool choose_by_trials(noe_job_setup *x, const noe_job *j)
{
    const char *given = j->method ? "--method"
                      : j->step   ? "--step"
                      : j->from   ? "--from"
                      : j->solver ? "--solver"
                                  : NULL;
    quad        tolerance;
    if (given)
        return noe_status_fail(NOE_INVALID, "--tolerance chooses method and step: leave out %s",
                               given),
               false;
    x->digits = j->digits ? j->digits : NOE_DIGITS_DOUBLE;
    if (x->digits > NOE_DIGITS_QUAD)
        return noe_status_fail(NOE_INVALID, "--tolerance: expected --digits 15 or 33, not %d",
                               x->digits),
               false;
    if (!x->system->model)
        return noe_status_fail(NOE_INVALID, "a tolerance needs a model; give a method and a step"),
               false;
    if (!noe_parse_model_value(x->system->model, "--tolerance", j->tolerance, &tolerance)
        || !choose_end(x, j))
        return false;
    const noe_model *m = x->system->model;
    for (int k = 0; k < m->events; k++)
        if (m->event[k].then)
            return noe_status_fail(
                       NOE_INVALID,
                       "--tolerance bounds the error of a smooth motion, and the event "
                       "'%.60s' changes this one: give --method and --step, and compare "
                       "with half the step",
                       m->event[k].name),
                   false;
    x->tolerance = (double)tolerance;
    if (!(x->tolerance >= TOLERANCE_LEAST && x->tolerance <= TOLERANCE_MOST))
        return noe_status_fail(NOE_INVALID,
                               "--tolerance %s: expected an error relative to each coordinate's "
                               "size, from %g to %g",
                               j->tolerance, TOLERANCE_LEAST, TOLERANCE_MOST),
               false;
    if (x->until < x->system->model->t0)
        return noe_status_fail(NOE_INVALID,
                               "--until %g lies behind the start, t = %g: --tolerance goes forward "
                               "only; back in time go --method and "
                               "a negative --step",
                               (double)x->until, (double)x->system->model->t0),
               false;
    noe_status s = noe_tolerance_pick(x->system, x->until, x->tolerance, x->digits,
                                      j->every > 1 ? 1 : STEPS_LEAST, j->interrupted, &x->pick);
    s = pick_monitored(x, j, s);
    if (s == NOE_STOPPED) x->status = NOE_EXIT_SIGNALLED + *j->interrupted;
    if (s == NOE_NOT_CONVERGED) x->status = NOE_EXIT_STOPPED;
    if (s && !(s == NOE_NOT_CONVERGED && j->force && *x->pick.method)) return false;
    noe_error_clear();
    x->step = x->pick.step;
    x->method = noe_method_parse(x->pick.method);
    x->g = x->method ? noe_integrator_make(x->system, x->method, x->step, x->digits) : NULL;
    return x->g != NULL;
}

/* Method, step, end and integrator: those of the options, of the restart or of the model; for the
 * laws of a structure without a step one that follows from its modes. */
static bool choose_method(noe_job_setup *x, const noe_job *j)
{
    if (j->tolerance) return choose_by_trials(x, j);
    const char *name = j->from ? x->restart.method : word(x, j, j->method, "method");
    x->digits = j->from ? x->restart.digits : j->digits ? j->digits : NOE_DIGITS_DOUBLE;
    x->step = x->restart.step;
    x->lent_method = name && j->program && j->program->method;
    if (x->lent_method) x->method = j->program->method;
    else if (!name || !(x->method = noe_method_parse(name))) return false;
    const noe_structure *structure = j->certifies ? x->system->dyn.structure : NULL;
    const bool chooses_step = structure && !j->step && !noe_system_suggest(x->system, "step");
    if (structure
        && !noe_structure_modes_find(&x->modes, structure, x->method, NOE_LOWEST_ITERATIONS_MOST,
                                     j->processes))
        return false;
    if (chooses_step) x->step = x->modes.chosen = noe_structure_modes_step(&x->modes);
    if (!j->from && !chooses_step && !number(x, j, j->step, "step", &x->step)) return false;
    if (!choose_end(x, j)) return false;
    if (x->step == 0 || !finiteq(x->step)) {
        noe_status_fail(NOE_INVALID, "%s %s: expected a number that is not 0, not %g",
                        j->step ? "--step" : "the model's step",
                        j->step ? j->step : noe_system_suggest(x->system, "step"), (double)x->step);
        return false;
    }
    x->g = noe_integrator_make(x->system, x->method, x->step, x->digits);
    if (!x->g || x->digits <= NOE_DIGITS_QUAD || j->from) return x->g != NULL;
    return !noe_exact_column_set_step(
        x->g, word(x, j, j->step, "step")); /* the exact decimal text of the step */
}

static bool choose_solver(noe_job_setup *x, const char *name)
{
    static const char *const names[] = { "auto", "fixed-point", "chord", "newton" };
    const bool explicit = x->method->kind != NOE_GALERKIN;
    for (int i = 0; name && i < 4; i++)
        if (!strcmp(name, names[i]) && i && explicit)
            return noe_status_fail(
                       NOE_INVALID,
                       "--solver %s: a step of \"%s\" is explicit, it has no equations to solve",
                       name, noe_method_name(x->method)),
                   false;
        else if (!strcmp(name, names[i])) return !noe_set(x->g, "solver", i);
    if (name)
        noe_status_fail(NOE_INVALID,
                        "--solver %.40s: expected auto, fixed-point, chord (Newton, the matrix "
                        "kept while it contracts) or newton",
                        name);
    return !name;
}

static bool choose_for_structures(noe_job_setup *x, const noe_job *j)
{
    const bool members = j->ensemble || j->sweep || j->scatter;
    return (!j->window || !noe_set(x->g, "window", j->window))
        && (!j->factorise || !noe_set(x->g, "factorise", 1))
        && (!j->bits || !noe_set(x->g, "bits", j->bits))
        && (!j->threads || members || !noe_set(x->g, "threads", j->threads));
}

bool noe_job_setup_make(noe_job_setup *x, const noe_job *j)
{
    char    solver[NOE_KEPT_OPTIONS_ROOM];
    noe_job kept = *j;
    *x = (noe_job_setup){ .digits = NOE_DIGITS_DOUBLE };
    if (!choose_system(x, j) || !choose_method(x, j)) return false;
    if (j->from && !noe_kept_options_read(j, x->restart.options, solver, &kept)) return false;
    noe_kept_options_write(&kept, x->options);
    if (!choose_solver(x, kept.solver) || !choose_for_structures(x, &kept)) return false;
    if (j->program && j->program->ready && j->program->ready(j->program->ctx, x->g)) return false;
    if (!j->from || noe_integrator_start_restore(x->g, x->restart.state, x->restart.bytes))
        return true;
    noe_status_fail(NOE_INVALID, "--from %s: its state is not that of this model and method",
                    j->from);
    return false;
}

void noe_job_setup_drop(noe_job_setup *x)
{
    noe_output_times_free(&x->times);
    noe_restart_free(&x->restart);
    noe_integrator_free(x->g);
    if (!x->lent_method) noe_method_free(x->method);
    if (x->borrowed) return;
    noe_symmetry_free(x->symmetries);
    noe_system_free(x->system);
}
