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
    const char *defining;  /* the name on the left, for "defined by itself" */
    size_t      defining_length;
    jmp_buf     stop;
} noe_parser;

/* model.c: memory of the model; these jump to stop on failure. */
void       *noe_take(noe_parser *, size_t size);
void       *noe_push(noe_parser *, void *array, int count, size_t size); /* room for one more */
noe_symbol *noe_declare(noe_parser *, noe_is_what, const char *name, size_t length, size_t at);

/* expression.c */
noe_ex noe_expression(noe_parser *);
void   noe_expect(noe_parser *, int sign, const char *where); /* "expected ')' <where>" */
bool   noe_is_function(const char *name, size_t length);
/* The current NAME token as a symbol; a message with the nearest name when there is none. */
noe_symbol *noe_known(noe_parser *);

/* begin.c: start values */
typedef enum { NOE_START_T, NOE_START_Q, NOE_START_V, NOE_START_P } noe_start_what;
typedef struct {
    noe_start_what what;
    int            index;
} noe_target;
noe_target noe_start_target(noe_parser *); /* q1, q1', p(q1), t */
void       noe_start_set(noe_parser *, noe_target, quad value, size_t at, bool replace);
void       noe_changes_apply(noe_parser *);
/* The value that a change gives to the parameter, or false. */
bool       noe_change_parameter(noe_parser *, const char *name, quad *value);
quad       noe_constant(noe_parser *); /* an expression of parameters alone, as a number */

#endif
