/* text = statement*  ->  model: L contains every velocity.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "expr/derivative.h"
#include "model/sum_parser.h"
#include "statement/rigid_body.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 1 << 24 }; /* bytes of a text, 16 MB: a larger file is no model but data */
static const noe_grammar grammar = { noe_arithmetic_parse, noe_index_arithmetic_parse };

/* A parser at the start of a text; what fails in it jumps to p->stop. */
static void begin(noe_parser *p, noe_model *m, const char *source, const char *text, size_t length)
{
    *p = (noe_parser){ .grammar = &grammar, .model = m, .component = NOE_A_NUMBER };
    p->lex.source = (noe_source){ source, text, length, &p->stop };
    m->graph.stop = &p->stop;
    p->graph = &m->graph;
}

static int shown(const noe_symbol *s) { return noe_source_shown(s->name, strlen(s->name), 60); }

static void check_velocities(noe_parser *p)
{
    noe_model  *m = p->model;
    noe_source *text = &p->lex.source;
    if (m->n == 0)
        noe_source_fail(text, text->length, "no coordinate is declared: write 'coordinate q'");
    if (!(m->graph.node[m->L].has & NOE_HAS_V))
        noe_source_fail(
            text, m->coordinate[0]->at,
            "the Lagrangian contains no velocities: write kinetic energy, 'kinetic m/2*%.*s'^2'",
            shown(m->coordinate[0]), m->coordinate[0]->name);
    noe_ex *gradient = noe_model_alloc(p, 2 * (size_t)m->n * sizeof *gradient);
    noe_derivative_gradient(&m->graph, m->L, m->n, gradient);
    for (int i = 0; i < m->n; i++)
        if (!(m->graph.node[gradient[m->n + i]].has & NOE_HAS_V))
            noe_source_fail(
                text, m->coordinate[i]->at,
                "coordinate '%.*s' has no kinetic energy: its momentum contains no velocity",
                shown(m->coordinate[i]), m->coordinate[i]->name);
}

/* Two things stand side by side. */
static _Noreturn void missing(noe_parser *p)
{
    char found[64];
    noe_lexer_describe(&p->lex, found);
    noe_source_fail(&p->lex.source, p->lex.token.at,
                    "expected the end of the statement, found %s: is a sign missing before it?",
                    found);
}

static void parse(noe_parser *p)
{
    noe_source_check(&p->lex.source);
    p->used = noe_model_alloc(p, (size_t)p->model->changes + 1);
    p->model->L = p->model->dissipation = noe_graph_number(&p->model->graph, 0);
    p->model->optimal.cost = p->model->optimal.at_end = p->model->L;
    for (noe_lexer_next(&p->lex); p->lex.token.kind != NOE_END;) {
        if (p->lex.token.kind != NOE_LINE) noe_statement_parse(p);
        const noe_kind kind = p->lex.token.kind;
        if (kind == NOE_NAME || kind == NOE_NUMBER || noe_lexer_is(&p->lex, '(')) missing(p);
        if (kind != NOE_LINE && kind != NOE_END) noe_expect_fail(p, "the end of the statement");
        if (kind == NOE_LINE) noe_lexer_next(&p->lex);
    }
    if (p->model->exact && p->model->constraints)
        noe_source_fail(
            &p->lex.source, p->model->constraint[0].named,
            "the model has constraints, and the closed form '%s' is of a motion without: "
            "leave out 'exact'",
            p->model->exact);
    noe_symmetry_statement_finish(p);
    noe_assignment_apply(p);
    noe_body_start_finish(p);
    noe_monitor_statement_finish(p);
    if (p->model->by_energy.given && p->model->constraints)
        noe_source_fail(&p->lex.source, p->model->by_energy.at,
                        "the model has constraints, onto which velocities are projected at the "
                        "start: give velocities instead of the energy");
    noe_initial_conditions_check(p);
    noe_hamiltonian_statement_finish(p);
    noe_matrix_statement_check(p);
    if (p->model->grouped) {
        if (!p->model->n)
            noe_source_fail(&p->lex.source, p->lex.source.length,
                            "no coordinate is declared: write 'coordinate q'");
        noe_sum_parser_finish(p);
        return;
    }
    noe_fixed_coordinate_apply(p);
    if (!p->model->matrix[NOE_MASS].path) check_velocities(p);
    noe_monitor_statement_check(p);
    noe_control_statement_check(p);
    noe_energy_start_solve(p);
}

static bool copy_changes(noe_model *m, const char *const *change, int changes)
{
    m->change = noe_arena_take(m->arena, (size_t)(changes + 1) * sizeof *m->change);
    for (int i = 0; m->change && i < changes; m->changes = ++i)
        if (!(m->change[i] = noe_arena_copy(m->arena, change[i], strlen(change[i])))) return false;
    return m->change != NULL;
}

/* A new model with copies of the texts, without the byte order mark that some editors write. */
static noe_model *blank(const char *name, const char *text, size_t length,
                        const char *const *change, int changes, bool exact)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* U+FEFF in UTF-8 */
    const size_t      skip = length >= 3 && !memcmp(text, mark, 3) ? 3 : 0;
    noe_model        *m = noe_status_alloc(1, sizeof *m);
    if (!m) return NULL;
    m->graph.exact = exact;
    m->arena = noe_arena_new();
    m->name = m->arena ? noe_arena_copy(m->arena, name, strlen(name)) : NULL;
    m->text = m->name ? noe_arena_copy(m->arena, text + skip, length - skip) : NULL;
    m->length = length - skip;
    if (m->text && copy_changes(m, change, changes)) return m;
    noe_model_free(m);
    return NULL;
}

/* Does what(p), false after a message. */
static bool attempt(noe_parser *p, void (*what)(noe_parser *))
{
    if (setjmp(p->stop)) return false;
    what(p);
    return true;
}

static noe_model *model_parse(const char *name, const char *text, size_t length,
                              const char *const *change, int changes, bool exact, bool drawn,
                              noe_model_kind kind)
{
    if (length > TEXT_MOST) {
        noe_status_fail(NOE_SYNTAX, "%.200s: larger than %d MB: not a model", name,
                        TEXT_MOST >> 20);
        return NULL;
    }
    noe_parser *p = noe_status_alloc(1, sizeof *p);
    noe_model  *m = NULL;
    for (bool again = p != NULL; again;) {
        again = false;
        m = blank(name, text, length, change, changes, exact);
        if (!m) break;
        m->sparse = noe_matrix_statement_names_matrix(m->text, m->length);
        m->grouped = kind == NOE_MODEL_GROUPED && !m->sparse;
        m->written = kind == NOE_MODEL_WRITTEN || m->sparse;
        m->drawn = drawn;
        begin(p, m, m->name, m->text, m->length);
        if (attempt(p, parse)) {
            m->graph.stop = NULL;
        } else {
            again = p->again != NOE_READ_ONCE;
            kind = p->again == NOE_READ_GROUPED ? NOE_MODEL_GROUPED : NOE_MODEL_WRITTEN;
            noe_model_free(m);
            m = NULL;
        }
    }
    free(p);
    return m;
}

/* Reads what the model draws, in a model of its own: expressions of the picture in the graph of L
 * would change the order of its operations. */
static noe_model *with_picture(noe_model *m, noe_model_kind kind)
{
    /* Coordinates whose sums are written out for a surface.  No other values were tried. */
    enum { MOST = 4000 };
    if (!m || !m->draws || (m->grouped && (!m->surfaces || m->n > MOST))) return m;
    if (m->grouped) kind = NOE_MODEL_WRITTEN;
    m->picture = model_parse(m->name, m->text, m->length, m->change, m->changes, false, true, kind);
    if (m->picture) return m;
    noe_model_free(m);
    return NULL;
}

noe_model *noe_parse_model_text(const char *name, const char *text, size_t length,
                                const char *const *change, int changes)
{
    return with_picture(
        model_parse(name, text, length, change, changes, false, false, NOE_MODEL_AS_FITS),
        NOE_MODEL_AS_FITS);
}

noe_model *noe_parse_model_text_as(noe_model_kind kind, const char *name, const char *text,
                                   size_t length, const char *const *change, int changes)
{
    return with_picture(model_parse(name, text, length, change, changes, false, false, kind), kind);
}

noe_model *noe_parse_model_exact(const noe_model *m)
{
    return model_parse(m->name, m->text, m->length, m->change, m->changes, true, false,
                       NOE_MODEL_WRITTEN);
}

bool noe_parse_model_eliminate(noe_model *m, const noe_ex *to)
{
    noe_parser *p = noe_status_alloc(1, sizeof *p);
    if (!p) return false;
    begin(p, m, m->name, m->text, m->length);
    m->fix = noe_arena_take(m->arena, (size_t)m->n * sizeof *m->fix);
    if (m->fix) memcpy(m->fix, to, (size_t)m->n * sizeof *m->fix);
    for (int i = 0; i < m->n; i++) m->eliminated += to[i] >= 0;
    const bool done = m->fix && attempt(p, noe_fixed_coordinate_apply);
    m->graph.stop = NULL;
    free(p);
    return done;
}

static void parse_value(noe_parser *p)
{
    noe_source_check(&p->lex.source);
    noe_lexer_next(&p->lex);
    p->value = noe_constant_expression_value(p);
    if (p->lex.token.kind != NOE_END) noe_expect_fail(p, "the end of the expression");
}

bool noe_parse_model_expression(noe_model *m, const char *what, const char *text, noe_ex *x)
{
    noe_parser *p = noe_status_alloc(1, sizeof *p);
    if (!p) return false;
    begin(p, m, what, text, strlen(text));
    const bool done = attempt(p, parse_value);
    *x = p->constant;
    m->graph.stop = NULL;
    free(p);
    return done;
}

bool noe_parse_model_value(const noe_model *model, const char *what, const char *text, quad *value)
{
    /* A copy of the model, since an expression adds nodes to the graph and the given model must not
     * change. */
    noe_model  *m = noe_parse_model_text(model->name, model->text, model->length, model->change,
                                         model->changes);
    noe_parser *p = m ? noe_status_alloc(1, sizeof *p) : NULL;
    bool        done = false;
    if (p) {
        begin(p, m, what, text, strlen(text));
        done = attempt(p, parse_value);
        if (done) *value = p->value;
    }
    noe_model_free(m);
    free(p);
    return done;
}
