/* The message why a model has no exact solution, "kepler.lag: exact kepler: ..".
 * SPDX-License-Identifier: BSD-3-Clause */
#include "arb/closed_form.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

noe_status noe_solution_refusal(const noe_exact_solution *x, const char *why, ...)
{
    char    text[400];
    va_list args;
    va_start(args, why);
    vsnprintf(text, sizeof text, why, args);
    va_end(args);
    return noe_status_fail(NOE_INVALID, "%.200s: exact %s: %s", x->source, x->family->name, text);
}
