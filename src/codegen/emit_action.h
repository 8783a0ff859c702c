/* Writes the residual R_m(a) and Jacobian dR_m/da_u of one step as C99.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_EMIT_ACTION_H
#define NOE_CODEGEN_EMIT_ACTION_H

#include "codegen/c_code.h"
#include "method/method.h"

/* root: F, P, then d(F, P)/d(q, v) row by row.  False, and nothing written, where loops are
 * shorter. */
bool noe_emit_action_write(noe_text *, const noe_c_nodes *, const noe_ex *root, const noe_method *,
                           const char *as);

/* How the coefficients of positions and of forces are rounded. */
quad noe_emit_action_round_to_grid(quad);

#endif
