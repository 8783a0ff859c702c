/* Encloses F = L_q + forces and P = L_v over a box of (t, q, v), and bounds their hidden variation.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Hidden variation: a variation within the box that the values at a few nodes need not show.
 *
 * Interval arithmetic (R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval
 * Analysis, SIAM 2009) gives the range of every operation of the tape.  The result of an operation
 * has a hidden variation where a condition or a piece of its definition changes within the box, as
 * large as the jump there; or where its argument varies by several natural lengths of the function
 * (accuracy/operation_range.h), as large as the whole range.  A reverse sweep through the tape
 * with bounds of the partial derivatives bounds the hidden variation of F and P. */
#ifndef NOE_ACCURACY_ENCLOSURE_H
#define NOE_ACCURACY_ENCLOSURE_H

#include "accuracy/interval.h"
#include "system/system.h"

typedef struct noe_enclosure noe_enclosure;

typedef struct {
    double part; /* sum over all operations of bounds of the hidden variation, times the weights */
    int    op;   /* the operation with the largest contribution to `part` */
    bool   of_state; /* that operation depends on q or v */
    bool   kink;     /* a condition or piece changes in the box; else an argument varies too much */
    bool   wall;     /* L itself may jump where a condition of the state changes */
} noe_hidden_variation;

/* *to is NULL where L and the forces contain only sums and products or are not given as text, or
 * where there are more than NOE_COORDINATES_MOST coordinates; false: out of memory, with a
 * message. */
bool noe_enclosure_make(const noe_system *, noe_enclosure **to);
void noe_enclosure_free(noe_enclosure *);
/* Hidden variation over the box t, q [n], v [n].  weight [2n + 1]: 1 / (variation that is
 * neglected) of F_i, of P_i and of L. */
noe_hidden_variation noe_enclosure_look(noe_enclosure *, noe_interval t, const noe_interval *q,
                                        const noe_interval *v, const double *weight);
/* Number of loads, functions of t alone, of a finite-element structure; 0 for other systems.  With
 * loads, noe_enclosure_look takes no q and v, and weight is [loads]. */
int          noe_enclosure_loads(const noe_enclosure *);
noe_interval noe_enclosure_load(const noe_enclosure *, int k); /* range of load k in the last box */
/* Name of an operation for messages: "if", "exp", "table", "a quotient". */
const char *noe_enclosure_operation(int op);

#endif
