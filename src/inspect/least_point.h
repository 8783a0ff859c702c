/* A point where a function of several variables is least, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_LEAST_POINT_H
#define NOE_INSPECT_LEAST_POINT_H

#include "number/quad.h"

/* The value of f at z [n] and its gradient g [n]; not finite outside of its domain. */
typedef quad noe_least_point_function(void *of, const quad *z, quad *g);

/* Conjugate gradients (Polak and Ribiere) from z [n], in the given unit of each variable, with a
 * search along each line; moves z to the least |f| found and returns it. */
quad noe_least_point_find(int n, noe_least_point_function *f, void *of, const quad *unit, quad *z);

#endif
