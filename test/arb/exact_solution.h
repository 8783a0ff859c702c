/* Columns of a solution in closed form beside those of a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXACT_SOLUTION_H
#define EXACT_SOLUTION_H

#include "arb/closed_form.h"
#include "laws.h"
#include "integrate/integrator.h"

/* The system of a text with changes, one after another. */
static UNUSED noe_system *with(noe_system *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static UNUSED noe_system *with(noe_system *s, const char *format, ...)
{
    char    text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    noe_system *next = noe_system_let(s, text);
    if (!next) fail_msg("%s", noe_error());
    noe_system_free(s);
    return next;
}

/* A column at time t, to 33 digits. */
static UNUSED quad at(const noe_system *s, const char *column, const char *t)
{
    noe_column          c;
    noe_wide           *w = noe_wide_new();
    noe_exact_solution *x = noe_exact_solution_new(s->model, 40, NULL);
    if (!x) fail_msg("%s", noe_error());
    assert_true(noe_column_name_find(s, column, &c));
    noe_wide_set(w, number(t));
    assert_true(noe_exact_solution_get(
        x, w, c.kind == NOE_COL_OBSERVABLE ? NOE_AT_OBSERVABLE : (int)c.at, c.index, w));
    const quad y = noe_wide_get(w);
    noe_wide_free(w);
    noe_exact_solution_free(x);
    return y;
}

#endif
