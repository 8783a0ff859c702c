/* unit x, y = "m", t = "s": units, which pictures name; nothing is computed with them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

#include <string.h>

static bool is_known(const noe_parser *p, const char *name, size_t length)
{
    return (length == 1 && *name == 't') || (length == 6 && !memcmp(name, "energy", 6))
        || noe_model_find(p->model, name, length);
}

/* Names up to "=", each a quantity without its unit as yet; returns the first. */
static noe_unit *names(noe_parser *p)
{
    noe_unit *first = NULL, **end = &first;
    do {
        const noe_token k = p->lex.token;
        const char     *name = p->lex.source.text + k.at;
        if (k.kind != NOE_NAME)
            noe_expect_fail(p, "the name of a coordinate, a parameter or another quantity");
        if (!is_known(p, name, k.length))
            noe_source_fail(&p->lex.source, k.at,
                            "'%.*s' has no unit: nothing of this name is declared above",
                            noe_source_shown(name, k.length, 60), name);
        noe_unit *u = noe_arena_need(p->model->arena, &p->stop, 1, sizeof *u);
        *u = (noe_unit){ .name = noe_model_copy_text(p, name, k.length) };
        *end = u, end = &u->next;
        noe_lexer_next(&p->lex);
    } while (noe_expect_comma(p));
    return first;
}

void noe_unit_statement_parse(noe_parser *p)
{
    do {
        noe_unit *u = names(p);
        noe_expect_token(p, '=', "after what has the unit");
        const noe_token k = p->lex.token;
        if (k.kind != NOE_STRING) noe_expect_fail(p, "the unit in quotes, \"m/s\"");
        const char *text = noe_model_copy_text(p, p->lex.source.text + k.at, k.length);
        for (noe_unit *next; u; u = next) {
            next = u->next;
            u->text = text, u->next = p->model->unit;
            p->model->unit = u;
        }
        noe_lexer_next(&p->lex);
    } while (noe_expect_comma(p));
}
