/* Eliminates directions without mass by static condensation.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     N^T K q = 0 */
#ifndef NOE_MATRIX_STATIC_CONDENSATION_H
#define NOE_MATRIX_STATIC_CONDENSATION_H

#include "matrix/factorization.h"

/* q = T q_a: the rows of T are the identity for the coordinates kept, S for those that are gone. */
typedef struct {
    int     n, kept, gone; /* n = kept + gone */
    int    *keep, *drop;   /* [kept], [gone]: which */
    double *S;             /* [gone][kept] */
    double *G; /* [gone][n]: what is gone is at S q_a + G f, when a force f acts; for axes alone, */
    noe_factorization *bending; /* or this, K_bb factorised: G is its inverse */
    /* where the null vectors are no axes: N[gone][n], and P = (N^T K N)^-1 N^T K by columns
     * [n][gone]; or NULL */
    double *N, *P;
    bool    unknown; /* M is nearly singular in directions that were not looked for */
    bool    blas;    /* S has the bits of the BLAS of this processor */
    bool    axes; /* all null vectors of M are coordinate axes: what is gone has no mass at all */
} noe_condensation;

/* Finds the null vectors N of M (of a consistent M up to HIDDEN_MOST rows; in larger ones rows
 * of zeros alone, and x->unknown says that there may be more) and, when there are any, replaces
 * *M, *C (may be NULL) and *K by those of the coordinates kept, T^T M T and so on: statics,
 * exact for what M q'' + K q = f says of N.  x->gone = 0: they stay as they are.  NOE_SINGULAR
 * with a message: a direction has neither mass nor stiffness. */
enum { NOE_CONDENSE_MOST = 2500, NOE_NULLSPACE_MOST = 6000 };
noe_status noe_static_condensation_make(noe_sparse **M, noe_sparse **C, noe_sparse **K,
                                        noe_condensation *x);
void       noe_static_condensation_free(noe_condensation *);
/* axis_condensation.c: the same of larger ones, where M has empty rows and no other null vectors. */
noe_status noe_axis_condensation(noe_sparse **M, noe_sparse **C, noe_sparse **K,
                                 noe_condensation *x);
/* Row b of G: g[n]. */
noe_status noe_static_condensation_static(const noe_condensation *, int b, double *g);

#endif
