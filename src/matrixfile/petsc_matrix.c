/* Reads matrices in PETSc's binary format.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     1211216, rows, columns, entries; entries of each row; all columns; all numbers, row by row
 *
 * All is big-endian: integers of 4 bytes, or of 8 where PETSc was built with 64-bit indices, and
 * numbers in double precision.  Entries -1: a dense matrix, whose numbers alone follow.  Rows and
 * columns count from 0, in messages, too.
 *
 * https://petsc.org/release/manualpages/Mat/MatLoad, lib/petsc/bin/PetscBinaryIO.py of PETSc */
#include "base/status.h"
#include "matrixfile/matrix_entries.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    BLOCK = 4096, /* numbers that are read at once */
    HEADER = 4,   /* integers before the entries of the rows */
    NUMBER = 8,   /* bytes of a number */
    MATRIX_ID = 1211216,
    VECTOR_ID = 1211214,
    FIRST_ID = 1211211, /* class ids of all that PETSc writes into such files */
    LAST_ID = 1211240
};

/* ---- the header ---- */

static int64_t integer(const unsigned char *from, int bytes, bool big_endian)
{
    uint64_t x = 0;
    for (int k = 0; k < bytes; k++) x = x << 8 | from[big_endian ? k : bytes - 1 - k];
    return bytes == 4 ? (int32_t)(uint32_t)x : (int64_t)x;
}

static bool is_id(int64_t x) { return x >= FIRST_ID && x <= LAST_ID; }

bool noe_petsc_matrix_is(const noe_matrix_entries *r)
{
    unsigned char head[8] = { 0 };
    const int     got = gzread(r->file, head, sizeof head);
    gzrewind(r->file);
    return got >= 4
        && (is_id(integer(head, 4, true)) || is_id(integer(head, 4, false))
            || (got == 8 && is_id(integer(head, 8, true))));
}

/* Is the file's length, in bytes, the one that its header tells? */
static bool length_fits(const noe_matrix_entries *r, const noe_petsc_sizes *x, double length)
{
    const double entries = (double)x->entries, wide = x->wide, numbers = entries * NUMBER
    , before = x->dense ? HEADER * wide : (HEADER + r->n + entries) * wide,
      expected = before + numbers;
    if (length == expected) return true;
    if (entries > 0 && length == before + 2 * numbers)
        noe_status_fail(NOE_SYNTAX,
                        "%s: its length is that of complex numbers, 16 bytes for each entry: "
                        "expected real numbers in double precision: write it by a PETSc for real "
                        "numbers",
                        r->path);
    else if (entries > 0 && length == before + numbers / 2)
        noe_status_fail(NOE_SYNTAX,
                        "%s: its length is that of single precision, 4 bytes for each entry: "
                        "expected real numbers in double precision: write it by a PETSc for these",
                        r->path);
    else if (length < expected)
        noe_status_fail(NOE_SYNTAX,
                        "%s: the file ends after %.0f bytes: expected %.0f, for %lld entries in %d "
                        "rows: write or copy it again",
                        r->path, length, expected, (long long)x->entries, r->n);
    else
        noe_status_fail(NOE_SYNTAX,
                        "%s: %.0f bytes follow behind the matrix: expected %.0f in all, for %lld "
                        "entries in %d rows: write each matrix into a file of its own",
                        r->path, length - expected, expected, (long long)x->entries, r->n);
    return false;
}

static bool wrong_id(const noe_matrix_entries *r, int64_t id, bool big_endian)
{
    if (!big_endian)
        noe_status_fail(NOE_SYNTAX,
                        "%s: a file of PETSc's binary format in little-endian order: expected "
                        "big-endian integers and numbers: write it by MatView or PetscBinaryIO.py",
                        r->path);
    else if (id != MATRIX_ID)
        noe_status_fail(NOE_SYNTAX,
                        "%s: %s of PETSc, class id %lld: expected a matrix, class id %d: write it "
                        "by MatView, a diagonal matrix, too",
                        r->path, id == VECTOR_ID ? "a vector" : "an object", (long long)id,
                        MATRIX_ID);
    return !big_endian || id != MATRIX_ID;
}

static bool square(const noe_matrix_entries *r, int64_t rows, int64_t cols)
{
    if (rows != cols)
        noe_status_fail(NOE_SYNTAX,
                        "%s: the matrix is not square: %lld rows and %lld columns: expected as "
                        "many columns as rows",
                        r->path, (long long)rows, (long long)cols);
    else if (rows < 1 || rows > INT_MAX - 2)
        noe_status_fail(NOE_SYNTAX,
                        "%s: its header says %lld rows: expected 1 to %d: write or copy it again",
                        r->path, (long long)rows, INT_MAX - 2);
    else if (rows != r->n)
        noe_status_fail(NOE_INVALID,
                        "%s: %lld rows, but %d coordinates are declared: one for every row, "
                        "'coordinate u[1..%lld]'",
                        r->path, (long long)rows, r->n, (long long)rows);
    return rows == cols && rows == r->n;
}

bool noe_petsc_matrix_begin(noe_matrix_entries *r, noe_petsc_sizes *x)
{
    unsigned char head[8 * HEADER] = { 0 };
    struct stat   file;
    const int     got = gzread(r->file, head, sizeof head);
    if (got < 0) return noe_matrix_entries_unreadable(r), false;
    const bool little = is_id(integer(head, 4, false));
    *x = (noe_petsc_sizes){ .wide = is_id(integer(head, 8, true)) ? 8 : 4 };
    if (wrong_id(r, integer(head, x->wide, true), !little)) return false;
    if (got < HEADER * x->wide) {
        if (!noe_matrix_entries_unreadable(r))
            noe_status_fail(NOE_SYNTAX,
                            "%s: the file ends in its header: expected class id, rows, columns "
                            "and number of entries, %d bytes: write or copy it again",
                            r->path, HEADER * x->wide);
        return false;
    }
    const int64_t rows = integer(head + x->wide, x->wide, true),
                  cols = integer(head + 2 * x->wide, x->wide, true),
                  entries = integer(head + 3 * x->wide, x->wide, true);
    if (!square(r, rows, cols)) return false;
    /* the lengths of all parts, in bytes, are then less than 2^63 */
    const int64_t places = rows * rows, most = places < INT64_MAX / 32 ? places : INT64_MAX / 32;
    x->dense = entries == -1;
    x->entries = x->dense ? places : entries;
    if (x->entries < 0 || x->entries > most) {
        noe_status_fail(NOE_SYNTAX,
                        "%s: its header says %lld entries: expected at most %lld in %lld rows, or "
                        "-1, a dense matrix: write or copy it again",
                        r->path, (long long)entries, (long long)most, (long long)rows);
        return false;
    }
    r->general = "PETSc's files have both triangles (convert MATSBAIJ to MATAIJ before MatView)";
    return stat(r->path, &file) || !S_ISREG(file.st_mode) || !gzdirect(r->file)
        || length_fits(r, x, (double)file.st_size);
}

/* ---- numbers one after another ---- */

/* A part of the file: `left` numbers that are not yet in `bytes`, each of `wide` bytes. */
typedef struct {
    noe_matrix_entries    *r;       /* the file */
    const noe_petsc_sizes *x;       /* what its header says */
    int64_t                left;    /* numbers */
    int                    wide;    /* bytes of a number */
    int                    at, end; /* bytes: where the next number begins, the last ends */
    unsigned char          bytes[8 * BLOCK]; /* the numbers that were read */
} part;

static bool seek(part *s, noe_matrix_entries *r, const noe_petsc_sizes *x, int64_t place)
{
    s->r = r;
    s->x = x;
    s->at = s->end = 0;
    errno = 0;
    if (place == (long)place && gzseek(r->file, (long)place, SEEK_SET) >= 0) return true;
    noe_status_fail(NOE_IO, "%s: cannot read it: %s", r->path,
                    errno ? strerror(errno) : "it is too long");
    return false;
}

/* The bytes of the next number; NULL with a message. */
static const unsigned char *next(part *s)
{
    if (s->at == s->end) {
        const int numbers = s->left < BLOCK ? (int)s->left : BLOCK;
        s->at = 0;
        s->end = numbers * s->wide;
        s->left -= numbers;
        if (gzread(s->r->file, s->bytes, (unsigned)s->end) != s->end) {
            if (!noe_matrix_entries_unreadable(s->r)
                && length_fits(s->r, s->x, (double)gztell(s->r->file)))
                noe_status_fail(NOE_IO, "%s: it was changed while it was read", s->r->path);
            return NULL;
        }
    }
    s->at += s->wide;
    return s->bytes + s->at - s->wide;
}

bool noe_petsc_matrix_counts(noe_matrix_entries *r, const noe_petsc_sizes *x, int first, int last,
                             int *count, int64_t *sum)
{
    part s = { .left = last - first, .wide = x->wide };
    *sum = 0;
    if (!x->dense && !seek(&s, r, x, (HEADER + (int64_t)first) * x->wide)) return false;
    for (int i = first; i < last; i++) {
        const unsigned char *from = x->dense ? NULL : next(&s);
        if (!x->dense && !from) return false;
        const int64_t entries = x->dense ? r->n : integer(from, x->wide, true);
        if (entries < 0 || entries > r->n) {
            noe_status_fail(NOE_SYNTAX,
                            "%s: row %d has %lld entries: expected 0 to %d: write or copy the file "
                            "again",
                            r->path, i, (long long)entries, r->n);
            return false;
        }
        *sum += count[i - first] = (int)entries;
    }
    return true;
}

bool noe_petsc_matrix_complete(const noe_matrix_entries *r, const noe_petsc_sizes *x, int64_t sum)
{
    if (sum != x->entries)
        noe_status_fail(NOE_SYNTAX,
                        "%s: its rows have %lld entries: expected %lld, as its header says: write "
                        "or copy it again",
                        r->path, (long long)sum, (long long)x->entries);
    return sum == x->entries;
}

/* ---- entries ---- */

/* Appends the entries of the rows, as yet without their values. */
static bool columns(part *s, int first, int last, const int *count)
{
    noe_matrix_entries *const r = s->r;
    for (int i = first; i < last; i++)
        for (int k = 0; k < count[i - first]; k++) {
            const unsigned char *from = next(s);
            if (!from) return false;
            const int64_t j = integer(from, s->wide, true);
            if (j < 0 || j >= r->n) {
                noe_status_fail(NOE_SYNTAX,
                                "%s: an entry of row %d has the column %lld: expected 0 to %d: "
                                "write or copy the file again",
                                r->path, i, (long long)j, r->n - 1);
                return false;
            }
            if (!noe_matrix_entries_add(r, i + 1L, (long)j + 1, 0)) return false;
        }
    return true;
}

/* Reads the values of the entries from `at` on; of a dense matrix it appends them. */
static bool values(part *s, int first, int last, const int *count, size_t at)
{
    noe_matrix_entries *const r = s->r;
    for (int i = first; i < last; i++)
        for (int k = 0; k < count[i - first]; k++, at++) {
            const unsigned char *from = next(s);
            if (!from) return false;
            const int64_t u = integer(from, NUMBER, true);
            const int     j = s->x->dense ? k : r->col[at];
            double        value;
            memcpy(&value, &u, sizeof value);
            if (!isfinite(value)) {
                noe_status_fail(NOE_SYNTAX,
                                "%s: the entry in row %d and column %d is %g: expected a finite "
                                "number: look for a division by 0 where it is made",
                                r->path, i, j, value);
                return false;
            }
            if (s->x->dense && !noe_matrix_entries_add(r, i + 1L, j + 1L, value)) return false;
            r->value[at] = value;
        }
    return true;
}

bool noe_petsc_matrix_entries(noe_matrix_entries *r, const noe_petsc_sizes *x, int first, int last,
                              const int *count, int64_t before)
{
    const size_t  at = r->count;
    const int64_t header = (int64_t)HEADER * x->wide,
                  indices = x->dense ? 0 : (r->n + x->entries) * x->wide;
    part    s = { .wide = x->wide };
    int64_t own = 0;
    for (int i = first; i < last; i++) own += count[i - first];
    s.left = own;
    if (!x->dense
        && (!seek(&s, r, x, header + (r->n + before) * x->wide)
            || !columns(&s, first, last, count)))
        return false;
    s.left = own;
    s.wide = NUMBER;
    return seek(&s, r, x, header + indices + before * NUMBER) && values(&s, first, last, count, at);
}

/* Reads on to the end of the file: the length of a compressed one is known there. */
static bool ends(const noe_matrix_entries *r, const noe_petsc_sizes *x)
{
    char bytes[1 << 12];
    while (gzread(r->file, bytes, sizeof bytes) > 0) {
    }
    return !noe_matrix_entries_unreadable(r) && length_fits(r, x, (double)gztell(r->file));
}

bool noe_petsc_matrix_read(noe_matrix_entries *r)
{
    noe_petsc_sizes x;
    int64_t         sum;
    if (!noe_petsc_matrix_begin(r, &x)) return false;
    int       *count = noe_status_alloc((size_t)r->n, sizeof *count);
    const bool all = count && noe_petsc_matrix_counts(r, &x, 0, r->n, count, &sum)
                  && noe_petsc_matrix_complete(r, &x, sum)
                  && noe_petsc_matrix_entries(r, &x, 0, r->n, count, 0) && ends(r, &x);
    free(count);
    return all;
}
