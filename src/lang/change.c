/* l1 = g/40, q1' = 2, p(q1) = 0: assignments from outside the text.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A parameter takes its value while its declaration is read, so that what depends on it follows; start
 * values are set after the last line. */
#include "lang/parser.h"

#include <string.h>

/* Goes to an assignment's first token; the lexer of the text comes back from it. */
static noe_lexer enter(noe_parser *p, int i)
{
    const noe_lexer outer = p->lex;
    const char     *text = p->model->change[i];
    p->lex = (noe_lexer){ .source = { "assignment", text, strlen(text), outer.source.stop } };
    noe_source_check(&p->lex.source);
    noe_lex(&p->lex);
    p->assigning = true;
    return outer;
}

static void leave(noe_parser *p, noe_lexer outer)
{
    p->lex = outer;
    p->assigning = false;
}

/* "= VALUE" and nothing behind it. */
static quad value_of(noe_parser *p)
{
    noe_expect(p, '=', "after the name");
    const quad value = noe_constant(p);
    if (p->lex.token.kind != NOE_END) noe_wrong(p, "the end of the assignment");
    return value;
}

bool noe_change_parameter(noe_parser *p, const char *name, size_t length, quad *value)
{
    bool found = false;
    for (int i = 0; i < p->model->changes; i++) {
        const noe_lexer outer = enter(p, i);
        const noe_token k = p->lex.token;
        if (k.kind == NOE_NAME && k.length == length && !memcmp(p->model->change[i] + k.at, name, length)) {
            noe_lex(&p->lex);
            *value = value_of(p);
            p->used[i] = found = true;
        }
        leave(p, outer);
    }
    return found;
}

void noe_changes_apply(noe_parser *p)
{
    /* Of a coordinate: 0, or which of V and P an assignment has given. */
    noe_start_what *given = noe_take(p, (size_t)p->model->n * sizeof *given);
    for (int i = 0; i < p->model->changes; i++) {
        if (p->used[i]) continue;
        const noe_lexer  outer = enter(p, i);
        const noe_target to = noe_start_target(p);
        const quad       value = value_of(p);
        if (to.what == NOE_START_V || to.what == NOE_START_P) {
            if (given[to.index] && given[to.index] != to.what) noe_start_both(p, to);
            given[to.index] = to.what;
        }
        noe_start_set(p, to, value);
        leave(p, outer);
    }
}
