/* An expression as text of the model language, which reads back as the same expression.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_EXPRESSION_TEXT_H
#define NOE_MODEL_EXPRESSION_TEXT_H

#include "base/text.h"
#include "model/model.h"

/* Adds the expression: numbers in the digits of double, names of the model.  False, and nothing
 * or a part is added, where it would be longer than `most` bytes or has what the language cannot
 * say (the terms of sums, tables). */
bool noe_expression_text_add(noe_text *, const noe_model *, noe_ex, size_t most);

#endif
