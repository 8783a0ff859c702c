/* Times at which a constraint of a model jumps or bends by itself: abs(t - 1), if(t < 1, ..).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONSTRAINT_CONSTRAINT_JUMP_H
#define NOE_CONSTRAINT_CONSTRAINT_JUMP_H

#include "constraint/constraint_point.h"

/* What jumps: a place or a velocity that a constraint prescribes, which is an impact. */
typedef enum { NOE_JUMPS_NOT, NOE_JUMPS_VELOCITY, NOE_JUMPS_POSITION } noe_jump_kind;

typedef struct {
    noe_jump_kind what;
    int           constraint; /* whose it is */
    quad          t, by;      /* when, and by how much */
} noe_constraint_jump;

/* The first impact from t to t + h at positions q and velocities v [n].  Constraints that the point
 * leaves out do not count, nor do jumps of accelerations: they cost order, and projections take out
 * what is along a constraint. */
noe_constraint_jump noe_constraint_jump_find(noe_constraint_point *, quad t, quad h, const quad *q,
                                             const quad *v);

#endif
