/* T = m r'^2/2 + Omega.I Omega/2 + 2 I0 (Q.Q')^2, Omega = 2 Im(conj(Q) Q'), |Q| = 1: a rigid body.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The attitude is a unit quaternion Q, kept by the constraint I0 (|Q|^2 - 1)/2 = 0, which is scaled
 * by the inertia so that its multiplier is an energy.  The last term of T is 0 where the constraint
 * holds; it makes the mass matrix 4 (E'IE + I0 Q Q') of the four coordinates regular.  I0 =
 * (A + B + C)/3.  Rotations from the left and from the right are linear in Q, and so momenta of
 * symmetries are preserved to rounding. */
#include "statement/rigid_body.h"

#include <stdio.h>
#include <string.h>

static noe_ex number(noe_parser *p, double x) { return noe_graph_number(p->graph, (quad)x); }

static noe_ex half(noe_parser *p, noe_ex x) { return noe_parser_make(p, NOE_DIV, x, number(p, 2)); }

static noe_quantity twice(noe_parser *p, noe_quantity a)
{
    return noe_quantity_product(p, NOE_MUL, noe_quantity_number(number(p, 2)), a, 0);
}

/* The symbol NAME.quantity of a body. */
static noe_symbol *own(noe_parser *p, noe_is_what what, const struct noe_body *b,
                       const char *quantity, size_t at)
{
    const size_t capacity = strlen(b->name) + strlen(quantity) + 2;
    char        *name = noe_model_alloc(p, capacity);
    snprintf(name, capacity, "%s.%s", b->name, quantity);
    return noe_model_declare_name(p, what, name, capacity - 1, at);
}

static noe_ex coordinate(noe_parser *p, noe_symbol *s)
{
    noe_declaration_coordinate(p, s);
    return s->ex;
}

static void coordinates(noe_parser *p, struct noe_body *b, size_t at)
{
    static const char *const part[] = { "attitude.w", "attitude.x", "attitude.y", "attitude.z" };
    noe_symbol              *r = own(p, NOE_IS_COORDINATE, b, "r", at);
    noe_vector_symbol_split(p, r);
    b->r.vector = b->Q.u.vector = true;
    for (int c = 0; c < 3; c++) b->r.ex[c] = coordinate(p, r->component[c]);
    b->first = p->model->n;
    for (int c = 0; c < 4; c++) {
        const noe_ex x = coordinate(p, own(p, NOE_IS_COORDINATE, b, part[c], at));
        if (c) b->Q.u.ex[c - 1] = x;
        else b->Q.w = x;
    }
    noe_begin *w = &p->model->begin[b->first]; /* without a start the axes are those of space */
    w->q = 1, w->ex_q = number(p, 1);
    w->has_q = w->ruled_q = true;
}

static void observe(noe_parser *p, const struct noe_body *b, const char *name, noe_quantity x,
                    size_t at)
{
    noe_symbol *s = own(p, NOE_IS_OBSERVABLE, b, name, at);
    noe_vector_symbol_split(p, s);
    for (int c = 0; c < 3; c++) {
        s->component[c]->ex = x.ex[c];
        noe_observable_add(p, s->component[c]);
    }
}

static noe_quantity unit(noe_parser *p, int axis)
{
    noe_quantity e = { .vector = true };
    for (int c = 0; c < 3; c++) e.ex[c] = number(p, c == axis);
    return e;
}

static noe_quantity halves(noe_parser *p, noe_quantity a)
{
    return noe_quantity_product(p, NOE_DIV, a, noe_quantity_number(number(p, 2)), 0);
}

/* Omega, in body axes; the angular momenta Im(conj(Q) P)/2 in body axes, Im(P conj(Q))/2 in space;
 * the axes. */
static void observables(noe_parser *p, const struct noe_body *b, noe_quantity omega, size_t at)
{
    static const char *const axis[] = { "e1", "e2", "e3" };
    noe_quaternion           P = { noe_graph_leaf(p->graph, NOE_P, b->first), { .vector = true } };
    for (int c = 0; c < 3; c++) P.u.ex[c] = noe_graph_leaf(p->graph, NOE_P, b->first + 1 + c);
    const noe_quaternion turned = noe_quaternion_conjugate(p, &b->Q),
                         body = noe_quaternion_product(p, &turned, &P),
                         space = noe_quaternion_product(p, &P, &turned);
    observe(p, b, "omega", omega, at);
    observe(p, b, "L", halves(p, space.u), at);
    observe(p, b, "L_body", halves(p, body.u), at);
    for (int c = 0; c < 3; c++)
        observe(p, b, axis[c], noe_quaternion_rotate(p, &b->Q, unit(p, c)), at);
}

static void kinetic(noe_parser *p, const struct noe_body *b, noe_ex mass, const noe_ex *inertia,
                    size_t at)
{
    noe_model     *m = p->model;
    noe_quantity   rate = { .vector = true }, v = rate;
    noe_quaternion W = { noe_graph_leaf(p->graph, NOE_V, b->first), rate };
    for (int c = 0; c < 3; c++) {
        v.ex[c] = noe_graph_leaf(p->graph, NOE_V, b->first - 3 + c);
        W.u.ex[c] = noe_graph_leaf(p->graph, NOE_V, b->first + 1 + c);
    }
    const noe_quaternion turned = noe_quaternion_conjugate(p, &b->Q),
                         product = noe_quaternion_product(p, &turned, &W);
    const noe_quantity omega = twice(p, product.u);
    noe_ex trace = noe_parser_make(p, NOE_ADD, noe_parser_make(p, NOE_ADD, inertia[0], inertia[1]),
                                   inertia[2]),
           I0 = noe_parser_make(p, NOE_DIV, trace, number(p, 3)),
           T = noe_parser_make(p, NOE_MUL, half(p, mass), noe_quantity_dot(p, &v, &v));
    for (int c = 0; c < 3; c++) {
        const noe_ex square = noe_parser_make(p, NOE_POW, omega.ex[c], number(p, 2));
        T = noe_parser_make(p, NOE_ADD, T,
                            noe_parser_make(p, NOE_MUL, half(p, inertia[c]), square));
    }
    const noe_ex stretch = noe_quaternion_dot(p, &b->Q, &W),
                 square = noe_parser_make(p, NOE_POW, stretch, number(p, 2)),
                 heavy = noe_parser_make(p, NOE_MUL, number(p, 2), I0);
    T = noe_parser_make(p, NOE_ADD, T, noe_parser_make(p, NOE_MUL, heavy, square));
    m->L = noe_parser_make(p, NOE_ADD, m->L, T);
    observables(p, b, omega, at);

    const noe_ex half_I0 = half(p, I0);
    const size_t capacity = strlen(b->name) + 6;
    char        *name = noe_model_alloc(p, capacity);
    snprintf(name, capacity, "%s.unit", b->name);
    noe_constraint g = { .name = name, .named = at, .at = at };
    g.left = noe_parser_make(p, NOE_MUL, half_I0, noe_quaternion_dot(p, &b->Q, &b->Q));
    g.right = half_I0;
    g.g = noe_parser_make(p, NOE_SUB, g.left, g.right);
    noe_model_push(p, &m->constraint, m->constraints, sizeof *m->constraint);
    m->constraint[m->constraints++] = g;
}

/* NAME = value, of parameters. */
static noe_quantity constant(noe_parser *p, const char *word, size_t *at)
{
    if (!noe_lexer_is_word(&p->lex, word))
        noe_expect_fail(p, "a body's 'mass = m, inertia = (A, B, C)'");
    noe_lexer_next(&p->lex);
    noe_expect_token(p, '=', "after what the body has");
    *at = p->lex.token.at;
    const noe_quantity x = noe_expression_quantity(p);
    for (int c = 0; c < (x.vector ? 3 : 1); c++) {
        noe_constant_expression_need(p, x.ex[c], *at);
        if (!(noe_constant_expression_finite(p, x.ex[c], *at) > 0))
            noe_source_fail(&p->lex.source, *at, "%s must be greater than 0%s", word,
                            x.vector ? ": it has three principal moments about the centre of mass"
                                     : "");
    }
    return x;
}

void noe_rigid_body_parse(noe_parser *p)
{
    const noe_token k = noe_declaration_new_name(p, NOE_IS_BODY);
    size_t          at;
    noe_expect_token(p, ':', "after the body's name: body top: mass = 1, inertia = (1, 1, 2)");
    const noe_quantity given = constant(p, "mass", &at);
    const noe_ex       mass = noe_quantity_as_number(p, given, at, NULL);
    noe_expect_token(p, ',', "and the body's inertia = (A, B, C)");
    const noe_quantity inertia = constant(p, "inertia", &at);
    noe_quantity_need_vector(p, inertia, at);
    for (int c = 0; c < 3; c++) {
        quad I[3];
        for (int i = 0; i < 3; i++)
            I[i] = noe_evaluate_constant(p->graph, inertia.ex[(c + i) % 3], p->model->param);
        if (I[0] > (I[1] + I[2]) * (1 + 1e-12))
            noe_source_fail(&p->lex.source, at,
                            "no body has these principal moments of inertia: each is at most the "
                            "sum of the two others");
    }
    noe_model_push(p, &p->body, p->bodies, sizeof *p->body);
    struct noe_body *b = p->body[p->bodies++] = noe_model_alloc(p, sizeof *b);
    *b = (struct noe_body){ .name = noe_model_declare(p, NOE_IS_BODY, &k)->name };
    noe_model *m = p->model;
    noe_model_push(p, &m->solid, m->solids, sizeof *m->solid);
    m->solid[m->solids++] =
        (noe_solid){ b->name, mass, { inertia.ex[0], inertia.ex[1], inertia.ex[2] } };
    coordinates(p, b, k.at);
    kinetic(p, b, mass, inertia.ex, k.at);
}

/* NAME on BODY = (a, b, c): a point of a body, or an axis that turns with it, as a vector. */
static void vector_on_body(noe_parser *p, bool point)
{
    const noe_token  k = noe_declaration_new_name(p, NOE_IS_DEFINITION);
    struct noe_body *b = NULL;
    if (!noe_lexer_is_word(&p->lex, "on")) noe_expect_fail(p, "'on' and the name of a body");
    noe_lexer_next(&p->lex);
    for (int i = 0; i < p->bodies; i++)
        if (noe_lexer_is_word(&p->lex, p->body[i]->name)) b = p->body[i];
    if (!b) noe_expect_fail(p, "the name of a body above");
    noe_lexer_next(&p->lex);
    noe_expect_token(p, '=', "and where it is in body axes, (a, b, c)");
    const size_t at = p->lex.token.at;
    noe_quantity x = noe_expression_quantity(p);
    noe_quantity_need_vector(p, x, at);
    x = noe_quaternion_rotate(p, &b->Q, x);
    if (point) x = noe_quantity_sum(p, NOE_ADD, b->r, x, at);
    noe_symbol *s = noe_model_declare(p, NOE_IS_DEFINITION, &k);
    noe_vector_symbol_split(p, s);
    for (int c = 0; c < 3; c++) s->component[c]->ex = x.ex[c];
}

void noe_rigid_body_point(noe_parser *p) { vector_on_body(p, true); }
void noe_rigid_body_axis(noe_parser *p) { vector_on_body(p, false); }
