/* Writes the residual R_m(a) and Jacobian dR_m/da_u of one step as C99.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_EMIT_ACTION_H
#define NOE_CODEGEN_EMIT_ACTION_H

#include "codegen/c_code.h"
#include "method/method.h"

/* root: F, P, then d(F, P)/d(q, v) row by row. False, with nothing written, where the text with
 * loops is shorter. */
bool noe_emit_action_write(noe_text *, const noe_c_nodes *, const noe_ex *root, const noe_method *,
                           const char *as);

/* Rounds the coefficients I_im and X_im to a common grid, so that X = w - I holds exactly for
 * the rounded coefficients. */
quad noe_emit_action_round_to_grid(quad);

#endif
