/* The lines or rows of a matrix file that one of many processes reads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_MATRIX_PART_H
#define NOE_MPI_MATRIX_PART_H

#include "matrixfile/matrix_entries.h"

typedef struct {
    noe_matrix_entries r;
    bool               divides;  /* its lines or rows can be dealt: it is not compressed, and */
    bool               petsc;    /* is in PETSc's binary format; else Matrix Market, of entries */
    noe_petsc_sizes    sizes;    /* what the header of PETSc's format says */
    size_t             bytes;    /* bytes of the file */
    size_t             promised; /* Matrix Market: entries of the whole file, as its header says, */
    size_t             begin;    /* byte at which the lines of entries begin, */
    long               before;   /* lines before that byte */
} matrix_part;

/* Opens a file and reads its header.  False with a message. */
bool matrix_part_open(matrix_part *, const char *path, int rows);
/* Reads the entries of this process's lines, all processes together.  False with a message. */
bool matrix_part_read(matrix_part *);
/* The same of PETSc's format: the entries of the own rows, first[r] .. first[r + 1] - 1 of process
 * r. */
bool petsc_rows_read(matrix_part *, const int *first);
void matrix_part_close(matrix_part *);

#endif
