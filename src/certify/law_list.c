/* The list of the laws of a run: appends a law, with the verdict of value <= bound.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/laws.h"

#include "base/status.h"
#include "base/stopwatch.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

noe_law *noe_law_list_add(noe_laws *s, const char *name, double value, double bound,
                          const char *what, ...)
{
    if (s->count == s->capacity) {
        const int capacity = 2 * s->capacity + 16;
        noe_law  *wider = realloc(s->law, (size_t)capacity * sizeof *wider);
        if (!wider) {
            noe_status_fail(NOE_NO_MEMORY, "out of memory: the laws of a run");
            return NULL;
        }
        s->law = wider, s->capacity = capacity;
    }
    noe_law *x = &s->law[s->count++];
    *x = (noe_law){ .value = value, .bound = bound };
    x->verdict = isnan(bound) ? NOE_NO_VERDICT : value <= bound ? NOE_HOLDS : NOE_FAILS;
    snprintf(x->name, sizeof x->name, "%s", name);
    va_list args;
    va_start(args, what);
    vsnprintf(x->what, sizeof x->what, what, args);
    va_end(args);
    return x;
}

void noe_law_list_add_unmeasurable(noe_laws *s, const char *name, const char *why)
{
    noe_law *x = noe_law_list_add(s, name, NAN, NAN, "%.140s", why);
    if (x) x->verdict = NOE_NOT_MEASURABLE;
}

bool noe_law_list_due(noe_laws *s, const char *name)
{
    const int due = s->within <= 0 || noe_stopwatch_computing() - s->since < s->within;
    if (s->first ? s->first(due) : due) return true;
    noe_status_append(s->left, sizeof s->left, "%s%s", *s->left ? ", " : "", name);
    return false;
}

void noe_law_list_free(noe_laws *s)
{
    free(s->law);
    *s = (noe_laws){ 0 };
}
