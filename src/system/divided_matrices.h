/* Matrices of which each process reads and keeps its rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_DIVIDED_MATRICES_H
#define NOE_SYSTEM_DIVIDED_MATRICES_H

#include "model/model.h"
#include "system/processes.h"

typedef struct {
    const noe_processes *p; /* that read together; NULL: this process reads whole matrices */
    /* [p->count + 1] first row of each process: of the matrices as read, of those that move */
    int *read, *moving;
    bool symmetric; /* all matrices so far, but for rounding */
} noe_divided_matrices;

/* Decides whether the matrices of the model are read by several processes.  False: no memory. */
bool noe_divided_matrices_plan(noe_divided_matrices *, const noe_model *);
/* The own rows of a file, and the hash of the whole matrix.  NULL with a message. */
noe_sparse *noe_divided_matrices_read(noe_divided_matrices *, const noe_model *, const char *path,
                                      uint64_t *hash);
/* The structure of the own rows, which takes them over; where something needs the whole matrices
 * these are made whole, and *to is NULL.  False with a message. */
bool noe_divided_matrices_keep(noe_divided_matrices *, noe_sparse *A[3], noe_structure **to);
void noe_divided_matrices_drop(noe_divided_matrices *);

#endif
