/* What the Python package calls beyond noether.h; as cli/, it stands on the rooms of src/.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "private.h"

#include "accuracy/coarse_run.h"
#include "accuracy/tolerance.h"
#include "base/status.h"
#include "base/table.h"
#include "job/verbs.h"
#include "symmetry/symmetry.h"
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

double noe_py_value(const noe_system *s, const char *what, const char *text)
{
    quad x;
    return s && text && value(s, what, text, &x) ? (double)x : NAN;
}

noe_system *noe_py_observing(const noe_system *s)
{
    noe_symmetries *found = s && s->model ? noe_symmetry_find(s) : NULL;
    if (!found) return NULL;
    size_t room = 1;
    for (int i = 0; i < found->count; i++) room += strlen(found->found[i].momentum) + 96;
    char *lines = noe_status_alloc(room, 1), *at = lines;
    for (int i = 0; lines && i < found->count; i++) {
        const noe_symmetry *y = &found->found[i];
        if (y->kind != NOE_ENERGY && !noe_model_find(s->model, y->name, strlen(y->name)))
            at += sprintf(at, "observe %s = %s\n", y->name, y->momentum);
    }
    noe_system *more = lines ? noe_system_observing(s, lines) : NULL;
    free(lines);
    noe_symmetry_free(found);
    return more;
}

int noe_py_jumps(const noe_integrator *g) { return g->core->linear && g->core->linear->run; }

void noe_py_coarse(noe_integrator *g, const noe_method *f, char *text, size_t room)
{
    noe_coarse_run coarse;
    noe_coarse_run_find(&coarse, g, f);
    snprintf(text, room, "%s", coarse.warning);
}

noe_table *noe_py_table(int columns, char *const *name)
{
    return noe_table_new(columns, (const char *const *)name);
}

noe_status noe_py_fill(noe_table *t, const noe_system *s, const char *method, const char *step,
                       double until, const char *ended, double t0, double last, const double *row,
                       size_t rows)
{
    const size_t columns = noe_table_columns(t);
    char        *changes = noe_system_changes(s);
    noe_head     head = { .model = s->model ? s->model->text : NULL,
                          .source = s->source,
                          .changes = changes,
                          .inputs = s->model ? s->model->inputs : NULL,
                          .method = method,
                          .system = s->source,
                          .t0 = (quad)t0,
                          .until = (quad)until,
                          .last = (quad)last };
    noe_status   status = !changes                            ? NOE_NO_MEMORY
                        : !value(s, "step", step, &head.step) ? NOE_INVALID
                                                              : noe_table_head(t, &head);
    free(changes);
    if (!status && ended) status = noe_table_ended(t, ended);
    for (size_t i = 0; i < rows && !status; i++) status = noe_table_add(t, row + i * columns);
    return status;
}

const double *noe_py_column(const noe_table *t, size_t column) { return noe_table_at(t, column); }

noe_status noe_py_choose(const noe_system *s, double until, double tolerance, int digits,
                         double least, volatile int *interrupted, noe_py_choice *to)
{
    noe_tolerance_choice pick;
    if (!s || !s->model)
        return noe_status_fail(NOE_INVALID, "a tolerance needs a model; give a method and a step");
    const noe_status status = noe_tolerance_pick(s, until, tolerance, digits, least, interrupted,
                                                 &pick);
    snprintf(to->method, sizeof to->method, "%s", pick.method);
    quadmath_snprintf(to->step, sizeof to->step, "%.36Qg", pick.step);
    to->error = pick.error;
    to->reached = pick.reached;
    snprintf(to->why, sizeof to->why, "%s", pick.why);
    return status;
}

static noe_job words(const noe_py_job *j)
{
    return (noe_job){ .model = j->model,
                      .let = j->let,
                      .lets = j->lets,
                      .method = j->method,
                      .step = j->step,
                      .until = j->until ? j->until : "1e300",
                      .columns = j->columns,
                      .ensemble = j->members,
                      .all = j->all,
                      .output = j->statistics,
                      .every = j->every,
                      .threads = j->threads,
                      .within = j->within,
                      .quiet = 1,
                      .interrupted = j->interrupted };
}

char *noe_py_check(const noe_py_job *j, int json, int *status)
{
    const noe_job job = words(j);
    char         *text = NULL;
    size_t        size;
    FILE         *to = open_memstream(&text, &size);
    *status = to ? noe_certificate_run(&job, json, to) : 2;
    if (to && fclose(to)) *status = 2;
    return text;
}

int noe_py_ensemble(const noe_py_job *j)
{
    const noe_job job = words(j);
    return noe_ensemble_run(&job);
}

void noe_py_free(void *x) { free(x); }
