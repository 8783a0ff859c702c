/* Texts of LaTeX in an arena: joined, names as symbols, functions.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_LATEX_TEXT_H
#define NOE_CODEGEN_LATEX_TEXT_H

#include "base/arena.h"
#include "token/lexer.h"

typedef struct {
    noe_lexer  lex;   /* of the expression that is read */
    noe_arena *arena; /* of the texts */
    jmp_buf    stop;  /* where an expression leads that is not understood, or when memory is out */
} noe_latex;

/* A text of the arena, as by sprintf. */
const char *noe_latex_text_join(noe_latex *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* latex_symbol.c: m1 -> m_{1}, theta -> \theta, kinetic_energy -> \mathit{kinetic\_energy}. */
const char *noe_latex_symbol(noe_latex *, const char *name, size_t length);
/* latex_function.c: the function of this name with its arguments, \sqrt{..}. */
const char *noe_latex_function(noe_latex *, const char *name, size_t length, int arguments,
                               const char *const *argument);

#endif
