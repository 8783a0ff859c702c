/* Describes xi = A q + b in words: "rotation in the x-y plane about x = 1".
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYMMETRY_ROTATION_NAME_H
#define NOE_SYMMETRY_ROTATION_NAME_H

#include "symmetry/symmetry.h"
#include "base/text.h"

/* For a generator whose A does not depend on t: sets its kind and appends the description. */
void noe_rotation_name_describe(const noe_symmetries *, const noe_system *, noe_symmetry *,
                                noe_text *);

#endif
