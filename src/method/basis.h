/* v(c) = sum_m a_m l_m(c),   q(c) = q + h sum_m a_m int_0^c l_m.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both functions read s, r, c and fill l, I, X, w, E of a method.  The step, (q, p) -> (q, p), does not
 * depend on the basis; the meaning of the unknowns a does. */
#ifndef NOE_METHOD_BASIS_H
#define NOE_METHOD_BASIS_H

#include "method/method.h"

/* Orthonormal Legendre polynomials: a are the modes of the velocity. */
void noe_basis_legendre(noe_method *);
/* Lagrange polynomials of s distinct nodes d: a are the velocities at d. */
void noe_basis_lagrange(noe_method *, const quad *d);

#endif
