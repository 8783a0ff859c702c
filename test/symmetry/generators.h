/* Generators of a text counted, and numbers at random.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef GENERATORS_H
#define GENERATORS_H

#include "random.h"
#include "symmetry/symmetry.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    /* rounding: only to that of the constants */
    int strict, gauge, energy, near, depends, rounding;
} counts;

/* gauge: all that leave time alone. */
static UNUSED counts count(const char *text)
{
    noe_error_clear();
    noe_system     *s = noe_system_parse(text);
    noe_symmetries *y = noe_symmetry_find(s);
    counts          c = { 0 };
    if (!y) fprintf(stderr, "%s\n%s\n", text, noe_error());
    assert_non_null(y);
    c.near = y->near;
    for (int i = 0; i < y->count; i++) {
        bool time = false;
        for (int a = 0; a < y->terms; a++)
            if (y->found[i].coef[a] != 0)
                time |= y->term[a].kind == NOE_TERM_TAU
                     || (y->term[a].kind == NOE_TERM_A && y->term[a].k);
        if (y->found[i].verdict != NOE_EXACT) {
            c.rounding++;
            continue;
        }
        c.strict += y->found[i].strict;
        c.gauge += !time;
        c.energy += y->found[i].kind == NOE_ENERGY;
        c.depends += y->found[i].depends;
    }
    noe_symmetry_free(y);
    noe_system_free(s);
    return c;
}

#endif
