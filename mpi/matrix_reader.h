/* Matrices that all processes read together, each keeping its rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_MATRIX_READER_H
#define NOE_MPI_MATRIX_READER_H

#include "together.h"

/* The functions read, complete, gather and complete_structure of noe_processes. */
noe_sparse *matrix_reader_read(const char *path, int rows, const int *first, uint64_t *hash,
                               bool *symmetric);
noe_status  matrix_reader_complete(noe_sparse **, const int *first);
noe_status  matrix_reader_gather(double *x, const int *first);
noe_status  matrix_reader_complete_structure(noe_structure *);

/* triplets.c: entries (row, col, value) on their way to the processes that have their rows. */
typedef struct {
    size_t  count;
    int    *row, *col; /* [count] from 0 */
    double *value;     /* [count] */
} triplets;

/* Sends each entry to the owner of its row and, with `mirror`, to that of its column, too: rows
 * first[r] .. first[r + 1] - 1 are those of process r.  What a process gets is in the order of the
 * processes, and of each in the order in which it had them. */
noe_status triplets_send(const triplets *, const int *first, bool mirror, triplets *to);
void       triplets_drop(triplets *);

#endif
