/* name := expression: parameters, definitions, observables; coordinates.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/family.h"
#include "model/sum_parser.h"

#include <unistd.h>

enum {
    BYTES = 160, /* memory of a coordinate in a model of sums */
    COORDINATES_MOST = 2000000000
};

static const char *here(const noe_parser *p) { return p->lex.source.text + p->lex.token.at; }

/* The current NAME, which must not be reserved or defined already (a family of this kind gets
 * another member); moves past it. */
noe_token noe_declaration_new_name(noe_parser *p, noe_is_what what)
{
    const noe_token k = p->lex.token;
    if (k.kind != NOE_NAME) noe_expect_fail(p, "a name");
    const int shown = noe_source_shown(here(p), k.length, 60);
    if (noe_resolve_is_reserved(&p->lex))
        noe_source_fail(&p->lex.source, k.at, "'%.*s' is a reserved name", shown, here(p));
    const noe_symbol *old = noe_model_find(p->model, here(p), k.length),
                     *part = old ? noe_vector_symbol_part(old, 0) : NULL;
    if (!old) noe_resolve_undotted(p);
    noe_lexer_next(&p->lex);
    const bool more = old && !old->of && part->family && part->what == what
                   && what >= NOE_IS_DEFINITION && noe_lexer_is(&p->lex, '[');
    if (old && !more)
        noe_source_fail(&p->lex.source, k.at, "'%.*s' is declared already, in line %d", shown,
                        p->lex.source.text + k.at, noe_source_line(&p->lex.source, old->at));
    return k;
}

/* How many parameters or coordinates a declaration adds; an error if there are none or more than
 * `most`. */
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

/* The value in the text of a parameter that an assignment replaces is not checked: it may be
 * 1/0. */
static quad parameter(noe_parser *p, const noe_token *k, int component, noe_ex x, size_t at)
{
    quad value;
    noe_constant_expression_need(p, x, at);
    if (noe_assignment_of_parameter(p, k, component, NULL, &value)) return value;
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

void noe_declaration_parameter(noe_parser *p, noe_symbol *s, quad value)
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
        noe_assignment_of_parameter(p, k, NOE_A_NUMBER, &i, &x);
        if (p->model->grouped) keep_parameter(p, x);
        else noe_declaration_parameter(p, noe_family_new_member(p, f, i), x);
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
    const size_t at = p->lex.token.at;
    p->defining = name, p->defining_length = k.length;
    const noe_quantity x = noe_expression_quantity(p);
    const int          parts = x.vector ? 3 : 1;
    quad               value[3] = { 0 };
    noe_ex             given[3] = { 0 };
    for (int c = 0; c < parts && what == NOE_IS_PARAMETER; c++) {
        value[c] = parameter(p, &k, x.vector ? c : NOE_A_NUMBER, x.ex[c], at);
        given[c] = p->constant;
    }
    p->defining = NULL;
    noe_symbol *s = noe_model_declare(p, what, &k);
    if (x.vector) noe_vector_symbol_split(p, s);
    for (int c = 0; c < parts; c++) {
        noe_symbol *part = noe_vector_symbol_part(s, c);
        part->ex = x.ex[c];
        p->constant = given[c];
        if (what == NOE_IS_PARAMETER) noe_declaration_parameter(p, part, value[c]);
        if (what == NOE_IS_OBSERVABLE) noe_observable_add(p, part);
    }
}

/* A coordinate, for which there is memory. */
static void put_coordinate(noe_parser *p, noe_symbol *s)
{
    noe_model *m = p->model;
    m->begin[m->n] = (noe_begin){ 0 };
    m->fix[m->n] = -1;
    m->stated[m->n] = m->n;
    m->coordinate[s->index = m->n++] = s;
    s->ex = noe_graph_leaf(p->graph, NOE_Q, s->index);
}

/* Memory for so many more coordinates. */
static void widen(noe_parser *p, int more)
{
    noe_model *m = p->model;
    noe_model_widen(p, &m->coordinate, m->n, more, sizeof *m->coordinate);
    noe_model_widen(p, &m->begin, m->n, more, sizeof *m->begin);
    noe_model_widen(p, &m->fix, m->n, more, sizeof *m->fix);
    noe_model_widen(p, &m->stated, m->n, more, sizeof *m->stated);
}

void noe_declaration_coordinate(noe_parser *p, noe_symbol *s)
{
    widen(p, 1);
    put_coordinate(p, s);
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

/* So many coordinates that sums are not written out: the text is read again. */
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

/* "coordinate vector r", but not "coordinate vector, x": passes the word. */
static bool vectors(noe_parser *p)
{
    const noe_lexer first = p->lex;
    if (!noe_lexer_is_word(&p->lex, "vector")) return false;
    noe_lexer_next(&p->lex);
    const bool word = p->lex.token.kind == NOE_NAME;
    if (!word) p->lex = first;
    return word;
}

/* A coordinate, or the members of a family. */
static void add_coordinates(noe_parser *p, noe_symbol *s, int64_t count)
{
    if (p->model->grouped) {
        s->index = p->model->n;
        if (!s->family) s->ex = noe_graph_leaf(p->graph, NOE_Q, s->index);
        p->model->n += (int)count;
    } else if (s->family) {
        widen(p, (int)count);
        for (int64_t i = s->lo; i <= s->hi; i++) put_coordinate(p, noe_family_new_member(p, s, i));
    } else {
        noe_declaration_coordinate(p, s);
    }
}

/* coordinate x in -2..2: the interval that an optimal control problem keeps x in. */
static void bounds(noe_parser *p, int64_t count, int first, size_t at)
{
    noe_limits within;
    if (!noe_control_limits_parse(p, &within)) return;
    if (p->model->grouped) noe_write_out_sums(p, at, "bounds of coordinates");
    for (int i = 0; i < count; i++)
        noe_control_limits_bound(p, noe_graph_leaf(p->graph, NOE_Q, first + i), within, at);
}

void noe_declaration_coordinates(noe_parser *p)
{
    const int parts = vectors(p) ? 3 : 1;
    do {
        const noe_token k = noe_declaration_new_name(p, NOE_IS_COORDINATE);
        noe_left        left = noe_index_binding_left_side(p);
        const int64_t   count = members(p, &k, &left, (int64_t)1 << 40);
        const int       first = p->model->n;
        regroup(p, &left, parts * count);
        noe_symbol *s = left.kind == NOE_LEFT_PLAIN
                          ? noe_model_declare(p, NOE_IS_COORDINATE, &k)
                          : noe_family_new(p, NOE_IS_COORDINATE, &k, left.lo, left.hi);
        if (parts == 3) noe_vector_symbol_split(p, s);
        for (int c = 0; c < parts; c++) add_coordinates(p, noe_vector_symbol_part(s, c), count);
        bounds(p, parts * count, first, k.at);
        for (int i = 0; i < parts * count && !p->model->grouped; i++)
            p->model->stated[first + i] = first + i % parts * (int)count + i / parts;
    } while (noe_expect_comma(p));
}
