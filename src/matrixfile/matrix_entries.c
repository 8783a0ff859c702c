/* The entries (i, j, a_ij) of a matrix file: lines, numbers, and the matrix made of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "matrixfile/matrix_entries.h"

#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool noe_matrix_entries_wrong(const noe_matrix_entries *r, const char *what)
{
    noe_status_fail(NOE_SYNTAX, "%s:%ld: %s", r->path, r->line, what);
    return false;
}

bool noe_matrix_entries_unreadable(const noe_matrix_entries *r)
{
    int         code;
    const char *why = gzerror(r->file, &code);
    if (code == Z_OK || code == Z_STREAM_END) return false;
    noe_status_fail(NOE_IO, "%s: cannot read it: %s", r->path,
                    code == Z_ERRNO ? strerror(errno) : why);
    return true;
}

/* True: gzgets copied a NUL byte, which ends the text before the line ends. */
static bool has_nul(const noe_matrix_entries *r, size_t length)
{
    return (!length || r->text[length - 1] != '\n') && (size_t)gztell(r->file) != r->begin + length;
}

bool noe_matrix_entries_line(noe_matrix_entries *r, bool *failed)
{
    *failed = true;
    r->begin = r->line++ ? r->begin + r->length : 0;
    if (r->end && r->begin >= r->end) return *failed = false;
    if (!gzgets(r->file, r->text, NOE_MATRIX_LINE_MOST)) {
        *failed = noe_matrix_entries_unreadable(r);
        return false;
    }
    r->length = strlen(r->text);
    if (has_nul(r, r->length))
        return noe_matrix_entries_wrong(r, "a NUL byte: expected a text file");
    if (r->line == 1 && !strncmp(r->text, "\xEF\xBB\xBF", 3))
        memmove(r->text, r->text + 3, r->length - 2); /* byte order mark of UTF-8 */
    if (r->length == NOE_MATRIX_LINE_MOST - 1)
        return noe_matrix_entries_wrong(r,
                                        "a line of more than 1024 characters: no file of a matrix");
    *failed = false;
    return true;
}

bool noe_matrix_entries_next(noe_matrix_entries *r, const char *expected)
{
    bool failed;
    while (noe_matrix_entries_line(r, &failed)) {
        const char *t = r->text + strspn(r->text, " \t\r\n");
        if (*t && !strchr(r->comment, *t)) return true;
    }
    if (!failed)
        noe_status_fail(NOE_SYNTAX, "%s:%ld: the file ends here: expected %s", r->path, r->line,
                        expected);
    return false;
}

bool noe_matrix_entries_square(const noe_matrix_entries *r, long rows, long cols)
{
    if (rows != cols) return noe_matrix_entries_wrong(r, "the matrix is not square");
    if (rows < 1 || rows > INT_MAX - 2)
        return noe_matrix_entries_wrong(r, "a matrix of no rows, or too many");
    if (rows != r->n)
        noe_status_fail(NOE_INVALID,
                        "%s:%ld: %ld rows, but %d coordinates are declared: one for every row, "
                        "'coordinate u[1..%ld]'",
                        r->path, r->line, rows, r->n, rows);
    return rows == r->n;
}

bool noe_matrix_entries_over(const char *text) { return !text[strspn(text, " \t\r\n")]; }

bool noe_matrix_entries_whole(char **text, long *x)
{
    char *end;
    errno = 0;
    *x = strtol(*text, &end, 10);
    const bool there = end != *text && !errno
                    && (*end == ',' || noe_matrix_entries_over((char[]){ *end, 0 }));
    *text = end + (there && *end == ',');
    return there;
}

bool noe_matrix_entries_real(char **text, double *x)
{
    char        *t = *text + strspn(*text, " \t"), *end;
    const size_t length = strspn(t, "+-.0123456789eEdD");
    for (size_t k = 1; k < length; k++)
        if (t[k] == 'D' || t[k] == 'd') t[k] = 'e'; /* exponents of Fortran's double precision */
    *x = strtod(t, &end);
    const bool there = end != t;
    *text = end;
    return there;
}

/* Doubles the memory for entries. It grows with the entries that are read, since the number in
 * the file's header may be wrong. */
static bool wider(noe_matrix_entries *r)
{
    const size_t capacity = r->capacity ? 2 * r->capacity : 1024;
    int         *row = realloc(r->row, capacity * sizeof *row),
        *col = row ? realloc(r->col, capacity * sizeof *col) : NULL;
    if (row) r->row = row;
    if (col) r->col = col;
    double *x = col ? realloc(r->value, capacity * sizeof *x) : NULL;
    if (!x) return noe_status_fail(NOE_NO_MEMORY, "%s: out of memory", r->path), false;
    r->value = x;
    r->capacity = capacity;
    return true;
}

bool noe_matrix_entries_add(noe_matrix_entries *r, long i, long j, double x)
{
    if (i < 1 || i > r->n || j < 1 || j > r->n)
        return noe_matrix_entries_wrong(r, "the entry lies outside of the matrix");
    if (!isfinite(x)) return noe_matrix_entries_wrong(r, "the entry is not a finite number");
    if (r->count == r->capacity && !wider(r)) return false;
    r->row[r->count] = (int)i - 1;
    r->col[r->count] = (int)j - 1;
    r->value[r->count++] = x;
    return true;
}

void noe_matrix_entries_sides(const noe_matrix_entries *r, bool *below, bool *above)
{
    *below = *above = false;
    for (size_t k = 0; k < r->count; k++) {
        *below |= r->row[k] > r->col[k];
        *above |= r->row[k] < r->col[k];
    }
}

void noe_matrix_entries_find_symmetry(noe_matrix_entries *r)
{
    bool below, above;
    noe_matrix_entries_sides(r, &below, &above);
    r->symmetric = !(below && above);
}

bool noe_matrix_entries_fit(const noe_matrix_entries *r, bool below, bool above)
{
    if (!r->symmetric && below != above)
        noe_status_fail(NOE_INVALID,
                        "%s: the matrix is not symmetric: %s, and one side of the diagonal is "
                        "empty",
                        r->path, r->general ? r->general : "it says 'general'");
    else if (r->symmetric && below && above)
        noe_status_fail(NOE_INVALID,
                        "%s: it says 'symmetric', and has entries on both sides of the diagonal: "
                        "write one of the two, or "
                        "'general'",
                        r->path);
    else return true;
    return false;
}

noe_sparse *noe_matrix_entries_rows(const noe_matrix_entries *r, int first, int last, bool mirror)
{
    const int   n = r->n;
    size_t     *start = noe_status_alloc((size_t)n + 2, sizeof *start);
    int        *row = noe_status_alloc(r->count + 1, sizeof *row);
    double     *x = noe_status_alloc(r->count + 1, sizeof *x);
    noe_sparse *A = NULL;
    if (start && row && x) {
        for (size_t k = 0; k < r->count; k++) start[r->col[k] + 2]++;
        for (int j = 1; j <= n + 1; j++) start[j] += start[j - 1];
        for (size_t k = 0; k < r->count; k++) {
            const size_t at = start[r->col[k] + 1]++;
            row[at] = r->row[k];
            x[at] = r->value[k];
        }
        A = noe_sparse_rows_from(n, &(noe_csc){ start, row, x }, first, last, mirror);
    }
    free(start);
    free(row);
    free(x);
    return A;
}

noe_sparse *noe_matrix_entries_gather(noe_matrix_entries *r)
{
    bool below, above;
    noe_matrix_entries_sides(r, &below, &above);
    return noe_matrix_entries_fit(r, below, above)
             ? noe_matrix_entries_rows(r, 0, r->n, below != above)
             : NULL;
}
