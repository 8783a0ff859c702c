/* xi = A q + b  ->  "rotation in the x-y plane about x = 1": what A does, in words.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYMMETRY_ROTATION_NAME_H
#define NOE_SYMMETRY_ROTATION_NAME_H

#include "symmetry/symmetry.h"
#include "base/text.h"

/* Of a generator with an A that does not grow with t: its kind and the words. */
void noe_rotation_name_describe(const noe_symmetries *, const noe_system *, noe_symmetry *,
                                noe_text *);

#endif
