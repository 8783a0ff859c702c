/* Solves N x = y, whose entries are expressions: x as expressions.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_SYMBOLIC_SOLVE_H
#define NOE_EXPR_SYMBOLIC_SOLVE_H

#include "base/arena.h"
#include "expr/graph.h"

/* A symmetric matrix of expressions. */
typedef struct {
    noe_graph *g;
    noe_arena *arena; /* memory for intermediate results */
    int        m;     /* rows */
    noe_ex    *entry; /* [m][m] of the matrix */
    int       *pivot; /* [m][2] row and column of each pivot */
} noe_symbolic_matrix;

/* Chooses the pivots for the values N [m][m], which are destroyed: the largest entry of the scaled
 * rest, one after another.  -1, or a row that depends on the others (to 22 digits). */
int noe_symbolic_solve_pivots(noe_symbolic_matrix *, quad *N);
/* x[m] = N^-1 y.  Up to three rows by cofactors, which divide by det N alone. */
void noe_symbolic_solve_vector(const noe_symbolic_matrix *, const noe_ex *y, noe_ex *x);
/* y.N^-1 y/2 */
noe_ex noe_symbolic_solve_half_square(const noe_symbolic_matrix *, const noe_ex *y);

#endif
