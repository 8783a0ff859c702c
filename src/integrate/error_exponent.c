/* Exponent k of the velocity jump, O(h^k): s for odd s, s + 1 for even s; 2 without polynomials.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/integrator.h"

int noe_error_exponent(const noe_method *f)
{
    return f->kind == NOE_GALERKIN ? f->s + (f->s + 1) % 2 : 2;
}
