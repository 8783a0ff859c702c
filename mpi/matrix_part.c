/* Deals the lines of a Matrix Market file to the processes, by bytes at line ends.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each process counts lines and entries of its part first.  With the sums over the processes before
 * it, it knows the numbers of its lines, for messages, and how many of its entries the header
 * promises: what is wrong is found where one process finds it. */
#include "matrix_part.h"

#include "together.h"

#include "base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { BUFFER = 1 << 17 };

typedef struct {
    long long lines, entries; /* lines; those that are neither empty nor comments */
} counts;

bool matrix_part_open(matrix_part *x, const char *path, int rows)
{
    static const char mark[] = "%%MatrixMarket";
    struct stat       file;
    char              head[sizeof mark] = "";
    bool              dense = false;
    *x = (matrix_part){ .r = { .path = path, .comment = "", .n = rows } };
    errno = 0;
    if (stat(path, &file) || !(x->r.file = gzopen(path, "rb")))
        return noe_status_fail(NOE_IO, "%s: cannot read the matrix: %s", path,
                               errno ? strerror(errno) : "out of memory"),
               false;
    gzbuffer(x->r.file, BUFFER);
    x->bytes = (size_t)file.st_size;
    const int got = gzread(x->r.file, head, sizeof head - 1);
    gzrewind(x->r.file);
    x->petsc = noe_petsc_matrix_is(&x->r);
    x->divides = S_ISREG(file.st_mode) && gzdirect(x->r.file)
              && (x->petsc
                  || (got == sizeof head - 1 && !strncasecmp(head, mark, sizeof head - 1)));
    if (!x->divides) return true;
    if (x->petsc) return noe_petsc_matrix_begin(&x->r, &x->sizes);
    if (!noe_matrix_market_begin(&x->r, &dense, &x->promised)) return false;
    x->divides = !dense;
    x->begin = x->r.begin + x->r.length, x->before = x->r.line;
    return true;
}

void matrix_part_close(matrix_part *x)
{
    if (x->r.file) gzclose(x->r.file);
    free(x->r.row), free(x->r.col), free(x->r.value);
    *x = (matrix_part){ .promised = 0 };
}

static noe_status unreadable(const matrix_part *x)
{
    return noe_status_fail(NOE_IO, "%s: cannot read it: %s", x->r.path, strerror(errno));
}

/* The first byte of a line at or after byte `at`. */
static noe_status line_at(matrix_part *x, size_t at, size_t *to)
{
    char buffer[1 << 10];
    *to = at;
    if (at <= x->begin) return *to = x->begin, NOE_OK;
    if (gzseek(x->r.file, (long)at - 1, SEEK_SET) < 0) return unreadable(x);
    for (size_t from = at - 1; from < x->bytes;) {
        const int   got = gzread(x->r.file, buffer, sizeof buffer);
        const char *end = got > 0 ? memchr(buffer, '\n', (size_t)got) : NULL;
        if (got <= 0) return unreadable(x);
        if (end) return *to = from + (size_t)(end - buffer) + 1, NOE_OK;
        from += (size_t)got;
    }
    return *to = x->bytes, NOE_OK;
}

/* Counts what stands in the bytes from .. to - 1, which begin with a line. */
static noe_status count(matrix_part *x, size_t from, size_t to, counts *c)
{
    char *buffer = noe_status_alloc(BUFFER, 1);
    bool  begun = false; /* the present line has a character that is not blank */
    *c = (counts){ 0, 0 };
    if (!buffer) return NOE_NO_MEMORY;
    noe_status status = gzseek(x->r.file, (long)from, SEEK_SET) < 0 ? unreadable(x) : NOE_OK;
    while (from < to && !status) {
        const size_t left = to - from;
        const int    got = gzread(x->r.file, buffer, left < BUFFER ? (unsigned)left : BUFFER);
        if (got <= 0) status = unreadable(x);
        for (int i = 0; i < got; i++) {
            const char k = buffer[i];
            const bool blank = k == ' ' || k == '\t' || k == '\r' || k == '\n';
            c->lines += k == '\n';
            c->entries += !begun && !blank && k != '%';
            begun = k != '\n' && (begun || !blank);
        }
        from += got > 0 ? (size_t)got : 0;
    }
    free(buffer);
    return status;
}

bool matrix_part_read(matrix_part *x)
{
    const size_t P = (size_t)together.count, r = (size_t)together.rank, all = x->bytes - x->begin;
    size_t       from = 0, to = 0, mine = 0;
    counts       own = { 0, 0 }, before = { 0, 0 };
    noe_status   status = line_at(x, x->begin + all / P * r, &from);
    if (!status) status = r + 1 < P ? line_at(x, x->begin + all / P * (r + 1), &to) : NOE_OK;
    if (r + 1 == P) to = x->bytes;
    if (!status) status = count(x, from, to, &own);
    if (together_agree(status)) return false;
    MPI_Exscan(&own, &before, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (!r) before = (counts){ 0, 0 };
    const size_t left = (size_t)before.entries < x->promised ? x->promised - (size_t)before.entries
                                                             : 0;
    /* the last process looks for those that are missing, and has the message */
    mine = (size_t)own.entries < left && r + 1 < P ? (size_t)own.entries : left;
    if (mine > (size_t)own.entries && r + 1 < P) mine = (size_t)own.entries;
    x->r.line = x->before + (long)before.lines;
    x->r.begin = from, x->r.length = 0, x->r.end = to;
    status = gzseek(x->r.file, (long)from, SEEK_SET) < 0 ? unreadable(x) : NOE_OK;
    if (!status && !noe_matrix_market_entries(&x->r, false, mine)) status = noe_status_last();
    return !together_agree(status);
}
