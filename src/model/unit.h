/* Units of columns, by the unit statements of a model: x' has that of x over that of t.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_UNIT_H
#define NOE_MODEL_UNIT_H

#include "model/model.h"

/* Writes the unit of a column, "m/s"; false where it is not known. */
bool noe_unit_of(const noe_model *, const char *column, char *out, size_t size);
/* For axes: "x' [m/s]", the text alone where the unit is not known or there is no model; in out. */
const char *noe_unit_label(const noe_model *, const char *column, const char *text, char *out,
                           size_t size);

#endif
