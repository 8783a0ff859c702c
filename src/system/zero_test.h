/* Zero test: is sum_k term_k = 0 at every state?  Evaluated at random states, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The states of this test, and the criterion, also serve those who evaluate their sums
 * themselves. */
#ifndef NOE_SYSTEM_ZERO_TEST_H
#define NOE_SYSTEM_ZERO_TEST_H

#include "model/model.h"
#include "tape/tape.h"

/* States of a verdict; finite ones without which there is none. */
enum { NOE_ZERO_STATES = 60, NOE_ZERO_STATES_LEAST = 20 };

/* Where random states are: around a start, with standard deviations of some scales. */
typedef struct {
    int         n;       /* coordinates */
    const quad *q0, *v0; /* [n] the start */
    quad        t0;      /* its time */
    double      time;    /* scale of t: 40 steps, where noe_zero_test_states() sets it */
    quad       *q, *v;   /* [n] scales of q and v */
} noe_zero_region;

typedef struct {
    noe_model      *m;              /* this, `arena` and `stop` are not used by begin and next */
    noe_arena      *arena;          /* of all arrays */
    jmp_buf        *stop;           /* where a lack of memory and an undecidable test lead */
    noe_zero_region around;         /* the start, and scales from its size */
    quad           *in;             /* the present state, as the inputs of a tape */
    uint64_t        seed;           /* of the states that follow */
    double          shrink;         /* the states are this times nearer, as many were not finite */
    int             tries, refused; /* states so far; those that were not finite */
} noe_zero_states;

typedef struct
{ /* where a sum is not 0, the state being in x->in: its value, and the size of its terms */
    quad sum, size;
} noe_zero_found;

/* Scales from the start and `time`.  Of q: the distance of the start from 0, or of its motion in
 * that time; of v: the start's speed.  A coordinate at rest at 0 takes the scale of the others. */
void noe_zero_test_scale(noe_zero_region *);
/* q and v of a random state, rho times the scales away; v may be NULL.  Advances the seed. */
void noe_zero_test_draw(const noe_zero_region *, double rho, uint64_t *seed, quad *q, quad *v);

/* Prepares `around` and `in`; x->m, x->arena and x->stop have been set by the caller. */
void noe_zero_test_states(noe_zero_states *);
/* The states of a seed begin; next: the one that follows, in x->in, rounded to double, at distances
 * that vary.  finite: was all finite at the last one?  Where too much is not, the next ones are
 * nearer.  False after many. */
void noe_zero_test_begin(noe_zero_states *, uint64_t seed);
bool noe_zero_test_next(noe_zero_states *, bool finite);
/* Is a sum of terms 0 but for rounding?  size: of the terms; noise: the difference between them in
 * double and in binary128. */
bool noe_zero_test_is(quad sum, quad size, quad noise);

/* Is each of `sums` sums 0 at every state?  term: `terms` consecutive terms of each sum.  name:
 * name of the symmetry that is verified, for messages. */
bool noe_zero_test_all(noe_zero_states *, const noe_ex *term, int sums, int terms, const char *name,
                       noe_zero_found *);

#endif
