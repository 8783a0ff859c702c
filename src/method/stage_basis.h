/* The basis of the velocity polynomial of a Galerkin step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     v(c) = sum_m a_m l_m(c),   q(c) = q + h sum_m a_m int_0^c l_m
 *
 * The step (q, p) -> (q, p) does not depend on the basis; the unknowns a do. */
#ifndef NOE_METHOD_STAGE_BASIS_H
#define NOE_METHOD_STAGE_BASIS_H

#include "method/method.h"

/* Fills l, I, X, w, E for the orthonormal Legendre polynomials from s, r, c; the unknowns a are
 * then the modes of the velocity. */
void noe_stage_basis_legendre(noe_method *);

#endif
