/* A sink: rows (x_1 .. x_n) written to a file, which appears complete or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FORMAT(name) extern const noe_format noe_##name##_format;
#include "output/output_formats.def"
FORMAT(memory)
#undef FORMAT

static const noe_format *const format[] = {
#define FORMAT(name) &noe_##name##_format,
#include "output/output_formats.def"
#undef FORMAT
};
enum { FORMATS = sizeof format / sizeof *format };

static bool has_ending(const char *path, const noe_format *f)
{
    const size_t n = strlen(path), m = strlen(f->ending);
    return n > m && !strcasecmp(path + n - m, f->ending);
}

static const noe_format *by_ending(const char *path)
{
    char known[128] = "";
    for (int i = 0; i < FORMATS; i++) {
        if (has_ending(path, format[i])) return format[i];
        strcat(strcat(known, i == 0 ? "" : i < FORMATS - 1 ? ", " : " or "), format[i]->ending);
    }
    noe_status_fail(NOE_INVALID, "cannot write '%s': the name must end in %s", path, known);
    return NULL;
}

noe_status noe_sink_make(const char *path, const noe_head *h, noe_sink **out)
{
    *out = NULL;
    if (!h || !h->name) return NOE_INVALID;
    if (h->columns < 1) return noe_status_fail(NOE_INVALID, "a result needs at least one column");
    const noe_format *f = path ? by_ending(path) : format[0];
    if (!f) return NOE_INVALID;
    noe_sink *s = noe_status_alloc(1, sizeof *s);
    if (!s) return NOE_NO_MEMORY;
    s->format = f;
    s->reported = NAN;
    s->columns = h->columns;
    s->event_columns = f->event ? h->event_columns : 0;
    s->digits = h->digits > NOE_DIGITS_DOUBLE ? NOE_DIGITS_QUAD : NOE_DIGITS_DOUBLE;
    noe_status status = noe_atomic_file_open(&s->temp, path);
    noe_head   head = *h;
    head.digits = h->digits > s->digits ? h->digits : s->digits; /* the digits for a restart */
    if (!status) status = f->open(s, &head);
    if (!status) *out = s;
    else noe_sink_drop(s);
    return status;
}

noe_sink *noe_sink_open(const char *path, const noe_head *h)
{
    noe_sink *s;
    return noe_sink_make(path, h, &s), s;
}

noe_sink *noe_sink_open_memory(noe_results *to, const noe_head *h)
{
    noe_sink *s = noe_status_alloc(1, sizeof *s);
    if (!s) return NULL;
    s->format = &noe_memory_format;
    s->memory = to;
    s->columns = h->columns;
    s->event_columns = h->event_columns;
    s->digits = NOE_DIGITS_DOUBLE;
    if (!s->format->open(s, h)) return s;
    noe_sink_drop(s);
    return NULL;
}

noe_status noe_sink_row(noe_sink *s, const quad *row)
{
    if (!s || !row) return NOE_INVALID;
    if (!s->status) s->status = s->format->row(s, row);
    s->rows++;
    return s->status;
}

noe_status noe_sink_row_double(noe_sink *s, const double *row)
{
    if (!s || !row) return NOE_INVALID;
    if (!s->format->row_double) {
        quad wide[s->columns];
        for (int j = 0; j < s->columns; j++) wide[j] = row[j];
        return noe_sink_row(s, wide);
    }
    if (!s->status) s->status = s->format->row_double(s, row);
    s->rows++;
    return s->status;
}

noe_status noe_sink_event(noe_sink *s, const quad *row)
{
    if (!s || !row) return NOE_INVALID;
    if (!s->status && s->event_columns) s->status = s->format->event(s, row);
    return s->status;
}

bool noe_sink_stores_state(const char *path)
{
    for (int i = 0; i < FORMATS; i++)
        if (has_ending(path, format[i])) return format[i]->stores_state;
    return false;
}

bool noe_sink_can_place(const char *path)
{
    for (int i = 0; i < FORMATS; i++)
        if (has_ending(path, format[i])) return format[i]->place;
    return false;
}

noe_status noe_sink_place(noe_sink *s, const char **path)
{
    if (!s || !s->format->place) return NOE_INVALID;
    if (!s->status) s->status = s->format->place(s);
    *path = s->temp.path;
    return s->status;
}

void noe_sink_ended(noe_sink *s, const char *why)
{
    if (!s || !why) return;
    free(s->ended);
    s->ended = noe_status_alloc(strlen(why) + 1, 1);
    if (s->ended) strcpy(s->ended, why);
    else s->status = NOE_NO_MEMORY;
}

void noe_sink_set_reported(noe_sink *s, quad t)
{
    if (s) s->reported = t;
}

void noe_sink_set_judgement(noe_sink *s, const noe_judgement *x)
{
    if (s) s->judgement = x;
}

noe_status noe_sink_row_text(noe_sink *s, const quad *row, char *const *text)
{
    if (!s) return NOE_INVALID;
    s->text = text;
    const noe_status status = noe_sink_row(s, row);
    s->text = NULL;
    return status;
}

noe_status noe_sink_close(noe_sink *s, const void *state, size_t bytes)
{
    if (!s) return NOE_INVALID;
    noe_status status = s->status;
    if (!status) status = s->format->finish(s, state, state ? bytes : 0);
    if (s->format->close) s->format->close(s);
    if (status) noe_atomic_file_drop(&s->temp);
    else if (!s->memory) status = noe_atomic_file_keep(&s->temp);
    free(s->ended);
    free(s);
    return status;
}

void noe_sink_drop(noe_sink *s)
{
    if (!s) return;
    if (s->format->close) s->format->close(s);
    noe_atomic_file_drop(&s->temp);
    free(s->ended);
    free(s);
}
