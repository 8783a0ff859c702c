/* c_k(z) = 1/k! - z/(k+2)! + z^2/(k+4)! - ..:  cos, sin, cosh and sinh in one entire function.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * K. Stumpff, Himmelsmechanik I, Berlin 1959.  c_0(z) = cos sqrt z, c_1(z) = sin sqrt z / sqrt z,
 * c_2(z) = (1 - c_0)/z, c_3(z) = (1 - c_1)/z. */
#ifndef NOE_ARB_STUMPFF_H
#define NOE_ARB_STUMPFF_H

#include "arb/wide.h"

enum { NOE_STUMPFF_FUNCTIONS = 4 };

/* c[NOE_STUMPFF_FUNCTIONS] = c_0(z) .. c_3(z) */
void noe_stumpff(arb_ptr c, const arb_t z, slong prec);

#endif
