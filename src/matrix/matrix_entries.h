/* (i, j, a_ij), ..  ->  A:  what the readers of matrix files share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_MATRIX_ENTRIES_H
#define NOE_MATRIX_MATRIX_ENTRIES_H

#include "matrix/gzip_file.h"
#include "matrix/sparse.h"

enum {
    NOE_LINE = 1100, /* Matrix Market allows 1024 characters */
    NOE_ENTRIES_TWICE = 1000
}; /* so many at one place, on the average: elements that are not added up */

typedef struct {
    const char *path;
    gzFile      file;
    long        line;
    char        text[NOE_LINE]; /* the line at hand */
    const char *comment;        /* lines that begin with one of these say nothing */
    bool        symmetric;      /* one triangle stands for both */
    int         n;
    size_t      count, capacity; /* entries so far, and memory for them */
    int        *row, *col;
    double     *value;
} noe_matrix_entries;

/* "file:line: what", and false. */
bool noe_matrix_entries_wrong(const noe_matrix_entries *, const char *what);
/* The next line as it stands; false at the end of the file, with a message only when it cannot
 * be read. */
bool noe_matrix_entries_line(noe_matrix_entries *, bool *failed);
/* The next line that says something; at the end of the file "expected .." */
bool noe_matrix_entries_next(noe_matrix_entries *, const char *expected);
/* One more, counted from 1 as files do. */
bool noe_matrix_entries_add(noe_matrix_entries *, long row, long col, double);
/* A whole number of the text, a number with an exponent E or D; they move behind it.  False:
 * there is none. */
bool noe_matrix_entries_whole(char **text, long *);
bool noe_matrix_entries_real(char **text, double *);
/* Only blanks and the end of the line from here on? */
bool noe_matrix_entries_over(const char *text);

/* The matrix; NULL with a message. */
noe_sparse *noe_matrix_entries_gather(noe_matrix_entries *);

/* matrix_market.c, harwell_boeing.c, triplet_list.c: all that the file has.  A body is what
 * follows the banner "%%MatrixMarket ..". */
bool noe_matrix_market_read(noe_matrix_entries *);
bool noe_matrix_market_read_body(noe_matrix_entries *);
bool noe_harwell_boeing_read(noe_matrix_entries *);
bool noe_triplet_list_read(noe_matrix_entries *);

/* missing_banner.c: lines of row, column and number, the first of them at hand: a list of
 * entries, or sizes and then entries? NULL with a message: it cannot be told. */
typedef bool       noe_matrix_reader(noe_matrix_entries *);
noe_matrix_reader *noe_missing_banner_find(noe_matrix_entries *);

#endif
