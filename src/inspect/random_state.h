/* Draws random states (t, q, v) and evaluates L, L_t, L_q, L_v there, in double and in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_RANDOM_STATE_H
#define NOE_INSPECT_RANDOM_STATE_H

#include "number/random.h"
#include "inspect/active_region.h"
#include "system/system.h"

/* Everything about a system that searching its symmetries needs: scales, and a tape of the first
 * derivatives. */
typedef struct {
    const noe_system *system;
    int               n;
    noe_model        *model; /* its own */
    noe_tape         *tape;  /* L, L_t, L_q (n), L_v (n), f (n) */
    quad             *slot;
    double           *rough;        /* the slots in double */
    quad              t0, *q0, *v0; /* the start */
    double            time, *q_scale, *v_scale;
    uint64_t          seed;
    noe_active_region active; /* where L has local terms */
    quad             *way;    /* [NOE_TRIAL_STATES][2n + 1] t, q, v of a trial run from the start */
    int               ways;
} noe_state_sampler;

enum { NOE_TRIAL_STATES = 24 };

typedef struct { /* one state; arrays of n */
    int  n;
    quad t, *q, *v;
    quad L, L_t, *F, *P, *f; /* F = L_q; f: the generalized forces */
    /* the same by double arithmetic: what rounding does here */
    double rough_L, rough_L_t, *rough_F, *rough_P;
} noe_random_state;

/* false with a message; close it all the same */
bool              noe_random_state_open(noe_state_sampler *, const noe_system *);
void              noe_random_state_close(noe_state_sampler *);
noe_random_state *noe_random_state_new(int n); /* one block; free() frees it */
/* Gaussian around the start, rho times the scales; false when L is not finite there. */
bool noe_random_state_draw(noe_state_sampler *, double rho, noe_random_state *);
/* The same, moved to where local term k of L counts; or state k of a trial run. */
bool noe_random_state_active(noe_state_sampler *, int k, double rho, noe_random_state *);
/* Does L jump there, a comparison?  slope[2n+1] of what is compared, in t, q and v; only t, q
 * and v of the sample count. */
bool noe_random_state_jump(noe_state_sampler *, int k, double rho, noe_random_state *, quad *slope);
bool noe_random_state_way(noe_state_sampler *, int k, noe_random_state *);
/* at the t, q, v that stand in it */
void noe_random_state_evaluate(noe_state_sampler *, noe_random_state *);

#endif
