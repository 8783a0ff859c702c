/* force top.torque = (a, b, c):  the power of a torque is F.Q', F = 2 (0, torque) Q in space axes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In body axes, top.body_torque, it is F = 2 Q (0, torque). */
#include "statement/rigid_body.h"

static noe_ex twice(noe_parser *p, noe_ex x)
{
    return noe_simplify_make(p->graph, NOE_MUL, noe_graph_number(p->graph, 2), x, 0);
}

bool noe_body_torque(noe_parser *p)
{
    struct noe_body *space = noe_body_quantity(p, "torque"),
                    *b = space ? space : noe_body_quantity(p, "body_torque");
    noe_model *m = p->model;
    if (!b) return false;
    noe_lexer_next(&p->lex);
    noe_expect_token(p, '=', "after the torque");
    const size_t       at = p->lex.token.at;
    const noe_quantity x = noe_expression_quantity(p);
    noe_quantity_need_vector(p, x, at);
    const noe_quaternion torque = noe_quaternion_of_vector(p, x),
                         F = noe_quaternion_product(p, space ? &torque : &b->Q,
                                                    space ? &b->Q : &torque);
    for (int c = 0; c < 4; c++) {
        noe_model_push(p, &m->force, m->forces, sizeof *m->force);
        m->force[m->forces++] = (noe_acting){ b->first + c, twice(p, c ? F.u.ex[c - 1] : F.w) };
    }
    return true;
}
