/* A number or a vector of three while its expression is read:  a + b, k a, dot, cross, norm, a.x.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Vectors are spelling: what an expression of vectors means is three expressions of numbers, and
 * nothing after the parser knows of them.  dot(a, b) is a.x*b.x + a.y*b.y + a.z*b.z, and dot(a, a)
 * is a.x^2 + a.y^2 + a.z^2. */
#include "model/parser.h"

static const char NAMES[] = "xyz";

noe_quantity noe_quantity_number(noe_ex x) { return (noe_quantity){ .ex = { x } }; }

noe_ex noe_quantity_as_number(noe_parser *p, noe_quantity a, size_t at, const char *advice)
{
    if (a.vector)
        noe_source_fail(&p->lex.source, at, "a vector where a number is wanted: %s",
                        advice ? advice : "its components are numbers, r.x, r.y and r.z");
    return a.ex[0];
}

void noe_quantity_need_vector(noe_parser *p, noe_quantity a, size_t at)
{
    if (!a.vector)
        noe_source_fail(&p->lex.source, at,
                        "a number where a vector is wanted: a vector is (a, b, c)");
}

noe_quantity noe_quantity_negative(noe_parser *p, noe_quantity a)
{
    if (!a.vector) return noe_quantity_number(noe_parser_make(p, NOE_NEG, a.ex[0], 0));
    for (int c = 0; c < 3; c++) a.ex[c] = noe_parser_make(p, NOE_NEG, a.ex[c], 0);
    return a;
}

noe_quantity noe_quantity_sum(noe_parser *p, noe_op op, noe_quantity a, noe_quantity b, size_t at)
{
    if (a.vector) noe_quantity_need_vector(p, b, at);
    else noe_quantity_as_number(p, b, at, "it is added to a number");
    if (!a.vector) return noe_quantity_number(noe_parser_make(p, op, a.ex[0], b.ex[0]));
    for (int c = 0; c < 3; c++) a.ex[c] = noe_parser_make(p, op, a.ex[c], b.ex[c]);
    return a;
}

noe_quantity noe_quantity_product(noe_parser *p, noe_op op, noe_quantity a, noe_quantity b,
                                  size_t at)
{
    if (a.vector || op != NOE_MUL)
        noe_quantity_as_number(p, b, at,
                               op == NOE_MUL ? "the products of two vectors are dot(a, b) and "
                                               "cross(a, b)"
                                             : "norm(a) is the length of a vector");
    if (!a.vector && !b.vector)
        return noe_quantity_number(noe_parser_make(p, op, a.ex[0], b.ex[0]));
    noe_quantity result = { .vector = true };
    for (int c = 0; c < 3; c++)
        result.ex[c] = noe_parser_make(p, op, a.ex[a.vector ? c : 0], b.ex[b.vector ? c : 0]);
    return result;
}

noe_ex noe_quantity_dot(noe_parser *p, const noe_quantity *a, const noe_quantity *b)
{
    const bool same = a->ex[0] == b->ex[0] && a->ex[1] == b->ex[1] && a->ex[2] == b->ex[2];
    noe_ex     sum = 0;
    for (int c = 0; c < 3; c++) {
        const noe_ex x = same ? noe_parser_make(p, NOE_POW, a->ex[c], noe_graph_number(p->graph, 2))
                              : noe_parser_make(p, NOE_MUL, a->ex[c], b->ex[c]);
        sum = c ? noe_parser_make(p, NOE_ADD, sum, x) : x;
    }
    return sum;
}

noe_quantity noe_quantity_cross(noe_parser *p, const noe_quantity *a, const noe_quantity *b)
{
    noe_quantity result = { .vector = true };
    for (int c = 0; c < 3; c++) {
        const int    i = (c + 1) % 3, j = (c + 2) % 3;
        const noe_ex left = noe_parser_make(p, NOE_MUL, a->ex[i], b->ex[j]),
                     right = noe_parser_make(p, NOE_MUL, a->ex[j], b->ex[i]);
        result.ex[c] = noe_parser_make(p, NOE_SUB, left, right);
    }
    return result;
}

int noe_quantity_component_at(noe_parser *p)
{
    if (!noe_lexer_is(&p->lex, '.')) return -1;
    noe_lexer_next(&p->lex);
    const noe_token k = p->lex.token;
    const char     *name = p->lex.source.text + k.at, *c = strchr(NAMES, *name);
    if (k.kind != NOE_NAME || k.length != 1 || !c)
        noe_source_fail(&p->lex.source, k.at,
                        "the components of a vector are .x, .y and .z, here is '.%.*s'",
                        noe_source_shown(name, k.length, 60), name);
    noe_lexer_next(&p->lex);
    return (int)(c - NAMES);
}

noe_quantity noe_quantity_components(noe_parser *p, noe_quantity a)
{
    while (noe_lexer_is(&p->lex, '.')) {
        const size_t at = p->lex.token.at;
        const int    c = noe_quantity_component_at(p);
        if (!a.vector)
            noe_source_fail(&p->lex.source, at,
                            "a number has no components: '.%c' belongs to a vector", NAMES[c]);
        a = noe_quantity_number(a.ex[c]);
    }
    return a;
}
