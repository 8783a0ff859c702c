/* Expressions of the model language as LaTeX, as they are written.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_LATEX_EXPRESSION_H
#define NOE_CODEGEN_LATEX_EXPRESSION_H

#include "codegen/latex_text.h"

typedef struct {
    const char *text;   /* in LaTeX */
    bool        sum;    /* needs brackets as a factor: it has a + or - at its top */
    bool        simple; /* needs no brackets below a power */
} noe_latex_piece;

/* The expression that begins at the current token, up to the first token after it. */
noe_latex_piece noe_latex_expression_parse(noe_latex *);
/* The current name, with [indices] and ' after it: x_{i}, \dot{x}_{i}.  An index with a range,
 * "i in 1..n", is added to *ranges, where that is not NULL. */
const char *noe_latex_expression_name(noe_latex *, const char **ranges);

#endif
