/* Which columns of the data are compared with which quantities of the model, and how sharply.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/nearest_word.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy of text without the blanks at its ends. */
static char *trimmed(noe_arena *a, const char *text, size_t length)
{
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    return noe_arena_copy(a, text, length);
}

/* Is this column a quantity of the motion, which has derivatives? */
static bool of_motion(const noe_column *c)
{
    if (c->exact || c->by) return false;
    return c->kind == NOE_COL_OBSERVABLE
        || (c->kind == NOE_COL_AT
            && (c->at == NOE_AT_Q || c->at == NOE_AT_V || c->at == NOE_AT_P
                || c->at == NOE_AT_ENERGY));
}

/* Does a file have the column? */
static bool measured(const noe_fit *s, const char *name)
{
    for (int d = 0; d < s->files; d++)
        if (noe_measurements_column(&s->file[d], name) >= 0) return true;
    return false;
}

static bool refuse_unmeasured(const noe_fit *s, const char *name)
{
    noe_nearest_word near = noe_nearest_word_to(name, strlen(name));
    for (int d = 0; d < s->files; d++)
        for (int j = 0; j < s->file[d].columns; j++)
            noe_nearest_word_try(&near, s->file[d].name[j]);
    return noe_status_fail(NOE_INVALID, "%s%s: no column '%.60s'%s%s%s", s->file[0].path,
                           s->files > 1 ? " and the other files" : "", name,
                           near.best ? "; did you mean '" : "", near.best ? near.best : "",
                           near.best ? "'?" : ""),
           false;
}

/* Adds a quantity `name` that the files call `in_file`. */
static bool add(noe_fit *s, const char *name, const char *in_file)
{
    noe_compared *c = &s->compared[s->compareds];
    const bool    known = noe_column_name_find(s->system, name, &c->value);
    if (!known || !of_motion(&c->value)) {
        if (!known) noe_column_name_refuse(s->system, name);
        char        text[400];
        const char *why = noe_error();
        snprintf(text, sizeof text, "%.300s", why ? why : "");
        noe_error_clear();
        return noe_status_fail(NOE_INVALID,
                               known
                                   ? "--columns: '%s' has no derivative: coordinates, velocities, "
                                     "momenta, energy and observables are compared"
                                   : "--columns: %s",
                               known ? name : text),
               false;
    }
    for (int j = 0; j < s->compareds; j++)
        if (!strcmp(s->compared[j].name, name))
            return noe_status_fail(NOE_INVALID, "--columns: '%s' stands twice", name), false;
    if (!measured(s, in_file)) return refuse_unmeasured(s, in_file);
    c->name = name, c->in_file = in_file;
    c->slope = noe_arena_take(s->arena, (size_t)s->varieds * sizeof *c->slope);
    for (int k = 0; c->slope && k < s->varieds; k++) {
        char text[500];
        snprintf(text, sizeof text, "d(%.200s)/d(%.200s)", name, s->varied[k].name);
        if (!noe_column_name_find(s->system, text, &c->slope[k]))
            return noe_column_name_refuse(s->system, text), false;
    }
    s->compareds++;
    return c->slope != NULL;
}

/* "theta, x = pos_x, t = time"; *time: how the files call t. */
static bool listed(noe_fit *s, const char **time)
{
    for (const char *c = s->job->columns; *c;) {
        size_t length = 0;
        for (int open = 0; c[length] && (open || c[length] != ','); length++)
            open += (c[length] == '(') - (c[length] == ')');
        const char *equal = memchr(c, '=', length);
        char       *name = trimmed(s->arena, c, equal ? (size_t)(equal - c) : length),
             *own = equal ? trimmed(s->arena, equal + 1, (size_t)(c + length - equal - 1)) : name;
        if (!name || !own) return false;
        if (!strcmp(name, "t")) *time = own;
        else if (!add(s, name, own)) return false;
        c += length + (c[length] == ',');
    }
    return true;
}

/* All columns of the files that the model has; what it has not is noted. */
static bool found(noe_fit *s, const char *time)
{
    for (int d = 0; d < s->files; d++)
        for (int j = 0; j < s->file[d].columns; j++) {
            const char *name = s->file[d].name[j];
            noe_column  c;
            bool        seen = !strcmp(name, "t") || !strcmp(name, time);
            for (int i = 0; i < s->compareds; i++) seen |= !strcmp(s->compared[i].name, name);
            for (int e = 0; e < d; e++) seen |= noe_measurements_column(&s->file[e], name) >= 0;
            if (seen) continue;
            if (noe_column_name_find(s->system, name, &c) && of_motion(&c)) {
                if (!add(s, name, name)) return false;
            } else
                noe_text_add(&s->notes,
                             "%.200s: the column '%.60s' is no quantity of the model "
                             "and is left out\n",
                             s->file[d].path, name);
        }
    return true;
}

static int by_time(const void *a, const void *b)
{
    const noe_datum *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : x->column - y->column;
}

/* The data of file d. */
static bool collect(noe_fit *s, int d, const char *time)
{
    const noe_measurements *m = &s->file[d];
    const int               at = noe_measurements_column(m, time);
    const double            t0 = (double)s->system->model->t0;
    const int               before = s->data;
    if (at < 0)
        return noe_status_fail(NOE_INVALID,
                               "%s: no column '%s' of times; --columns \"t = NAME, ..\" names it",
                               m->path, time),
               false;
    for (int i = 0; i < m->rows; i++) {
        const double *row = m->value + (size_t)i * (size_t)m->columns, t = row[at];
        if (isnan(t))
            return noe_status_fail(NOE_INVALID, "%s:%d: the time '%s' is missing", m->path,
                                   m->line[i], time),
                   false;
        if (t < t0)
            return noe_status_fail(NOE_INVALID,
                                   "%s:%d: t = %.10g is before the start of the model, t = %.10g",
                                   m->path, m->line[i], t, t0),
                   false;
        for (int c = 0; c < s->compareds; c++) {
            const int j = noe_measurements_column(m, s->compared[c].in_file);
            if (j < 0 || isnan(row[j])) continue;
            s->datum[s->data++] = (noe_datum){ t, row[j], c, d, m->line[i] };
            s->compared[c].count++;
        }
    }
    if (s->data > before) return true;
    return noe_status_fail(NOE_INVALID,
                           "%s: there are no data: every cell that is compared is empty", m->path),
           false;
}

static bool weights(noe_fit *s)
{
    for (const char *c = s->job->weights ? s->job->weights : ""; *c;) {
        size_t length = 0;
        for (int open = 0; c[length] && (open || c[length] != ','); length++)
            open += (c[length] == '(') - (c[length] == ')');
        const char *equal = memchr(c, '=', length);
        char       *name = equal ? trimmed(s->arena, c, (size_t)(equal - c)) : "",
             *value = equal ? trimmed(s->arena, equal + 1, (size_t)(c + length - equal - 1))
                            : trimmed(s->arena, c, length);
        quad sigma;
        bool any = false;
        if (!name || !value) return false;
        if (!noe_parse_model_value(s->plain->model, "--weights", value, &sigma)) return false;
        if (!(sigma > 0) || !isfinite((double)sigma))
            return noe_status_fail(NOE_INVALID,
                                   "--weights: '%.80s': expected a standard deviation above 0",
                                   value),
                   false;
        for (int i = 0; i < s->compareds; i++)
            if (!*name || !strcmp(name, s->compared[i].name)
                || !strcmp(name, s->compared[i].in_file)) {
                s->compared[i].sigma = (double)sigma;
                s->compared[i].known = any = true;
            }
        if (!any)
            return noe_status_fail(NOE_INVALID, "--weights: '%.60s' is no column that is compared",
                                   name),
                   false;
        c += length + (c[length] == ',');
    }
    return true;
}

/* The spread of each column; where its errors are not given, the first guess of them. */
static void spreads(noe_fit *s)
{
    for (int c = 0; c < s->compareds; c++) {
        noe_compared *x = &s->compared[c];
        double        mean = 0, square = 0;
        for (int i = 0; i < s->data; i++)
            if (s->datum[i].column == c) mean += s->datum[i].y / x->count;
        for (int i = 0; i < s->data; i++)
            if (s->datum[i].column == c) square += pow(s->datum[i].y - mean, 2) / x->count;
        x->spread = sqrt(square);
        if (!x->known) x->sigma = x->spread > 0 ? x->spread : fabs(mean) > 0 ? fabs(mean) : 1;
    }
}

bool noe_compared_columns_find(noe_fit *s)
{
    const char *time = "t";
    size_t      most = 1, cells = 0;
    for (const char *c = s->job->columns ? s->job->columns : ""; *c; c++) most += *c == ',';
    for (int d = 0; d < s->files; d++) {
        if (!s->job->columns) most += (size_t)s->file[d].columns;
        cells += (size_t)s->file[d].rows;
    }
    s->compared = noe_arena_take(s->arena, most * sizeof *s->compared);
    if (!s->compared) return false;
    if (s->job->columns && !listed(s, &time)) return false;
    if (!s->compareds && !found(s, time)) return false;
    if (!s->compareds)
        return noe_status_fail(NOE_INVALID,
                               "%s: no column is a quantity of the model; --columns \"NAME = "
                               "COLUMN\" compares one",
                               s->file[0].path),
               false;
    s->datum = noe_arena_take(s->arena, cells * (size_t)s->compareds * sizeof *s->datum);
    for (int d = 0; s->datum && d < s->files; d++)
        if (!collect(s, d, time)) return false;
    if (!s->datum || !weights(s)) return false;
    for (int c = 0; c < s->compareds; c++)
        if (!s->compared[c].count)
            return noe_status_fail(NOE_INVALID, "there are no data of '%s': every cell is empty",
                                   s->compared[c].name),
                   false;
    if (s->data < s->unknowns)
        return noe_status_fail(NOE_INVALID,
                               "%d data cannot determine %d parameters and starts: --vary fewer",
                               s->data, s->unknowns),
               false;
    qsort(s->datum, (size_t)s->data, sizeof *s->datum, by_time);
    spreads(s);
    return true;
}
