/* The ansatz of the symmetry search: each unknown (column) is a sum of terms of the basis.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Few coordinates: every term is a column.  More coordinates and constant mass M: A = M^-1 Omega
 * with Omega antisymmetric, since the part of Noether's identity that is quadratic in v is v' M A
 * v.  Many coordinates: one block a common to all bodies, xi = a q of each body; the bodies are
 * read from the names: x[1], y[1], z[1] or x1, y1, z1. */
#ifndef NOE_SYMMETRY_ANSATZ_H
#define NOE_SYMMETRY_ANSATZ_H

#include "symmetry/symmetry.h"

typedef struct {
    noe_symmetries *s;       /* its level, term, terms and note are filled by noe_ansatz_make */
    noe_arena      *arena;   /* memory of the ansatz */
    int             columns, /* unknowns */
        omegas;              /* how many of the columns, the first ones, are Omega_ij, i < j */
    /* Column omegas + c is the sum of the terms part[first[c]] .. part[first[c + 1] - 1] with the
     * weights weight[first[c]] .. */
    int  *first, *part;
    quad *weight; /* [parts] weights of the terms */
    int  *stem,   /* [n] number of the coordinate's stem: for x[3] that of x */
        *body;    /* [n] number of the coordinate's body: for x[3] that of 3 */
    quad *W;      /* [n][n] M^-1; NULL without omegas */
    /* [n] origin from which q is counted: the start, or 0 where one b is common to all bodies. */
    const quad *centre;
    quad       *unit; /* [terms] natural size of a coefficient; NULL: the scale of its column */
} noe_ansatz;

/* False with a message. */
bool noe_ansatz_make(noe_ansatz *, noe_symmetries *, noe_state_sampler *, noe_random_state *);
/* Row of Noether's identity at a state, row[columns] in binary128 and rough[columns] in double;
 * with `less`, minus that at this state. */
void noe_ansatz_row(const noe_ansatz *, const noe_random_state *, const noe_random_state *less,
                    quad *row, double *rough);
/* The number of columns with a term that contains coordinates of the block. */
int noe_ansatz_touching(const noe_ansatz *, const int *block, int b);
/* Coefficients term[terms] of the generator from those of the columns, column[columns]. */
void noe_ansatz_expand(const noe_ansatz *, const quad *column, quad *term);

#endif
