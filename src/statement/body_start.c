/* start top.attitude = rotation(axis, angle), top.omega = (a, b, c):  Q, and Q' = Q (0, Omega)/2.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "statement/rigid_body.h"

#include <string.h>

static noe_ex number(noe_parser *p, double x) { return noe_graph_number(p->graph, (quad)x); }

/* The vector of parameters that begins at the current token. */
static noe_quantity constant_vector(noe_parser *p)
{
    const size_t       at = p->lex.token.at;
    const noe_quantity x = noe_expression_quantity(p);
    noe_quantity_need_vector(p, x, at);
    for (int c = 0; c < 3; c++) {
        noe_constant_expression_need(p, x.ex[c], at);
        noe_constant_expression_finite(p, x.ex[c], at);
    }
    return x;
}

/* rotation(axis, angle) = (cos(angle/2), sin(angle/2) axis/|axis|) */
static noe_quaternion rotation(noe_parser *p)
{
    if (!noe_lexer_is_word(&p->lex, "rotation"))
        noe_expect_fail(p, "an attitude, rotation((0, 0, 1), pi/4) or a product of such");
    noe_lexer_next(&p->lex);
    const size_t opened = p->lex.token.at;
    noe_expect_token(p, '(', "after rotation");
    const size_t       at = p->lex.token.at;
    const noe_quantity axis = constant_vector(p);
    const noe_ex       square = noe_quantity_dot(p, &axis, &axis);
    if (!(noe_evaluate_constant(p->graph, square, p->model->param) > 0))
        noe_source_fail(&p->lex.source, at, "the axis of a rotation has no direction: it is 0");
    noe_expect_token(p, ',', "between the axis and the angle of a rotation");
    const noe_ex angle = noe_parser_make(p, NOE_DIV, noe_constant_expression_parse(p),
                                         number(p, 2));
    noe_expect_close(p, opened, "after the angle");
    const noe_ex c = noe_parser_make(p, NOE_FN_cos, angle, 0),
                 s = noe_parser_make(p, NOE_FN_sin, angle, 0),
                 length = noe_parser_make(p, NOE_FN_sqrt, square, 0);
    const noe_quantity k = noe_quantity_number(noe_parser_make(p, NOE_DIV, s, length));
    return (noe_quaternion){ c, noe_quantity_product(p, NOE_MUL, k, axis, at) };
}

static void begins(noe_parser *p, int i, noe_ex x, bool position, size_t at)
{
    noe_begin *b = &p->model->begin[i];
    const quad value = noe_evaluate_constant(p->graph, x, p->model->param);
    if (position) b->q = value, b->ex_q = x, b->has_q = true, b->ruled_q = false, b->at_q = at;
    else b->v = value, b->ex_v = x, b->has_v = true, b->at_v = at;
}

static void attitude(noe_parser *p, const struct noe_body *b, size_t at)
{
    noe_quaternion Q = rotation(p);
    while (noe_lexer_is(&p->lex, '*')) {
        noe_lexer_next(&p->lex);
        const noe_quaternion next = rotation(p);
        Q = noe_quaternion_product(p, &Q, &next);
    }
    for (int c = 0; c < 4; c++) begins(p, b->first + c, c ? Q.u.ex[c - 1] : Q.w, true, at);
}

bool noe_body_start_parse(noe_parser *p)
{
    const size_t     at = p->lex.token.at;
    struct noe_body *turned = noe_body_quantity(p, "attitude"),
                    *turns = noe_body_quantity(p, "omega");
    if (!turned && !turns) return false;
    const noe_begin *w = turned ? &p->model->begin[turned->first] : NULL;
    if (!p->assigning && (turned ? w->has_q && !w->ruled_q : turns->turns))
        noe_source_fail(&p->lex.source, at, "the start of this is given twice");
    noe_lexer_next(&p->lex);
    noe_expect_token(p, '=', "after what starts there");
    if (turned) {
        attitude(p, turned, at);
        return true;
    }
    const noe_quantity omega = constant_vector(p);
    memcpy(turns->omega, omega.ex, sizeof turns->omega);
    turns->turns = true;
    turns->at = at;
    return true;
}

void noe_body_start_finish(noe_parser *p)
{
    for (int i = 0; i < p->bodies; i++) {
        const struct noe_body *b = p->body[i];
        const noe_begin       *x = &p->model->begin[b->first];
        if (!b->turns) continue;
        noe_quaternion Q = { x->ex_q, { .vector = true } };
        for (int c = 0; c < 4; c++) {
            if (x[c].has_v || x[c].has_p)
                noe_source_fail(&p->lex.source, b->at,
                                "both an angular velocity and a velocity or momentum of the "
                                "attitude are given: give one of them");
            if (c) Q.u.ex[c - 1] = x[c].has_q ? x[c].ex_q : number(p, 0);
        }
        noe_quantity omega = { .vector = true };
        memcpy(omega.ex, b->omega, sizeof b->omega);
        const noe_quaternion W = noe_quaternion_of_vector(p, omega),
                             rate = noe_quaternion_product(p, &Q, &W);
        for (int c = 0; c < 4; c++)
            begins(p, b->first + c,
                   noe_parser_make(p, NOE_DIV, c ? rate.u.ex[c - 1] : rate.w, number(p, 2)), false,
                   b->at);
    }
}
