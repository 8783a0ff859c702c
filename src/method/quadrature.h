/* int_0^1 f  ~  sum_i b_i f(c_i),   i < r.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_QUADRATURE_H
#define NOE_METHOD_QUADRATURE_H

#include "number/quad.h"

typedef struct {
    const char *name;                      /* in lower case; letters, and '-' between letters */
    int         least;                     /* the smallest number of points it has */
    void (*fill)(int r, quad *c, quad *b); /* r nodes in [0, 1], ascending, and weights; r <= 32 */
} noe_quadrature;

/* gauss, lobatto, radau-left, radau-right, clenshaw; ends with a NULL name. */
extern const noe_quadrature noe_quadrature_rules[];

/* Gauss-Legendre with r points, exact for polynomials of degree 2r-1: the rule the other tables
 * use. */
void noe_quadrature_gauss(int r, quad *c, quad *b);
/* The largest degree d <= 2r-1 up to which the rule integrates every polynomial exactly; -1 if
 * not even 1. */
int noe_quadrature_exact(int r, const quad *c, const quad *b);

#endif
