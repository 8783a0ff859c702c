/* The entries (i, j, a_ij) of a matrix file: what the readers of all formats share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIXFILE_MATRIX_ENTRIES_H
#define NOE_MATRIXFILE_MATRIX_ENTRIES_H

#include "base/gzip_file.h"
#include "matrix/sparse.h"

enum {
    NOE_MATRIX_LINE_MOST = 1100, /* bytes of a line; Matrix Market allows 1024 characters */
    /* entries per place, on average, that are accepted: files may have unassembled elements */
    NOE_ENTRIES_PER_PLACE_MOST = 1000
};

typedef struct {
    const char *path;          /* name of the file, for messages */
    gzFile      file;          /* the open file */
    long        line;          /* number of the present line, from 1 */
    size_t      begin, length; /* where the present line begins in the file, and its bytes */
    size_t      end;           /* lines that begin here or later are not read; 0: all are */
    char        text[NOE_MATRIX_LINE_MOST]; /* the present line */
    const char *comment;                    /* characters that begin a comment line */
    bool        symmetric;                  /* the file has one triangle of a symmetric matrix */
    const char *general;                    /* what says that it has both; NULL: 'general' */
    int         n;                          /* the matrix is n x n, as the model declares */
    size_t      count, capacity; /* entries read so far, and entries that fit into the memory */
    int        *row, *col;       /* [count] row and column of each entry, from 0 */
    double     *value;           /* [count] value of each entry */
} noe_matrix_entries;

/* Reports the error "file:line: what"; returns false. */
bool noe_matrix_entries_wrong(const noe_matrix_entries *, const char *what);
/* True with a message: the file cannot be read further, for another reason than its end. */
bool noe_matrix_entries_unreadable(const noe_matrix_entries *);
/* Reads the next line; false at the end of the file, with a message and *failed = true only when
 * the file cannot be read. */
bool noe_matrix_entries_line(noe_matrix_entries *, bool *failed);
/* Reads the next line that is neither empty nor a comment; at the end of the file the error
 * "expected ..". */
bool noe_matrix_entries_next(noe_matrix_entries *, const char *expected);
/* Appends an entry; row and column from 1 as in the files. False with a message. */
bool noe_matrix_entries_add(noe_matrix_entries *, long row, long col, double);
/* Compares the sizes that the file promises with those of the model, before anything is allocated.
 * False with a message. */
bool noe_matrix_entries_square(const noe_matrix_entries *, long rows, long cols);
/* Reads a whole number, or a real number with an exponent E or D, and moves *text past it.
 * False: there is none. */
bool noe_matrix_entries_whole(char **text, long *);
bool noe_matrix_entries_real(char **text, double *);
/* True if only blanks follow in the line. */
bool noe_matrix_entries_over(const char *text);

/* The matrix with all entries, those at the same place added; NULL with a message. */
noe_sparse *noe_matrix_entries_gather(noe_matrix_entries *);
/* Are there entries below, above the diagonal? */
void noe_matrix_entries_sides(const noe_matrix_entries *, bool *below, bool *above);
/* r->symmetric, of a file that does not say it: at most one side of the diagonal has entries. */
void noe_matrix_entries_find_symmetry(noe_matrix_entries *);
/* Do the sides that have entries fit what the file says of its symmetry?  False with a message. */
bool noe_matrix_entries_fit(const noe_matrix_entries *, bool below, bool above);
/* The rows first .. last - 1 of the matrix, of entries in these rows and, where one side of the
 * diagonal stands for both, in these columns; mirror: it does.  NULL with a message. */
noe_sparse *noe_matrix_entries_rows(const noe_matrix_entries *, int first, int last, bool mirror);

/* Read all entries of a file: matrix_market.c, harwell_boeing.c, petsc_matrix.c, missing_banner.c.
 * A body is a Matrix Market file without its banner "%%MatrixMarket ..". False with a message. */
bool noe_matrix_market_read(noe_matrix_entries *);
bool noe_matrix_market_read_body(noe_matrix_entries *);
/* The two halves of noe_matrix_market_read: banner and sizes, dense: a file of the format array;
 * and `count` entries, after which nothing may follow up to `end`. */
bool noe_matrix_market_begin(noe_matrix_entries *, bool *dense, size_t *count);
bool noe_matrix_market_entries(noe_matrix_entries *, bool dense, size_t count);
bool noe_harwell_boeing_read(noe_matrix_entries *);
bool noe_petsc_matrix_read(noe_matrix_entries *);

/* petsc_matrix.c: what the header of a file in PETSc's binary format says. */
typedef struct {
    int     wide;    /* bytes of an integer: 4 or 8 */
    bool    dense;   /* numbers of all places, row by row; no columns */
    int64_t entries; /* number of entries of the whole matrix */
} noe_petsc_sizes;

/* Does it begin as PETSc's binary files do, whatever they have?  It is then at its beginning. */
bool noe_petsc_matrix_is(const noe_matrix_entries *);
/* The parts of noe_petsc_matrix_read, each false with a message: the header, and the length of a
 * file that is not compressed; count[last - first], the numbers of entries of the rows first ..
 * last - 1, and their sum; is it that of the header, over all rows?; the entries of these rows,
 * appended, where rows before `first` have `before` entries. */
bool noe_petsc_matrix_begin(noe_matrix_entries *, noe_petsc_sizes *);
bool noe_petsc_matrix_counts(noe_matrix_entries *, const noe_petsc_sizes *, int first, int last,
                             int *count, int64_t *sum);
bool noe_petsc_matrix_complete(const noe_matrix_entries *, const noe_petsc_sizes *, int64_t sum);
bool noe_petsc_matrix_entries(noe_matrix_entries *, const noe_petsc_sizes *, int first, int last,
                              const int *count, int64_t before);

/* missing_banner.c: the present line is the first of lines with row, column and number. The
 * reader for them: a list of entries, or a line of sizes and then entries. NULL with a message:
 * it cannot be decided. */
typedef bool       noe_matrix_reader(noe_matrix_entries *);
noe_matrix_reader *noe_missing_banner_find(noe_matrix_entries *);

#endif
