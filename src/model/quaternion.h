/* Q = (w, u): quaternions of expressions, and what a unit one does to vectors.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_QUATERNION_H
#define NOE_MODEL_QUATERNION_H

#include "model/parser.h"

typedef struct {
    noe_ex       w; /* the real part */
    noe_quantity u; /* a vector */
} noe_quaternion;

/* (w, u) o (x, v) = (w x - u.v, w v + x u + u x v) */
noe_quaternion noe_quaternion_product(noe_parser *, const noe_quaternion *, const noe_quaternion *);
noe_quaternion noe_quaternion_conjugate(noe_parser *, const noe_quaternion *);
noe_quaternion noe_quaternion_of_vector(noe_parser *, noe_quantity); /* (0, v) */
/* R(Q) v = (w^2 - u.u) v + 2 (u.v) u + 2 w u x v, a quadratic form in Q, not divided by |Q|^2 */
noe_quantity noe_quaternion_rotate(noe_parser *, const noe_quaternion *, noe_quantity v);
noe_ex       noe_quaternion_dot(noe_parser *, const noe_quaternion *, const noe_quaternion *);

#endif
