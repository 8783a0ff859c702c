/* words -> system, method, integrator -> rows, summary, picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "base/table.h"
#include "lab/lab.h"
#include "lab/plot.h"
#include "lab/watch.h"
#include "run/integrator.h"
#include "run/sink.h"

#include <stdlib.h>
#include <string.h>

enum { BAD_USE = 2, CANNOT_GO_ON = 3, INTERRUPTED = 130, PLOT_ROWS = 200000 };

typedef struct {
    const noe_job  *job;
    noe_system     *system;
    noe_method     *method;
    noe_integrator *g;
    noe_restart     restart;
    noe_columns    *columns, *drawn;
    noe_sink       *sink;
    noe_table      *picture;
    noe_watch       watch;
    quad            step, until, *row;
    double         *point;
    char           *changes; /* one a line */
    long            stride;  /* rows between two points of the picture */
} run;

static bool choose_system(run *r)
{
    const noe_job *j = r->job;
    r->system = noe_system_load(j->model);
    if (j->from && r->system) {
        if (noe_restart_read(j->from, &r->restart)) return false;
        if (!r->restart.model || strcmp(r->restart.model, r->system->model->text)) {
            noe_fail(NOE_INVALID, "--from %s: it was written by another model than %s", j->from, j->model);
            return false;
        }
        if (j->lets) {
            noe_fail(NOE_INVALID, "--from %s goes on with its own parameters: leave out '%s'", j->from, j->let[0]);
            return false;
        }
    }
    char *own = r->restart.changes, *line;
    for (int i = 0; r->system; i++) {
        const char *assignment = NULL;
        if (j->from && own && *own) {
            line = own;
            own += strcspn(own, "\n");
            if (*own) *own++ = 0;
            assignment = line;
        } else if (!j->from && i < j->lets) {
            assignment = j->let[i];
        }
        if (!assignment) break;
        noe_system *next = noe_system_let(r->system, assignment);
        noe_system_free(r->system);
        r->system = next;
    }
    return r->system != NULL;
}

/* What the command says, else what the model suggests, else a message. */
static const char *word(const run *r, const char *said, const char *what)
{
    const char *suggested = noe_system_suggest(r->system, what);
    if (said || suggested) return said ? said : suggested;
    noe_fail(NOE_INVALID, "no %s: give --%s, or write 'suggest %s = ...' in %s", what, what, what, r->job->model);
    return NULL;
}

static bool choose_method(run *r)
{
    const noe_job *j = r->job;
    if (j->from && (j->method || j->step)) {
        noe_fail(NOE_INVALID, "--from %s goes on with its own method and step: leave out --%s", j->from,
                 j->method ? "method" : "step");
        return false;
    }
    const char *method = j->from ? r->restart.method : word(r, j->method, "method");
    const char *step = method && !j->from ? word(r, j->step, "step") : NULL;
    const char *until = method && (step || j->from) ? word(r, j->until, "until") : NULL;
    if (!until) return false;
    if (j->from) r->step = r->restart.step;
    else if (!noe_model_value(r->system->model, j->step ? "--step" : "step", step, &r->step)) return false;
    if (!noe_model_value(r->system->model, j->until ? "--until" : "until", until, &r->until)) return false;
    if (!(r->step > 0)) {
        noe_fail(NOE_INVALID, "--step %s is %g: expected a positive step", step ? step : "", (double)r->step);
        return false;
    }
    if (!(r->method = noe_method_parse(method))) return false;
    r->g = noe_integrator_make(r->system, r->method, r->step, j->from ? r->restart.digits : j->digits);
    if (!r->g) return false;
    if (j->from && !noe_integrator_restore(r->g, r->restart.state, r->restart.bytes)) {
        noe_fail(NOE_INVALID, "--from %s: its state is not that of this model and method", j->from);
        return false;
    }
    return true;
}

/* The columns of the picture: what --plot-columns names, else t, the coordinates and the energy. */
static noe_columns *drawn_columns(const run *r)
{
    const noe_system *s = r->system;
    const char       *list = r->job->plot_columns;
    size_t            room = 32 + (list ? strlen(list) : 0);
    for (int i = 0; i < s->dyn.n; i++) room += strlen(noe_system_name(s, i)) + 1;
    char *text = noe_alloc(room, 1), *at = text;
    if (!text) return NULL;
    at += sprintf(at, "t");
    if (list) at += sprintf(at, ",%s", list);
    for (int i = 0; i < s->dyn.n && i < 32 && !list; i++) at += sprintf(at, ",%s", noe_system_name(s, i));
    if (!list) sprintf(at, ",energy");
    for (char *c = text; *c; c++)
        if (*c == ':') *c = ',';
    noe_columns *x = noe_columns_parse(s, text);
    free(text);
    return x;
}

static bool open_results(run *r)
{
    const noe_job    *j = r->job;
    const noe_system *s = r->system;
    size_t            room = 1;
    for (int i = 0; i < s->changes; i++) room += strlen(s->change[i]) + 1;
    if (!(r->changes = noe_alloc(room, 1))) return false;
    for (int i = 0; i < s->changes; i++) strcat(strcat(r->changes, i ? "\n" : ""), s->change[i]);
    if (!(r->columns = noe_columns_parse(s, j->columns))) return false;
    r->row = noe_alloc((size_t)r->columns->count, sizeof *r->row);
    if (j->plot) {
        if (!(r->drawn = drawn_columns(r))) return false;
        r->picture = noe_table_new(r->drawn->count, r->drawn->name);
        r->point = noe_alloc((size_t)r->drawn->count, sizeof *r->point);
        if (!r->picture || !r->point) return false;
    }
    const noe_head head = { .columns = r->columns->count, .name = r->columns->name,
                            .digits = j->from ? r->restart.digits : j->digits, .model = s->model->text,
                            .source = s->source, .changes = r->changes, .method = noe_method_name(r->method),
                            .system = s->source, .step = r->step, .t0 = s->model->t0 };
    return r->row && (r->sink = noe_sink_open(j->output, &head));
}

static noe_status write_row(run *r, long row)
{
    noe_status s = NOE_OK;
    for (int i = 0; i < r->columns->count; i++) r->row[i] = noe_column_value(r->g, &r->columns->column[i]);
    s = noe_sink_row(r->sink, r->row);
    if (r->picture && row % r->stride == 0 && !s) {
        for (int i = 0; i < r->drawn->count; i++)
            r->point[i] = (double)noe_column_value(r->g, &r->drawn->column[i]);
        s = noe_table_add(r->picture, r->point);
    }
    noe_watch_row(&r->watch, r->g);
    return s;
}

static int go(run *r)
{
    const noe_job *j = r->job;
    const long     every = j->every ? j->every : 1;
    bool           whole;
    const double   steps = noe_integrator_steps(r->g, r->until, &whole);
    if (!(steps >= 0)) {
        noe_fail(NOE_INVALID, "--until %g lies before the start, t = %g", (double)r->until, noe_time(r->g));
        return BAD_USE;
    }
    r->stride = 1 + (long)(steps / (double)every / PLOT_ROWS);
    if (noe_integrator_ready(r->g)) return BAD_USE;
    if (!open_results(r)) return BAD_USE;
    noe_watch_start(&r->watch, r->system, r->method, r->g, (double)r->step, steps, whole, j->quiet);
    noe_status s = write_row(r, 0);
    long       row = 0;
    double     k = 0;
    while (k < steps && !s && !(j->interrupted && *j->interrupted)) {
        long   n = 0;
        double until = k + (double)every;
        noe_watch_steps(&r->watch, true);
        while (k < steps && n < every && !s && !(j->interrupted && *j->interrupted))
            if (!(s = noe_step(r->g))) n++, k++;
        noe_watch_steps(&r->watch, false);
        if (k == until || k == steps) { /* the last good state is a row, too */
            const noe_status written = write_row(r, ++row);
            s = s ? s : written;
        } else if (n > 0) {
            write_row(r, ++row);
        }
        noe_watch_progress(&r->watch, k);
    }
    const bool stopped = j->interrupted && *j->interrupted && k < steps;
    size_t     bytes;
    void      *memory = r->g->core->memory(r->g->work, &bytes);
    const noe_status closed = noe_sink_close(r->sink, memory, bytes);
    r->sink = NULL;
    noe_watch_end(&r->watch, r->g, k, stopped);
    if (r->picture && !closed
        && noe_plot(j->plot, r->picture, j->plot_columns, noe_method_name(r->method)))
        return BAD_USE;
    if (closed || s == NOE_IO) return BAD_USE;
    return s ? CANNOT_GO_ON : stopped ? INTERRUPTED : 0;
}

int noe_job_run(const noe_job *job)
{
    run r = { .job = job };
    int status = BAD_USE;
    if (choose_system(&r) && choose_method(&r)) status = go(&r);
    noe_sink_drop(r.sink);
    free(r.columns);
    free(r.drawn);
    free(r.row);
    free(r.point);
    free(r.changes);
    noe_table_free(r.picture);
    noe_restart_free(&r.restart);
    noe_integrator_free(r.g);
    noe_method_free(r.method);
    noe_system_free(r.system);
    return status;
}
