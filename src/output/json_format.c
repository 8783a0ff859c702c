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
    FILE  *rows;  /* of the table of events */
    size_t count; /* of these rows */
    char **name;  /* [names] of the events, owned */
    int    names;
} json_events;

static void put_lines(FILE *f, const char *s)
{
    const char *comma = "";
    putc('[', f);
    while (s && *s) {
        const char *end = s + strcspn(s, "\n");
        if (end > s) {
            fputs(comma, f);
            noe_json_text(f, s, end);
            comma = ", ";
        }
        s = *end ? end + 1 : end;
    }
    putc(']', f);
}

static void put_member(FILE *f, const char *name, const char *text)
{
    fprintf(f, ",\n\"%s\": ", name);
    noe_json_text(f, text, NULL);
}

static noe_status written(noe_sink *s)
{
    return ferror(s->temp.file) ? noe_atomic_file_fail(&s->temp) : NOE_OK;
}

static void put_names(FILE *f, const char *const *name, int count)
{
    for (int j = 0; j < count; j++) {
        if (j) fputs(", ", f);
        noe_json_text(f, name[j], NULL);
    }
}

static void close_json(noe_sink *s)
{
    json_events *e = s->own;
    if (!e) return;
    for (int i = 0; i < e->names; i++) free(e->name[i]);
    if (e->rows) fclose(e->rows);
    free(e->name);
    free(e);
    s->own = NULL;
}

static noe_status no_temporary_file(void)
{
    return noe_status_fail(NOE_IO, "cannot write the table of events to a temporary file: %s",
                           strerror(errno));
}

static noe_status open_events(noe_sink *s, const noe_head *h)
{
    json_events *e = s->own = noe_status_alloc(1, sizeof *e);
    if (!e || !(e->name = noe_status_alloc((size_t)h->events, sizeof *e->name)))
        return NOE_NO_MEMORY;
    for (; e->names < h->events; e->names++)
        if (!(e->name[e->names] = strdup(h->event[e->names]))) return NOE_NO_MEMORY;
    if (!(e->rows = tmpfile())) return no_temporary_file();
    fputs(",\n\"events\": {\"columns\": [", e->rows);
    put_names(e->rows, h->event_column, h->event_columns);
    fputs("],\n\"rows\": [", e->rows);
    return NOE_OK;
}

static noe_status event(noe_sink *s, const quad *x)
{
    json_events *e = s->own;
    fputs(e->count++ ? ",\n[" : "\n[", e->rows);
    noe_json_text(e->rows, e->name[(int)x[0] - 1], NULL);
    for (int j = 1; j < s->event_columns; j++) {
        putc(',', e->rows);
        noe_json_number(e->rows, x[j], s->digits);
    }
    putc(']', e->rows);
    return ferror(e->rows) ? no_temporary_file() : NOE_OK;
}

/* Copies the table of events after the rows. */
static noe_status put_events(noe_sink *s)
{
    json_events *e = s->own;
    char         part[1 << 14];
    size_t       n;
    if (!e) return NOE_OK;
    fputs("\n]}", e->rows);
    if (fflush(e->rows)) return no_temporary_file();
    rewind(e->rows);
    while ((n = fread(part, 1, sizeof part, e->rows))) fwrite(part, 1, n, s->temp.file);
    return ferror(e->rows) ? no_temporary_file() : NOE_OK;
}

static noe_status open_json(noe_sink *s, const noe_head *h)
{
    FILE *f = s->temp.file;
    fputs("{\"noether\": \"" NOE_VERSION "\"", f);
    put_member(f, "system", h->system);
    put_member(f, "source", h->source);
    fputs(",\n\"changes\": ", f);
    put_lines(f, h->changes);
    put_member(f, "method", h->method);
    fputs(",\n\"step\": ", f);
    noe_json_number(f, h->step, h->digits);
    fputs(",\n\"until\": ", f);
    noe_json_number(f, h->until, h->digits);
    fputs(",\n\"last\": ", f);
    noe_json_number(f, h->last, h->digits);
    put_member(f, "model", h->model);
    fputs(",\n\"columns\": [", f);
    put_names(f, h->name, h->columns);
    fputs("],\n\"rows\": [", f);
    const noe_status status = s->event_columns ? open_events(s, h) : NOE_OK;
    return status ? status : written(s);
}

static noe_status row(noe_sink *s, const quad *x)
{
    FILE *f = s->temp.file;
    fputs(s->rows ? ",\n[" : "\n[", f);
    for (int j = 0; j < s->columns; j++) {
        if (j) putc(',', f);
        if (!s->text) noe_json_number(f, x[j], s->digits);
        else fputs(strcmp(s->text[j], "nan") ? s->text[j] : "null", f);
    }
    putc(']', f);
    return written(s);
}

static noe_status finish(noe_sink *s, const void *state, size_t bytes)
{
    (void)state, (void)bytes;
    FILE *f = s->temp.file;
    fputs("\n]", f);
    const noe_status status = put_events(s);
    if (status) return status;
    if (s->judgement) {
        const noe_judgement *x = s->judgement;
        fputs(",\n\"local_error\": ", f), noe_json_number(f, x->local_error, NOE_DIGITS_DOUBLE);
        fputs(",\n\"energy_error\": ", f), noe_json_number(f, x->energy_error, NOE_DIGITS_DOUBLE);
        fputs(",\n\"accumulated_error\": ", f),
            noe_json_number(f, x->accumulated_error, NOE_DIGITS_DOUBLE);
        put_member(f, "warning", x->warning), put_member(f, "note", x->note);
    }
    fprintf(f, ",\n\"complete\": %s", s->ended ? "false" : "true");
    if (s->ended) put_member(f, "ended", s->ended);
    fputs("}\n", f);
    return written(s);
}

const noe_format noe_json_format = {
    ".json", open_json, row, finish, close_json, event, NULL, NULL, false,
};
