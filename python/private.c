/* What the Python package calls beyond noether.h; as cli/, it stands on the rooms of src/.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "private.h"

#include "accuracy/coarse_run.h"
#include "accuracy/tolerance.h"
#include "adjoint/adjoint.h"
#include "base/status.h"
#include "base/table.h"
#include "control/optimize.h"
#include "job/derivative_columns.h"
#include "job/momentum_columns.h"
#include "job/program.h"
#include "model/unit.h"
#include "rows/late_energies.h"
#include "rows/state_columns.h"
#include "system/system.h"

#include <math.h>
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(int) == sizeof(sig_atomic_t), "a flag of Python is one of a signal");

static bool value(const noe_system *s, const char *what, const char *text, quad *x)
{
    if (s->model) return noe_parse_model_value(s->model, what, text, x);
    char *end;
    *x = strtoflt128(text, &end);
    if (end > text && !*end) return true;
    return noe_status_fail(NOE_INVALID, "%s %.80s: expected a number", what, text), false;
}

noe_integrator *noe_py_integrator(const noe_system *s, const noe_method *f, const char *step,
                                  int digits)
{
    quad h;
    if (!s || !f || !step || !value(s, "step", step, &h)) return NULL;
    return noe_integrator_make(s, f, h, digits);
}

noe_system *noe_py_loaded(const char *path, const char *assignment)
{
    return noe_system_load_lets(path, NULL, &assignment, assignment != NULL);
}

noe_system *noe_py_parsed(const char *text, const char *assignment)
{
    return noe_system_parse_lets(text, &assignment, assignment != NULL);
}

double noe_py_value(const noe_system *s, const char *what, const char *text)
{
    quad x;
    return s && text && value(s, what, text, &x) ? (double)x : NAN;
}

int noe_py_jumps(const noe_integrator *g) { return g->engine->linear && g->engine->run; }

const char *noe_py_method(const noe_integrator *g) { return g->method; }

const char *noe_py_event(const noe_system *s, int k)
{
    return s->model && k >= 0 && k < s->model->events ? s->model->event[k].name : NULL;
}

const char *noe_py_constraint(const noe_system *s, int k)
{
    return s->model && k >= 0 && k < s->model->constraints ? s->model->constraint[k].name : NULL;
}

const double *noe_py_column(const noe_table *t, size_t column) { return noe_table_at(t, column); }

static noe_py_choice choice(const noe_tolerance_choice *pick)
{
    noe_py_choice to = { .error = pick->error, .reached = pick->reached };
    snprintf(to.method, sizeof to.method, "%s", pick->method);
    quadmath_snprintf(to.step, sizeof to.step, "%.36Qg", pick->step);
    snprintf(to.why, sizeof to.why, "%s", pick->why);
    return to;
}

noe_status noe_py_choose(const noe_system *s, double until, double tolerance, int digits,
                         double least, volatile int *interrupted, noe_py_choice *to)
{
    noe_tolerance_choice pick;
    if (!s || !s->model)
        return noe_status_fail(NOE_INVALID, "a tolerance needs a model; give a method and a step");
    const noe_status status = noe_tolerance_pick(s, until, tolerance, digits, least, interrupted,
                                                 &pick);
    *to = choice(&pick);
    return status;
}

static noe_job words(const noe_py_job *j)
{
    return (noe_job){ .model = j->model,
                      .let = j->let,
                      .lets = j->lets,
                      .method = j->method,
                      .step = j->step,
                      .until = j->until,
                      .columns = j->columns,
                      .section = j->section,
                      .stop = j->stop,
                      .tolerance = j->tolerance,
                      .animate = j->animate,
                      .every = j->every,
                      .rows = j->rows,
                      .digits = j->digits,
                      .force = j->force,
                      .threads = j->threads,
                      .within = j->within,
                      .quiet = 1,
                      .interrupted = j->interrupted };
}

char *noe_py_check(const noe_py_job *j, int json, int *status)
{
    noe_job job = words(j);
    char   *text = NULL;
    size_t  size;
    job.until = "1e300";
    FILE *to = open_memstream(&text, &size);
    *status = to ? noe_certificate_run(&job, json, to) : 2;
    if (to && fclose(to)) *status = 2;
    return text;
}

char *noe_py_by(const noe_py_job *j, const noe_system *s)
{
    const noe_job job = words(j);
    if (s->model) return noe_derivative_columns_by(s->model, &job);
    noe_status_fail(NOE_INVALID, "a system without a model has no derivatives by parameters");
    return NULL;
}

/* Weights that are known: of so many rows and numbers. */
typedef struct {
    const double *weight;
    size_t        rows, numbers;
} known_weights;

static int copy_weights(void *ctx, size_t rows, const double *row, double *weight)
{
    const known_weights *x = ctx;
    (void)row;
    if (rows == x->rows) memcpy(weight, x->weight, x->numbers * sizeof *weight);
    return rows != x->rows;
}

noe_table *noe_py_gradient(const noe_system *s, const noe_method *f, const char *step,
                           const noe_gradient_rows *r, const double *weight, size_t numbers,
                           size_t rows, volatile int *interrupted)
{
    quad          h;
    known_weights x = { weight, rows, numbers };
    if (!value(s, "step", step, &h)) return NULL;
    return noe_row_gradient_make(s, f, h, r, interrupted, copy_weights, &x);
}

noe_table *noe_py_optimize(const noe_system *s, const noe_method *f, noe_optimum *o,
                           volatile int *interrupted)
{
    return noe_optimize_until(s, f, o, interrupted);
}

char *noe_py_latex(const noe_system *s) { return noe_latex_model(s); }
char *noe_py_hamiltonian(const noe_system *s) { return noe_hamiltonian_text(s); }

int noe_py_unit(const noe_system *s, const char *column, char *out, size_t size)
{
    return s->model && noe_unit_of(s->model, column, out, size);
}

void noe_py_free(void *x) { free(x); }

struct noe_py_momenta {
    noe_symmetries *found; /* NULL: none */
    noe_system     *more;  /* the system with their momenta; NULL: they add none */
};

int noe_py_searches(const noe_py_job *j, const noe_system *s)
{
    const noe_job job = words(j);
    return noe_momentum_columns_searched(&job, s);
}

noe_py_momenta *noe_py_momenta_find(const noe_system *s, int all)
{
    noe_py_momenta *m = noe_status_alloc(1, sizeof *m);
    if (!m) return NULL;
    m->found = noe_momentum_columns_find(s, all);
    m->more = m->found ? noe_momentum_columns_add(s, m->found) : NULL;
    return m;
}

void noe_py_momenta_free(noe_py_momenta *m)
{
    if (!m) return;
    noe_symmetry_free(m->found);
    noe_system_free(m->more);
    free(m);
}

/* Sets the options and the start of a run. */
static noe_status ready(void *ctx, noe_integrator *g)
{
    const noe_py_given *x = ctx;
    noe_status          s = NOE_OK;
    for (int i = 0; i < x->options && !s; i++) s = noe_set(g, x->option[i], x->value[i]);
    if (s || !x->q) return s;
    const double t = isnan(x->t0) ? noe_time(g) : x->t0;
    return x->p ? noe_start_momentum(g, t, x->q, x->p) : noe_start(g, t, x->q, x->v);
}

static int observe(void *ctx, noe_integrator *g)
{
    noe_py_given *x = ctx;
    return x->stopped = x->observer(x->ctx, g);
}

int noe_py_run(const noe_py_job *j, noe_py_given *x, noe_py_result *to)
{
    *to = (noe_py_result){ .own = noe_status_alloc(1, sizeof(noe_program)) };
    noe_program *p = to->own;
    noe_job      job = words(j);
    if (!p) return NOE_EXIT_BAD_USE;
    p->system = x->momenta && x->momenta->more ? x->momenta->more : x->system;
    p->symmetries = x->momenta ? x->momenta->found : NULL;
    p->method = x->method;
    p->time = x->time, p->times = x->times;
    p->ready = ready;
    p->observer = x->observer ? observe : NULL;
    p->ctx = x;
    p->later = x->later;
    job.program = p;
    const noe_program asked = *p;
    int               status = noe_run_job(&job);
    if (p->again && !(job.interrupted && *job.interrupted)) {
        noe_program_drop(p);
        *p = asked;
        p->later = p->again = p->states = false;
        noe_error_clear();
        status = noe_run_job(&job);
    }
    const noe_head *head = noe_table_about(p->results.rows);
    to->rows = p->results.rows, to->events = p->results.events;
    if (head) {
        to->method = head->method;
        to->ended = head->ended;
        quadmath_snprintf(to->step_text, sizeof to->step_text, "%.36Qg", head->step);
        to->step = (double)head->step, to->until = (double)head->until;
    }
    to->warning = p->warning;
    to->status = p->status;
    to->time = p->time_at, to->steps = p->steps, to->local_error = p->local_error;
    to->energy_error = p->energy_error, to->accumulated_error = p->accumulated_error;
    to->note = p->note;
    to->choice = choice(&p->pick);
    to->g = p->g, p->g = NULL;
    to->unfinished = p->unfinished;
    to->left = p->left;
    to->states = p->late.rows, to->first = p->late.first;
    return status;
}

int noe_py_ensemble(const noe_py_job *j, const noe_py_members *x, noe_py_result *to)
{
    *to = (noe_py_result){ .own = noe_status_alloc(1, sizeof(noe_program)) };
    noe_program *p = to->own;
    noe_job      job = words(j);
    if (!p) return NOE_EXIT_BAD_USE;
    p->system = x->system;
    p->name = x->name, p->names = x->names;
    p->value = x->value, p->members = x->members;
    p->time = x->time, p->times = x->times;
    job.program = p, job.ensemble = "members";
    const int status = noe_ensemble_run(&job);
    to->rows = p->results.rows, to->events = p->results.events;
    to->warning = p->warning, to->note = p->note;
    return status;
}

void noe_py_run_drop(noe_py_result *x)
{
    if (x->own) noe_program_drop(x->own);
    free(x->own);
    x->own = NULL;
}

char *noe_py_note(noe_integrator *g, const noe_method *f)
{
    noe_coarse_run c = { .unfinished = true };
    noe_coarse_run_note(&c, g, f);
    return strdup(c.note);
}

double *noe_py_states_take(noe_py_result *x)
{
    noe_program *p = x->own;
    double      *state = p->late.x;
    p->late.x = NULL;
    return state;
}

void noe_py_states_read(const double *state, size_t rows, int n, double *t, double *q, double *p)
{
    for (size_t i = 0; i < rows; i++, state += 2 + 4 * n) {
        t[i] = state[0];
        for (int j = 0; j < n; j++) *q++ = state[2 + j];
        for (int j = 0; j < n; j++) *p++ = state[2 + n + j];
    }
}

noe_status noe_py_energies(const noe_system *s, const noe_method *f, const char *step,
                           const double *state, size_t rows, double *const *out)
{
    noe_integrator  *g = noe_py_integrator(s, f, step, 15);
    const noe_status status = g ? noe_late_energies_compute(g, state, rows, out) : NOE_INVALID;
    noe_integrator_free(g);
    return status;
}

const char *noe_py_observable(const noe_system *s, int k)
{
    return s->model && k >= 0 && k < s->usual ? s->model->observable[k]->name : NULL;
}

noe_status noe_py_observables(const noe_system *s, const noe_py_momenta *m,
                              const double *const *column, size_t rows, double *const *out)
{
    return noe_state_columns_observe(m && m->more ? m->more : s, column, rows, out);
}

/* Fills and writes the rows of a sink. */
static noe_status write_rows(noe_sink *sink, const noe_py_file *f)
{
    const size_t n = (size_t)f->columns, m = (size_t)f->event_columns;
    quad        *row = noe_status_alloc(n > m ? n : m, sizeof *row);
    noe_status   status = row ? NOE_OK : NOE_NO_MEMORY;
    for (size_t i = 0; i < f->rows && !status; i++) {
        for (size_t k = 0; k < n; k++) row[k] = f->row[i * n + k];
        status = noe_sink_row(sink, row);
    }
    for (size_t i = 0; i < f->events && !status; i++) {
        for (size_t k = 0; k < m; k++) row[k] = f->event[i * m + k];
        status = noe_sink_event(sink, row);
    }
    free(row);
    return status;
}

noe_status noe_py_write(const noe_system *s, const noe_py_file *f)
{
    const noe_model *m = s->model;
    char            *changes = noe_system_changes(s);
    const char     **event = noe_status_alloc(m ? (size_t)m->events : 1, sizeof *event);
    noe_head         head = { .columns = f->columns,
                              .name = f->name,
                              .digits = 15,
                              .model = m ? m->text : NULL,
                              .source = s->source,
                              .changes = changes,
                              .inputs = m ? m->inputs : NULL,
                              .method = f->method,
                              .system = s->source,
                              .t0 = (quad)f->t0,
                              .until = (quad)f->until,
                              .last = (quad)f->last,
                              .event_columns = f->event_columns,
                              .event_column = f->event_name,
                              .events = m ? m->events : 0,
                              .event = event };
    noe_judgement    judged = { .local_error = f->local_error,
                                .energy_error = f->energy_error,
                                .accumulated_error = f->accumulated_error,
                                .warning = f->warning,
                                .note = f->note };
    noe_sink        *sink = NULL;
    noe_status       status = !changes || !event ? NOE_NO_MEMORY : NOE_OK;
    for (int k = 0; k < head.events && event; k++) event[k] = m->event[k].name;
    if (!status && !value(s, "step", f->step, &head.step)) status = NOE_INVALID;
    if (!status) status = noe_sink_make(f->path, &head, &sink);
    if (!status) {
        status = write_rows(sink, f);
        noe_sink_set_judgement(sink, &judged);
        if (f->ended) noe_sink_ended(sink, f->ended);
        if (!status) status = noe_sink_close(sink, NULL, 0);
        else noe_sink_drop(sink);
    }
    free(event);
    free(changes);
    return status;
}
