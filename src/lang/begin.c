/* q(0), q'(0) or p(0), t0: where it begins.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/parser.h"

#include <string.h>

noe_ex noe_still(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_expression(p);
    if (p->model->graph.node[x].has & ~NOE_HAS_PARAM)
        noe_source_fail(&p->lex.source, at,
                        "expected numbers and parameters only: this depends on the motion");
    return x;
}

quad noe_finite(noe_parser *p, noe_ex x, size_t at)
{
    const quad value = noe_value(&p->model->graph, x, p->model->param);
    if (!finiteq(value)) noe_source_fail(&p->lex.source, at, "the value is not finite");
    return value;
}

quad noe_constant(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    p->constant = noe_still(p);
    return noe_finite(p, p->constant, at);
}

noe_target noe_start_target(noe_parser *p)
{
    noe_target to = { .what = NOE_START_Q, .at = p->lex.token.at };
    size_t     opened = 0;
    if (noe_lex_word(&p->lex, "t")) {
        noe_lex(&p->lex);
        to.what = NOE_START_T;
        return to;
    }
    if (noe_lex_word(&p->lex, "p")) {
        noe_lex(&p->lex);
        opened = p->lex.token.at;
        noe_expect(p, '(', "after p: a momentum is p(q1)");
        to.what = NOE_START_P;
    }
    const char *why = to.what == NOE_START_P ? "is no coordinate: only coordinates have momenta"
                    : p->assigning ? "is neither a parameter nor a coordinate: it has no value to assign"
                                   : "is no coordinate: only coordinates have a start";
    to.index = noe_known_coordinate(p, why)->index;
    if (to.what == NOE_START_P) {
        noe_close(p, opened, "after the coordinate");
    } else if (noe_lex_is(&p->lex, '\'')) {
        noe_lex(&p->lex);
        to.what = NOE_START_V;
    }
    return to;
}

void noe_start_both(noe_parser *p, noe_target to)
{
    const char *name = p->model->coordinate[to.index]->name;
    noe_source_fail(&p->lex.source, to.at, "both velocity and momentum of '%.*s' are given: give one of them",
                    noe_source_shown(name, strlen(name), 60), name);
}

void noe_start_once(noe_parser *p, noe_target to)
{
    static const char *const of[] = { "", "position", "velocity", "momentum" };
    const noe_model         *m = p->model;
    const noe_source        *s = &p->lex.source;
    if (to.what == NOE_START_T) {
        if (m->has_t0) noe_source_fail(s, to.at, "the start of t is given twice");
        return;
    }
    const noe_begin *b = &m->begin[to.index];
    const char      *name = m->coordinate[to.index]->name;
    if (to.what == NOE_START_Q ? b->has_q : to.what == NOE_START_V ? b->has_v : b->has_p)
        noe_source_fail(s, to.at, "the start of the %s of '%.*s' is given twice", of[to.what],
                        noe_source_shown(name, strlen(name), 60), name);
    if (to.what != NOE_START_Q && (b->has_v || b->has_p)) noe_start_both(p, to);
}

void noe_start_set(noe_parser *p, noe_target to, quad value)
{
    if (to.what == NOE_START_T) {
        p->model->t0 = value;
        p->model->ex_t0 = p->constant;
        p->model->has_t0 = true;
        return;
    }
    noe_begin *b = &p->model->begin[to.index];
    switch (to.what) {
    case NOE_START_T: break;
    case NOE_START_Q: b->q = value, b->ex_q = p->constant, b->has_q = true; break;
    case NOE_START_V: b->v = value, b->ex_v = p->constant, b->has_v = true, b->has_p = false; break;
    case NOE_START_P: b->p = value, b->ex_p = p->constant, b->has_p = true, b->has_v = false; break;
    }
}
