/* An expression as text of the model language: names, numbers, operators by their precedence.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts are made operands first, and joined.  What occurs several times would make them as long as
 * a tree, 2^k for k nodes: it gets a name, or a limit ends the text. */
#include "model/expression_text.h"

#include "number/decimal.h"

#include <stdio.h>
#include <string.h>

/* Precedence of the last operation of a text: sums and signs, products, powers, names. */
typedef enum { SUM, PRODUCT, POWER, ATOM } precedence;

typedef struct {
    noe_model   *m;
    noe_arena   *arena;
    const char **text;          /* [nodes] what is written of each */
    precedence  *precedence_of; /* [nodes] */
    int         *uses;          /* [nodes] readers of each */
    int          digits;        /* of numbers: noe_decimal_write() */
    int          named;         /* definitions so far */
    bool         fails;         /* there was something that the language cannot say */
} writer;

static char *room(const writer *w, size_t size)
{
    return noe_arena_need(w->arena, w->m->graph.stop, size, 1);
}

/* before a between b after; NULL is nothing. */
static const char *join(const writer *w, const char *before, const char *a, const char *between,
                        const char *b, const char *after)
{
    const char *const part[] = { before, a, between, b, after };
    size_t            size = 1;
    for (int i = 0; i < 5; i++) size += part[i] ? strlen(part[i]) : 0;
    char *all = room(w, size), *end = all;
    for (int i = 0; i < 5; i++) {
        const size_t length = part[i] ? strlen(part[i]) : 0;
        if (length) memcpy(end, part[i], length);
        end += length;
    }
    *end = 0;
    return all;
}

static const char *operand(const writer *w, noe_ex x, precedence least)
{
    return w->precedence_of[x] >= least ? w->text[x] : join(w, "(", w->text[x], NULL, NULL, ")");
}

static const char *parameter(writer *w, int index)
{
    for (int i = 0; i < w->m->symbols; i++) {
        const noe_symbol *s = w->m->symbol[i];
        if (s->what == NOE_IS_PARAMETER && !s->family && s->index == index && s->ex >= 0
            && w->m->graph.node[s->ex].op == NOE_PARAM && w->m->graph.node[s->ex].a == index)
            return s->name;
    }
    w->fails = true;
    return "?";
}

static const char *number(const writer *w, const noe_node *x, precedence *own)
{
    char      *out = room(w, NOE_NUMBER_SIZE);
    const bool literal = x->op == NOE_LITERAL;
    if (literal) return w->m->literal[x->a] ? w->m->literal[x->a] : "pi";
    noe_decimal_write(out, x->value, w->digits);
    if (x->value < 0) *own = SUM;
    return out;
}

static const char *call(const writer *w, const char *name, const char *a, const char *b)
{
    return join(w, join(w, name, "(", NULL, NULL, NULL), a, b ? ", " : NULL, b, ")");
}

/* a < b, or of another number: 0 < x */
static const char *condition(const writer *w, noe_ex x)
{
    const noe_node y = w->m->graph.node[x];
    if (y.op != NOE_LT && y.op != NOE_LE) return join(w, "0 < ", w->text[x], NULL, NULL, NULL);
    return join(w, w->text[y.a], y.op == NOE_LT ? " < " : " <= ", w->text[y.b], NULL, NULL);
}

static const char *choice(const writer *w, const char *asked, const char *yes, const char *no)
{
    return join(w, "if(", asked, ", ", join(w, yes, ", ", no, NULL, NULL), ")");
}

static const char *function(writer *w, const noe_node *x)
{
    static const char *const name[NOE_OPS] = {
        [NOE_ATAN2] = "atan2",
        [NOE_MIN] = "min",
        [NOE_MAX] = "max",
#define FUNCTION(name, derivative) [NOE_FN_##name] = #name,
#include "expr/functions.def"
#undef FUNCTION
    };
    const bool two = noe_graph_arity((noe_op)x->op) > 1;
    if (!name[x->op]) w->fails = true;
    return call(w, name[x->op] ? name[x->op] : "?", w->text[x->a], two ? w->text[x->b] : NULL);
}

static const char *leaf(writer *w, const noe_node *x, precedence *own)
{
    switch (x->op) {
    case NOE_NUM:
    case NOE_LITERAL: return number(w, x, own);
    case NOE_PARAM: return parameter(w, x->a);
    case NOE_Q: return w->m->coordinate[x->a]->name;
    case NOE_V: return join(w, w->m->coordinate[x->a]->name, "'", NULL, NULL, NULL);
    case NOE_P: return call(w, "p", w->m->coordinate[x->a]->name, NULL);
    case NOE_T: return "t";
    default: w->fails = true; return "?"; /* a table, a term of a sum */
    }
}

/* 1/b with a constant b? */
static bool is_reciprocal(const writer *w, noe_ex x)
{
    const noe_node y = w->m->graph.node[x];
    return y.op == NOE_DIV && noe_graph_is(&w->m->graph, y.a, 1)
        && !noe_graph_moves(&w->m->graph, y.b);
}

/* The text of a node whose operands have theirs. */
static const char *spell(writer *w, noe_ex i, precedence *own)
{
    const noe_node x = w->m->graph.node[i];
    *own = ATOM;
    switch (x.op) {
    case NOE_NEG: *own = SUM; return join(w, "-", operand(w, x.a, POWER), NULL, NULL, NULL);
    case NOE_ADD:
    case NOE_SUB:
        *own = SUM;
        return join(w, operand(w, x.a, SUM), x.op == NOE_ADD ? " + " : " - ",
                    operand(w, x.b, PRODUCT), NULL, NULL);
    case NOE_MUL:
    case NOE_DIV:
    case NOE_MOD:
        *own = PRODUCT;
        if (x.op == NOE_MUL && is_reciprocal(w, x.a)) /* (1/b) a is read from a/b */
            return join(w, operand(w, x.b, PRODUCT), "/",
                        operand(w, w->m->graph.node[x.a].b, POWER), NULL, NULL);
        return join(w, operand(w, x.a, PRODUCT),
                    x.op == NOE_MUL   ? "*"
                    : x.op == NOE_DIV ? "/"
                                      : " mod ",
                    operand(w, x.b, POWER), NULL, NULL);
    case NOE_POW:
        *own = POWER;
        return join(w, operand(w, x.a, ATOM), "^", operand(w, x.b, ATOM), NULL, NULL);
    case NOE_LT:
    case NOE_LE: return choice(w, condition(w, i), "1", "0");
    case NOE_IF: return choice(w, condition(w, x.a), w->text[x.b], w->text[x.c]);
    default:
        return x.op != NOE_TABLE && noe_graph_arity((noe_op)x.op) ? function(w, &x)
                                                                  : leaf(w, &x, own);
    }
}

/* A name that the model does not have. */
static const char *new_name(writer *w)
{
    char *name = room(w, 32);
    do snprintf(name, 32, "H%d", ++w->named);
    while (noe_model_find(w->m, name, strlen(name)));
    return name;
}

static writer begin(noe_model *m, noe_arena *arena, int digits)
{
    noe_graph   *g = &m->graph;
    const size_t nodes = (size_t)g->count;
    return (writer){ .m = m,
                     .arena = arena,
                     .text = noe_arena_need(arena, g->stop, nodes, sizeof(char *)),
                     .precedence_of = noe_arena_need(arena, g->stop, nodes, sizeof(precedence)),
                     .uses = noe_arena_need(arena, g->stop, nodes, sizeof(int)),
                     .digits = digits };
}

bool noe_expression_text_add(noe_text *to, noe_model *m, noe_arena *arena, noe_ex x, size_t most)
{
    noe_graph *g = &m->graph;
    writer     w = begin(m, arena, NOE_DIGITS_DOUBLE);
    const int  count = noe_evaluate_reach(g, &x, 1);
    for (int k = 0; k < count; k++) {
        const noe_ex i = g->list[k];
        w.text[i] = spell(&w, i, &w.precedence_of[i]);
        if (w.fails || strlen(w.text[i]) > most) return false;
    }
    noe_text_add_long(to, w.text[x], strlen(w.text[x]));
    return to->data;
}

bool noe_expression_text_define(noe_text *to, noe_model *m, noe_arena *arena, const char *word,
                                noe_ex x)
{
    enum { SHORT = 12 }; /* what is written again and not named */
    noe_graph *g = &m->graph;
    writer     w = begin(m, arena, NOE_DIGITS_QUAD);
    const int  count = noe_evaluate_reach(g, &x, 1);
    for (int k = 0; k < count; k++) {
        const noe_node *y = &g->node[g->list[k]];
        const noe_ex    child[3] = { y->a, y->b, y->c };
        for (int i = 0, n = noe_graph_arity((noe_op)y->op); i < n; i++) w.uses[child[i]]++;
    }
    for (int k = 0; k < count; k++) {
        const noe_ex i = g->list[k];
        w.text[i] = spell(&w, i, &w.precedence_of[i]);
        if (w.uses[i] < 2 || strlen(w.text[i]) <= SHORT) continue;
        const char *name = new_name(&w);
        noe_text_add(to, "%s = ", name);
        noe_text_add_long(to, w.text[i], strlen(w.text[i]));
        noe_text_add(to, "\n");
        w.text[i] = name, w.precedence_of[i] = ATOM;
    }
    noe_text_add(to, "%s ", word);
    noe_text_add_long(to, w.text[x], strlen(w.text[x]));
    noe_text_add(to, "\n");
    return !w.fails;
}
