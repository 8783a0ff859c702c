/* statement* -> model: what the parts of the parser share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LANG_PARSER_H
#define NOE_LANG_PARSER_H

#include "lang/lex.h"
#include "lang/model.h"

typedef struct {
    noe_lexer   lex;
    noe_model  *model;
    bool       *used;      /* model->change: was it of a parameter? */
    int         depth;     /* of nesting; a bound on the C stack */
    bool        observing; /* p(q) and energy have a meaning */
    bool        assigning; /* the text is an assignment from outside */
    const char *defining;  /* the name on the left, for "defined by itself", or NULL */
    size_t      defining_length;
    quad        value;     /* of a text that is one expression */
    noe_ex      constant;  /* what noe_constant read last */
    jmp_buf     stop;
} noe_parser;

/* model.c: memory of the model; these jump to stop on failure. */
void       *noe_take(noe_parser *, size_t size);
void       *noe_push(noe_parser *, void *array, int count, size_t size); /* room for one more */
char       *noe_keep(noe_parser *, const char *text, size_t length);     /* a copy */
noe_symbol *noe_declare(noe_parser *, noe_is_what, const noe_token *name);

/* statement.c, declare.c */
void noe_statement(noe_parser *);
bool noe_comma(noe_parser *); /* passes one */
void noe_define(noe_parser *, noe_is_what); /* NAME = EXPRESSION */
void noe_coordinates(noe_parser *);

/* force.c */
void noe_force_statement(noe_parser *);
void noe_dissipation_statement(noe_parser *);

/* expression.c */
noe_ex         noe_expression(noe_parser *);
noe_ex         noe_literal(noe_parser *, quad value, const char *text, size_t length); /* text NULL: pi */
_Noreturn void noe_wrong(noe_parser *, const char *expected); /* "expected .., found 'x'" */
void           noe_expect(noe_parser *, int sign, const char *where);
void           noe_close(noe_parser *, size_t opened, const char *where); /* the ')' of an earlier '(' */

/* named.c, known.c */
noe_ex noe_named(noe_parser *); /* what begins with a name: x, x', sin(x), p(q), pi, t, energy */
bool   noe_is_reserved(const noe_lexer *);
/* The symbol that the current token names; a message with the nearest name when there is none. */
noe_symbol *noe_known(noe_parser *);
noe_symbol *noe_known_coordinate(noe_parser *, const char *why); /* "'x1' <why>" when it is something else */

/* exact.c */
void noe_exact_statement(noe_parser *);

/* begin.c: start values */
typedef enum { NOE_START_T, NOE_START_Q, NOE_START_V, NOE_START_P } noe_start_what;
typedef struct {
    noe_start_what what;
    int            index; /* of the coordinate */
    size_t         at;
} noe_target;
noe_target     noe_start_target(noe_parser *); /* t, q1, q1', p(q1) */
void           noe_start_once(noe_parser *, noe_target); /* refuses what is given already */
_Noreturn void noe_start_both(noe_parser *, noe_target); /* velocity and momentum */
void           noe_start_set(noe_parser *, noe_target, quad value);
noe_ex         noe_still(noe_parser *); /* an expression of parameters alone, */
quad           noe_finite(noe_parser *, noe_ex, size_t at); /* its value, */
quad           noe_constant(noe_parser *); /* and both */

/* change.c: assignments from outside: does one give the value of a parameter?  All others: start values. */
bool noe_change_parameter(noe_parser *, const char *name, size_t length, quad *value);
void noe_changes_apply(noe_parser *);

#endif
