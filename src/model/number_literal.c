/* 0.3 -> a number or, where every digit counts, the text that is one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

/* A decimal with so few digits is exactly half of a whole number if its nearest binary128 is. */
enum { EXACT_DIGITS = 15 };

noe_ex noe_number_literal_make(noe_parser *p, quad value, const char *text, size_t length)
{
    noe_model *m = p->model;
    if (!m->graph.exact
        || (text && length <= EXACT_DIGITS && fabsq(value) < (quad)0x1p52
            && 2 * value == roundq(2 * value)))
        return noe_graph_number(p->graph, value);
    noe_model_push(p, &m->literal, m->literals, sizeof *m->literal);
    m->literal[m->literals] = text ? noe_model_copy_text(p, text, length) : NULL;
    return noe_graph_intern(&m->graph, NOE_LITERAL, m->literals++, 0, 0, value, NOE_HAS_PARAM);
}
