/* Zero test: is sum_k term_k = 0 at every state?  Evaluated at random states, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_ZERO_TEST_H
#define NOE_SYSTEM_ZERO_TEST_H

#include "model/model.h"
#include "tape/tape.h"

typedef struct {
    noe_model *m;
    double     time, *q, *v; /* scales of t and [n] of q and v, from the size of the start */
    quad      *in;           /* a random state around the start, as the inputs of a tape */
    jmp_buf   *stop;         /* where a lack of memory and an undecidable test lead */
} noe_zero_states;

typedef struct
{ /* where a sum is not 0, the state being in x->in: its value, and the size of its terms */
    quad sum, size;
} noe_zero_found;

/* Prepares the scales; x->m and x->stop have been set by the caller. */
void noe_zero_test_states(noe_zero_states *);
/* Is each of `sums` sums 0 at every state?  term: `terms` consecutive terms of each sum.  name:
 * name of the symmetry that is verified, for messages. */
bool noe_zero_test_all(noe_zero_states *, const noe_ex *term, int sums, int terms, const char *name,
                       noe_zero_found *);

#endif
