/* max(x - 1e4, 0), exp(-1000 r^2): states where a term that is local counts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of states around the start none may lie where such a term is anything.  But the expression says where that is: exp and tanh where
 * their argument is about 0, abs, min, max, sign and comparisons where their sides meet,
 * floor and mod at 0, a table within its points.  From any state
 * Newton's method leads there, along the gradient of the argument in units of the scales. */
#ifndef NOE_INSPECT_ACTIVE_REGION_H
#define NOE_INSPECT_ACTIVE_REGION_H

#include "model/model.h"
#include "tape/tape.h"

enum { NOE_ACTIVE_MOST = 64 }; /* terms that are looked at; of more, some all over the text */

typedef struct {
    noe_model *model;
    noe_tape  *tape; /* of each argument u: u, u_t, u_q (n), u_v (n) */
    quad      *slot, *out;
    int        n, count;
    struct noe_spot {
        noe_op op;
        quad   from, to; /* of a table: where its points are */
    } spot[NOE_ACTIVE_MOST];
} noe_active_region;

/* Of the model's L; adds nodes to its graph.  False with a message; close it all the same. */
bool noe_active_region_open(noe_active_region *, noe_model *);
void noe_active_region_close(noe_active_region *);
/* Moves the state to where term k counts; scale[2n+1]: of t, q and v.  False: no way was found. */
bool noe_active_region_move(noe_active_region *, int k, uint64_t *seed, const quad *scale, quad *t,
                            quad *q, quad *v);
/* Moves it to where the two sides of a comparison are equal; slope[2n+1]: of their difference there, across[2n+1]: a small way to one
 * side.  False: term k is no comparison, or no way was found. */
bool noe_active_region_meet(noe_active_region *, int k, const quad *scale, quad *t, quad *q,
                            quad *v, quad *across, quad *slope);

#endif
