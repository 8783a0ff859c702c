/* Expressions that begin with a name: x, x' = dx/dt, sin(x), p(q1) = dL/dq1', pi, t, energy.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "model/sum_parser.h"

#include <string.h>

static const struct {
    const char *name; /* of the function */
    noe_op      op;
    int         arguments; /* their number */
} functions[] = {
#define FUNCTION(name, derivative) { #name, NOE_FN_##name, 1 },
#include "expr/functions.def"
#undef FUNCTION
    { "atan2", NOE_ATAN2, 2 },
    { "min", NOE_MIN, 2 },
    { "max", NOE_MAX, 2 },
    { "if", NOE_IF, 3 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* The arguments of function i, whose name has been read. The branches of if(..) may be vectors. */
static noe_quantity call(noe_parser *p, int i)
{
    const noe_source *s = &p->lex.source;
    const char       *name = functions[i].name;
    const int         n = functions[i].arguments;
    const bool        choice = functions[i].op == NOE_IF;
    const size_t      opened = p->lex.token.at;
    noe_quantity      argument[3] = { 0 }, result = { 0 };
    noe_expect_token(p, '(', "after the name of a function");
    for (int k = 0; k < n; k++) {
        if (noe_lexer_is(&p->lex, ')'))
            noe_source_fail(s, p->lex.token.at, "%s takes %d argument%s, here is %s", name, n,
                            n > 1 ? "s" : "",
                            k == 0   ? "none"
                            : k == 1 ? "only one"
                                     : "one too few");
        if (k) noe_expect_token(p, ',', "between the arguments");
        const size_t at = p->lex.token.at;
        argument[k] = choice && k == 0 ? noe_quantity_number(noe_condition_parse(p))
                                       : noe_expression_quantity(p);
        if (!choice || (k == 2 && !argument[1].vector))
            noe_quantity_as_number(p, argument[k], at, "norm(a) is the length of a vector");
        else if (k == 2) noe_quantity_need_vector(p, argument[2], at);
    }
    if (noe_lexer_is(&p->lex, ','))
        noe_source_fail(s, p->lex.token.at, "%s takes %d argument%s, here are more", name, n,
                        n > 1 ? "s" : "");
    noe_expect_close(p, opened, "after the arguments");
    result.vector = choice && argument[1].vector;
    for (int c = 0; c < (result.vector ? 3 : 1); c++)
        result.ex[c] = noe_simplify_make(p->graph, functions[i].op, argument[0].ex[0],
                                         argument[1].ex[c], argument[2].ex[c]);
    return result;
}

/* dot(a, b), cross(a, b), norm(a); false if the current name is none of them. */
static bool of_vectors(noe_parser *p, noe_quantity *result)
{
    static const char *const name[] = { "dot", "cross", "norm" };
    int                      i = 0;
    while (i < 3 && !noe_lexer_is_word(&p->lex, name[i])) i++;
    if (i == 3) return false;
    noe_lexer_next(&p->lex);
    const size_t opened = p->lex.token.at;
    noe_quantity a[2];
    noe_expect_token(p, '(', "after the name of a function");
    for (int k = 0; k < (i == 2 ? 1 : 2); k++) {
        if (k) noe_expect_token(p, ',', "between the two vectors");
        const size_t at = p->lex.token.at;
        a[k] = noe_expression_quantity(p);
        if (!i && !k && !a[k].vector && noe_lexer_is(&p->lex, ')'))
            noe_source_fail(&p->lex.source, opened,
                            "dot(a, b) is the product of two vectors, here is one argument; the "
                            "time derivative of q is q'");
        noe_quantity_need_vector(p, a[k], at);
    }
    if (noe_lexer_is(&p->lex, ','))
        noe_source_fail(&p->lex.source, p->lex.token.at, "%s takes %s, here are more", name[i],
                        i == 2 ? "one vector" : "two vectors");
    noe_expect_close(p, opened, "after the arguments");
    if (i == 1) {
        *result = noe_quantity_cross(p, &a[0], &a[1]);
        return true;
    }
    const noe_ex product = noe_quantity_dot(p, &a[0], &a[i == 2 ? 0 : 1]);
    *result = noe_quantity_number(i == 0 ? product
                                         : noe_simplify_make(p->graph, NOE_FN_sqrt, product, 0, 0));
    return true;
}

/* p(q1), allowed in observables and Hamiltonians; p has been read.  The momentum of a vector has
 * three components. */
static noe_quantity momentum(noe_parser *p, size_t at)
{
    const size_t opened = p->lex.token.at;
    if (!p->observing && !p->momenta)
        noe_source_fail(
            &p->lex.source, at,
            "momenta p(..) have a meaning only in start, observe, event and hamiltonian");
    if (p->momenta && p->model->grouped) noe_write_out_sums(p, at, "momenta in definitions");
    noe_expect_token(p, '(', "after p: a momentum is p(q1)");
    noe_quantity x = noe_quantity_components(
        p, noe_resolve_coordinate(p, "is no coordinate: only coordinates have momenta"));
    noe_expect_close(p, opened, "after the coordinate");
    for (int c = 0; c < (x.vector ? 3 : 1); c++)
        x.ex[c] = noe_graph_leaf(p->graph, NOE_P, p->graph->node[x.ex[c]].a);
    return x;
}

/* Does the expression contain the energy? */
static bool has_energy(noe_graph *g, noe_ex x)
{
    for (int k = noe_evaluate_reach(g, &x, 1); k-- > 0;)
        if (g->node[g->list[k]].op == NOE_H) return true;
    return false;
}

/* A name of the model; outside of observables it must not depend on momenta or the energy. */
static noe_quantity symbol(noe_parser *p)
{
    const size_t       at = p->lex.token.at;
    const noe_symbol  *s;
    const noe_quantity x = noe_resolve_quantity(p, &s);
    uint8_t            has = 0;
    if (s->what == NOE_IS_SYMMETRY)
        noe_source_fail(&p->lex.source, at,
                        "'%.*s' is a symmetry: its momentum is a column, not part of an expression",
                        noe_source_shown(s->name, strlen(s->name), 60), s->name);
    for (int c = 0; c < (x.vector ? 3 : 1); c++) has |= p->graph->node[x.ex[c]].has;
    bool refused = !p->observing && has & NOE_HAS_P;
    if (refused && p->momenta) {
        refused = false;
        for (int c = 0; c < (x.vector ? 3 : 1); c++) refused |= has_energy(p->graph, x.ex[c]);
    }
    if (refused)
        noe_source_fail(
            &p->lex.source, at,
            "'%.*s' contains momenta or the energy: it has a meaning only in observe, event and "
            "hamiltonian",
            noe_source_shown(s->name, strlen(s->name), 60), s->name);
    return x;
}

static noe_ex rate(noe_parser *p, noe_ex x)
{
    const uint8_t has = p->graph->node[x].has;
    const char   *why = has & NOE_HAS_V ? "velocities: a model has no accelerations"
                      : has & NOE_HAS_P ? "momenta or the energy"
                                        : NULL;
    if (why)
        noe_source_fail(&p->lex.source, p->lex.token.at, "the prime of something that contains %s",
                        why);
    if (has & NOE_HAS_SUM) noe_sum_parser_rates(p);
    return noe_derivative_rate(p->graph, x);
}

/* What follows a name: primes, and components of a vector. */
static noe_quantity primes(noe_parser *p, noe_quantity x)
{
    for (;;) {
        x = noe_quantity_components(p, x);
        if (!noe_lexer_is(&p->lex, '\'')) return x;
        for (int c = 0; c < (x.vector ? 3 : 1); c++) x.ex[c] = rate(p, x.ex[c]);
        noe_lexer_next(&p->lex);
    }
}

noe_quantity noe_name_expression_parse(noe_parser *p)
{
    noe_graph   *g = p->graph;
    const size_t at = p->lex.token.at;
    const bool   pi = noe_lexer_is_word(&p->lex, "pi");
    int          i = 0;
    const int    bound = noe_index_expression_bound_at(p);
    if (bound >= 0) {
        noe_lexer_next(&p->lex);
        const noe_index *is = &p->bound[bound].is;
        return noe_quantity_number(noe_index_expression_is_fixed(is)
                                       ? noe_graph_number(g, (quad)is->constant)
                                   : p->dry ? p->dry->stand_in.ex
                                            : noe_sum_slot_index(p, is));
    }
    /* Names of the model come first, as most are; none of the words below can be one of them. */
    if (noe_model_find(p->model, p->lex.source.text + at, p->lex.token.length))
        return primes(p, symbol(p));
    if (pi || noe_lexer_is_word(&p->lex, "t")) {
        noe_lexer_next(&p->lex);
        return primes(p, noe_quantity_number(pi ? noe_number_literal_make(p, acosq(-1), NULL, 0)
                                                : noe_graph_leaf(g, NOE_T, 0)));
    }
    if (noe_lexer_is_word(&p->lex, "energy")) {
        if (!p->observing)
            noe_source_fail(&p->lex.source, at, "'energy' has a meaning only in observe and event");
        noe_lexer_next(&p->lex);
        return primes(p, noe_quantity_number(noe_graph_leaf(g, NOE_H, 0)));
    }
    if (noe_lexer_is_word(&p->lex, "sum")) {
        noe_lexer_next(&p->lex);
        return noe_expanded_sum_parse(p, at);
    }
    if (noe_lexer_is_word(&p->lex, "table")) {
        noe_lexer_next(&p->lex);
        return noe_quantity_number(noe_table_lookup_parse(p));
    }
    noe_quantity x;
    if (!of_vectors(p, &x)) {
        while (i < FUNCTIONS && !noe_lexer_is_word(&p->lex, functions[i].name)) i++;
        if (i == FUNCTIONS && !noe_lexer_is_word(&p->lex, "p"))
            return symbol(p); /* says that it is unknown */
        noe_lexer_next(&p->lex);
        x = i < FUNCTIONS ? call(p, i) : momentum(p, at);
    }
    if (noe_lexer_is(&p->lex, '\''))
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "a prime belongs to a name: give the expression a name");
    return noe_quantity_components(p, x);
}
