/* name := expression: parameters, definitions, observables; coordinates.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/family.h"

#include <unistd.h>

enum {
    BYTES = 160,
    COORDINATES_MOST = 2000000000
}; /* what a coordinate of a grouped model takes, in all */

static const char *here(const noe_parser *p) { return p->lex.source.text + p->lex.token.at; }

/* The NAME at hand, not reserved and not taken (but by a family of this kind, which gets another
 * member); moves past it. */
noe_token noe_declaration_new_name(noe_parser *p, noe_is_what what)
{
    const noe_token k = p->lex.token;
    if (k.kind != NOE_NAME) noe_expect_fail(p, "a name");
    const int shown = noe_source_shown(here(p), k.length, 60);
    if (noe_resolve_is_reserved(&p->lex))
        noe_source_fail(&p->lex.source, k.at, "'%.*s' is a reserved name", shown, here(p));
    const noe_symbol *old = noe_model_find(p->model, here(p), k.length);
    noe_lexer_next(&p->lex);
    const bool more = old && old->family && old->what == what && what >= NOE_IS_DEFINITION
                   && noe_lexer_is(&p->lex, '[');
    if (old && !more)
        noe_source_fail(&p->lex.source, k.at, "'%.*s' is declared already, in line %d", shown,
                        p->lex.source.text + k.at, noe_source_line(&p->lex.source, old->at));
    return k;
}

/* The running number of parameters and coordinates that a declaration adds. */
static int64_t members(noe_parser *p, const noe_token *k, noe_left *left, int64_t most)
{
    const char *name = p->lex.source.text + k->at;
    const int   shown = noe_source_shown(name, k->length, 60);
    if (left->kind == NOE_LEFT_PLAIN) return 1;
    if (left->kind == NOE_LEFT_MEMBER || left->kind == NOE_LEFT_EACH)
        noe_source_fail(&p->lex.source, left->at, "expected the range of a family, '%.*s[1..10]'",
                        shown, name);
    if (left->hi < left->lo)
        noe_source_fail(&p->lex.source, left->at, "'%.*s[%lld..%lld]' has no members", shown, name,
                        (long long)left->lo, (long long)left->hi);
    if (left->hi - left->lo >= most)
        noe_source_fail(&p->lex.source, left->at, "'%.*s[%lld..%lld]' has more than %lld members",
                        shown, name, (long long)left->lo, (long long)left->hi, (long long)most);
    return left->hi - left->lo + 1;
}

/* Outside its own expression an overridden parameter needs no value of its own: that may be 1/0. */
static quad parameter(noe_parser *p, const noe_token *k)
{
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_constant_expression_parse(p);
    quad         value;
    if (noe_assignment_of_parameter(p, k, NULL, &value)) return value;
    p->constant = x;
    return noe_constant_expression_finite(p, x, at);
}

static int keep_parameter(noe_parser *p, quad value)
{
    noe_model *m = p->model;
    noe_model_push(p, &m->param, m->params, sizeof *m->param);
    noe_model_push(p, &m->given, m->params, sizeof *m->given);
    m->given[m->params] = p->constant;
    m->param[m->params] = value;
    return m->params++;
}

static void add_parameter(noe_parser *p, noe_symbol *s, quad value)
{
    s->index = keep_parameter(p, value);
    s->ex = noe_graph_leaf(p->graph, NOE_PARAM, s->index);
}

static void parameters(noe_parser *p, const noe_token *k, noe_left *left)
{
    const int64_t count = members(p, k, left,
                                  p->model->grouped ? COORDINATES_MOST : NOE_FAMILY_MOST);
    quad         *value = noe_model_alloc(p, (size_t)count * sizeof *value);
    noe_ex       *ex = noe_model_alloc(p, (size_t)count * sizeof *ex);
    noe_family_values_parse(p, left, value, ex);
    noe_symbol *f = noe_family_new(p, NOE_IS_PARAMETER, k, left->lo, left->hi);
    f->index = p->model->params;
    for (int64_t i = left->lo; i <= left->hi; i++) {
        quad x = value[i - left->lo];
        p->constant = ex[i - left->lo];
        noe_assignment_of_parameter(p, k, &i, &x);
        if (p->model->grouped) keep_parameter(p, x);
        else add_parameter(p, noe_family_new_member(p, f, i), x);
    }
}

void noe_declaration_define(noe_parser *p, noe_is_what what)
{
    const noe_token k = noe_declaration_new_name(p, what);
    const char     *name = p->lex.source.text + k.at;
    noe_left        left = noe_index_binding_left_side(p);
    noe_expect_token(p, '=',
                     what == NOE_IS_PARAMETER ? "and a value after the parameter's name"
                                              : "after the name");
    if (left.kind != NOE_LEFT_PLAIN) {
        if (what == NOE_IS_PARAMETER) parameters(p, &k, &left);
        else noe_family_definition_parse(p, what, &k, &left);
        return;
    }
    p->defining = name, p->defining_length = k.length;
    const quad   value = what == NOE_IS_PARAMETER ? parameter(p, &k) : 0;
    const noe_ex ex = what == NOE_IS_PARAMETER ? 0 : noe_expression_parse(p);
    p->defining = NULL;
    noe_symbol *s = noe_model_declare(p, what, &k);
    s->ex = ex;
    if (what == NOE_IS_PARAMETER) add_parameter(p, s, value);
    if (what == NOE_IS_OBSERVABLE) noe_observable_add(p, s);
}

static void add_coordinate(noe_parser *p, noe_symbol *s)
{
    noe_model *m = p->model;
    noe_model_push(p, &m->coordinate, m->n, sizeof *m->coordinate);
    noe_model_push(p, &m->begin, m->n, sizeof *m->begin);
    noe_model_push(p, &m->fix, m->n, sizeof *m->fix);
    m->begin[m->n] = (noe_begin){ 0 };
    m->fix[m->n] = -1;
    m->coordinate[s->index = m->n++] = s;
    s->ex = noe_graph_leaf(p->graph, NOE_Q, s->index);
}

static void check_memory(noe_parser *p, const noe_left *left, int64_t n)
{
    const double want = (double)n * BYTES,
                 have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (n > COORDINATES_MOST || (have > 0 && want > have))
        noe_source_fail(&p->lex.source, left->at,
                        "%lld coordinates need about %.3g GB of memory, this machine has %.3g",
                        (long long)n, want / 1e9, have / 1e9);
}

/* Many coordinates: the sums stay sums, and so the text is read anew. */
static void regroup(noe_parser *p, const noe_left *left, int64_t count)
{
    const noe_model *m = p->model;
    const int64_t    n = m->n + count;
    if (!m->grouped && !m->written && n > NOE_GROUPED_FROM) {
        p->again = NOE_READ_GROUPED;
        longjmp(*p->lex.source.stop, 1);
    }
    if (m->grouped) check_memory(p, left, n);
    else if (n > NOE_COORDINATES_MOST && !m->sparse)
        noe_source_fail(&p->lex.source, left->at, "more than %d coordinates", NOE_COORDINATES_MOST);
}

void noe_declaration_coordinates(noe_parser *p)
{
    do {
        const noe_token k = noe_declaration_new_name(p, NOE_IS_COORDINATE);
        noe_left        left = noe_index_binding_left_side(p);
        const int64_t   count = members(p, &k, &left, (int64_t)1 << 40);
        regroup(p, &left, count);
        if (p->model->grouped) {
            noe_symbol *s = left.kind == NOE_LEFT_PLAIN
                              ? noe_model_declare(p, NOE_IS_COORDINATE, &k)
                              : noe_family_new(p, NOE_IS_COORDINATE, &k, left.lo, left.hi);
            s->index = p->model->n;
            if (!s->family) s->ex = noe_graph_leaf(p->graph, NOE_Q, s->index);
            p->model->n += (int)count;
            continue;
        }
        if (left.kind == NOE_LEFT_PLAIN) {
            add_coordinate(p, noe_model_declare(p, NOE_IS_COORDINATE, &k));
            continue;
        }
        noe_symbol *f = noe_family_new(p, NOE_IS_COORDINATE, &k, left.lo, left.hi);
        for (int64_t i = 0; i < count; i++)
            add_coordinate(p, noe_family_new_member(p, f, left.lo + i));
    } while (noe_expect_comma(p));
}
