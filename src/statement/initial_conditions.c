/* Initial conditions from start statements: q(0), q'(0) or p(0), and t0.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/sum_parser.h"

#include <string.h>

void noe_initial_conditions_aim(noe_parser *p, noe_target *to, int part)
{
    noe_symbol *s = to->moving.part[part];
    to->index = s->index;
    to->members = to->moving.members;
    to->family = NULL;
    if (p->model->grouped) {
        to->family = s;
    } else if (s->family) {
        to->ruled = to->members.kind != NOE_LEFT_MEMBER;
        if (to->ruled) to->family = s;
        else to->index = noe_family_find_member(p->model, s, to->members.lo)->index;
    }
    p->component = to->moving.parts == 3 ? part : NOE_A_NUMBER;
}

noe_target noe_initial_conditions_target(noe_parser *p)
{
    noe_target to = { .what = NOE_START_Q, .at = p->lex.token.at };
    size_t     opened = 0;
    if (noe_lexer_is_word(&p->lex, "t")) {
        noe_lexer_next(&p->lex);
        to.what = NOE_START_T;
        return to;
    }
    if (noe_lexer_is_word(&p->lex, "p")) {
        noe_lexer_next(&p->lex);
        opened = p->lex.token.at;
        noe_expect_token(p, '(', "after p: a momentum is p(q1)");
        to.what = NOE_START_P;
    }
    const char *why = to.what == NOE_START_P ? "is no coordinate: only coordinates have momenta"
                    : p->assigning
                        ? "is neither a parameter nor a coordinate: it has no value to assign"
                        : "is no coordinate: only coordinates have a start";
    to.moving = noe_moving_parse(p, why);
    noe_initial_conditions_aim(p, &to, 0);
    p->component = NOE_A_NUMBER;
    if (to.what == NOE_START_P) {
        noe_expect_close(p, opened, "after the coordinate");
    } else if (noe_lexer_is(&p->lex, '\'')) {
        noe_lexer_next(&p->lex);
        to.what = NOE_START_V;
    }
    return to;
}

void noe_initial_conditions_both(noe_parser *p, noe_target to)
{
    const char *name = p->model->coordinate[to.index]->name;
    noe_source_fail(&p->lex.source, to.at,
                    "both velocity and momentum of '%.*s' are given: give one of them",
                    noe_source_shown(name, strlen(name), 60), name);
}

void noe_initial_conditions_once(noe_parser *p, noe_target to)
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
    const bool       has_q = b->has_q && b->ruled_q == to.ruled, other = b->ruled_v != to.ruled;
    if (m->fix[to.index] >= 0 && !to.ruled)
        noe_source_fail(s, to.at, "'%.*s' is fixed: it has no start",
                        noe_source_shown(name, strlen(name), 60), name);
    if (to.what == NOE_START_Q ? has_q : !other && (to.what == NOE_START_V ? b->has_v : b->has_p))
        noe_source_fail(s, to.at, "the start of the %s of '%.*s' is given twice", of[to.what],
                        noe_source_shown(name, strlen(name), 60), name);
    if (to.what != NOE_START_Q && !other && (b->has_v || b->has_p))
        noe_initial_conditions_both(p, to);
}

/* Values in the text must be finite unless an assignment replaces them. */
static quad value_for(noe_parser *p, noe_target *to)
{
    if (p->assigning || to->what == NOE_START_T) return noe_constant_expression_value(p);
    to->at = p->lex.token.at;
    p->constant = noe_constant_expression_parse(p);
    return noe_evaluate_constant(p->graph, p->constant, p->model->param);
}

void noe_initial_conditions_check(noe_parser *p)
{
    const noe_model *m = p->model;
    for (int i = 0; i < m->n && !m->grouped; i++) {
        const noe_begin *b = &m->begin[i];
        if (!finiteq(b->q)) noe_source_fail(&p->lex.source, b->at_q, "the value is not finite");
        if (!finiteq(b->v) || !finiteq(b->p))
            noe_source_fail(&p->lex.source, b->at_v, "the value is not finite");
    }
}

void noe_initial_conditions_set(noe_parser *p, noe_target to, quad value)
{
    if (to.what == NOE_START_T) {
        p->model->t0 = value;
        p->model->ex_t0 = p->constant;
        p->model->has_t0 = true;
        return;
    }
    noe_begin *b = &p->model->begin[to.index];
    /* A statement about one member takes precedence over one about the whole family. */
    if (to.ruled
        && (to.what == NOE_START_Q ? b->has_q && !b->ruled_q
                                   : (b->has_v || b->has_p) && !b->ruled_v))
        return;
    *(to.what == NOE_START_Q ? &b->ruled_q : &b->ruled_v) = to.ruled;
    *(to.what == NOE_START_Q ? &b->at_q : &b->at_v) = to.at;
    switch (to.what) {
    case NOE_START_T: break;
    case NOE_START_Q: b->q = value, b->ex_q = p->constant, b->has_q = true; break;
    case NOE_START_V:
        b->v = value;
        b->p = 0;
        b->ex_v = p->constant;
        b->has_v = true;
        b->has_p = false;
        break;
    case NOE_START_P:
        b->p = value;
        b->v = 0;
        b->ex_p = p->constant;
        b->has_p = true;
        b->has_v = false;
        break;
    }
}

typedef struct {
    noe_target to;
    void (*check)(noe_parser *, noe_target, void *); /* of what was given, with `data` */
    void     *data;                                  /* of `check` */
    noe_lexer end;
} starting;

static void each(noe_parser *p, int64_t i, void *data)
{
    starting *s = data;
    s->to.index = noe_family_find_member(p->model, s->to.family, i)->index;
    if (p->model->fix[s->to.index] < 0 || !s->to.ruled) s->check(p, s->to, s->data);
    noe_target to = s->to;
    const quad value = value_for(p, &to);
    if (p->model->fix[to.index] < 0) noe_initial_conditions_set(p, to, value);
    s->end = p->lex;
}

static void values(noe_parser *p, noe_target to, void (*check)(noe_parser *, noe_target, void *),
                   void *data)
{
    if (p->model->grouped) {
        noe_sum_parser_setting(p,
                               to.what == NOE_START_Q   ? NOE_RULE_Q
                               : to.what == NOE_START_V ? NOE_RULE_V
                                                        : NOE_RULE_P,
                               to.family, &to.members);
        return;
    }
    starting s = { .to = to, .check = check, .data = data };
    if (to.family) {
        noe_index_binding_each(p, &to.members, false, each, &s);
        p->lex = s.end;
        return;
    }
    check(p, to, data);
    const quad value = value_for(p, &to);
    noe_initial_conditions_set(p, to, value);
}

void noe_initial_conditions_values(noe_parser *p, noe_target                              to,
                                   void (*check)(noe_parser *, noe_target, void *), void *data)
{
    if (to.what == NOE_START_T) {
        check(p, to, data);
        const quad value = value_for(p, &to);
        noe_initial_conditions_set(p, to, value);
        return;
    }
    const noe_lexer body = p->lex;
    const bool      ruled = to.ruled;
    for (int c = 0; c < to.moving.parts; c++) {
        p->lex = body;
        noe_initial_conditions_aim(p, &to, c);
        to.ruled = ruled;
        values(p, to, check, data);
    }
    p->component = NOE_A_NUMBER;
}
