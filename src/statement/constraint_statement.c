/* constraint NAME: EXPR = EXPR, a relation g(t, q) = left - right = 0 between positions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * constraint NAME[i in 1..n]: .. is a family of them, with the names NAME[1] .. NAME[n]. */
#include "model/family.h"

#include <stdio.h>
#include <string.h>

static void check_function(noe_parser *p, const noe_constraint *c)
{
    const uint8_t     has = p->graph->node[c->g].has;
    const noe_source *s = &p->lex.source;
    if (has & (NOE_HAS_V | NOE_HAS_P))
        noe_source_fail(
            s, c->at,
            "the constraint contains velocities: expected positions, t and parameters alone "
            "(holonomic); a relation of velocities that is the rate of one of positions is "
            "written as that, and others, as rolling without slip, are not holonomic");
    if (!(has & NOE_HAS_Q))
        noe_source_fail(s, c->at,
                        "the constraint contains no coordinate that moves: it holds always or "
                        "never, and constrains nothing");
}

/* One constraint, from the token after its colon, or one component of a constraint between
 * vectors. */
static void add_one(noe_parser *p, const char *name, size_t named)
{
    noe_model     *m = p->model;
    noe_constraint c = { .name = name, .named = named, .at = p->lex.token.at };
    for (int i = 0; i < m->constraints; i++)
        if (!strcmp(m->constraint[i].name, name))
            noe_source_fail(&p->lex.source, named,
                            "the constraint '%.60s' is declared already, in line %d", name,
                            noe_source_line(&p->lex.source, m->constraint[i].named));
    c.left = noe_constant_expression_checked(p);
    noe_expect_token(p, '=', "between the two sides of the constraint");
    c.right = noe_constant_expression_checked(p);
    c.g = noe_simplify_make(p->graph, NOE_SUB, c.left, c.right, 0);
    check_function(p, &c);
    noe_model_push(p, &m->constraint, m->constraints, sizeof *m->constraint);
    m->constraint[m->constraints++] = c;
}

/* One constraint; between vectors, the three constraints NAME.x, NAME.y and NAME.z. */
static void add(noe_parser *p, const char *name, size_t named)
{
    static const char *const component[] = { ".x", ".y", ".z", "" };
    const noe_lexer          body = p->lex;
    const bool               vector = noe_expression_quantity(p).vector;
    const size_t             capacity = strlen(name) + 3;
    for (int c = 0; c < (vector ? 3 : 1); c++) {
        char     *own = noe_model_alloc(p, capacity);
        const int stem = (int)strcspn(name, "["); /* hinge.x[3], as the components of r[3] */
        snprintf(own, capacity, "%.*s%s%s", stem, name, component[vector ? c : 3], name + stem);
        p->lex = body;
        p->component = vector ? c : NOE_A_NUMBER;
        add_one(p, own, named);
    }
    p->component = NOE_A_NUMBER;
}

typedef struct {
    noe_token name;
    noe_lexer end;
} family;

static void member(noe_parser *p, int64_t i, void *data)
{
    family      *f = data;
    const size_t length = f->name.length;
    char        *name = noe_model_alloc(p, length + 24);
    snprintf(name, length + 24, "%.*s[%lld]", (int)length, p->lex.source.text + f->name.at,
             (long long)i);
    add(p, name, f->name.at);
    f->end = p->lex;
}

void noe_constraint_statement_parse(noe_parser *p)
{
    static const char after[] = "after the constraint's name: constraint rod: x^2 + y^2 = l^2";
    noe_left          left;
    const size_t      at = p->lex.token.at;
    family            f = { .name = noe_resolve_new_name(
                                p, "a name for the constraint: constraint rod: x^2 + y^2 = l^2") };
    if (p->model->sparse)
        noe_source_fail(&p->lex.source, at,
                        "constraints go with Lagrangians that are written down, not with matrices: "
                        "fix coordinates by 'fix'");
    left = noe_index_binding_left_side(p);
    noe_expect_token(p, ':', after);
    if (left.kind == NOE_LEFT_PLAIN) {
        add(p, noe_model_copy_text(p, p->lex.source.text + f.name.at, f.name.length), f.name.at);
        return;
    }
    if (left.kind == NOE_LEFT_EACH || left.kind == NOE_LEFT_RANGE)
        noe_source_fail(&p->lex.source, left.at,
                        "over which indices does the constraint run?  Write [i in 1..10]");
    if (left.hi < left.lo)
        noe_source_fail(&p->lex.source, left.at, "the range %lld..%lld is empty",
                        (long long)left.lo, (long long)left.hi);
    if (left.hi - left.lo >= NOE_COORDINATES_MOST)
        noe_source_fail(&p->lex.source, left.at, "more than %d constraints", NOE_COORDINATES_MOST);
    noe_index_binding_each(p, &left, false, member, &f);
    p->lex = f.end;
}

void noe_constraint_statement_fix(noe_parser *p)
{
    for (int k = 0; k < p->model->constraints; k++) check_function(p, &p->model->constraint[k]);
}
