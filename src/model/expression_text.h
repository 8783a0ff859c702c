/* An expression as text of the model language, which reads back as the same expression.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both return false, with or without a part of the text added, where the expression has what the
 * language cannot say: a table, the terms of sums.  A lack of memory leads to graph.stop. */
#ifndef NOE_MODEL_EXPRESSION_TEXT_H
#define NOE_MODEL_EXPRESSION_TEXT_H

#include "base/text.h"
#include "model/model.h"

/* Adds the expression, numbers in the digits of double; false also where it would be longer than
 * `most` bytes. */
bool noe_expression_text_add(noe_text *, noe_model *, noe_arena *, noe_ex, size_t most);
/* Adds lines NAME = .. for what occurs several times in the expression, then `word` and the
 * expression, of any size, numbers in the digits of binary128.  No NAME is one of the model. */
bool noe_expression_text_define(noe_text *, noe_model *, noe_arena *, const char *word, noe_ex);

#endif
