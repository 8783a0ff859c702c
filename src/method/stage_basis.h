/* v(c) = sum_m a_m l_m(c),   q(c) = q + h sum_m a_m int_0^c l_m.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The step, (q, p) -> (q, p), does not depend on the basis; the meaning of the unknowns a does. */
#ifndef NOE_METHOD_STAGE_BASIS_H
#define NOE_METHOD_STAGE_BASIS_H

#include "method/method.h"

/* From s, r, c the l, I, X, w, E of orthonormal Legendre polynomials: a are the modes of the
 * velocity. */
void noe_stage_basis_legendre(noe_method *);

#endif
