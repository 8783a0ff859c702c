/* Decides on random states which derivatives of L are identically 0 and which are constant.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_SURVEY_H
#define NOE_INSPECT_SURVEY_H

#include "inspect/derivative_probe.h"

enum { NOE_SURVEY_STATES = 24, NOE_SURVEY_SEED = 1918 };

typedef struct {
    noe_derivative_probe probe;             /* evaluates derivatives */
    noe_arena           *arena;             /* memory of all arrays */
    double               time;              /* length of 40 steps, in units of t */
    quad                 t0, *q0, *v0;      /* the start; [n], [n] */
    quad                *q_scale, *v_scale; /* [n] scales of q and v */
    bool                 finite;            /* L and its derivatives are finite at the start */
    quad                *start;             /* [outputs] values at the start */
    /* [outputs] of an output x, over the states: */
    quad *most,          /* largest |x| */
        *noise;          /* largest difference of x in double and in binary128 */
    quad *spread,        /* largest |x - x at the first state| */
        *drift;          /* largest change of x with t alone */
    int states,          /* number of random states around the start */
        states_active,   /* of those where local terms of L act */
        states_regular;  /* number of random states where L_vv is nonsingular */
    int      states_fed; /* number of states where the dissipation feeds energy into the motion */
    double   worst_condition;                 /* largest condition of L_vv */
    uint64_t seed;                            /* of the random states */
    struct noe_constraint_point *constraints; /* the constraints; NULL: none */
    int redundant; /* number of constraints that follow from the others at the start */
} noe_survey;

/* False with a message; must be closed in either case. */
bool noe_survey_open(noe_survey *, const noe_system *, const noe_method *, double step);
void noe_survey_close(noe_survey *);

/* Part of the rounding errors in double up to which an output is 0.  The value of one that is
 * identically 0 is about 1e-18 of them, that of any other far more: a wrong result would need a
 * cancellation of 28 digits.  Above the part of the zero test (system/zero_test.c), which compares
 * at one state, since here x and the errors are each the largest over all states; the errors of
 * functions in C are assumed for it. */
static const double NOE_SURVEY_ZERO_NOISE = 1e-12;

/* True if x is of the size of rounding errors in binary128. */
static inline bool noe_survey_none(const noe_survey *s, int output, quad x)
{
    return x <= s->noise[output] * NOE_SURVEY_ZERO_NOISE;
}

static inline bool noe_survey_vanishes(const noe_survey *s, int output)
{
    return output < 0 || noe_survey_none(s, output, s->most[output]); /* -1: 0 by the expression */
}

/* M = L_vv, n x n, from the outputs. */
void noe_survey_mass(const noe_survey *, const quad *out, quad *M);

#endif
