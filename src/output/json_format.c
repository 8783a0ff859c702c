/* JSON output (RFC 8259).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * {"columns": [..], "rows": [[x_1, .., x_n], ..], "complete": true or false, "ended": why}; events
 * are a second such table, "events", whose first column is a name.  It is collected in an unnamed
 * temporary file, because it stands after all rows. */
#include "base/json.h"
#include "output/output_format.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_json to;     /* the table of rows and what stands around it */
    noe_json events; /* the table of events, in a temporary file; file NULL: none */
    char   **name;   /* [names] of the events, owned */
    int      names;  /* number of these */
} json_tables;

static void put_lines(noe_json *j, const char *name, const char *s)
{
    noe_json_open(j, name, '[');
    while (s && *s) {
        const size_t length = strcspn(s, "\n");
        if (length) noe_json_part(j, NULL, s, length);
        s += length + (s[length] == '\n');
    }
    noe_json_close(j);
}

static void put_names(noe_json *j, const char *const *name, int count)
{
    noe_json_open(j, "columns", '[');
    for (int k = 0; k < count; k++) noe_json_text(j, NULL, name[k]);
    noe_json_close(j);
}

static noe_status written(noe_sink *s)
{
    return ferror(s->temp.file) ? noe_atomic_file_fail(&s->temp) : NOE_OK;
}

static void close_json(noe_sink *s)
{
    json_tables *x = s->own;
    if (!x) return;
    for (int i = 0; i < x->names; i++) free(x->name[i]);
    if (x->events.file) fclose(x->events.file);
    free(x->name);
    free(x);
    s->own = NULL;
}

static noe_status no_temporary_file(void)
{
    return noe_status_fail(NOE_IO, "cannot write the table of events to a temporary file: %s",
                           strerror(errno));
}

/* The table of events goes on where the head ends: it is a member of the same object. */
static noe_status open_events(json_tables *x, const noe_head *h)
{
    if (!(x->name = noe_status_alloc((size_t)h->events, sizeof *x->name))) return NOE_NO_MEMORY;
    for (; x->names < h->events; x->names++)
        if (!(x->name[x->names] = strdup(h->event[x->names]))) return NOE_NO_MEMORY;
    noe_json *j = &x->events;
    *j = x->to;
    if (!(j->file = tmpfile())) return no_temporary_file();
    noe_json_open(j, "events", '{');
    put_names(j, h->event_column, h->event_columns);
    noe_json_open(j, "rows", '[');
    return NOE_OK;
}

static noe_status event(noe_sink *s, const quad *x)
{
    json_tables *own = s->own;
    noe_json    *j = &own->events;
    noe_json_open(j, NULL, '[');
    noe_json_text(j, NULL, own->name[(int)x[0] - 1]);
    for (int k = 1; k < s->event_columns; k++) noe_json_number(j, NULL, x[k], s->digits);
    noe_json_close(j);
    return ferror(j->file) ? no_temporary_file() : NOE_OK;
}

/* Copies the table of events after the rows. */
static noe_status put_events(noe_sink *s)
{
    noe_json *j = &((json_tables *)s->own)->events;
    char      part[1 << 14];
    size_t    n;
    if (!j->file) return NOE_OK;
    noe_json_close(j), noe_json_close(j);
    if (fflush(j->file)) return no_temporary_file();
    rewind(j->file);
    while ((n = fread(part, 1, sizeof part, j->file))) fwrite(part, 1, n, s->temp.file);
    return ferror(j->file) ? no_temporary_file() : NOE_OK;
}

static noe_status open_json(noe_sink *s, const noe_head *h)
{
    json_tables *x = s->own = noe_status_alloc(1, sizeof *x);
    if (!x) return NOE_NO_MEMORY;
    noe_json *j = &x->to;
    j->file = s->temp.file;
    noe_json_open(j, NULL, '{');
    noe_json_text(j, "noether", NOE_VERSION);
    noe_json_text(j, "system", h->system);
    noe_json_text(j, "source", h->source);
    put_lines(j, "changes", h->changes);
    noe_json_text(j, "method", h->method);
    noe_json_number(j, "step", h->step, h->digits);
    noe_json_number(j, "until", h->until, h->digits);
    noe_json_number(j, "last", h->last, h->digits);
    noe_json_text(j, "model", h->model);
    const noe_status status = s->event_columns ? open_events(x, h) : NOE_OK;
    put_names(j, h->name, h->columns);
    noe_json_open(j, "rows", '[');
    return status ? status : written(s);
}

static noe_status row(noe_sink *s, const quad *x)
{
    noe_json *j = &((json_tables *)s->own)->to;
    noe_json_open(j, NULL, '[');
    for (int k = 0; k < s->columns; k++) {
        if (!s->text) noe_json_number(j, NULL, x[k], s->digits);
        else
            noe_json_name(j, NULL), fputs(strcmp(s->text[k], "nan") ? s->text[k] : "null", j->file);
    }
    noe_json_close(j);
    return written(s);
}

static noe_status finish(noe_sink *s, const void *state, size_t bytes)
{
    (void)state, (void)bytes;
    noe_json *j = &((json_tables *)s->own)->to;
    noe_json_close(j);
    const noe_status status = put_events(s);
    if (status) return status;
    if (s->judgement) {
        const noe_judgement *x = s->judgement;
        noe_json_double(j, "local_error", x->local_error);
        noe_json_double(j, "energy_error", x->energy_error);
        noe_json_double(j, "accumulated_error", x->accumulated_error);
        noe_json_text(j, "warning", x->warning);
        noe_json_text(j, "note", x->note);
    }
    noe_json_bool(j, "complete", !s->ended);
    if (s->ended) noe_json_text(j, "ended", s->ended);
    noe_json_close(j);
    return written(s);
}

const noe_format noe_json_format = {
    ".json", open_json, row, finish, close_json, event, NULL, NULL, false,
};
