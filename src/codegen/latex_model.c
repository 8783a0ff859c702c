/* L = T - V of a model as LaTeX, as its text writes it, and the definitions that it uses.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "codegen/latex_expression.h"
#include "job/verbs.h"
#include "system/system.h"

#include <stdio.h>
#include <string.h>

/* The lines so far: of L and of the definitions. */
typedef struct {
    noe_latex   x;
    const char *L, *definitions;
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
               term = minus || noe_lexer_is_word(&x->lex, "kinetic")
                   || noe_lexer_is_word(&x->lex, "lagrangian");
    if (term && !is_next_equals(&x->lex)) {
        noe_lexer_next(&x->lex);
        add_term(to, minus);
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
    page  to = { .L = "", .definitions = "" };
    char *text = NULL;
    if (!(to.x.arena = noe_arena_new())) return NULL;
    to.x.lex.source =
        (noe_source){ .name = s->source, .text = s->model->text, .length = s->model->length };
    if (!lines(&to)) noe_status_fail(NOE_INVALID, "%s: the text has no form in LaTeX", s->source);
    else {
        const char  *frame = "\\begin{aligned} L &= %s%s \\end{aligned}";
        const size_t room = strlen(to.L) + strlen(to.definitions) + strlen(frame);
        if ((text = noe_status_alloc(room, 1))) snprintf(text, room, frame, to.L, to.definitions);
    }
    noe_arena_free(to.x.arena);
    return text;
}
