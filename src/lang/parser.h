/* statement* -> model: what the parts of the parser share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LANG_PARSER_H
#define NOE_LANG_PARSER_H

#include "lang/lex.h"
#include "lang/model.h"

typedef struct {
    noe_lexer   lex;
    noe_model  *model;
    const char *const *change;
    int         changes;
    bool       *used;      /* changes that a parameter took */
    int         depth;     /* of nesting; a bound on the C stack */
    bool        observing; /* p(q) and energy have a meaning */
    bool        assigning; /* the text is an assignment from outside */
    const char *defining;  /* the name on the left, for "defined by itself" */
    size_t      defining_length;
    jmp_buf     stop;
} noe_parser;

/* The current token in a message: jumps after "MESSAGE, found 'x'". */
_Noreturn void noe_wrong(noe_parser *, const char *expected);
void           noe_expect(noe_parser *, int sign, const char *where); /* "expected ')' <where>, found 'x'" */

/* model.c: memory of the model; these jump to stop on failure. */
void       *noe_take(noe_parser *, size_t size);
void       *noe_push(noe_parser *, void *array, int count, size_t size); /* room for one more */
char       *noe_keep(noe_parser *, const char *text, size_t length);     /* a copy */
noe_symbol *noe_declare(noe_parser *, noe_is_what, noe_token name);

/* parse.c: a blank parser on a text that begins at its first token. */
void noe_parser_on(noe_parser *, noe_model *, const char *source, const char *text, size_t length);

/* statement.c, declare.c */
void noe_statement(noe_parser *);
void noe_parse_parameter(noe_parser *);
void noe_parse_coordinate(noe_parser *);
void noe_parse_observe(noe_parser *);
void noe_parse_definition(noe_parser *);

/* expression.c, named.c */
noe_ex noe_expression(noe_parser *);
noe_ex noe_named(noe_parser *); /* what begins with a name: x, x', sin(x), p(q), pi */
bool   noe_is_function(const noe_parser *);
bool   noe_is_later(const noe_parser *); /* a name that later versions will give a meaning */
/* The current NAME token as a symbol of one of these kinds, sum of 1 << NOE_IS_..; where there is none a
 * message that ends in `wanted`. */
noe_symbol *noe_known(noe_parser *, unsigned kinds, const char *wanted);

/* start.c: start values; change.c: assignments from outside */
typedef enum { NOE_START_T, NOE_START_Q, NOE_START_V, NOE_START_P } noe_start_what;
typedef struct {
    noe_start_what what;
    int            index;
    size_t         at;
} noe_target;
