/* Encloses F and P over a box of (t, q, v).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And finds the operation that varies there in a way that a few nodes need not show.
 *
 * Interval arithmetic (R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval
 * Analysis, SIAM 2009): the range of every operation of the tape.  An operation hides something
 * in the box where its condition or its piece changes there, by the height of that jump; or
 * where its argument crosses several of its natural lengths, by its whole range.  A reverse
 * sweep with bounds of the partial derivatives says what of that reaches F and P at most. */
#ifndef NOE_ACCURACY_ENCLOSURE_H
#define NOE_ACCURACY_ENCLOSURE_H

#include "accuracy/interval.h"
#include "system/system.h"

typedef struct noe_enclosure noe_enclosure;

typedef struct {
    double part;     /* sum of the bounds of what may be hidden, in units of what is asked */
    int    op;       /* the operation with the largest of them */
    bool   of_state; /* does it depend on q or v? */
    bool   kink;     /* a condition or a piece that changes; else a range that is too wide */
    bool   wall;     /* L itself may jump where a condition of the state changes */
} noe_hidden_variation;

/* *to is NULL where nothing in L and the forces can hide, or they have no text; false: out of
 * memory, with a message. */
bool noe_enclosure_make(const noe_system *, noe_enclosure **to);
void noe_enclosure_free(noe_enclosure *);
/* Boxes t, q[n], v[n]; weight[2n + 1]: 1 / (what of F_i, of P_i and of L counts as nothing). */
noe_hidden_variation noe_enclosure_look(noe_enclosure *, noe_interval t, const noe_interval *q,
                                        const noe_interval *v, const double *weight);
/* A structure has loads, functions of t alone: so many, 0 of anything else.  q, v and weight are
 * then [0] and [loads]. */
int          noe_enclosure_loads(const noe_enclosure *);
noe_interval noe_enclosure_load(const noe_enclosure *, int k); /* its range in the box before */
/* What it is called in the text: "if", "exp", "table", "/". */
const char *noe_enclosure_operation(int op);

#endif
