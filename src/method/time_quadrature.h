/* The quadrature that a method applies to a force of the time alone: sum_i b_i F(t + c_i h).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_TIME_QUADRATURE_H
#define NOE_METHOD_TIME_QUADRATURE_H

#include "method/method.h"

/* Number of its nodes. */
int noe_time_quadrature_count(const noe_method *);
/* Writes the nodes, in [0, 1] or, of compositions and splittings, beyond, and the weights. */
void noe_time_quadrature_fill(const noe_method *, double *c, double *b);

#endif
