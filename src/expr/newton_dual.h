/* Legendre's transformation by Newton's method, as an expression without branches.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_NEWTON_DUAL_H
#define NOE_EXPR_NEWTON_DUAL_H

#include "expr/legendre_dual.h"

/* task->dual where H_p = v, slope[n], is solved by NOE_NEWTON_STEPS steps from p = 0; block_of[n]:
 * the least coordinate of the block of each.  Its value and derivatives up to the third are those
 * of the dual; it is NaN where the steps do not converge.  false: a block is too large. */
enum { NOE_NEWTON_STEPS = 16, NOE_NEWTON_BLOCK_MOST = 6 };
bool noe_newton_dual_make(noe_legendre_dual *task, const noe_ex *slope, const int *block_of);

#endif
