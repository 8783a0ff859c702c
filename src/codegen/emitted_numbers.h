/* Numbers of the iteration in emitted steps, which the texts call $NAME.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_EMITTED_NUMBERS_H
#define NOE_CODEGEN_EMITTED_NUMBERS_H

#include "base/text.h"

/* Writes the number whose name begins at `name`; returns what stands after the name. */
const char *noe_emitted_numbers_write(noe_text *, const char *name);

#endif
