/* The lines of a matrix file that one of many processes reads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_MATRIX_PART_H
#define NOE_MPI_MATRIX_PART_H

#include "matrix/matrix_entries.h"

typedef struct {
    noe_matrix_entries r;
    bool               divides;  /* a plain Matrix Market file of entries: lines can be dealt */
    size_t             promised; /* entries of the whole file, as its header says */
    size_t             begin;    /* byte at which the lines of entries begin, */
    size_t             bytes;    /* bytes of the file */
    long               before;   /* lines before that byte */
} matrix_part;

/* Opens a file and reads its first lines.  False with a message. */
bool matrix_part_open(matrix_part *, const char *path, int rows);
/* Reads the entries of this process's lines, all processes together.  False with a message. */
bool matrix_part_read(matrix_part *);
void matrix_part_close(matrix_part *);

#endif
