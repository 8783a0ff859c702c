/* generators that are searched: sums of terms of the dictionary, a column each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Few coordinates: every term.  More, with constant mass M: A = M^-1 Omega with Omega antisymmetric, for in
 * Noether's identity the part quadratic in v is v' M A v.  Many: one block common to all bodies, xi = a q of each,
 * bodies being what the names x[1], y[1], z[1] or x1, y1, z1 say. */
#ifndef NOE_SYMMETRY_ANSATZ_H
#define NOE_SYMMETRY_ANSATZ_H

#include "symmetry/symmetry.h"

typedef struct {
    noe_symmetries *s; /* its level, term, terms and note are filled */
    noe_arena      *arena;
    int             columns, omegas; /* the first of them are Omega_ij, i < j */
    int            *first, *part; /* the others: terms part[first[c]] .. part[first[c + 1] - 1], */
    quad           *weight;       /* with weights */
    int            *stem, *body;  /* [n] numbers: of x[3] those of x and of 3 */
    quad           *W;            /* [n][n] M^-1, or NULL */
    const quad
         *centre; /* [n] q is counted from here: the start, or 0 where one b serves all bodies */
    quad *unit;   /* [terms] what size a coefficient has, or NULL: that of the columns */
} noe_ansatz;

bool noe_ansatz_make(noe_ansatz *, noe_symmetries *, noe_state_sampler *,
                     noe_random_state *); /* false with a message */
/* The columns at a state. */
void noe_ansatz_row(const noe_ansatz *, const noe_random_state *, quad *row, double *rough);
/* Coefficients of the terms from those of the columns. */
void noe_ansatz_expand(const noe_ansatz *, const quad *column, quad *term);

#endif
