/* Words of other tools: the spelling in the model language, for messages, or NULL.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "token/foreign_word.h"

#include <string.h>

typedef enum { FUNCTION, NAME, STATEMENT, SIGN } kind;

static const struct {
    kind        is;
    const char *word, *advice; /* of another tool; what the language has instead */
} foreign[] = {
#define FOREIGN_FUNCTION(word, advice) \
    {                                  \
        FUNCTION                       \
        , word, advice                 \
    }                                  \
    ,
#define FOREIGN_NAME(word, advice) { NAME, word, advice },
#define FOREIGN_STATEMENT(word, advice) { STATEMENT, word, advice },
#define FOREIGN_SIGN(word, advice) { SIGN, word, advice },
#include "token/foreign_words.def"
};
enum { COUNT = sizeof foreign / sizeof *foreign };

static const char *find(const noe_lexer *x, kind is)
{
    for (int i = 0; i < COUNT; i++)
        if (foreign[i].is == is && noe_lexer_is_word(x, foreign[i].word)) return foreign[i].advice;
    return NULL;
}

const char *noe_foreign_word_name(const noe_lexer *x)
{
    const char *after = x->source.text + x->token.at + x->token.length;
    return find(x, after[strspn(after, " \t")] == '(' ? FUNCTION : NAME);
}

const char *noe_foreign_word_statement(const noe_lexer *x) { return find(x, STATEMENT); }

const char *noe_foreign_word_sign(const char *text, size_t *length)
{
    for (int i = 0; i < COUNT; i++)
        if (foreign[i].is == SIGN && !strncmp(text, foreign[i].word, strlen(foreign[i].word)))
            return *length = strlen(foreign[i].word), foreign[i].advice;
    return NULL;
}
