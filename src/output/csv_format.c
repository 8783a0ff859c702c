/* CSV output (RFC 4180): a line of names, then a line x_1,x_2,..,x_n for each row.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_format.h"
#include "number/decimal.h"

#include <string.h>

static void put_name(FILE *f, const char *name)
{
    if (!strpbrk(name, ",\"\r\n")) {
        fputs(name, f);
        return;
    }
    putc('"', f);
    for (; *name; name++) {
        if (*name == '"') putc('"', f);
        putc(*name, f);
    }
    putc('"', f);
}

static noe_status open_csv(noe_sink *s, const noe_head *h)
{
    for (int j = 0; j < h->columns; j++) {
        if (j) putc(',', s->temp.file);
        put_name(s->temp.file, h->name[j]);
    }
    putc('\n', s->temp.file);
    return ferror(s->temp.file) ? noe_atomic_file_fail(&s->temp) : NOE_OK;
}

static noe_status row(noe_sink *s, const quad *x)
{
    for (int j = 0; j < s->columns; j++) {
        if (s->text) {
            fprintf(s->temp.file, "%s%c", s->text[j], j < s->columns - 1 ? ',' : '\n');
            continue;
        }
        char text[NOE_NUMBER_SIZE + 1];
        int  n = noe_decimal_write(text, x[j], s->digits);
        text[n] = j < s->columns - 1 ? ',' : '\n';
        fwrite(text, 1, (size_t)n + 1, s->temp.file);
    }
    return ferror(s->temp.file) ? noe_atomic_file_fail(&s->temp) : NOE_OK;
}

static noe_status row_double(noe_sink *s, const double *x)
{
    enum { SOME = 16 }; /* columns that are written by one call */
    for (int j = 0; j < s->columns;) {
        char text[SOME * (NOE_NUMBER_SIZE + 1)], *to = text;
        for (int k = 0; k < SOME && j < s->columns; k++) {
            to += noe_decimal_write_double(to, x[j++]);
            *to++ = j < s->columns ? ',' : '\n';
        }
        fwrite(text, 1, (size_t)(to - text), s->temp.file);
    }
    return ferror(s->temp.file) ? noe_atomic_file_fail(&s->temp) : NOE_OK;
}

static noe_status finish(noe_sink *s, const void *state, size_t bytes)
{
    (void)s, (void)state, (void)bytes;
    return NOE_OK;
}

const noe_format noe_csv_format = {
    ".csv", open_csv, row, finish, NULL, NULL, row_double, NULL, false,
};
