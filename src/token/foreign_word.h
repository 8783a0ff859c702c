/* Words of other tools: the spelling in the model language, for messages, or NULL.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TOKEN_FOREIGN_WORD_H
#define NOE_TOKEN_FOREIGN_WORD_H

#include "token/lexer.h"

const char *noe_foreign_word_name(const noe_lexer *);      /* the name at hand, in an expression */
const char *noe_foreign_word_statement(const noe_lexer *); /* the same where a statement begins */
/* The same for characters at `text` that are no word; *length: how many they are. */
const char *noe_foreign_word_sign(const char *text, size_t *length);

#endif
