/* monitor G|auto [reversible]: steps in proportion to G(t, q) > 0; from outside, "monitor = G".
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/sum_parser.h"

#include <string.h>

/* G, and the form that it is used in; m->monitor is still empty.  Whether steps can follow G is
 * asked later: an assignment from outside may replace it. */
static void read(noe_parser *p)
{
    noe_monitor *to = &p->model->monitor;
    noe_lexer   *x = &p->lex;
    to->at = x->token.at;
    to->source = x->source;
    to->automatic = noe_lexer_is_word(x, "auto") && !noe_model_find(p->model, "auto", 4);
    if (to->automatic) noe_lexer_next(x), to->G = noe_graph_number(p->graph, 1);
    else to->G = noe_constant_expression_checked(p);
    to->reversible = noe_lexer_is_word(x, "reversible");
    if (to->reversible) noe_lexer_next(x);
    if (x->token.kind == NOE_NAME) noe_expect_fail(p, "'reversible' or the end of the monitor");
    to->given = true;
}

void noe_monitor_statement_parse(noe_parser *p)
{
    if (p->model->monitor.given)
        noe_source_fail(&p->lex.source, p->lex.token.at, "a second monitor: steps follow one");
    read(p);
}

bool noe_monitor_statement_assign(noe_parser *p)
{
    static const char name[] = "monitor";
    if (!noe_lexer_is_word(&p->lex, name) || noe_model_find(p->model, name, sizeof name - 1))
        return false;
    if (p->model->grouped) noe_write_out_sums(p, p->lex.token.at, "a monitor");
    noe_lexer_next(&p->lex);
    noe_expect_token(p, '=', "after 'monitor'");
    const bool named = noe_model_find(p->model, "none", 4) != NULL;
    p->model->monitor = (noe_monitor){ 0 };
    if (!named && noe_lexer_is_word(&p->lex, "none")) noe_lexer_next(&p->lex);
    else read(p);
    return true;
}

/* The text of the monitor, for messages. */
static noe_source source_of(const noe_parser *p)
{
    noe_source at = p->model->monitor.source;
    at.stop = p->lex.source.stop;
    return at;
}

/* The end of a message about a monitor that is to be left out: how to do so without a change of the
 * text. */
static const char *way_out(const noe_parser *p)
{
    const bool stated = p->model->monitor.source.text == p->lex.source.text;
    return stated ? ", or write 'monitor=none' after the name of the file in the command" : "";
}

static void warn_of_kink(noe_parser *p)
{
    const noe_monitor *x = &p->model->monitor;
    if (!(noe_evaluate_bends(p->graph, x->G) & (NOE_HAS_Q | NOE_HAS_T))) return;
    const noe_source text = p->lex.source;
    p->lex.source = source_of(p);
    noe_model_warn(p, x->at,
                   "the monitor has a kink (abs, min, max, if, sign, or a table that is linear or "
                   "has an edge where it ends): where it bends, the order of the method and the "
                   "bound on the energy are lost; take a smooth function, sqrt(x^2 + a^2) for "
                   "abs(x), a table that is cubic");
    p->lex.source = text;
}

void noe_monitor_statement_finish(noe_parser *p)
{
    const noe_model   *m = p->model;
    const noe_monitor *x = &m->monitor;
    if (!x->given) return;
    const noe_source at = source_of(p);
    if (m->graph.node[x->G].has & (NOE_HAS_V | NOE_HAS_P))
        noe_source_fail(&at, x->at,
                        "a monitor depends on positions, parameters and t alone: this depends on "
                        "velocities, momenta or the energy");
    warn_of_kink(p);
    if (m->constraints)
        noe_source_fail(&p->lex.source, m->constraint[0].named,
                        "the model has constraints, and steps that follow a monitor do not keep "
                        "them: leave out 'monitor'%s",
                        way_out(p));
}

void noe_monitor_statement_check(noe_parser *p)
{
    const noe_model   *m = p->model;
    const noe_monitor *x = &m->monitor;
    if (!x->given) return;
    const noe_source at = source_of(p);
    const uint8_t    has = m->graph.node[x->G].has;
    if (m->matrix[NOE_MASS].path)
        noe_source_fail(&at, x->at,
                        "a structure, given by matrices, is stepped with one length of step: leave "
                        "out the monitor%s",
                        way_out(p));
    if (!x->automatic && !(has & (NOE_HAS_Q | NOE_HAS_T)))
        noe_source_fail(&at, x->at,
                        "the monitor depends neither on a position nor on t: all steps would be "
                        "equal; leave it out%s",
                        way_out(p));
    if (noe_force_statement_is_forced(p->model) && !x->reversible)
        noe_source_fail(&at, x->at,
                        "forces act, so that the energy is not constant, and the transformed "
                        "Lagrangian needs its value: write 'monitor .. reversible'");
}
