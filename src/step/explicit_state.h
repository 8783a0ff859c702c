/* What explicit steps hold: stages of Runge-Kutta methods, kicks and drifts of splittings.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Shapes and units as in step/engine_state.h. */
#ifndef NOE_STEP_EXPLICIT_STATE_H
#define NOE_STEP_EXPLICIT_STATE_H

#include "number/real.h"

#include <stdbool.h>

/* Stages of Runge-Kutta methods. */
typedef struct {
    real *k_q,     /* velocity of each stage [r][n] */
        *k_p,      /* force (in (q, v): acceleration) of each stage [r][n] */
        *stage_q,  /* position of one stage [n] */
        *stage_p,  /* momentum of one stage [n] */
        *stage_dp, /* low-order part of that momentum [n] */
        *stage_v;  /* velocity of one stage [n] */
    /* Derivatives of k_q and k_p, derivative/explicit_sensitivity.h [r][n][columns or 2n]. */
    real *d_q, *d_p;
    real *passed; /* q before each flow of a splitting, v of each drift [flows][2n] */
} stage_scratch;

/* Kicks and drifts of splittings. */
typedef struct {
    bool kick_by_euler, /* forces are taken at the velocities before the kick */
        freezes;        /* method luo-guo4-frozen: couplings are frozen for the step */
    real *frozen;       /* the stiffnesses K_j of luo-guo4-frozen [n]; else NULL */
    /* A step begins and ends with a kick and the force depends on q alone, so that the last force
     * of a step is the first of the next. */
    bool reuses_last_kick;
    bool drift_first, /* a step begins with a drift */
        diagonal,     /* M and f_v are diagonal matrices */
        damped;       /* kicks are damped exactly, as forces depend on velocities */
    /* F0 is the force at the present state: the last kick of a step is the first of the next. */
    bool F_known;
    bool V_known; /* so are its velocities: they stand in `last` of the history */
    /* Derivatives of a step, derivative/explicit_sensitivity.h: */
    real *kick_jacobian,     /* outputs of the tape of second derivatives at the last kick */
        *kick_at;            /* q of that kick [n] */
    int  kick_outputs;       /* how many outputs */
    bool kick_known,         /* they are those of this system's constants */
        momenta_vary;        /* some derivative of L_v by a parameter is not 0 */
    real *V0,                /* zero velocities [n] */
        *b0;                 /* L_v at v = 0 [n]; part of the state */
    real *velocities_before; /* velocities before the step [n] */
    real *F0,                /* force of a kick at v = 0 [n] */
        *G0;                 /* f_v of a kick [n][n], or its diagonal [n] */
    real *C,                 /* f_v M^-1 [n][n], in 1/time */
        *C_size;             /* its largest row sum */
    real *Z,                 /* length of the kick times C [n][n] */
        *phi,                /* phi_1(Z) [n][n] */
        *power,              /* scratch: two products of matrices [2][n][n] */
        *saved_aside;        /* q, p, dq, dp, v while a derivative is computed [5 n] */
} splitting_scratch;

#endif
