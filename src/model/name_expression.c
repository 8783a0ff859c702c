/* x, x' = dx/dt, sin(x), p(q1) = dL/dq1', pi, t, energy: what begins with a name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "model/sum_parser.h"

#include <string.h>

static const struct {
    const char *name;
    noe_op      op;
    int         arguments;
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

/* The arguments of function i; its name is behind us. */
static noe_ex call(noe_parser *p, int i)
{
    const noe_source *s = &p->lex.source;
    const char       *name = functions[i].name;
    const int         n = functions[i].arguments;
    const size_t      opened = p->lex.token.at;
    noe_ex            argument[3] = { 0 };
    noe_expect_token(p, '(', "after the name of a function");
    for (int k = 0; k < n; k++) {
        if (noe_lexer_is(&p->lex, ')'))
            noe_source_fail(s, p->lex.token.at, "%s takes %d argument%s, here is %s", name, n,
                            n > 1 ? "s" : "",
                            k == 0   ? "none"
                            : k == 1 ? "only one"
                                     : "one too few");
        if (k) noe_expect_token(p, ',', "between the arguments");
        argument[k] = functions[i].op == NOE_IF && k == 0 ? noe_condition_parse(p)
                                                          : noe_expression_parse(p);
    }
    if (noe_lexer_is(&p->lex, ','))
        noe_source_fail(s, p->lex.token.at, "%s takes %d argument%s, here are more", name, n,
                        n > 1 ? "s" : "");
    noe_expect_close(p, opened, "after the arguments");
    return noe_simplify_make(p->graph, functions[i].op, argument[0], argument[1], argument[2]);
}

/* p(q1), in observables; p is behind us. */
static noe_ex momentum(noe_parser *p, size_t at)
{
    const size_t opened = p->lex.token.at;
    if (!p->observing)
        noe_source_fail(&p->lex.source, at,
                        "momenta p(..) have a meaning only in start, observe and event");
    noe_expect_token(p, '(', "after p: a momentum is p(q1)");
    const int index =
        noe_resolve_coordinate(p, "is no coordinate: only coordinates have momenta")->index;
    noe_expect_close(p, opened, "after the coordinate");
    return noe_graph_leaf(p->graph, NOE_P, index);
}

/* A name of the model; outside observe it must not stand for momenta or the energy. */
static noe_ex symbol(noe_parser *p)
{
    const size_t      at = p->lex.token.at;
    const noe_symbol *s = noe_resolve_symbol(p);
    if (s->what == NOE_IS_SYMMETRY)
        noe_source_fail(&p->lex.source, at,
                        "'%.*s' is a symmetry: its momentum is a column, not part of an expression",
                        noe_source_shown(s->name, strlen(s->name), 60), s->name);
    if (!p->observing && p->graph->node[s->ex].has & NOE_HAS_P)
        noe_source_fail(
            &p->lex.source, at,
            "'%.*s' contains momenta or the energy: it has a meaning only in observe and event",
            noe_source_shown(s->name, strlen(s->name), 60), s->name);
    return s->ex;
}

static noe_ex primes(noe_parser *p, noe_ex x)
{
    for (; noe_lexer_is(&p->lex, '\''); noe_lexer_next(&p->lex)) {
        const uint8_t has = p->graph->node[x].has;
        const char   *why = has & NOE_HAS_V ? "velocities: a model has no accelerations"
                          : has & NOE_HAS_P ? "momenta or the energy"
                                            : NULL;
        const size_t  at = p->lex.token.at;
        if (why)
            noe_source_fail(&p->lex.source, at, "the prime of something that contains %s", why);
        if (has & NOE_HAS_SUM) noe_sum_parser_rates(p);
        x = noe_derivative_rate(p->graph, x);
    }
    return x;
}

noe_ex noe_name_expression_parse(noe_parser *p)
{
    noe_graph   *g = p->graph;
    const size_t at = p->lex.token.at;
    const bool   pi = noe_lexer_is_word(&p->lex, "pi");
    int          i = 0;
    const int    bound = noe_index_expression_bound_at(p);
    if (bound >= 0) {
        noe_lexer_next(&p->lex);
        const noe_index *is = &p->bound[bound].is;
        return noe_index_expression_is_fixed(is) ? noe_graph_number(g, (quad)is->at)
             : p->dry                            ? p->dry->stand_in.ex
                                                 : noe_sum_slot_index(p, is);
    }
    /* Most names are the model's own; no word below can be one. */
    if (noe_model_find(p->model, p->lex.source.text + at, p->lex.token.length))
        return primes(p, symbol(p));
    if (pi || noe_lexer_is_word(&p->lex, "t")) {
        noe_lexer_next(&p->lex);
        return primes(p, pi ? noe_number_literal_make(p, acosq(-1), NULL, 0)
                            : noe_graph_leaf(g, NOE_T, 0));
    }
    if (noe_lexer_is_word(&p->lex, "energy")) {
        if (!p->observing)
            noe_source_fail(&p->lex.source, at, "'energy' has a meaning only in observe and event");
        noe_lexer_next(&p->lex);
        return primes(p, noe_graph_leaf(g, NOE_H, 0));
    }
    if (noe_lexer_is_word(&p->lex, "sum")) {
        noe_lexer_next(&p->lex);
        return noe_expanded_sum_parse(p, at);
    }
    if (noe_lexer_is_word(&p->lex, "table")) {
        noe_lexer_next(&p->lex);
        return noe_table_lookup_parse(p);
    }
    while (i < FUNCTIONS && !noe_lexer_is_word(&p->lex, functions[i].name)) i++;
    if (i == FUNCTIONS && !noe_lexer_is_word(&p->lex, "p"))
        return symbol(p); /* says that it is unknown */
    noe_lexer_next(&p->lex);
    const noe_ex x = i < FUNCTIONS ? call(p, i) : momentum(p, at);
    if (noe_lexer_is(&p->lex, '\''))
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "a prime belongs to a name: give the expression a name");
    return x;
}
