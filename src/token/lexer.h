/* Lexer of the model language: text to names, numbers, strings and signs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TOKEN_LEXER_H
#define NOE_TOKEN_LEXER_H

#include "number/quad.h"
#include "token/source.h"

#include <string.h>

#include <stdbool.h>

typedef enum { NOE_END, NOE_LINE, NOE_NAME, NOE_NUMBER, NOE_STRING, NOE_SIGN } noe_kind;

enum { NOE_RANGE = 'r' };

typedef struct {
    noe_kind kind;
    /* offset and bytes in the text; for a string those between the quotes; "r.x" is one name */
    size_t at, length;
    quad   number; /* value, for NOE_NUMBER */
    int    sign;   /* the character; "<=" is 'l', ">=" is 'g', ".." is NOE_RANGE */
} noe_token;

typedef struct {
    noe_source source;
    size_t     at;     /* offset of the next character */
    int        parens; /* open parentheses and brackets: inside them a line end is a blank */
    size_t     end;    /* offset of the end of the token before the current one */
    noe_token  token;  /* the current token */
} noe_lexer;

void noe_lexer_next(noe_lexer *); /* moves to the next token */
bool noe_lexer_is(const noe_lexer *, int sign);
/* is it this name? */
static inline bool noe_lexer_is_word(const noe_lexer *x, const char *word)
{
    const noe_token *k = &x->token;
    const char      *text = x->source.text + k->at;
    if (k->kind != NOE_NAME || *text != *word) return false;
    return strlen(word) == k->length && !memcmp(text, word, k->length);
}
/* Reads `length` characters as a number in the language's spelling, a sign allowed; false where
 * they are none. */
bool noe_lexer_number(const char *text, size_t length, quad *value);
void noe_lexer_describe(const noe_lexer *, char out[64]); /* "'q1'", "end of line" for messages */

#endif
