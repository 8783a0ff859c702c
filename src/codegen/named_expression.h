/* Expressions of a model's graph as text of the model language.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_NAMED_EXPRESSION_H
#define NOE_CODEGEN_NAMED_EXPRESSION_H

#include "base/text.h"
#include "model/model.h"

/* Adds lines NAME = .. for what occurs several times in the expression, then `word` and the
 * expression.  The names are not those of the model.  False: it has a table, which has no text
 * without its file.  A lack of memory leads to graph.stop. */
bool noe_named_expression_add(noe_text *, noe_model *, noe_arena *, const char *word, noe_ex);

#endif
