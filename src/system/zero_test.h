/* sum_k term_k = 0 at every state?  Asked at random ones around the start of a model, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_ZERO_TEST_H
#define NOE_SYSTEM_ZERO_TEST_H

#include "model/model.h"
#include "tape/tape.h"

typedef struct {
    noe_model *m;
    double     time, *q, *v; /* scales: as far as the start is from 0, as fast as it starts */
    quad      *in;           /* a state, in the order of a tape's inputs */
    jmp_buf   *stop;         /* where memory out and what cannot be told lead to */
} noe_zero_states;

typedef struct
{ /* where a sum is not 0, the state being in x->in: its value, and the size of its terms */
    quad sum, size;
} noe_zero_found;

/* x->m and x->stop are set. */
void noe_zero_test_states(noe_zero_states *);
/* Is each of so many sums, of so many terms that follow one another, 0 at every state?  name: of the symmetry that is verified. */
bool noe_zero_test_all(noe_zero_states *, const noe_ex *term, int sums, int terms, const char *name,
                       noe_zero_found *);

#endif
