/* Quadratures on [0, 1].
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     int_0^1 f  ~  sum_i b_i f(c_i),   i < r */
#ifndef NOE_METHOD_QUADRATURE_H
#define NOE_METHOD_QUADRATURE_H

#include "number/quad.h"

typedef struct {
    const char *name;  /* lower case; letters, and '-' between letters */
    int         least; /* the smallest number of points of the rule */
    /* fills nodes c[r] in [0, 1], ascending, and weights b[r]; r <= NOE_MAX_POINTS */
    void (*fill)(int r, quad *c, quad *b);
} noe_quadrature;

/* All rules; the last element has a NULL name. */
extern const noe_quadrature noe_quadrature_rules[];

/* Gauss-Legendre nodes c[r] and weights b[r], exact for polynomials of degree 2r-1; the other
 * functions integrate with it. */
void noe_quadrature_gauss(int r, quad *c, quad *b);
/* Gauss nodes that integrate the power of the forces during one kick of a splitting. */
enum { NOE_POWER_NODES = 8 };
/* The largest degree d <= 2r-1 up to which the rule integrates every polynomial exactly; -1 if
 * it does not even integrate 1. */
int noe_quadrature_exact(int r, const quad *c, const quad *b);

#endif
