/* L -> what it is: separable? constant mass? linear? coupled how, cyclic in what, how fast?
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_PROPERTIES_H
#define NOE_INSPECT_PROPERTIES_H

#include "matrix/quadratic_eigen.h"
#include "system/system.h"

#include <stdint.h>
#include <stdio.h>

/* A verdict.  Of a model: what does not stand in an expression is proved; what stands in it and vanishes at
 * every random state is `sampled`; what is not zero at one of them is disproved.  Functions in C: all is
 * sampled. */
typedef struct {
    bool holds, sampled;
} noe_fact;

typedef struct {
    noe_arena   *arena;
    int          n;
    const char **name;      /* of the coordinates */
    bool         functions; /* in C */
    bool         forces;
    int          params; /* of functions in C, all 0 here */
    int          states; /* random ones */
    uint64_t     seed;

    noe_fact separable;     /* L_vq = 0:  L = T(v, t) - V(q, t) */
    noe_fact constant_mass; /* L_vv = const */
    noe_fact quadratic;     /* d2L and df do not depend on q and v: linear equations of motion */
    noe_fact autonomous;    /* L does not depend on t */
    noe_fact gyroscopic;    /* L_vq - L_qv is not 0 at v = 0: forces linear in v that do no work */
    unsigned mass_has;      /* NOE_HAS_..: what L_vv depends on, by its expression */
    unsigned kinks;         /* NOE_HAS_..: what abs, min, max, if depend on */

    double condition;       /* of L_vv at the start; INFINITY: singular; NAN: not finite there */
    double worst_condition; /* at the random states */
    int    regular;         /* of `states` */

    int  nonzeros;       /* of the (2n)^2 entries of the Hessian of L in (q, v) */
    int  cancelled;      /* more that the expression has but that are 0 at every random state */
    int  bandwidth;      /* largest |i - j| of two coupled coordinates */
    int  blocks;         /* uncoupled ones */
    int *block;          /* [n] 0 .. blocks - 1, in order of first coordinates */
    bool blocks_sampled; /* some coupling stands in the expression but is 0 at every random state */
    bool damped;         /* by a dissipation function; */
    int  fed;            /* states at which that feeds energy into the motion */
    int  cyclics;
    bool *cyclic; /* [n] L_q,i = 0 identically */

    bool finite;                  /* L and its derivatives are, at the start */
    bool equilibrium;             /* q0 + v0 t solves the equations: at rest, or in steady motion */
    bool moving;                  /* v0 is not 0 */
    bool spectral;                /* `start` was computed */
    noe_quadratic_spectrum start; /* of the equations frozen at the start */
    int                    visited; /* steps of a trial run at which frequencies were taken, */
    double                 fastest_visited; /* and the largest of them */

    char   method[48];
    double step, edge; /* w h at which the method becomes unstable on the oscillator, or INFINITY */
    double fastest;    /* w: the larger of start's and the trial run's; 0: unknown or none */
    double stable_step; /* edge / w */
    double fine_step;   /* 40 points in the fastest period; INFINITY without one */
    bool   inside;      /* |step| < stable_step */
} noe_properties;

/* NULL with a message.  step in units of t, not 0; times and speeds at which states are drawn follow it
 * where the start is at rest. */
noe_properties *noe_properties_find(const noe_system *, const noe_method *, double step);
void            noe_properties_free(noe_properties *);
void            noe_properties_text(const noe_properties *, FILE *); /* a line a fact */
void            noe_properties_json(const noe_properties *, FILE *); /* one object */

#endif
