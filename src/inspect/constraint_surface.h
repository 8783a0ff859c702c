/* Points of the surface g(t, q) = 0 near a given one, in binary128, and the tangents of motions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The method of Levenberg and Marquardt, q <- q - W G^T (G W G^T + mu)^-1 g, W = diag(scale^2),
 * rows of G of size 1, mu = |g| in units of the scales, from 1e-10 to 1.  It is quadratic until mu
 * reaches 1e-10; then each iteration gains some 8 to 10 digits. */
#ifndef NOE_INSPECT_CONSTRAINT_SURFACE_H
#define NOE_INSPECT_CONSTRAINT_SURFACE_H

#include "constraint/constraint_point.h"

typedef struct {
    noe_constraint_point *at;    /* evaluates the constraints */
    const double         *scale; /* [n] sizes of q, in units of q; not owned */
    double *slot; /* [slots] of the constraints' tape in double; NULL: functions in C */
    double *G,    /* [m][n] gradients in units of the scales, of size 1 */
        *S,       /* [m][m] G G^T + mu */
        *b;       /* [m] right side, then multipliers */
} noe_constraint_surface;

/* NULL with a message. */
noe_constraint_surface *noe_constraint_surface_new(const noe_dynamics *, const double *scale);
void                    noe_constraint_surface_free(noe_constraint_surface *);
/* Moves q [n] to the surface at t; false: the iteration does not lead there. */
bool noe_constraint_surface_approach(noe_constraint_surface *, quad t, quad *q);
/* Moves v [n] to the solutions of G v + g_t = 0 at a point of the surface; v_scale [n]: speeds of
 * the coordinates. */
bool noe_constraint_surface_velocities(noe_constraint_surface *, quad t, const quad *q,
                                       const double *v_scale, quad *v);
/* normal [2m][2n]: gradients of g and of G v + g_t by q and v, in units of their scales. */
void noe_constraint_surface_normals(noe_constraint_surface *, quad t, const quad *q, const quad *v,
                                    const double *v_scale, quad *normal);

#endif
