/* Static condensation: eliminates the directions without mass.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     N^T K q = 0,   M N = 0 */
#ifndef NOE_MATRIX_STATIC_CONDENSATION_H
#define NOE_MATRIX_STATIC_CONDENSATION_H

#include "matrix/factorization.h"

/* q = T q_a: the rows of T are the identity for the coordinates that are kept, S for those that
 * are eliminated. */
typedef struct {
    int  n, kept, eliminated; /* coordinates; of these kept and eliminated, n = kept + eliminated */
    int *keep, *eliminated_index; /* [kept], [eliminated] their indices */
    /* [eliminated][kept] eliminated coordinates from those kept, without a force on them */
    double *S;
    /* [eliminated][n] compliance: under a force f the eliminated coordinates are S q_a + G f; or
     * NULL, and */
    double *G;
    /* the factorization of K_bb, whose inverse is G (only if all null vectors are axes) */
    noe_factorization *stiffness_factors;
    /* null vectors N[eliminated][n] and P = (N^T K N)^-1 N^T K, by columns, [n][eliminated]; NULL
     * where all null vectors are coordinate axes */
    double *N, *P;
    bool    nearly_singular; /* M is nearly singular in directions that were not searched */
    bool    blas;            /* S was computed with the BLAS, so its bits depend on the processor */
    bool    axes;            /* all null vectors of M are coordinate axes */
} noe_condensation;

/* Finds the null vectors N of M and, when there are any, replaces *M, *C (may be NULL) and *K by
 * T^T M T, T^T C T and T^T K T of the coordinates that are kept; the others follow statically
 * from N^T (K q - f) = 0, which M q'' + K q = f implies exactly. x->eliminated = 0: there are none,
 * and the matrices stay as they are. Null vectors other than empty rows are searched up to
 * NOE_NULLSPACE_MOST rows; x->nearly_singular tells that there may be more. NOE_SINGULAR
 * with a message: a direction has neither mass nor stiffness, or damping acts on it. */
enum { NOE_CONDENSE_MOST = 2500, NOE_NULLSPACE_MOST = 6000 };
noe_status noe_static_condensation_make(noe_sparse **M, noe_sparse **C, noe_sparse **K,
                                        noe_condensation *x);
void       noe_static_condensation_free(noe_condensation *);
/* g[n] = row b of G: the displacement of eliminated coordinate b by unit forces on all
 * coordinates. */
noe_status noe_static_condensation_static(const noe_condensation *, int b, double *g);

#endif
