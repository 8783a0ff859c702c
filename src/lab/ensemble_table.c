/* x_k, k = 1 .. N -> mean, deviation, quantiles, at every time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "lab/ensemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind[] = { "mean", "sd", "min", "q05", "median", "q95", "max" };
enum { KINDS = sizeof kind / sizeof *kind };

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Linear between the ordered values, 0 the least and 1 the largest. */
static double quantile(const double *x, long n, double at)
{
    const double place = at * (double)(n - 1);
    const long   i = (long)place < n - 1 ? (long)place : n - 1;
    return i == n - 1 ? x[i] : x[i] + (place - (double)i) * (x[i + 1] - x[i]);
}

/* Of the finite ones, in the order of the members: the same on any number of threads. */
static void statistics(double *x, long n, quad *to)
{
    quad mean = 0, square = 0;
    for (long k = 0; k < n; k++) mean += x[k];
    mean /= n ? n : 1;
    for (long k = 0; k < n; k++) square += (x[k] - mean) * (x[k] - mean);
    if (n) qsort(x, (size_t)n, sizeof *x, order);
    const double nan = NAN;
    to[0] = n ? (quad)(double)mean : nan;
    to[1] = n > 1 ? sqrt((double)(square / (n - 1))) : nan;
    to[2] = n ? x[0] : nan;
    to[3] = n ? quantile(x, n, 0.05) : nan;
    to[4] = n ? quantile(x, n, 0.5) : nan;
    to[5] = n ? quantile(x, n, 0.95) : nan;
    to[6] = n ? x[n - 1] : nan;
}

static bool is_time(const noe_ensemble *e, int c)
{
    const noe_column *x = &e->columns->column[c];
    return x->kind == NOE_COL_AT && x->at == NOE_AT_T;
}

static noe_sink *open_sink(const noe_ensemble *e, const char *path, int columns, const char *const *name)
{
    char      *changes = noe_system_changes(e->system);
    noe_head   head = { .columns = columns, .name = name, .digits = 15, .model = e->system->model->text,
                        .source = e->system->source, .changes = changes, .method = noe_method_name(e->x.method),
                        .system = e->system->source, .step = e->x.step, .t0 = e->system->model->t0 };
    noe_sink  *sink = changes ? noe_sink_open(path, &head) : NULL;
    free(changes);
    return sink;
}

static bool close_sink(noe_sink *sink, noe_status s)
{
    if (!s) return !noe_sink_close(sink, NULL, 0);
    noe_sink_drop(sink);
    return false;
}

/* A row of the statistics; false when no member has it. */
static bool gather(const noe_ensemble *e, long row, double *x, quad *to)
{
    long have = 0;
    int  at = 2;
    for (long k = 0; k < e->m.count; k++)
        if (row < e->end[k].rows && !have++) to[0] = *noe_ensemble_at(e, row, 0, k);
    to[1] = have;
    for (int c = 0; c < e->columns->count; c++) {
        long n = 0;
        if (is_time(e, c)) continue;
        for (long k = 0; k < e->m.count; k++)
            if (row < e->end[k].rows && isfinite(*noe_ensemble_at(e, row, 1 + c, k))) x[n++] = *noe_ensemble_at(e, row, 1 + c, k);
        statistics(x, n, to + at);
        at += KINDS;
    }
    double worst = 0;
    for (long k = 0; k < e->m.count; k++)
        if (row < e->end[k].rows && !isnan(worst)) {
            const double error = *noe_ensemble_at(e, row, e->width - 1, k);
            worst = isnan(error) ? error : fmax(worst, error);
        }
    to[at] = worst;
    return have > 0;
}

bool noe_ensemble_statistics(const noe_ensemble *e)
{
    const int    most = 3 + KINDS * e->columns->count;
    noe_arena   *a = noe_arena_new();
    const char **name = a ? noe_arena_take(a, (size_t)most * sizeof *name) : NULL;
    double      *x = a ? noe_arena_take(a, (size_t)e->m.count * sizeof *x) : NULL;
    quad        *to = a ? noe_arena_take(a, (size_t)most * sizeof *to) : NULL;
    int          count = 2;
    bool         ok = name && x && to;
    for (int c = 0; ok && c < e->columns->count; c++)
        for (int i = 0; i < KINDS && ok && !is_time(e, c); i++) {
            const size_t size = strlen(e->columns->name[c]) + 16;
            char        *text = noe_arena_take(a, size);
            if ((ok = text != NULL)) snprintf(text, size, "%s.%s", e->columns->name[c], kind[i]), name[count++] = text;
        }
    if (!ok) noe_fail(NOE_NO_MEMORY, "out of memory: the statistics");
    else {
        name[0] = "t", name[1] = "members", name[count++] = "energy_error.max";
        noe_sink *sink = open_sink(e, e->job->output, count, name);
        noe_status s = NOE_OK;
        for (long row = 0; sink && row < e->rows && !s && gather(e, row, x, to); row++) s = noe_sink_row(sink, to);
        ok = sink && close_sink(sink, s);
    }
    noe_arena_free(a);
    return ok;
}

/* member, what it got, its columns. */
bool noe_ensemble_all(const noe_ensemble *e)
{
    const int    names = e->m.names, count = 1 + names + e->columns->count;
    noe_arena   *a = noe_arena_new();
    const char **name = a ? noe_arena_take(a, (size_t)count * sizeof *name) : NULL;
    quad        *to = a ? noe_arena_take(a, (size_t)count * sizeof *to) : NULL;
    bool         ok = name && to;
    for (int i = 0; ok && i < names; i++) {
        char *text = noe_arena_take(a, strlen(e->m.name[i]) + 8);
        if ((ok = text != NULL)) sprintf(text, "given.%s", e->m.name[i]), name[1 + i] = text;
    }
    if (!ok) noe_fail(NOE_NO_MEMORY, "out of memory: the members' rows");
    else {
        name[0] = "member";
        for (int c = 0; c < e->columns->count; c++) name[1 + names + c] = e->columns->name[c];
        noe_sink  *sink = open_sink(e, e->job->all, count, name);
        noe_status s = NOE_OK;
        for (long k = 0; sink && k < e->m.count && !s; k++) {
            to[0] = k + 1;
            for (int i = 0; i < names && !s; i++)
                if (!noe_member_number(&e->m, k, i, &to[1 + i])
                    && !noe_model_value(e->system->model, e->m.name[i], noe_member_value(&e->m, k, i), &to[1 + i])) s = NOE_INVALID;
            for (long row = 0; row < e->end[k].rows && !s; row++) {
                for (int c = 0; c < e->columns->count; c++) to[1 + names + c] = *noe_ensemble_at(e, row, 1 + c, k);
                s = noe_sink_row(sink, to);
            }
        }
        ok = sink && close_sink(sink, s);
    }
    noe_arena_free(a);
    return ok;
}
