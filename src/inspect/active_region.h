/* Finds states where local terms of L, such as max(x - 1e4, 0) or exp(-1000 r^2), are active.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Random states around the start may all lie where such a term is 0 or constant.  The expression
 * tells where it is not: exp, tanh and the logarithm of a high power where their argument is about
 * 0; abs, min, max, sign and comparisons where their two sides are equal; floor and mod at 0; a
 * tabulated function within its points; 1/(1 + r^2) where its denominator is least.  Newton's
 * method leads there from any state, along the gradient of the argument in units of the scales;
 * where it does not arrive, searches along conjugate directions do. */
#ifndef NOE_INSPECT_ACTIVE_REGION_H
#define NOE_INSPECT_ACTIVE_REGION_H

#include "model/model.h"
#include "tape/tape.h"

enum { NOE_ACTIVE_MOST = 64 }; /* largest number of terms; of more, an even selection of the text */

typedef struct {
    noe_model *model; /* the model, whose graph has the arguments */
    noe_tape  *tape;  /* per term, with its argument u: u, u_t, u_q (n), u_v (n) */
    quad      *slot,  /* [tape->slots] memory of the tape */
        *out;         /* [tape->outputs] its results */
    int n,            /* coordinates */
        count;        /* local terms */
    struct noe_spot {
        noe_op op;           /* function or condition of the term */
        bool   least;        /* u divides something, and is looked for where it is least */
        quad   from, to;     /* of a tabulated function: its first and last point */
    } spot[NOE_ACTIVE_MOST]; /* [count] */
} noe_active_region;

/* Lists the local terms of the model's L; adds nodes to its graph.  False with a message; must be
 * closed in either case. */
bool noe_active_region_open(noe_active_region *, noe_model *);
void noe_active_region_close(noe_active_region *);
/* Moves the state to where term k is active; scale[2n+1]: of t, q and v.  States with other numbers
 * lie on either side of where two sides are equal, and half of them where other terms are active,
 * too, of which it may be a factor.  False: no such state was found. */
bool noe_active_region_move(noe_active_region *, int k, int state, uint64_t *seed,
                            const quad *scale, quad *t, quad *q, quad *v);
/* Moves the state to where the two sides of a comparison are equal.  slope[2n+1]: gradient of
 * their difference there; across[2n+1]: a small displacement to one side.  False: term k has no
 * jump, or no such state was found. */
bool noe_active_region_meet(noe_active_region *, int k, int state, uint64_t *seed,
                            const quad *scale, quad *t, quad *q, quad *v, quad *across,
                            quad *slope);

#endif
