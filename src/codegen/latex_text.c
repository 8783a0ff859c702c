/* Texts of LaTeX in an arena: joined, names as symbols, functions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/latex_text.h"

#include <stdarg.h>
#include <stdio.h>

const char *noe_latex_text_join(noe_latex *x, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = length < 0 ? NULL : noe_arena_take(x->arena, (size_t)length + 1);
    if (!text) longjmp(x->stop, 1);
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}
