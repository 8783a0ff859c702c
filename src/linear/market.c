/* %%MatrixMarket matrix coordinate real symmetric: rows columns entries, then i j a_ij.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/market.h"

#include "base/status.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LINE = 1100 }; /* the standard allows 1024 characters */

typedef struct {
    const char *path;
    gzFile      file;
    long        line;
    char        text[LINE];
    bool        symmetric, dense;
    int         n;
    size_t      count, room; /* entries read, and how many there are to be */
    int        *row, *col;
    double     *value;
} reader;

static bool wrong(const reader *r, const char *what)
{
    noe_fail(NOE_SYNTAX, "%s:%ld: %s", r->path, r->line, what);
    return false;
}

/* The next line that says something. */
static bool next(reader *r, const char *expected)
{
    for (;;) {
        r->line++;
        if (!gzgets(r->file, r->text, LINE)) {
            int         code;
            const char *why = gzerror(r->file, &code);
            if (code != Z_OK && code != Z_STREAM_END)
                return noe_fail(NOE_IO, "%s: cannot read it: %s", r->path, code == Z_ERRNO ? strerror(errno) : why), false;
            return noe_fail(NOE_SYNTAX, "%s:%ld: the file ends here: expected %s", r->path, r->line, expected), false;
        }
        if (strlen(r->text) == LINE - 1) return wrong(r, "a line of more than 1024 characters: not a Matrix Market file");
        const char *t = r->text + strspn(r->text, " \t\r\n");
        if (*t && *t != '%') return true;
    }
}

static bool header(reader *r)
{
    char word[5][32] = { "" };
    r->line = 1;
    if (!gzgets(r->file, r->text, LINE)) return wrong(r, "an empty file: expected '%%MatrixMarket matrix ...'");
    for (char *t = r->text; *t; t++) *t = (char)tolower((unsigned char)*t);
    if (sscanf(r->text, "%31s %31s %31s %31s %31s", word[0], word[1], word[2], word[3], word[4]) != 5
        || strcmp(word[0], "%%matrixmarket") || strcmp(word[1], "matrix"))
        return wrong(r, "expected '%%MatrixMarket matrix coordinate real symmetric' or the like");
    r->dense = !strcmp(word[2], "array");
    if (!r->dense && strcmp(word[2], "coordinate")) return wrong(r, "expected the format coordinate or array");
    if (strcmp(word[3], "real") && strcmp(word[3], "integer") && strcmp(word[3], "double"))
        return wrong(r, "expected numbers that are real or integer");
    r->symmetric = !strcmp(word[4], "symmetric");
    if (!r->symmetric && strcmp(word[4], "general")) return wrong(r, "expected a matrix that is general or symmetric");
    return true;
}

static bool sizes(reader *r)
{
    long long rows, cols, entries = 0;
    char      left;
    if (!next(r, "the numbers of rows and columns")) return false;
    const int got = r->dense ? sscanf(r->text, "%lld %lld %c", &rows, &cols, &left)
                             : sscanf(r->text, "%lld %lld %lld %c", &rows, &cols, &entries, &left);
    if (got != 3 - r->dense) return wrong(r, r->dense ? "expected the numbers of rows and columns"
                                                      : "expected the numbers of rows, columns and entries");
    if (rows != cols) return wrong(r, "the matrix is not square");
    if (rows < 1 || rows > INT_MAX - 2) return wrong(r, "a matrix of no rows, or too many");
    if (r->dense) entries = r->symmetric ? rows * (rows + 1) / 2 : rows * rows;
    if (entries < 0 || (double)entries > (double)rows * (double)rows) return wrong(r, "more entries than places");
    r->n = (int)rows;
    r->room = (size_t)entries;
    return true;
}

/* One number, and nothing behind it. */
static bool value(reader *r, const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    if (end == text || end[strspn(end, " \t\r\n")]) return wrong(r, "expected a number at the end of the line");
    if (!isfinite(*x)) return wrong(r, "the entry is not a finite number");
    return true;
}

static bool entry(reader *r)
{
    long i, j;
    int  behind = 0;
    if (!next(r, "another entry")) return false;
    if (sscanf(r->text, "%ld %ld %n", &i, &j, &behind) != 2) return wrong(r, "expected a row, a column and a number");
    if (i < 1 || i > r->n || j < 1 || j > r->n) return wrong(r, "the entry lies outside of the matrix");
    if (r->symmetric && j > i) return wrong(r, "an entry above the diagonal of a symmetric matrix: below and on it are kept");
    r->row[r->count] = (int)i - 1;
    r->col[r->count] = (int)j - 1;
    return value(r, r->text + behind, &r->value[r->count++]);
}

static bool entries(reader *r)
{
    /* A size that lies may not take memory that no entries fill: it grows with them. */
    for (size_t room = 0; r->count < r->room;) {
        if (r->count == room) {
            room = room ? 2 * room : 1024;
            int    *row = realloc(r->row, room * sizeof *row), *col = row ? realloc(r->col, room * sizeof *col) : NULL;
            if (row) r->row = row;
            if (col) r->col = col;
            double *x = col ? realloc(r->value, room * sizeof *x) : NULL;
            if (!x) return noe_fail(NOE_NO_MEMORY, "%s: out of memory", r->path), false;
            r->value = x;
        }
        if (!r->dense) {
            if (!entry(r)) return false;
            continue;
        }
        const int last = r->count ? r->row[r->count - 1] : -1, col = r->count ? r->col[r->count - 1] : 0;
        const bool down = last + 1 < r->n; /* column by column; of a symmetric one from the diagonal on */
        r->row[r->count] = down ? last + 1 : r->symmetric ? col + 1 : 0;
        r->col[r->count] = down ? col : col + 1;
        if (!next(r, "another number") || !value(r, r->text, &r->value[r->count++])) return false;
    }
    while (gzgets(r->file, r->text, LINE))
        if (r->line++, r->text[strspn(r->text, " \t\r\n")] && r->text[0] != '%')
            return wrong(r, "more lines than the file promises entries");
    return true;
}

/* By columns, as noe_sparse_from() takes it. */
static noe_sparse *gather(const reader *r)
{
    const int   n = r->n;
    size_t     *start = noe_alloc((size_t)n + 2, sizeof *start);
    int        *row = noe_alloc(r->count + 1, sizeof *row);
    double     *x = noe_alloc(r->count + 1, sizeof *x);
    noe_sparse *A = NULL;
    bool        below = false, above = false;
    for (size_t k = 0; start && row && x && k < r->count; k++) {
        start[r->col[k] + 2]++;
        below |= r->row[k] > r->col[k], above |= r->row[k] < r->col[k];
    }
    if (!r->symmetric && below != above) {
        noe_fail(NOE_INVALID, "%s: the matrix is not symmetric: it says 'general', and one side of the diagonal is empty", r->path);
    } else if (start && row && x) {
        for (int j = 1; j <= n + 1; j++) start[j] += start[j - 1];
        for (size_t k = 0; k < r->count; k++) {
            const size_t at = start[r->col[k] + 1]++;
            row[at] = r->row[k];
            x[at] = r->value[k];
        }
        A = noe_sparse_from(r->path, n, &(noe_csc){ start, row, x });
    }
    free(start);
    free(row);
    free(x);
    return A;
}

noe_sparse *noe_market_read(const char *path)
{
    reader r = { .path = path, .file = gzopen(path, "rb") };
    if (!r.file) {
        noe_fail(NOE_IO, "%s: cannot read the matrix: %s", path, errno ? strerror(errno) : "out of memory");
        return NULL;
    }
    gzbuffer(r.file, 1 << 17);
    noe_sparse *A = header(&r) && sizes(&r) && entries(&r) ? gather(&r) : NULL;
    gzclose(r.file);
    free(r.row);
    free(r.col);
    free(r.value);
    return A;
}
