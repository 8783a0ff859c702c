/* Solves the finite problem by Ipopt's interior point method (optional library).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONTROL_INTERIOR_POINT_H
#define NOE_CONTROL_INTERIOR_POINT_H

#include "control/transcription.h"

#include <signal.h>

typedef enum {
    NOE_OPTIMUM,     /* a local optimum */
    NOE_INTERRUPTED, /* by the signal */
    NOE_STRANDED     /* not converged, why */
} noe_solved;

typedef struct {
    volatile sig_atomic_t *interrupted; /* or NULL */
    int                    most;        /* iterations at most */
    double                 tolerance;   /* of the conditions of an optimum, relative */
    bool                   warm;        /* x is near the optimum */
    /* out */
    int         iterations;
    double      violation; /* largest of the rows and bounds, in the last iteration */
    const char *why;       /* of NOE_STRANDED: what happened and what to try */
} noe_interior_point;

/* From t->x to t->x, t->lambda and t->cost; without an optimum to the best point on the way: of
 * those that keep to all conditions the one of least cost, else the one that keeps to them best.
 * NOE_INVALID with a message where this build is without the library or it refuses; *how says what
 * was found. */
noe_status noe_interior_point_solve(noe_interior_point *, noe_transcription *, noe_solved *how);

#endif
