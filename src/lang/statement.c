/* text = statement*: parameter, coordinate, definition, L, start, observe, suggest.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "lang/diff.h"
#include "lang/parser.h"

#include <stdlib.h>
#include <string.h>

static void next(noe_parser *p) { noe_lex(&p->lex); }

static const char *here(const noe_parser *p) { return p->lex.source.text + p->lex.token.at; }

static bool comma(noe_parser *p)
{
    if (!noe_lex_is(&p->lex, ',')) return false;
    next(p);
    return true;
}

/* The NAME token at hand as a new symbol; refuses reserved and taken names. */
static noe_symbol *fresh(noe_parser *p, noe_is_what what)
{
    static const char *const reserved[] = { "t", "pi", "p", "energy", "work", "dissipated", "ledger", "sum", "mod" };
    const noe_token          k = p->lex.token;
    const char              *name = here(p);
    const int                shown = k.length < 60 ? (int)k.length : 60;
    if (k.kind != NOE_NAME) {
        char found[64];
        noe_lex_describe(&p->lex, found);
        noe_source_fail(&p->lex.source, k.at, "expected a name, found %s", found);
    }
    bool taken = noe_is_function(name, k.length);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        taken |= strlen(reserved[i]) == k.length && !memcmp(reserved[i], name, k.length);
    if (taken) noe_source_fail(&p->lex.source, k.at, "'%.*s' is a reserved name", shown, name);
    const noe_symbol *old = noe_model_find(p->model, name, k.length);
    if (old)
        noe_source_fail(&p->lex.source, k.at, "'%.*s' is declared already, in line %d", shown, name,
                        noe_source_line(&p->lex.source, old->at));
    noe_symbol *s = noe_declare(p, what, name, k.length, k.at);
    next(p);
    return s;
}

/* NAME = EXPR, the name being unknown inside the expression. */
static void define(noe_parser *p, noe_is_what what)
{
    const noe_lexer start = p->lex;
    p->defining = here(p), p->defining_length = p->lex.token.length;
    next(p);
    noe_expect(p, '=', what == NOE_IS_PARAMETER ? "and a value after the parameter's name" : "after the name");
    noe_ex ex = 0;
    quad   value = 0;
    if (what == NOE_IS_PARAMETER) value = noe_constant(p);
    else ex = noe_expression(p);
    const noe_lexer end = p->lex;
    p->defining = NULL;
    p->lex = start;
    noe_symbol *s = fresh(p, what);
    p->lex = end;
    s->ex = ex;
    noe_model *m = p->model;
    if (what == NOE_IS_PARAMETER) {
        noe_change_parameter(p, s->name, &value);
        noe_push(p, &m->param, m->params, sizeof *m->param);
        m->param[s->index = m->params++] = value;
        s->ex = noe_leaf(&m->graph, NOE_PARAM, s->index);
    } else if (what == NOE_IS_OBSERVABLE) {
        noe_push(p, &m->observable, m->observables, sizeof *m->observable);
        m->observable[s->index = m->observables++] = s;
    }
}

static void parameter(noe_parser *p)
{
    do define(p, NOE_IS_PARAMETER);
    while (comma(p));
}

static void coordinate(noe_parser *p)
{
    noe_model *m = p->model;
    do {
        noe_symbol *s = fresh(p, NOE_IS_COORDINATE);
        noe_push(p, &m->coordinate, m->n, sizeof *m->coordinate);
        noe_push(p, &m->begin, m->n, sizeof *m->begin);
        m->begin[m->n] = (noe_begin){ 0 };
        m->coordinate[s->index = m->n++] = s;
        s->ex = noe_leaf(&m->graph, NOE_Q, s->index);
    } while (comma(p));
}

static void add(noe_parser *p, noe_op op)
{
    const noe_ex x = noe_expression(p);
    p->model->L = noe_make(&p->model->graph, op, p->model->L, x, 0);
}

static void kinetic(noe_parser *p) { add(p, NOE_ADD); }
static void potential(noe_parser *p) { add(p, NOE_SUB); }

static void start(noe_parser *p)
{
    do {
        const size_t     at = p->lex.token.at;
        const noe_target to = noe_start_target(p);
        noe_expect(p, '=', "after what starts there");
        noe_start_set(p, to, noe_constant(p), at, false);
    } while (comma(p));
}

static void observe(noe_parser *p)
{
    p->observing = true;
    do define(p, NOE_IS_OBSERVABLE);
    while (comma(p));
    p->observing = false;
}

static void suggest(noe_parser *p)
{
    noe_model *m = p->model;
    do {
        const noe_token k = p->lex.token;
        const char    **to = k.kind != NOE_NAME ? NULL
                           : k.length == 6 && !memcmp(here(p), "method", 6) ? &m->method
                           : k.length == 4 && !memcmp(here(p), "step", 4)   ? &m->step
                           : k.length == 5 && !memcmp(here(p), "until", 5)  ? &m->until : NULL;
        if (!to) noe_source_fail(&p->lex.source, k.at, "expected method, step or until");
        next(p);
        noe_expect(p, '=', "after what is suggested");
        const size_t from = p->lex.token.at;
        size_t       length = p->lex.token.length;
        if (to == &m->method) {
            if (p->lex.token.kind != NOE_STRING)
                noe_source_fail(&p->lex.source, from, "expected the method's name in quotes, \"simpson\"");
            next(p);
        } else {
            noe_constant(p);
            length = p->lex.token.at - from;
        }
        if (!(*to = noe_arena_copy(m->arena, p->lex.source.text + from, length))) longjmp(*p->lex.source.stop, 1);
    } while (comma(p));
}

static const struct {
    const char *name;
    void (*parse)(noe_parser *);
} statements[] = {
    { "parameter", parameter }, { "coordinate", coordinate }, { "kinetic", kinetic }, { "potential", potential },
    { "lagrangian", kinetic },  { "start", start },           { "observe", observe }, { "suggest", suggest },
};
enum { STATEMENTS = sizeof statements / sizeof statements[0] };

static void statement(noe_parser *p)
{
    const noe_lexer first = p->lex;
    char            found[64];
    noe_lex_describe(&p->lex, found);
    if (p->lex.token.kind != NOE_NAME)
        noe_source_fail(&p->lex.source, p->lex.token.at, "expected a statement, found %s", found);
    next(p);
    const bool definition = noe_lex_is(&p->lex, '=');
    if (definition) {
        p->lex = first;
        define(p, NOE_IS_DEFINITION);
        return;
    }
    const char  *word = p->lex.source.text + first.token.at;
    noe_nearest near = noe_nearest_to(word, first.token.length);
    for (int i = 0; i < STATEMENTS; i++) {
        noe_nearest_try(&near, statements[i].name);
        if (strlen(statements[i].name) != first.token.length || memcmp(statements[i].name, word, first.token.length))
            continue;
        statements[i].parse(p);
        return;
    }
    noe_source_fail(&p->lex.source, first.token.at, "%s begins no statement and is not followed by '='%s%s%s", found,
                    near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
}

static void check_velocities(noe_parser *p)
{
    noe_model  *m = p->model;
    noe_source *text = &p->lex.source;
    if (m->n == 0) noe_source_fail(text, text->length, "no coordinate is declared: write 'coordinate q'");
    if (!(m->graph.node[m->L].has & NOE_HAS_V))
        noe_source_fail(text, m->coordinate[0]->at,
                        "the Lagrangian contains no velocities: write kinetic energy, 'kinetic m/2*%s'^2'",
                        m->coordinate[0]->name);
    noe_ex *gradient = noe_take(p, 2 * (size_t)m->n * sizeof *gradient);
    noe_gradient(&m->graph, m->L, m->n, gradient);
    for (int i = 0; i < m->n; i++)
        if (!(m->graph.node[gradient[m->n + i]].has & NOE_HAS_V))
            noe_source_fail(text, m->coordinate[i]->at,
                            "coordinate '%s' has no kinetic energy: its momentum contains no velocity",
                            m->coordinate[i]->name);
}

static void parse(noe_parser *p)
{
    noe_source_check(&p->lex.source);
    p->used = noe_take(p, (size_t)p->changes + 1);
    p->model->L = noe_num(&p->model->graph, 0);
    for (next(p); p->lex.token.kind != NOE_END;) {
        if (p->lex.token.kind != NOE_LINE) statement(p);
        if (p->lex.token.kind != NOE_LINE && p->lex.token.kind != NOE_END) {
            char found[64];
            noe_lex_describe(&p->lex, found);
            noe_source_fail(&p->lex.source, p->lex.token.at, "expected the end of the statement, found %s", found);
        }
        p->lex.parens = 0;
        if (p->lex.token.kind == NOE_LINE) next(p);
    }
    noe_changes_apply(p);
    check_velocities(p);
}

noe_model *noe_model_parse(const char *name, const char *text, size_t length, const char *const *change, int changes)
{
    noe_model  *m = noe_alloc(1, sizeof *m);
    noe_parser *p = noe_alloc(1, sizeof *p);
    if (m) m->arena = noe_arena_new();
    const bool room = m && p && m->arena && (m->name = noe_arena_copy(m->arena, name, strlen(name)))
                   && (m->text = noe_arena_copy(m->arena, text, length));
    if (room) {
        *p = (noe_parser){ .model = m, .change = change, .changes = changes };
        p->lex.source = (noe_source){ m->name, m->text, length, &p->stop };
        m->graph.stop = &p->stop;
    }
    if (room && !setjmp(p->stop)) {
        parse(p);
        m->graph.stop = NULL;
        free(p);
        return m;
    }
    noe_model_free(m);
    free(p);
    return NULL;
}

bool noe_model_value(const noe_model *model, const char *what, const char *text, quad *value)
{
    noe_parser *p = noe_alloc(1, sizeof *p);
    noe_model  *m = p ? noe_model_parse(model->name, model->text, strlen(model->text), NULL, 0) : NULL;
    bool        done = false;
    if (m) {
        memcpy(m->param, model->param, (size_t)m->params * sizeof *m->param);
        *p = (noe_parser){ .model = m };
        p->lex.source = (noe_source){ what, text, strlen(text), &p->stop };
        m->graph.stop = &p->stop;
        if (!setjmp(p->stop)) {
            noe_source_check(&p->lex.source);
            next(p);
            *value = noe_constant(p);
            if (p->lex.token.kind != NOE_END)
                noe_source_fail(&p->lex.source, p->lex.token.at, "expected the end of the expression");
            done = true;
        }
    }
    noe_model_free(m);
    free(p);
    return done;
}
