/* A table (name_j, x_ij), the result of a run: named columns of doubles, contiguous, grown by rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/table.h"

#include "base/arena.h"
#include "base/spelling.h"

#include <stdlib.h>
#include <string.h>

struct noe_table {
    noe_arena   *texts;          /* memory of all texts */
    noe_head     head;           /* copy of the description */
    double      *x;              /* x_ij at x[j * room + i] */
    const char **label;          /* [labels] labels of rows; NULL: no row has a label */
    size_t       labels;         /* size of `label` */
    size_t       rows, capacity; /* number of rows; rows that fit into x */
};

static const char *copy(noe_table *t, const char *text, noe_status *s)
{
    char *c = text ? noe_arena_copy(t->texts, text, strlen(text)) : NULL;
    if (text && !c) *s = NOE_NO_MEMORY;
    return c;
}

static noe_status widen(noe_table *t, size_t capacity)
{
    size_t  n = (size_t)t->head.columns;
    double *x = noe_status_alloc(capacity, n * sizeof *x);
    if (!x) return NOE_NO_MEMORY;
    for (size_t j = 0; j < n && t->rows; j++)
        memcpy(x + j * capacity, t->x + j * t->capacity, t->rows * sizeof *x);
    free(t->x);
    t->x = x;
    t->capacity = capacity;
    return NOE_OK;
}

/* Doubles the capacity, so that adding n rows copies O(n) numbers in all. */
static noe_status grow(noe_table *t) { return widen(t, t->capacity ? 2 * t->capacity : 16); }

noe_status noe_table_reserve(noe_table *t, size_t rows)
{
    return rows > t->capacity ? widen(t, rows) : NOE_OK;
}

static noe_status name_columns(noe_table *t, const char *const *name)
{
    noe_status   s = NOE_OK;
    const char **own = noe_arena_take(t->texts, (size_t)t->head.columns * sizeof *own);
    if (!own) return NOE_NO_MEMORY;
    for (int j = 0; j < t->head.columns; j++) own[j] = copy(t, name[j], &s);
    t->head.name = own;
    return s;
}

noe_table *noe_table_new(int columns, const char *const *name)
{
    if (!name) return NULL;
    if (columns < 1)
        return noe_status_fail(NOE_INVALID, "a table needs at least one column, not %d", columns),
               NULL;
    noe_table *t = noe_status_alloc(1, sizeof *t);
    if (!t) return NULL;
    t->head.columns = columns;
    t->head.digits = NOE_DIGITS_DOUBLE;
    t->texts = noe_arena_new();
    if (!t->texts || name_columns(t, name) || grow(t)) return noe_table_free(t), NULL;
    return t;
}

noe_status noe_table_add(noe_table *t, const double *row)
{
    if (!t || !row) return NOE_INVALID;
    if (t->rows == t->capacity && grow(t)) return NOE_NO_MEMORY;
    for (size_t j = 0; j < (size_t)t->head.columns; j++) t->x[j * t->capacity + t->rows] = row[j];
    t->rows++;
    return NOE_OK;
}

noe_status noe_table_add_labelled(noe_table *t, const double *row, const char *label)
{
    if (!t || !row || !label) return NOE_INVALID;
    const size_t i = t->rows;
    if (i >= t->labels) {
        const char **wider = noe_status_alloc(2 * i + 16, sizeof *wider);
        if (!wider) return NOE_NO_MEMORY;
        if (t->labels) memcpy(wider, t->label, t->labels * sizeof *wider);
        free(t->label);
        t->label = wider;
        t->labels = 2 * i + 16;
    }
    noe_status s = NOE_OK;
    t->label[i] = copy(t, label, &s);
    return s ? s : noe_table_add(t, row);
}

const char *noe_table_label(const noe_table *t, size_t row)
{
    return t && row < t->rows && row < t->labels ? t->label[row] : NULL;
}

noe_status noe_table_head(noe_table *t, const noe_head *h)
{
    if (!t || !h) return NOE_INVALID;
    noe_status s = NOE_OK;
    noe_head   own = t->head;
    own.model = copy(t, h->model, &s);
    own.source = copy(t, h->source, &s);
    own.changes = copy(t, h->changes, &s);
    own.inputs = copy(t, h->inputs, &s);
    own.method = copy(t, h->method, &s);
    own.system = copy(t, h->system, &s);
    own.step = h->step;
    own.t0 = h->t0;
    own.until = h->until;
    own.last = h->last;
    if (!s) t->head = own;
    return s;
}

noe_status noe_table_ended(noe_table *t, const char *why)
{
    if (!t || !why) return NOE_INVALID;
    noe_status s = NOE_OK;
    t->head.ended = copy(t, why, &s);
    return s;
}

const noe_head *noe_table_about(const noe_table *t) { return t ? &t->head : NULL; }

size_t noe_table_rows(const noe_table *t) { return t ? t->rows : 0; }

size_t noe_table_columns(const noe_table *t) { return t ? (size_t)t->head.columns : 0; }

const char *noe_table_name(const noe_table *t, size_t column)
{
    return t && column < (size_t)t->head.columns ? t->head.name[column] : NULL;
}

const double *noe_table_at(const noe_table *t, size_t column)
{
    return t && column < (size_t)t->head.columns ? t->x + column * t->capacity : NULL;
}

const double *noe_table_column(const noe_table *t, const char *name)
{
    if (!t || !name) return NULL;
    for (size_t j = 0; j < noe_table_columns(t); j++)
        if (noe_spelling_same(t->head.name[j], name)) return noe_table_at(t, j);
    noe_status_fail(NOE_INVALID, "the table has no column '%s'; its %d columns begin with '%s'",
                    name, t->head.columns, t->head.name[0]);
    return NULL;
}

void noe_table_free(noe_table *t)
{
    if (!t) return;
    noe_arena_free(t->texts);
    free(t->label);
    free(t->x);
    free(t);
}
