/* JSON output (RFC 8259).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * {"columns": [..], "rows": [[x_1, .., x_n], ..], "complete": true or false, "ended": why}. */
#include "base/utf8.h"
#include "output/output_format.h"
#include "number/decimal.h"

#include <stdbool.h>
#include <string.h>

/* Up to `end`, or to the closing 0.  A byte that is not UTF-8 becomes the replacement character. */
static void put_text(FILE *f, const char *s, const char *end)
{
    if (!s) {
        fputs("null", f);
        return;
    }
    putc('"', f);
    while (*s && s != end) {
        static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
        int               n = noe_utf8(s);
        const char       *escape = n == 1 ? strchr(plain, *s) : NULL;
        if (escape) fprintf(f, "\\%c", letter[escape - plain]);
        else if (n == 1 && (unsigned char)*s < ' ') fprintf(f, "\\u%04x", (unsigned)*s);
        else if (n) fwrite(s, 1, (size_t)n, f);
        else fputs("\\ufffd", f);
        s += n ? n : 1;
    }
    putc('"', f);
}

static void put_number(FILE *f, quad x, int digits)
{
    char text[NOE_NUMBER_SIZE];
    int  n = noe_decimal_write(text, x, digits);
    bool finite = text[n - 1] >= '0' && text[n - 1] <= '9'; /* JSON knows neither nan nor inf */
    if (finite) fwrite(text, 1, (size_t)n, f);
    else fputs("null", f);
}

static void put_lines(FILE *f, const char *s)
{
    const char *comma = "";
    putc('[', f);
    while (s && *s) {
        const char *end = s + strcspn(s, "\n");
        if (end > s) {
            fputs(comma, f);
            put_text(f, s, end);
            comma = ", ";
        }
        s = *end ? end + 1 : end;
    }
    putc(']', f);
}

static void put_member(FILE *f, const char *name, const char *text)
{
    fprintf(f, ",\n\"%s\": ", name);
    put_text(f, text, NULL);
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
    put_number(f, h->step, h->digits);
    fputs(",\n\"until\": ", f);
    put_number(f, h->until, h->digits);
    fputs(",\n\"last\": ", f);
    put_number(f, h->last, h->digits);
    put_member(f, "model", h->model);
    fputs(",\n\"columns\": [", f);
    for (int j = 0; j < h->columns; j++) {
        if (j) fputs(", ", f);
        put_text(f, h->name[j], NULL);
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
        if (!s->text) put_number(f, x[j], s->digits);
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
        put_number(f, s->local_error, 15);
        put_member(f, "warning", s->warning);
    }
    fprintf(f, ",\n\"complete\": %s", s->ended ? "false" : "true");
    if (s->ended) put_member(f, "ended", s->ended);
    fputs("}\n", f);
    return written(s);
}

const noe_format noe_json_format = { ".json", open_json, row, finish, NULL };
