/* Writes force and mass for steps that need nothing else: P = M v with constant M > 0, F = F(t, q).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_EMIT_CONSTANT_MASS_H
#define NOE_CODEGEN_EMIT_CONSTANT_MASS_H

#include "codegen/c_code.h"

/* Has L this form? root: F, P, then d(F, P)/d(q, v) row by row, as in codegen/emit_step.c. */
bool noe_emit_constant_mass_applies(noe_model *, noe_arena *, const noe_ex *root);
/* The expressions F [n], F_q [n][n] and M [n][n] from root. */
noe_ex *noe_emit_constant_mass_roots(noe_model *, noe_arena *, const noe_ex *root);
/* Writes the functions for force and mass; slope: F_q as well. True if M couples coordinates, so
 * that its inverse needs the function AS_solve. */
bool noe_emit_constant_mass_functions(noe_text *, noe_c_nodes *, const noe_ex *F, const char *as,
                                      bool slope);

#endif
