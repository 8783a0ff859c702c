/* max, max |rounded - exact|, max |x - x_1| over random states: is it 0? is it constant?
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_SURVEY_H
#define NOE_INSPECT_SURVEY_H

#include "inspect/derivative_probe.h"

enum { NOE_SURVEY_STATES = 24, NOE_SURVEY_SEED = 1918 };

typedef struct {
    noe_derivative_probe probe;
    noe_arena           *arena;
    double               time;         /* 40 steps */
    quad                 t0, *q0, *v0; /* the start */
    quad                *q_scale, *v_scale;
    bool                 finite; /* L and its derivatives, at the start */
    quad                *start;  /* every output there */
    quad  *most, *noise;    /* of an output: largest |x|; largest difference that rounding makes */
    quad  *spread, *drift;  /* largest |x - that of the first state|; largest change with t alone */
    int    states, regular; /* of L_vv */
    int    fed;             /* states at which the dissipation feeds energy into the motion */
    double worst_condition;
    uint64_t seed;
} noe_survey;

/* False with a message; close it all the same. */
bool noe_survey_open(noe_survey *, const noe_system *, const noe_method *, double step);
void noe_survey_close(noe_survey *);

/* x, of the size of rounding errors there?  Identically 0 leaves 1e-18 of the noise of double in binary128,
 * what merely cancels leaves the more the less it cancels: for a false 0 it would take 28 digits. */
static inline bool noe_survey_none(const noe_survey *s, int output, quad x)
{
    return x <= s->noise[output] * 1e-12;
}

static inline bool noe_survey_vanishes(const noe_survey *s, int output)
{
    return output < 0 || noe_survey_none(s, output, s->most[output]); /* -1: from the expression */
}

/* L_vv, n x n, from outputs. */
void noe_survey_mass(const noe_survey *, const quad *out, quad *M);

#endif
