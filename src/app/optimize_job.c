/* noether optimize: from options to the report of an optimum and its table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "base/table.h"
#include "control/optimal_motion.h"
#include "control/trajectory.h"
#include "job/verbs.h"
#include "plot/figure.h"
#include "plot/picture.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The end of time, from the option or the suggestion; NAN: neither. */
static bool until(const noe_optimize_job *j, const noe_system *s, double *to)
{
    quad        value;
    const char *text = j->until ? j->until : s->model->until;
    *to = NAN;
    if (!text) return true;
    if (!noe_parse_model_value(s->model, "until", text, &value)) return false;
    *to = (double)value;
    return true;
}

static void print_controls(const noe_transcription *t, FILE *to)
{
    for (int a = 0; a < t->nu; a++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int i = t->u_at + a; i < t->v_at; i += t->nu) {
            lo = fmin(lo, t->x[i]);
            hi = fmax(hi, t->x[i]);
        }
        fprintf(to, "  %s is between %.6g and %.6g\n", t->f->model->optimal.control[a].symbol->name,
                lo, hi);
    }
}

/* The command that repeats the motion. */
static void print_run(const noe_optimize_job *j, const noe_optimal_motion *x, FILE *to)
{
    const noe_transcription *t = &x->t;
    const noe_model         *m = t->f->model;
    fprintf(to, "  noether run %s", j->model);
    for (int i = 0; i < j->lets; i++) fprintf(to, " '%s'", j->let[i]);
    for (int a = 0; a < t->n && m->optimal.periodic; a++) {
        const char *name = m->coordinate[a]->name;
        if (!m->begin[a].has_q) fprintf(to, " %s=%.17g", name, t->x[a]);
        if (!m->begin[a].has_v) fprintf(to, " %s.v=%.17g", name, t->x[t->v_at + a]);
    }
    for (int a = 0; a < t->nu; a++) {
        const char *u = m->optimal.control[a].symbol->name;
        fprintf(to, " '%s = table(\"%s\", t, \"%s\", hold)'", u, j->output, u);
    }
    fprintf(to, " --method \"%s\" --step %.17g/%d --until %.17g\n  repeats the motion\n",
            noe_method_name(x->method), t->x[t->T_at], t->N, t->t0 + t->x[t->T_at]);
}

static void print(const noe_optimize_job *j, const noe_optimal_motion *x, FILE *to)
{
    const noe_transcription *t = &x->t;
    const double             T = t->x[t->T_at];
    char                     text[400];
    fprintf(to, "%s: %d coordinate%s, %d control%s, %s (order %d), %d steps of %.6g\n", j->model,
            t->n, t->n > 1 ? "s" : "", t->nu, t->nu == 1 ? "" : "s", noe_method_name(x->method),
            noe_method_order(x->method), t->N, T / t->N);
    fprintf(to, "  cost %.12g", t->cost);
    if (isfinite(x->error))
        fprintf(to, ", estimated error %.1e from %d and %d steps", x->error, x->coarse, t->N);
    fprintf(to, "\n");
    if (t->lower[t->T_at] < t->upper[t->T_at]) fprintf(to, "  final time %.12g\n", t->t0 + T);
    print_controls(t, to);
    fprintf(to, "  %d iterations; equations and conditions hold to %.1e\n", x->iterations,
            x->search.violation);
    if (noe_optimal_motion_unsettled(x, text, sizeof text)) fprintf(to, "  warning: %s\n", text);
    if (j->output && x->how == NOE_OPTIMUM) print_run(j, x, to);
}

/* Columns from .. from + count - 1 against the first one. */
static int series(const noe_table *table, int from, int count, noe_series *to)
{
    const noe_head *head = noe_table_about(table);
    for (int c = 0; c < count; c++)
        to[c] = (noe_series){ .label = head->name[from + c],
                              .points = (int)noe_table_rows(table),
                              .look.colour = c,
                              .x = noe_table_at(table, 0),
                              .y = noe_table_at(table, (size_t)(from + c)) };
    return count;
}

static noe_status draw(const noe_optimize_job *j, const noe_optimal_motion *x,
                       const noe_table *table)
{
    const int   n = x->t.n, nu = x->t.nu;
    noe_series *s = noe_status_alloc((size_t)(n + nu), sizeof *s);
    if (!s) return NOE_NO_MEMORY;
    noe_chart chart[2] = { { .title = "coordinates", .x = "t", .series = s },
                           { .title = "controls", .x = "t", .series = s + n } };
    chart[0].count = series(table, 1, n, s);
    chart[1].count = series(table, 1 + 3 * n, nu, s + n);
    const noe_status status = noe_figure_draw(j->plot, x->model->name, chart, nu ? 2 : 1);
    free(s);
    return status;
}

static noe_status write(const noe_optimize_job *j, const noe_system *s, noe_optimal_motion *x)
{
    noe_table     *table = j->output || j->plot ? noe_trajectory_table(&x->t) : NULL;
    noe_status     status = !table && (j->output || j->plot) ? NOE_NO_MEMORY : NOE_OK;
    char          *changes = table ? noe_system_changes(s) : NULL;
    const double   T = table ? x->t.x[x->t.T_at] : 0;
    const noe_head head = { .model = s->model->text,
                            .source = s->source,
                            .changes = changes,
                            .inputs = s->model->inputs,
                            .method = noe_method_name(x->method),
                            .step = (quad)T / x->t.N,
                            .t0 = x->t.t0,
                            .until = x->t.t0 + T,
                            .last = x->t.t0 + T,
                            .ended = x->how == NOE_OPTIMUM ? NULL : "not an optimum" };
    if (table) status = noe_table_head(table, &head);
    if (table && !status && j->output) status = noe_table_write(table, j->output);
    if (table && !status && j->plot) status = draw(j, x, table);
    noe_table_free(table);
    free(changes);
    return status;
}

static int verdict(const noe_optimize_job *j, const noe_optimal_motion *x)
{
    if (x->how == NOE_OPTIMUM) return NOE_EXIT_DONE;
    if (x->how == NOE_INTERRUPTED) {
        fprintf(stderr, "%s: interrupted: the best point of the search%s is no optimum\n", j->model,
                j->output ? " is written; it" : "");
        return NOE_EXIT_SIGNALLED + *j->interrupted;
    }
    noe_status_fail(NOE_NOT_CONVERGED, "%s: %s", j->model, x->search.why);
    return NOE_EXIT_STOPPED;
}

int noe_optimize_job_run(const noe_optimize_job *j, FILE *to)
{
    if (j->plot && noe_picture_check(j->plot)) return NOE_EXIT_BAD_USE;
    noe_system        *s = noe_system_load_lets(j->model, NULL, j->let, j->lets);
    noe_optimal_motion x = {
        .steps = (int)j->steps,
        .search = { .interrupted = j->interrupted, .most = (int)j->iterations, .tolerance = 1e-9 }
    };
    const char *name = j->method ? j->method : s && s->model->method ? s->model->method : "simpson";
    noe_method *method = s ? noe_method_parse(name) : NULL;
    int         status = NOE_EXIT_BAD_USE;
    x.method = method;
    x.model = s ? s->model : NULL;
    if (method && until(j, s, &x.until) && !noe_optimal_motion_find(&x)) {
        print(j, &x, to);
        status = write(j, s, &x) ? NOE_EXIT_BAD_USE : verdict(j, &x);
    }
    noe_optimal_motion_drop(&x);
    noe_method_free(method);
    noe_system_free(s);
    return status;
}
