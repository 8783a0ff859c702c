/* What stands before a step in C99.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_EMIT_DECLARATIONS_H
#define NOE_CODEGEN_EMIT_DECLARATIONS_H

#include "codegen/c_code.h"
#include "method/method.h"

enum { NOE_EMIT_PAST = 12 }; /* steps from which the next one is predicted */

/* Comment, sizes, state and prototypes of the step of a method under the C name `as`;
 * `constant_mass`: of P = M v; `fresh`: with a new matrix in every step. */
void noe_emit_declarations_write(noe_text *, const noe_c_nodes *, const noe_method *,
                                 const char *as, bool constant_mass, bool fresh);

#endif
