/* Properties of a Lagrangian: separable, constant mass, linear; couplings, cyclic q, frequencies.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_PROPERTIES_H
#define NOE_INSPECT_PROPERTIES_H

#include "base/json.h"
#include "matrix/quadratic_eigen.h"
#include "system/system.h"

#include <stdint.h>
#include <stdio.h>

/* A property that holds or not.  For a model: proved if by the expressions; `sampled` if a term
 * that stands in an expression is 0 at every random state; disproved if it is not 0 at one of
 * them.  For a Lagrangian in C everything is sampled. */
typedef struct {
    bool holds, sampled; /* see above */
} noe_fact;

typedef struct {
    noe_arena   *arena;       /* memory of all arrays */
    int          n;           /* number of coordinates */
    int          constraints; /* number of constraints */
    int          redundant;   /* of them those that follow from the others at the start */
    int          freedom;     /* degrees of freedom: n less the constraints that do not */
    const char **name;        /* of the coordinates */
    bool         functions;   /* L is a function in C */
    bool         forces;      /* there are generalized forces */
    int          params;      /* parameters of L in C, all 0 here */
    int          states,      /* number of random states around the start */
        states_active;        /* and of those where local terms of L act */
    uint64_t seed;            /* of the random states */

    noe_fact separable;     /* L_vq = 0:  L = T(v, t) - V(q, t) */
    noe_fact constant_mass; /* L_vv = const */
    noe_fact quadratic;     /* d2L and df do not depend on q and v: linear equations of motion */
    noe_fact autonomous;    /* L does not depend on t */
    noe_fact gyroscopic;    /* L_vq - L_qv is not 0 at v = 0: forces linear in v that do no work */
    unsigned mass_has;      /* NOE_HAS_..: what L_vv depends on, by its expression */
    unsigned kinks;         /* NOE_HAS_..: what abs, min, max, if, sign, floor, mod depend on */

    double condition;       /* of L_vv at the start; INFINITY: singular; NAN: not finite there */
    bool   singular;        /* condition is INFINITY */
    double worst_condition; /* largest condition of L_vv at the random states */
    int    states_regular;  /* number of random states where L_vv is nonsingular */

    int  size;      /* 2n: rows of the Hessian of L in (q, v) */
    int  nonzeros;  /* nonzero entries of it */
    int  cancelled; /* further entries that have an expression but are 0 at all random states */
    int  bandwidth; /* largest |i - j| of two coupled coordinates */
    int  blocks;    /* number of uncoupled blocks of coordinates */
    int *block;     /* [n] 0 .. blocks - 1, in order of first coordinates */
    bool blocks_sampled; /* some coupling stands in the expression but is 0 at every random state */
    bool damped;         /* there is a dissipation function */
    int  states_fed;     /* random states at which it feeds energy into the motion */
    int  cyclics;        /* number of cyclic coordinates */
    bool *cyclic;        /* [n] L_q,i = 0 identically */

    bool finite;                  /* L and its derivatives are finite at the start */
    bool equilibrium;             /* q0 + v0 t solves the equations: at rest, or in steady motion */
    bool moving;                  /* v0 is not 0 */
    bool spectral;                /* `start` was computed */
    noe_quadratic_spectrum start; /* of the equations frozen at the start; NAN if not computed */
    int                    visited; /* steps of a trial run at which frequencies were computed */
    double fastest_visited; /* largest frequency of those steps, rad per unit time, or NAN */

    char   method[48]; /* name of the method */
    double step,       /* length, in units of t */
        edge;          /* w h at which the method becomes unstable on the oscillator, or INFINITY */
    double searched;   /* w h up to which edges of a composition were looked for, or INFINITY */
    double fastest;    /* w: larger of the start's and the trial run's; 0: unknown or none */
    double stable_step; /* edge / w */
    double fine_step;   /* 40 points in the fastest period; INFINITY without one */
    bool   inside;      /* |step| < stable_step */
} noe_properties;

/* NULL with a message.  step: in units of t, not 0; where the start is at rest, it sets the times
 * and speeds of the random states. */
noe_properties *noe_properties_find(const noe_system *, const noe_method *, double step);
void            noe_properties_free(noe_properties *);

/* By the table of properties: a line for each that says what follows from it; one object of JSON,
 * the member `name` of an open one. */
void noe_properties_text(const noe_properties *, FILE *);
void noe_properties_json(const noe_properties *, noe_json *, const char *name);

#endif
