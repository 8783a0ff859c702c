/* q(0), q'(0) or p(0): start values and assignments from outside.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "lang/parser.h"

#include <string.h>

quad noe_constant(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_expression(p);
    if (p->model->graph.node[x].has & ~NOE_HAS_PARAM)
        noe_source_fail(&p->lex.source, at, "expected numbers and parameters only: this depends on the motion");
    const quad value = noe_value(&p->model->graph, x, p->model->param, 0);
    if (!finiteq(value)) noe_source_fail(&p->lex.source, at, "the value is not finite");
    return value;
}

noe_target noe_start_target(noe_parser *p)
{
    noe_target      to = { NOE_START_Q, 0 };
    const noe_token k = p->lex.token;
    const char     *text = p->lex.source.text + k.at;
    if (k.kind == NOE_NAME && k.length == 1 && *text == 't') {
        noe_lex(&p->lex);
        to.what = NOE_START_T;
        return to;
    }
    if (k.kind == NOE_NAME && k.length == 1 && *text == 'p') {
        noe_lex(&p->lex);
        noe_expect(p, '(', "after p: a momentum is p(q1)");
        to.what = NOE_START_P;
    }
    const size_t      at = p->lex.token.at;
    const noe_symbol *s = noe_known(p);
    if (s->what != NOE_IS_COORDINATE)
        noe_source_fail(&p->lex.source, at, "'%s' is no coordinate: only coordinates have a start", s->name);
    to.index = s->index;
    if (to.what == NOE_START_P) noe_expect(p, ')', "after the coordinate");
    else if (noe_lex_is(&p->lex, '\'')) {
        noe_lex(&p->lex);
        to.what = NOE_START_V;
    }
    return to;
}

void noe_start_set(noe_parser *p, noe_target to, quad value, size_t at, bool replace)
{
    if (to.what == NOE_START_T) {
        p->model->t0 = value;
        return;
    }
    noe_begin *b = &p->model->begin[to.index];
    if (to.what == NOE_START_Q) {
        b->q = value;
        return;
    }
    const bool velocity = to.what == NOE_START_V;
    if (!replace && (velocity ? b->has_p : b->has_v))
        noe_source_fail(&p->lex.source, at, "both velocity and momentum of '%s' are given: give one of them",
                        p->model->coordinate[to.index]->name);
    b->has_v = velocity;
    b->has_p = !velocity;
    *(velocity ? &b->v : &b->p) = value;
}

/* A parser of the same model on the text of an assignment, at the start of it. */
static noe_parser inside(noe_parser *p, const char *text)
{
    noe_parser sub = *p;
    sub.lex = (noe_lexer){ .source = { "assignment", text, strlen(text), p->lex.source.stop } };
    sub.depth = 0;
    sub.defining = NULL;
    return sub;
}

static void closed(noe_parser *sub)
{
    char found[64];
    noe_lex_describe(&sub->lex, found);
    if (sub->lex.token.kind != NOE_END)
        noe_source_fail(&sub->lex.source, sub->lex.token.at, "expected the end of the assignment, found %s", found);
}

bool noe_change_parameter(noe_parser *p, const char *name, quad *value)
{
    bool found = false;
    for (int i = 0; i < p->changes; i++) {
        noe_parser sub = inside(p, p->change[i]);
        noe_source_check(&sub.lex.source);
        noe_lex(&sub.lex);
        const noe_token k = sub.lex.token;
        if (k.kind != NOE_NAME || strncmp(sub.lex.source.text + k.at, name, k.length) || name[k.length]) continue;
        noe_lex(&sub.lex);
        noe_expect(&sub, '=', "after the name");
        sub.defining = name, sub.defining_length = k.length;
        *value = noe_constant(&sub);
        closed(&sub);
        p->used[i] = found = true;
    }
    return found;
}

void noe_changes_apply(noe_parser *p)
{
    for (int i = 0; i < p->changes; i++) {
        if (p->used[i]) continue;
        noe_parser sub = inside(p, p->change[i]);
        noe_lex(&sub.lex);
        const noe_target to = noe_start_target(&sub);
        noe_expect(&sub, '=', "after the name");
        const size_t at = sub.lex.token.at;
        noe_start_set(&sub, to, noe_constant(&sub), at, true);
        closed(&sub);
    }
}
