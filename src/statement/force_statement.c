/* Generalized forces f_j = sum force_j - dD/dq_j', beside those of L.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "model/family.h"
#include "statement/rigid_body.h"

typedef struct {
    const noe_symbol *family;
    bool              ground; /* the force acts between the coordinate and what stands still */
    noe_lexer         end;
} forcing;

static void add(noe_parser *p, int index, bool ground)
{
    noe_model   *m = p->model;
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_constant_expression_checked(p);
    if (ground && p->graph->node[x].has & ~(NOE_HAS_PARAM | NOE_HAS_T))
        noe_source_fail(
            &p->lex.source, at,
            "expected numbers, parameters and t only: the motion of the ground does not depend on "
            "the structure");
    noe_acting **list = ground ? &m->ground : &m->force;
    int         *count = ground ? &m->grounds : &m->forces;
    noe_model_push(p, list, *count, sizeof **list);
    (*list)[(*count)++] = (noe_acting){ index, x };
}

static void each(noe_parser *p, int64_t i, void *data)
{
    forcing *f = data;
    add(p, noe_family_find_member(p->model, f->family, i)->index, f->ground);
    f->end = p->lex;
}

static void act(noe_parser *p, noe_symbol *s, const noe_left *members, void *data)
{
    forcing *f = data;
    f->family = s;
    if (!s->family) {
        add(p, s->index, f->ground);
        return;
    }
    noe_index_binding_each(p, members, false, each, f);
    p->lex = f->end;
}

static void acting(noe_parser *p, bool ground)
{
    do {
        const size_t at = p->lex.token.at, length = p->lex.token.length;
        if (!ground && noe_body_torque(p)) continue;
        if (p->lex.token.kind == NOE_NAME && noe_resolve_is_reserved(&p->lex))
            noe_source_fail(&p->lex.source, at,
                            "'%.*s' is no coordinate: only coordinates have forces", (int)length,
                            p->lex.source.text + at);
        const noe_moving m = noe_moving_parse(p, "is no coordinate: only coordinates have forces");
        noe_expect_token(p, '=',
                         ground ? "after the coordinate along which the ground moves"
                                : "after the coordinate that the force acts on");
        forcing f = { .ground = ground };
        noe_moving_each(p, &m, act, &f);
    } while (noe_expect_comma(p));
}

void noe_force_statement_force(noe_parser *p) { acting(p, false); }

/* Positions of a structure on an accelerated ground are relative to it, M (q'' + a) + C q' + K q =
 * f. */
void noe_force_statement_ground(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    acting(p, true);
    if (!p->model->sparse)
        noe_source_fail(&p->lex.source, at,
                        "the ground moves under structures given by matrices; elsewhere write what "
                        "moves into the "
                        "kinetic energy, (x' + w)^2");
}

void noe_force_statement_dissipation(noe_parser *p)
{
    noe_graph   *g = &p->model->graph;
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_constant_expression_checked(p);
    if (!(g->node[x].has & NOE_HAS_V))
        noe_source_fail(&p->lex.source, at,
                        "the dissipation function contains no velocities: its force -dD/dq' is 0");
    p->model->dissipation = noe_simplify_make(g, NOE_ADD, p->model->dissipation, x, 0);
}

bool noe_force_statement_is_forced(const noe_model *m)
{
    return m->forces || m->graph.node[m->dissipation].has & NOE_HAS_V;
}

/* to_j = sum force_j, drag_j = dD/dq_j'. */
static void parts(noe_model *m, noe_ex *to, noe_ex *drag)
{
    noe_graph *g = &m->graph;
    noe_derivative_gradient(g, m->dissipation, m->n, drag);
    for (int j = 0; j < m->n; j++) to[j] = noe_graph_number(g, 0), drag[j] = drag[m->n + j];
    for (int k = 0; k < m->forces; k++) {
        noe_ex *x = &to[m->force[k].index];
        *x = noe_simplify_make(g, NOE_ADD, *x, m->force[k].ex, 0);
    }
}

void noe_force_statement_forces(noe_model *m, noe_ex *to, noe_ex *scratch)
{
    parts(m, to, scratch);
    for (int j = 0; j < m->n; j++)
        to[j] = noe_simplify_make(&m->graph, NOE_SUB, to[j], scratch[j], 0);
}

static noe_ex times_velocity(noe_model *m, const noe_ex *x)
{
    noe_graph *g = &m->graph;
    noe_ex     sum = noe_graph_number(g, 0);
    for (int j = 0; j < m->n; j++)
        sum = noe_simplify_make(g, NOE_ADD, sum,
                                noe_simplify_make(g, NOE_MUL, x[j], noe_graph_leaf(g, NOE_V, j), 0),
                                0);
    return sum;
}

void noe_force_statement_power(noe_model *m, noe_ex power[2], noe_ex *scratch)
{
    parts(m, scratch, scratch + m->n);
    power[0] = noe_simplify_make(&m->graph, NOE_SUB, times_velocity(m, scratch),
                                 noe_derivative_by_time(&m->graph, m->L), 0);
    power[1] = times_velocity(m, scratch + m->n);
}
