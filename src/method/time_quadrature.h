/* The quadrature that a method applies to a force that depends on time alone.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     sum_i b_i F(t + c_i h) */
#ifndef NOE_METHOD_TIME_QUADRATURE_H
#define NOE_METHOD_TIME_QUADRATURE_H

#include "method/method.h"

/* Number of nodes of that quadrature. */
int noe_time_quadrature_count(const noe_method *);
/* Writes the nodes c and weights b. The nodes lie in [0, 1], for compositions and splittings
 * also outside. */
void noe_time_quadrature_fill(const noe_method *, double *c, double *b);

#endif
