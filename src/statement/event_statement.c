/* event NAME: EXPR = EXPR [rising|falling] [stop] [then ASSIGNMENTS | then bounce e].
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The event is a change of sign of g = left - right along the motion, from - to + where it is
 * rising. */
#include "model/parser.h"

#include <string.h>

static const char *here(const noe_parser *p) { return p->lex.source.text + p->lex.token.at; }

/* Does g never change its sign, as it is written?  Even powers, roots, exponentials and absolute
 * values, and their negatives. */
static bool one_sided(const noe_graph *g, noe_ex x)
{
    while (g->node[x].op == NOE_NEG) x = g->node[x].a;
    const noe_node y = g->node[x];
    const quad     half = y.op == NOE_POW ? g->node[y.b].value / 2 : 0;
    return y.op == NOE_FN_abs || y.op == NOE_FN_sqrt || y.op == NOE_FN_exp
        || (y.op == NOE_MUL && y.a == y.b)
        || (y.op == NOE_POW && g->node[y.b].op == NOE_NUM && half == roundq(half));
}

static void check_function(noe_parser *p, const noe_event *e)
{
    const noe_graph  *g = p->graph;
    const noe_ex      x = e->g;
    const noe_source *s = &p->lex.source;
    if (noe_graph_is(g, x, 0))
        noe_source_fail(s, e->at,
                        "both sides of the event are the same: it would happen at every "
                        "time");
    if (!(g->node[x].has & ~NOE_HAS_PARAM))
        noe_source_fail(s, e->at,
                        "the event depends neither on the state nor on t: it never happens");
    if (one_sided(g, x))
        noe_source_fail(
            s, e->at,
            "the difference of the two sides never changes its sign, and an event is a change of "
            "sign: write the event without the square, root, exponential or absolute value, "
            "'x = 0' for 'x^2 = 0'");
}

static void bounce(noe_parser *p, noe_event *e)
{
    const noe_source *s = &p->lex.source;
    const size_t      at = p->lex.token.at;
    const uint8_t     has = p->graph->node[e->g].has;
    noe_lexer_next(&p->lex);
    if (has & (NOE_HAS_V | NOE_HAS_P))
        noe_source_fail(
            s, at,
            "a bounce is an impact on a surface in space, and this event depends on velocities, "
            "momenta or the energy: assign velocities, 'then x' = ..'");
    if (!(has & NOE_HAS_Q))
        noe_source_fail(
            s, at,
            "a bounce needs a surface, and this event depends on no coordinate: it has no normal");
    const size_t value = p->lex.token.at;
    if (p->lex.token.kind == NOE_LINE || p->lex.token.kind == NOE_END)
        noe_expect_fail(p, "the coefficient of restitution, as in 'bounce 1' (elastic)");
    e->restitution = noe_constant_expression_value(p);
    e->ex_restitution = p->constant;
    if (!(e->restitution >= 0 && e->restitution <= 1))
        noe_source_fail(
            s, value,
            "the coefficient of restitution is %g: expected 0 (the normal velocity is lost) to 1 "
            "(elastic)",
            (double)e->restitution);
    e->then = NOE_THEN_BOUNCE;
}

static void assign_one(noe_parser *p, noe_event *e, const noe_target *to)
{
    for (int i = 0; i < e->assigned; i++)
        if (e->to[i].index == to->index)
            noe_source_fail(&p->lex.source, to->at, "this is assigned twice by the event");
    const noe_ex x = noe_constant_expression_checked(p);
    noe_model_push(p, &e->to, e->assigned, sizeof *e->to);
    e->to[e->assigned++] = (noe_acting){ to->index, x };
}

static void assign(noe_parser *p, noe_event *e)
{
    const noe_source *s = &p->lex.source;
    noe_target        to = noe_initial_conditions_target(p);
    if (to.what != NOE_START_V && to.what != NOE_START_P)
        noe_source_fail(
            s, to.at,
            "positions and t are continuous at an event: assign velocities, 'then x' = ..', or "
            "momenta, 'then p(x) = ..'");
    if (to.family)
        noe_source_fail(s, to.at, "assign the members of a family one by one: x[3]' = ..");
    const noe_event_then then = to.what == NOE_START_V ? NOE_THEN_VELOCITIES : NOE_THEN_MOMENTA;
    if (e->assigned && e->then != then)
        noe_source_fail(s, to.at, "an event assigns either velocities or momenta, here are both");
    e->then = then;
    noe_expect_token(p, '=', "after what the event assigns");
    const noe_lexer body = p->lex;
    for (int c = 0; c < to.moving.parts; c++) {
        p->lex = body;
        noe_initial_conditions_aim(p, &to, c);
        assign_one(p, e, &to);
    }
    p->component = NOE_A_NUMBER;
}

static void consequences(noe_parser *p, noe_event *e)
{
    noe_lexer *x = &p->lex;
    if (noe_lexer_is_word(x, "rising") || noe_lexer_is_word(x, "falling")) {
        e->way = noe_lexer_is_word(x, "rising") ? NOE_RISING : NOE_FALLING;
        noe_lexer_next(x);
    }
    if (noe_lexer_is_word(x, "stop")) {
        e->stop = true;
        noe_lexer_next(x);
    }
    if (noe_lexer_is_word(x, "then")) {
        if (e->stop)
            noe_source_fail(&x->source, x->token.at, "nothing follows an event that stops the run");
        noe_lexer_next(x);
        if (noe_lexer_is_word(x, "bounce") && !noe_model_find(p->model, here(p), x->token.length)) {
            bounce(p, e);
        } else {
            do assign(p, e);
            while (noe_expect_comma(p));
        }
    }
    if (x->token.kind == NOE_NAME)
        noe_expect_fail(
            p, "'rising' or 'falling', 'stop', 'then', in this order, or the end of the event");
}

/* The current name, which must be new, for an event; moves past it. */
static const char *new_name(noe_parser *p)
{
    const noe_model *m = p->model;
    const noe_token k = noe_resolve_new_name(p, "a name for the event: event floor: y = 0 falling");
    const char     *name = noe_model_copy_text(p, p->lex.source.text + k.at, k.length);
    for (int i = 0; i < m->events; i++)
        if (!strcmp(m->event[i].name, name))
            noe_source_fail(&p->lex.source, k.at,
                            "the event '%.*s' is declared already, in line %d",
                            noe_source_shown(name, k.length, 60), name,
                            noe_source_line(&p->lex.source, m->event[i].named));
    return name;
}

void noe_event_statement_parse(noe_parser *p)
{
    noe_model *m = p->model;
    noe_event  e = { .named = p->lex.token.at };
    e.name = new_name(p);
    noe_expect_token(p, ':', "after the event's name: event floor: y = 0 falling");
    e.at = p->lex.token.at;
    p->observing = true;
    e.left = noe_constant_expression_checked(p);
    noe_expect_token(p, '=', "between the two sides of the event");
    e.right = noe_constant_expression_checked(p);
    e.g = noe_simplify_make(p->graph, NOE_SUB, e.left, e.right, 0);
    check_function(p, &e);
    consequences(p, &e);
    p->observing = false;
    noe_model_push(p, &m->event, m->events, sizeof *m->event);
    m->event[m->events++] = e;
}

void noe_event_statement_fix(noe_parser *p, const int *number)
{
    noe_model *m = p->model;
    for (int k = 0; k < m->events; k++) {
        noe_event *e = &m->event[k];
        check_function(p, e);
        for (int i = 0; i < e->assigned; i++) {
            const int   to = number[e->to[i].index];
            const char *name = m->coordinate[e->to[i].index]->name;
            if (to < 0)
                noe_source_fail(&p->lex.source, e->at,
                                "the event assigns a %s to '%.*s', which is fixed",
                                e->then == NOE_THEN_MOMENTA ? "momentum" : "velocity",
                                noe_source_shown(name, strlen(name), 60), name);
            e->to[i].index = to;
        }
    }
}
