/* Functions as LaTeX: sqrt(x) -> \sqrt{x}, sin(x) -> \sin\left(x\right).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/latex_text.h"

#include <string.h>

/* name(x) is written before x after. */
static const struct {
    const char *name, *before, *after;
} around[] = {
    { "sqrt", "\\sqrt{", "}" },
    { "abs", "\\left|", "\\right|" },
    { "floor", "\\left\\lfloor ", " \\right\\rfloor" },
    { "p", "p_{", "}" },
    { "norm", "\\left\\|", "\\right\\|" },
};

/* Functions that LaTeX has, by the same name or another. */
static const struct {
    const char *name, *latex; /* in the model; in LaTeX */
} known[] = {
    { "sin", "\\sin" },     { "cos", "\\cos" },     { "tan", "\\tan" }, { "sinh", "\\sinh" },
    { "cosh", "\\cosh" },   { "tanh", "\\tanh" },   { "exp", "\\exp" }, { "log", "\\log" },
    { "asin", "\\arcsin" }, { "acos", "\\arccos" }, { "min", "\\min" }, { "max", "\\max" },
    { "atan", "\\arctan" },
};

static bool same(const char *name, size_t length, const char *other)
{
    return strlen(other) == length && !memcmp(name, other, length);
}

const char *noe_latex_function(noe_latex *x, const char *name, size_t length, int arguments,
                               const char *const *argument)
{
    for (size_t i = 0; i < sizeof around / sizeof *around && arguments == 1; i++)
        if (same(name, length, around[i].name))
            return noe_latex_text_join(x, "%s%s%s", around[i].before, argument[0], around[i].after);
    if (same(name, length, "if") && arguments == 3)
        return noe_latex_text_join(x, "\\begin{cases} %s & %s \\\\ %s & \\text{else} \\end{cases}",
                                   argument[1], argument[0], argument[2]);
    const char *head = NULL, *list = argument[0];
    for (size_t i = 0; i < sizeof known / sizeof *known && !head; i++)
        if (same(name, length, known[i].name)) head = known[i].latex;
    if (!head) head = noe_latex_text_join(x, "\\operatorname{%.*s}", (int)length, name);
    for (int i = 1; i < arguments; i++) list = noe_latex_text_join(x, "%s, %s", list, argument[i]);
    return noe_latex_text_join(x, "%s\\left(%s\\right)", head, list);
}
