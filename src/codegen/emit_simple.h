/* The text of force and mass for steps that need no more than them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where P = M v with constant M > 0 and F = F(t, q). */
#ifndef NOE_CODEGEN_EMIT_SIMPLE_H
#define NOE_CODEGEN_EMIT_SIMPLE_H

#include "codegen/c_code.h"

/* root: F, P, then d(F, P)/d(q, v) row by row, as codegen/emit_step.c derives them. */
bool noe_emit_simple_applies(noe_model *, noe_arena *, const noe_ex *root);
/* F, F_q and M of those. */
noe_ex *noe_emit_simple_roots(noe_model *, noe_arena *, const noe_ex *root);
/* Does M couple coordinates, its inverse need AS_solve? */
bool noe_emit_simple_force_and_mass(noe_text *, noe_c_nodes *, const noe_ex *F, const char *as,
                                    bool slope);

#endif
