/* JSON output (RFC 8259).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * {"columns": [..], "rows": [[x_1, .., x_n], ..], "complete": true or false, "ended": why}. */
#include "base/json.h"
#include "output/output_format.h"

#include <stdbool.h>
#include <string.h>

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
    for (int j = 0; j < h->columns; j++) {
        if (j) fputs(", ", f);
        noe_json_text(f, h->name[j], NULL);
    }
    fputs("],\n\"rows\": [", f);
    return written(s);
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
    if (s->judged) {
        fputs(",\n\"local_error\": ", f);
        noe_json_number(f, s->local_error, 15);
        put_member(f, "warning", s->warning);
    }
    fprintf(f, ",\n\"complete\": %s", s->ended ? "false" : "true");
    if (s->ended) put_member(f, "ended", s->ended);
    fputs("}\n", f);
    return written(s);
}

const noe_format noe_json_format = { ".json", open_json, row, finish, NULL };
