/* The values of L, L_t, L_q, L_v and forces at a state, in double and in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_STATE_VALUES_H
#define NOE_INSPECT_STATE_VALUES_H

#include "number/random.h"
#include "inspect/active_region.h"
#include "inspect/constraint_surface.h"
#include "system/system.h"

/* Evaluates a system at random states: scales of t, q and v, and a tape of the first derivatives of
 * L. */
typedef struct {
    const noe_system *system;
    int               n;     /* coordinates */
    noe_model        *model; /* a copy of the system's model; owned */
    noe_tape         *tape;  /* L, L_t, L_q (n), L_v (n), f (n), and L_b, L_b,t of each block */
    int              *block, blocks;            /* [n] uncoupled block of L of each coordinate */
    quad             *slot;                     /* [tape->slots] its memory */
    double           *rough;                    /* [tape->slots] the same in double */
    quad              t0, *q0, *v0;             /* the start; [n], [n] */
    double            time, *q_scale, *v_scale; /* scales of t, q [n] and v [n] */
    bool     several;    /* L has several parts, those of the blocks and one without coordinates */
    double  *block_time; /* [blocks] scale of t of a block: `time` is that of one of them */
    uint64_t seed;       /* of the random numbers */
    noe_active_region active; /* local terms of L */
    quad             *way;    /* [NOE_TRIAL_STATES][2n + 1] t, q, v of a trial run from the start */
    int               ways;   /* number of states in `way` */
    /* Constraints: L + lambda . g takes the place of L where `lambda` is not 0, [constraints];
     * their scales, 0 until noe_random_state_constrain() is called. */
    quad                   *lambda, *lambda_scale;
    noe_constraint_surface *surface;    /* NULL: constraints are seen at all positions */
    bool                    on_surface; /* the present state is on it, in binary128 */
} noe_state_sampler;

enum { NOE_TRIAL_STATES = 24 };

/* A state and the values there; arrays [n], in the units of the model. */
typedef struct {
    int   n;                  /* coordinates */
    quad  t, *q, *v;          /* time, positions, velocities */
    quad  L, L_t, *F, *P, *f; /* F = L_q, P = L_v; f: the generalized forces */
    quad  H;                  /* L_v v */
    quad *part;               /* [blocks][2] L_b, L_b,t; of several parts only */
    /* the same values in double arithmetic: they show the size of rounding errors */
    double rough_L, rough_L_t, *rough_F, *rough_P, rough_H, *rough_part;
} noe_random_state;

noe_random_state *noe_state_values_new(int n); /* for free(); NULL with a message */
/* Evaluates all values at t, q and v of the state. */
void noe_state_values_find(noe_state_sampler *, noe_random_state *);
/* Errors of F and P [n] in double, at the evaluated state: the largest at positions that are
 * rounded to double and at some of their neighbours, all coordinates one unit up or down. */
void noe_state_values_rounding(noe_state_sampler *, const noe_random_state *, double *dF,
                               double *dP);

#endif
