/* L = T - V of a model as LaTeX, as its text writes it, with definitions, constraints and events.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "codegen/latex_expression.h"
#include "job/verbs.h"
#include "system/system.h"

#include <stdio.h>
#include <string.h>

/* The lines so far: of L, of the definitions, of the constraints and of the events. */
typedef struct {
    noe_latex   x;
    char        name; /* L or H */
    const char *L, *definitions, *constraints, *events;
} page;

static bool at_end(const noe_latex *x)
{
    return x->lex.token.kind == NOE_LINE || x->lex.token.kind == NOE_END;
}

static void skip_line(noe_latex *x)
{
    while (!at_end(x)) noe_lexer_next(&x->lex);
}

static void add_term(page *to, bool minus)
{
    noe_latex            *x = &to->x;
    const noe_latex_piece f = noe_latex_expression_parse(x);
    if (!at_end(x)) longjmp(x->stop, 1);
    const char *sign = minus ? "- " : *to->L ? "+ " : "";
    to->L = noe_latex_text_join(x, minus && f.sum ? "%s%s%s\\left(%s\\right)" : "%s%s%s%s", to->L,
                                *to->L ? " " : "", sign, f.text);
}

/* NAME = .. or NAME[i in 1..n] = ..; false: the line is another statement. */
static bool add_definition(page *to)
{
    noe_latex      *x = &to->x;
    const noe_lexer before = x->lex;
    noe_lexer_next(&x->lex);
    const bool indexed = noe_lexer_is(&x->lex, '[');
    for (int depth = 0; indexed && !at_end(x); noe_lexer_next(&x->lex)) {
        depth += noe_lexer_is(&x->lex, '[') - noe_lexer_is(&x->lex, ']');
        if (!depth && noe_lexer_is(&x->lex, '=')) break;
    }
    if (!noe_lexer_is(&x->lex, '=')) return false;
    x->lex = before;
    const char *ranges = "", *name = noe_latex_expression_name(x, &ranges);
    if (!noe_lexer_is(&x->lex, '=')) longjmp(x->stop, 1);
    noe_lexer_next(&x->lex);
    const char *value = noe_latex_expression_parse(x).text;
    if (!at_end(x)) longjmp(x->stop, 1);
    to->definitions = noe_latex_text_join(x, "%s \\\\ %s &= %s%s", to->definitions, name, value,
                                          ranges);
    return true;
}

static bool takes_word(noe_latex *x, const char *word)
{
    const bool found = noe_lexer_is_word(&x->lex, word);
    if (found) noe_lexer_next(&x->lex);
    return found;
}

/* x' = .., p(x) = ..: x'^+ = .., p_x^+ = .., what is on the right being before the event. */
static const char *assignments(page *to)
{
    noe_latex  *x = &to->x;
    const char *list = "";
    for (;;) {
        const bool momentum = takes_word(x, "p") && noe_lexer_is(&x->lex, '(');
        if (momentum) noe_lexer_next(&x->lex);
        const char *name = noe_latex_expression_name(x, NULL);
        if (momentum) noe_lexer_next(&x->lex);
        if (!noe_lexer_is(&x->lex, '=')) longjmp(x->stop, 1);
        noe_lexer_next(&x->lex);
        const char *value = noe_latex_expression_parse(x).text;
        list = noe_latex_text_join(x, momentum ? "%s%sp_{%s}^{+} = %s" : "%s%s%s^{+} = %s", list,
                                   *list ? ",\\ " : "", name, value);
        if (!noe_lexer_is(&x->lex, ',')) return list;
        noe_lexer_next(&x->lex);
    }
}

/* event NAME: EXPR = EXPR ..: the function that is 0, and what follows.  A bounce turns its
 * rate. */
static void add_event(page *to)
{
    noe_latex *x = &to->x;
    if (x->lex.token.kind != NOE_NAME) longjmp(x->stop, 1);
    const char *name = noe_latex_symbol(x, x->lex.source.text + x->lex.token.at,
                                        x->lex.token.length);
    noe_lexer_next(&x->lex);
    if (!noe_lexer_is(&x->lex, ':')) longjmp(x->stop, 1);
    noe_lexer_next(&x->lex);
    const char *g = noe_latex_expression_parse(x).text;
    if (!noe_lexer_is(&x->lex, '=')) longjmp(x->stop, 1);
    noe_lexer_next(&x->lex);
    const noe_latex_piece right = noe_latex_expression_parse(x);
    if (strcmp(right.text, "0"))
        g = noe_latex_text_join(x, right.sum ? "%s - \\left(%s\\right)" : "%s - %s", g, right.text);
    const char *way = takes_word(x, "rising")  ? "\\ \\mathrm{rising}"
                    : takes_word(x, "falling") ? "\\ \\mathrm{falling}"
                                               : "",
               *then = takes_word(x, "stop") ? ":\\quad \\mathrm{stop}" : "";
    if (takes_word(x, "then")) {
        const bool            bounces = takes_word(x, "bounce");
        const noe_latex_piece e = bounces ? noe_latex_expression_parse(x) : (noe_latex_piece){ 0 };
        then = bounces
                 ? noe_latex_text_join(x,
                                       e.sum ? ":\\quad \\dot{g}_{%s}^{+} = -\\left(%s\\right) "
                                               "\\dot{g}_{%s}"
                                             : ":\\quad \\dot{g}_{%s}^{+} = -%s\\, \\dot{g}_{%s}",
                                       name, e.text, name)
                 : noe_latex_text_join(x, ":\\quad %s", assignments(to));
    }
    if (!at_end(x)) longjmp(x->stop, 1);
    to->events = noe_latex_text_join(x, "%s \\\\ g_{%s} &= %s = 0%s%s", to->events, name, g, way,
                                     then);
}

/* constraint NAME: EXPR = EXPR, or NAME[i in 1..n]. */
static void add_constraint(page *to)
{
    noe_latex  *x = &to->x;
    const char *ranges = "";
    noe_latex_expression_name(x, &ranges);
    if (!noe_lexer_is(&x->lex, ':')) longjmp(x->stop, 1);
    noe_lexer_next(&x->lex);
    const char *left = noe_latex_expression_parse(x).text;
    if (!noe_lexer_is(&x->lex, '=')) longjmp(x->stop, 1);
    noe_lexer_next(&x->lex);
    const char *right = noe_latex_expression_parse(x).text;
    if (!at_end(x)) longjmp(x->stop, 1);
    to->constraints = noe_latex_text_join(x, "%s \\\\ %s &= %s%s", to->constraints, left, right,
                                          ranges);
}

static bool is_next_equals(const noe_lexer *at)
{
    noe_lexer ahead = *at;
    noe_lexer_next(&ahead);
    return noe_lexer_is(&ahead, '=');
}

static void line(page *to)
{
    noe_latex *x = &to->x;
    const bool minus = noe_lexer_is_word(&x->lex, "potential"),
               energy = noe_lexer_is_word(&x->lex, "hamiltonian"),
               term = minus || energy || noe_lexer_is_word(&x->lex, "kinetic")
                   || noe_lexer_is_word(&x->lex, "lagrangian");
    if (term && !is_next_equals(&x->lex)) {
        if (energy) to->name = 'H';
        noe_lexer_next(&x->lex);
        add_term(to, minus);
    } else if (noe_lexer_is_word(&x->lex, "event") && !is_next_equals(&x->lex)) {
        noe_lexer_next(&x->lex);
        add_event(to);
    } else if (noe_lexer_is_word(&x->lex, "constraint") && !is_next_equals(&x->lex)) {
        noe_lexer_next(&x->lex);
        add_constraint(to);
    } else if (x->lex.token.kind == NOE_NAME) add_definition(to);
    skip_line(x);
}

/* All lines; false: one is not understood, or memory is out. */
static bool lines(page *to)
{
    noe_latex *x = &to->x;
    x->lex.source.stop = &x->stop;
    if (setjmp(x->stop)) return false;
    for (noe_lexer_next(&x->lex); x->lex.token.kind != NOE_END; noe_lexer_next(&x->lex))
        if (x->lex.token.kind != NOE_LINE) line(to);
    return true;
}

char *noe_latex_model(const noe_system *s)
{
    if (!s || !s->model)
        return noe_status_fail(NOE_INVALID, "no Lagrangian in LaTeX: the system has no model text"),
               NULL;
    if (s->model->solids)
        return noe_status_fail(NOE_INVALID,
                               "%s: a rigid body has no form in LaTeX: its kinetic energy and its "
                               "points are words of the model language",
                               s->source),
               NULL;
    page  to = { .name = 'L', .L = "", .definitions = "", .constraints = "", .events = "" };
    char *text = NULL;
    if (!(to.x.arena = noe_arena_new())) return NULL;
    to.x.lex.source =
        (noe_source){ .name = s->source, .text = s->model->text, .length = s->model->length };
    if (!lines(&to)) noe_status_fail(NOE_INVALID, "%s: the text has no form in LaTeX", s->source);
    else {
        const char  *frame = "\\begin{aligned} %c &= %s%s%s%s \\end{aligned}";
        const size_t room = strlen(to.L) + strlen(to.definitions) + strlen(to.constraints)
                          + strlen(to.events) + strlen(frame);
        if ((text = noe_status_alloc(room, 1)))
            snprintf(text, room, frame, to.name, to.L, to.definitions, to.constraints, to.events);
    }
    noe_arena_free(to.x.arena);
    return text;
}
