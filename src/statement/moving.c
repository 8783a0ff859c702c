/* r, r.x, r[i], r[i].x, x, x[3]: coordinates on the left of an equals sign, vectors as a whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/family.h"

noe_moving noe_moving_parse(noe_parser *p, const char *why)
{
    noe_moving  m = { .members = { .kind = NOE_LEFT_PLAIN, .at = p->lex.token.at } };
    noe_symbol *s = noe_resolve_moving(p, why);
    m.parts = noe_vector_symbol_parts(s);
    for (int c = 0; c < m.parts; c++) m.part[c] = noe_vector_symbol_part(s, c);
    if (m.part[0]->family) m.members = noe_index_binding_member_side(p, s);
    const int c = m.parts == 3 ? noe_quantity_component_at(p) : -1;
    if (c >= 0) m.part[0] = m.part[c], m.parts = 1;
    return m;
}

void noe_moving_each(noe_parser *p, const noe_moving                                          *m,
                     void (*each)(noe_parser *, noe_symbol *, const noe_left *, void *), void *data)
{
    const noe_lexer body = p->lex;
    for (int c = 0; c < m->parts; c++) {
        p->lex = body;
        p->component = m->parts == 3 ? c : NOE_A_NUMBER;
        each(p, m->part[c], &m->members, data);
    }
    p->component = NOE_A_NUMBER;
}
