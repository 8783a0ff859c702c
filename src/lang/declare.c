/* name := expression: parameters, definitions, observables; coordinates.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/parser.h"

static const char *here(const noe_parser *p) { return p->lex.source.text + p->lex.token.at; }

/* The NAME at hand, not reserved and not taken; moves past it. */
static noe_token fresh(noe_parser *p)
{
    const noe_token k = p->lex.token;
    if (k.kind != NOE_NAME) noe_wrong(p, "a name");
    const int shown = noe_source_shown(here(p), k.length, 60);
    if (noe_is_reserved(&p->lex))
        noe_source_fail(&p->lex.source, k.at, "'%.*s' is a reserved name", shown, here(p));
    const noe_symbol *old = noe_model_find(p->model, here(p), k.length);
    if (old)
        noe_source_fail(&p->lex.source, k.at, "'%.*s' is declared already, in line %d", shown, here(p),
                        noe_source_line(&p->lex.source, old->at));
    noe_lex(&p->lex);
    return k;
}

/* Outside its own expression an overridden parameter needs no value of its own: that may be 1/0. */
static quad parameter(noe_parser *p, const char *name, size_t length)
{
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_still(p);
    quad         value;
    if (noe_change_parameter(p, name, length, &value)) return value;
    p->constant = x;
    return noe_finite(p, x, at);
}

void noe_define(noe_parser *p, noe_is_what what)
{
    noe_model      *m = p->model;
    const noe_token k = fresh(p);
    const char     *name = p->lex.source.text + k.at;
    noe_ex          ex = 0;
    quad            value = 0;
    noe_expect(p, '=',
               what == NOE_IS_PARAMETER ? "and a value after the parameter's name" : "after the name");
    p->defining = name, p->defining_length = k.length;
    if (what == NOE_IS_PARAMETER) value = parameter(p, name, k.length);
    else ex = noe_expression(p);
    p->defining = NULL;
    noe_symbol *s = noe_declare(p, what, &k);
    s->ex = ex;
    if (what == NOE_IS_PARAMETER) {
        noe_push(p, &m->param, m->params, sizeof *m->param);
        noe_push(p, &m->given, m->params, sizeof *m->given);
        m->given[m->params] = p->constant;
        m->param[s->index = m->params++] = value;
        s->ex = noe_leaf(&m->graph, NOE_PARAM, s->index);
    } else if (what == NOE_IS_OBSERVABLE) {
        noe_push(p, &m->observable, m->observables, sizeof *m->observable);
        m->observable[s->index = m->observables++] = s;
    }
}

void noe_coordinates(noe_parser *p)
{
    noe_model *m = p->model;
    do {
        const noe_token k = fresh(p);
        noe_symbol     *s = noe_declare(p, NOE_IS_COORDINATE, &k);
        noe_push(p, &m->coordinate, m->n, sizeof *m->coordinate);
        noe_push(p, &m->begin, m->n, sizeof *m->begin);
        m->begin[m->n] = (noe_begin){ 0 };
        m->coordinate[s->index = m->n++] = s;
        s->ex = noe_leaf(&m->graph, NOE_Q, s->index);
    } while (noe_comma(p));
}
