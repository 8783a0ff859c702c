/* r = (r.x, r.y, r.z): the symbol of a vector and those of its components.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The components are symbols like others: coordinates, definitions, observables, parameters; their
 * names have a dot.  Those of a family of vectors r[1..n] are the three families r.x[1..n] .. */
#include "model/family.h"

#include <stdio.h>
#include <string.h>

void noe_vector_symbol_split(noe_parser *p, noe_symbol *s)
{
    const size_t capacity = strlen(s->name) + 3;
    char        *name = noe_model_alloc(p, capacity);
    for (int c = 0; c < 3; c++) {
        snprintf(name, capacity, "%s.%c", s->name, "xyz"[c]);
        noe_symbol *part = noe_model_declare_name(p, s->what, name, capacity - 1, s->at);
        part->family = s->family;
        part->lo = s->lo, part->hi = s->hi;
        part->of = s;
        s->component[c] = part;
    }
    s->what = NOE_IS_VECTOR;
    s->family = false;
}

noe_symbol *noe_vector_symbol_part(const noe_symbol *s, int c)
{
    return s->what == NOE_IS_VECTOR ? s->component[c] : (noe_symbol *)s;
}

int noe_vector_symbol_parts(const noe_symbol *s) { return s->what == NOE_IS_VECTOR ? 3 : 1; }
