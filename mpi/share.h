/* The share of a structure that one process has: its rows, those around them, and the exchange.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_SHARE_H
#define NOE_MPI_SHARE_H

#include "halo.h"
#include "matrix/structure.h"

typedef struct {
    noe_structure_share  functions; /* what the engine calls */
    noe_structure        own;       /* the rows and columns of this process and around them */
    halo                *halo;
    int64_t              places;   /* coordinates of the whole structure */
    int64_t             *global;   /* [own.n] their numbers in the whole structure, ascending */
    int                 *owner;    /* [own.n] */
    double              *equation; /* [own.n] number of the row in PETSc's matrices */
    double              *full;     /* [places] loads of the whole structure; NULL: no load */
    const noe_structure *whole;    /* the whole structure, of `own.load`; NULL: nobody has it */
} share;

/* The share of a structure that every process has whole or has rows of.  owner[n] of its
 * coordinates; depth: layers of coordinates around the own ones, at least 1.  All processes
 * together. */
noe_status share_cut(share *, const noe_structure *, const int *owner, int depth);
/* The exchange of a share whose own.M, own.K, own.n, global, owner and places are set. */
noe_status share_join(share *);
void       share_drop(share *);
/* *part: coordinates of other processes within so many layers of the own ones, by the number of
 * these; where a process has more than `most`, of fewer layers.  All processes together. */
noe_status share_around(const noe_structure *, const int *owner, int depth, double most,
                        double *part);

/* shared_matrix.c: a matrix of PETSc's from the own rows of a matrix of the share; *to: the
 * caller's. */
struct _p_Mat;
noe_status shared_matrix_make(const share *, const noe_sparse *A, int per, struct _p_Mat **to);

/* fastest.c: an upper bound of the largest omega^2 of a share with one layer, by SLEPc. */
noe_status fastest_mode(const share *, double *omega2);
/* The least and the largest eigenvalue of D^-1 A, D the diagonal of A. */
noe_status fastest_ends(const share *, const noe_sparse *A, double *least, double *most);
/* slowest.c: the `asked` lowest omega^2 of a share with one layer, ascending; *found: how many
 * converged.  top2: omega^2 of the fastest mode.  vector[asked][own.n]: their vectors, of the own
 * coordinates; NULL: nobody wants them. */
noe_status slowest_modes(const share *, double top2, int asked, double *omega2, double *vector,
                         int *found);

/* shared_solver.c: the functions factorise, solve and forget of noe_structure_share. */
void *shared_solver_make(void *share, const noe_sparse *A, int per, bool definite,
                         const char **name);
void  shared_solver_solve(void *solver, const double *g, double *y);
void  shared_solver_free(void *solver);

#endif
