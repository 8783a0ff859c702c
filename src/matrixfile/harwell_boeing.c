/* Reads Harwell-Boeing and Rutherford-Boeing files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * RSA n n entries: where each column begins, the row of each entry, its number, in fields of
 * Fortran's formats.
 *
 * I. S. Duff, R. G. Grimes, J. G. Lewis, Users' Guide for the Harwell-Boeing Sparse Matrix
 * Collection (1992), and the Rutherford-Boeing format that followed it (RAL-TR-97-031).  Fields
 * may touch, so they are cut by their width. */
#include "matrixfile/matrix_entries.h"

#include "base/status.h"
#include "number/fortran_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool format(const noe_matrix_entries *r, const char *text, size_t length,
                   const char *letters, noe_fortran_format *to)
{
    char copy[32] = "";
    memcpy(copy, text, length < 31 ? length : 31);
    for (size_t k = strlen(copy); k && isspace((unsigned char)copy[k - 1]); k--) copy[k - 1] = 0;
    if (noe_fortran_format_read(to, copy, letters)
        && (long)to->each * to->width < NOE_MATRIX_LINE_MOST)
        return true;
    noe_status_fail(NOE_SYNTAX,
                    "%s:%ld: expected Fortran formats of equal fields, '(16I5) (16I5) (5E16.8)', "
                    "found '%.20s'",
                    r->path, r->line, copy);
    return false;
}

/* Reads fields one after another; `field` has the last one. */
typedef struct {
    noe_matrix_entries *r;  /* the file */
    noe_fortran_format  is; /* format of a line */
    int                 at; /* number of fields of the present line that were read */
    char                field[NOE_MATRIX_LINE_MOST]; /* text of the last field */
} cutter;

static bool cut(cutter *x, const char *expected)
{
    bool failed;
    if (x->at == x->is.each) {
        if (!noe_matrix_entries_line(x->r, &failed)) {
            if (!failed)
                noe_status_fail(NOE_SYNTAX, "%s:%ld: the file ends here: expected %s", x->r->path,
                                x->r->line, expected);
            return false;
        }
        x->at = 0;
    }
    const size_t length = strcspn(x->r->text, "\r\n"), from = (size_t)(x->at++ * x->is.width);
    const size_t end = from + (size_t)x->is.width < length ? from + (size_t)x->is.width : length;
    if (from >= length)
        return noe_matrix_entries_wrong(x->r, "the line has fewer fields than its format says");
    memcpy(x->field, x->r->text + from, end - from);
    x->field[end - from] = 0;
    return true;
}

static bool whole(cutter *x, const char *expected, long least, long most, long *to)
{
    if (!cut(x, expected)) return false;
    char *t = x->field;
    if (noe_matrix_entries_whole(&t, to) && noe_matrix_entries_over(t) && *to >= least
        && *to <= most)
        return true;
    noe_status_fail(NOE_SYNTAX, "%s:%ld: expected %s from %ld to %ld, found '%.30s'", x->r->path,
                    x->r->line, expected, least, most, x->field);
    return false;
}

/* Reads `count` whole numbers from 1 to `most`; ascending: none may be less than the one before.
 * Memory is allocated as numbers are read. NULL with a message. */
static long *wholes(cutter *x, const char *expected, long count, long most, bool ascending)
{
    long *list = NULL, least = 1;
    for (long k = 0, capacity = 0; k < count; k++) {
        if (k == capacity) {
            long *more = realloc(list, (size_t)(capacity = capacity ? 2 * capacity : 1024)
                                           * sizeof *list);
            if (!more) {
                free(list);
                return noe_status_fail(NOE_NO_MEMORY, "%s: out of memory", x->r->path), NULL;
            }
            list = more;
        }
        if (!whole(x, expected, least, most, &list[k])) {
            free(list);
            return NULL;
        }
        if (ascending) least = list[k];
    }
    return list;
}

static bool type(noe_matrix_entries *r)
{
    char kind[4] = "";
    for (int i = 0; i < 3; i++) kind[i] = (char)toupper((unsigned char)r->text[i]);
    r->symmetric = kind[1] == 'S';
    if (kind[0] != 'R' && kind[0] != 'I')
        return noe_matrix_entries_wrong(
            r, "expected a matrix of numbers, real or integer: RSA, ISA, RUA");
    if (kind[1] != 'S' && kind[1] != 'U')
        return noe_matrix_entries_wrong(r,
                                        "expected a matrix that is symmetric or general: RSA, RUA");
    return kind[2] == 'A'
        || noe_matrix_entries_wrong(r, "expected a matrix that is assembled: RSA, RUA");
}

static bool sizes(noe_matrix_entries *r, long *entries)
{
    long  rows, cols;
    char *t = r->text + 3;
    if (!noe_matrix_entries_whole(&t, &rows) || !noe_matrix_entries_whole(&t, &cols)
        || !noe_matrix_entries_whole(&t, entries))
        return noe_matrix_entries_wrong(
            r, "expected the type and the numbers of rows, columns and entries");
    if (!noe_matrix_entries_square(r, rows, cols)) return false;
    if (*entries < 0 || (double)*entries > (double)rows * (double)rows)
        return noe_matrix_entries_wrong(r, "more entries than places");
    return true;
}

static bool header(noe_matrix_entries *r, noe_fortran_format is[3], long *entries)
{
    bool failed;
    long cards[5] = { 0 };
    for (int line = 1; line <= 4; line++) {
        if (!noe_matrix_entries_line(r, &failed))
            return failed ? false : noe_matrix_entries_wrong(r, "the file ends in its header");
        char *t = r->text;
        for (int k = 0; k < 5 && line == 2; k++)
            if (!noe_matrix_entries_whole(&t, &cards[k]) && k < 4)
                return noe_matrix_entries_wrong(r,
                                                "expected how many lines of each kind there are");
        if (line == 3 && (!type(r) || !sizes(r, entries))) return false;
    }
    const size_t length = strcspn(r->text, "\r\n");
    char         text[64];
    snprintf(text, sizeof text, "%-52.52s", "");
    memcpy(text, r->text, length < 52 ? length : 52);
    if (!format(r, text, 16, "I", &is[0]) || !format(r, text + 16, 16, "I", &is[1])
        || !format(r, text + 32, 20, "IEDFG", &is[2]))
        return false;
    /* A further line of a Harwell-Boeing file describes right-hand sides after the matrix. */
    if (cards[4] > 0 && !noe_matrix_entries_line(r, &failed))
        return failed ? false : noe_matrix_entries_wrong(r, "the file ends in its header");
    return true;
}

/* The number in the last field. */
static bool number(const cutter *x, double *to)
{
    const noe_matrix_entries *const r = x->r;
    switch (noe_fortran_format_number(&x->is, x->field, to)) {
    case NOE_FIELD_READ: return true;
    case NOE_FIELD_WRONG:
        noe_status_fail(NOE_SYNTAX, "%s:%ld: expected a number, found '%.30s'", r->path, r->line,
                        x->field);
        return false;
    case NOE_FIELD_NO_POINT:
        noe_status_fail(NOE_SYNTAX,
                        "%s:%ld: '%.30s' has no decimal point: by its format, %c%d.%d, the last "
                        "%d digits are decimals, but other programs than Fortran mean it as it "
                        "stands: write the point",
                        r->path, r->line, x->field, x->is.letter, x->is.width, x->is.decimals,
                        x->is.decimals);
        return false;
    default:
        noe_status_fail(NOE_SYNTAX,
                        "%s:%ld: '%.30s' has no exponent: by its format, %dP and %c%d.%d, Fortran "
                        "reads it divided by 10^(%d), but writes no number so that is meant so: "
                        "write the exponent, or the format without %dP",
                        r->path, r->line, x->field, x->is.scale, x->is.letter, x->is.width,
                        x->is.decimals, x->is.scale, x->is.scale);
        return false;
    }
}

static bool numbers(noe_matrix_entries *r, cutter *x, const long *start, const long *row)
{
    for (int j = 0; j < r->n; j++)
        for (long k = start[j]; k < start[j + 1]; k++) {
            double value;
            if (!cut(x, "another number") || !number(x, &value)) return false;
            if (!noe_matrix_entries_add(r, row[k - 1], j + 1, value)) return false;
        }
    return true;
}

bool noe_harwell_boeing_read(noe_matrix_entries *r)
{
    noe_fortran_format is[3];
    long               entries, *row = NULL;
    if (!header(r, is, &entries)) return false;
    cutter x = { .r = r, .is = is[0], .at = is[0].each };
    long  *start = wholes(&x, "where a column begins,", r->n + 1L, entries + 1, true);
    bool   ok = start != NULL;
    if (ok && (start[0] != 1 || start[r->n] != entries + 1))
        ok = noe_matrix_entries_wrong(r, "the columns do not hold all entries");
    x.is = is[1], x.at = is[1].each;
    ok = ok && (entries == 0 || (row = wholes(&x, "a row", entries, r->n, false)));
    x.is = is[2], x.at = is[2].each;
    ok = ok && numbers(r, &x, start, row);
    free(start);
    free(row);
    return ok;
}
