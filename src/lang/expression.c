/* expr = term ((+|-) term)*, term = unary ((*|/) unary)*, unary = -unary | primary [^ unary].
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/diff.h"
#include "lang/parser.h"

#include "base/status.h"

#include <string.h>

enum { DEPTH_MOST = 200 };

typedef struct {
    const char *name;
    noe_op      op;
    int         arguments;
} function;

static const function functions[] = {
#define FUNCTION(name, derivative) { #name, NOE_FN_##name, 1 },
#include "lang/functions.def"
#undef FUNCTION
    { "atan2", NOE_ATAN2, 2 }, { "min", NOE_MIN, 2 }, { "max", NOE_MAX, 2 }, { "if", NOE_IF, 3 },
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static const function *find_function(const char *name, size_t length)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (strlen(functions[i].name) == length && !memcmp(functions[i].name, name, length)) return &functions[i];
    return NULL;
}

bool noe_is_function(const char *name, size_t length) { return find_function(name, length) != NULL; }

static const char *here(const noe_parser *p) { return p->lex.source.text + p->lex.token.at; }

static bool word(const noe_parser *p, const char *name)
{
    return p->lex.token.length == strlen(name) && !memcmp(here(p), name, p->lex.token.length);
}

void noe_expect(noe_parser *p, int sign, const char *where)
{
    char found[64];
    if (noe_lex_is(&p->lex, sign)) {
        noe_lex(&p->lex);
        return;
    }
    noe_lex_describe(&p->lex, found);
    noe_source_fail(&p->lex.source, p->lex.token.at, "expected '%c' %s, found %s", sign, where, found);
}

static _Noreturn void unknown(noe_parser *p, const char *name, size_t length, size_t at)
{
    const int shown = length < 60 ? (int)length : 60;
    if (p->defining && p->defining_length == length && !memcmp(p->defining, name, length))
        noe_source_fail(&p->lex.source, at, "'%.*s' is defined by itself", shown, name);
    noe_nearest near = noe_nearest_to(name, length);
    for (int i = 0; i < p->model->symbols; i++) noe_nearest_try(&near, p->model->symbol[i]->name);
    for (int i = 0; i < FUNCTIONS; i++) noe_nearest_try(&near, functions[i].name);
    noe_source_fail(&p->lex.source, at, "unknown name '%.*s'%s%s%s", shown, name,
                    near.best ? "; did you mean '" : ": declare it above this line", near.best ? near.best : "",
                    near.best ? "'?" : "");
}

noe_symbol *noe_known(noe_parser *p)
{
    const noe_token k = p->lex.token;
    char            found[64];
    noe_lex_describe(&p->lex, found);
    if (k.kind != NOE_NAME) noe_source_fail(&p->lex.source, k.at, "expected a name, found %s", found);
    noe_symbol *s = noe_model_find(p->model, here(p), k.length);
    if (!s) unknown(p, here(p), k.length, k.at);
    noe_lex(&p->lex);
    return s;
}

/* if(a < b, x, y) */
static noe_ex condition(noe_parser *p)
{
    const noe_ex a = noe_expression(p);
    const int    sign = p->lex.token.kind == NOE_SIGN ? p->lex.token.sign : 0;
    if (sign != '<' && sign != 'l' && sign != '>' && sign != 'g')
        noe_source_fail(&p->lex.source, p->lex.token.at, "expected a comparison <, <=, > or >= in if(a < b, x, y)");
    noe_lex(&p->lex);
    const noe_ex b = noe_expression(p);
    const noe_op op = sign == '<' || sign == '>' ? NOE_LT : NOE_LE;
    return sign == '<' || sign == 'l' ? noe_make(&p->model->graph, op, a, b, 0)
                                      : noe_make(&p->model->graph, op, b, a, 0);
}

static noe_ex call(noe_parser *p, const function *f)
{
    noe_ex argument[3] = { 0 };
    noe_expect(p, '(', "after the name of a function");
    for (int i = 0; i < f->arguments; i++) {
        if (i && !noe_lex_is(&p->lex, ','))
            noe_source_fail(&p->lex.source, p->lex.token.at, "%s takes %d arguments, here is %s %d", f->name,
                            f->arguments, "only", i);
        if (i) noe_lex(&p->lex);
        argument[i] = f->op == NOE_IF && i == 0 ? condition(p) : noe_expression(p);
    }
    if (noe_lex_is(&p->lex, ','))
        noe_source_fail(&p->lex.source, p->lex.token.at, "%s takes %d argument%s, here are more", f->name,
                        f->arguments, f->arguments > 1 ? "s" : "");
    noe_expect(p, ')', "after the arguments");
    return noe_make(&p->model->graph, f->op, argument[0], argument[1], argument[2]);
}

/* p(q1), in observables */
static noe_ex momentum(noe_parser *p, size_t at)
{
    if (!p->observing)
        noe_source_fail(&p->lex.source, at, "momenta p(..) have a meaning only in start and observe");
    noe_expect(p, '(', "after p: a momentum is p(q1)");
    const size_t      name_at = p->lex.token.at;
    const noe_symbol *s = noe_known(p);
    if (s->what != NOE_IS_COORDINATE)
        noe_source_fail(&p->lex.source, name_at, "'%s' is no coordinate: only coordinates have momenta", s->name);
    noe_expect(p, ')', "after the coordinate");
    return noe_leaf(&p->model->graph, NOE_P, s->index);
}

static noe_ex primes(noe_parser *p, noe_ex x)
{
    for (; noe_lex_is(&p->lex, '\''); noe_lex(&p->lex)) {
        const uint8_t has = p->model->graph.node[x].has;
        if (has & NOE_HAS_V)
            noe_source_fail(&p->lex.source, p->lex.token.at,
                            "the prime of something that contains velocities: a Lagrangian has no accelerations");
        if (has & NOE_HAS_P) noe_source_fail(&p->lex.source, p->lex.token.at, "the prime of a momentum");
        x = noe_rate(&p->model->graph, x);
    }
    return x;
}

static noe_ex name(noe_parser *p)
{
    noe_graph      *g = &p->model->graph;
    const noe_token k = p->lex.token;
    const function *f = find_function(here(p), k.length);
    if (f || word(p, "pi") || word(p, "p") || word(p, "t") || word(p, "energy")) {
        const char first = *here(p), *text = here(p);
        const bool pi = word(p, "pi");
        noe_lex(&p->lex);
        if (f) return call(p, f);
        if (pi) return noe_num(g, acosq(-1));
        if (first == 'p') return momentum(p, k.at);
        if (first == 't') return noe_leaf(g, NOE_T, 0);
        if (p->observing) return noe_leaf(g, NOE_H, 0);
        noe_source_fail(&p->lex.source, k.at, "'%.*s' has a meaning only in observe", (int)k.length, text);
    }
    return noe_known(p)->ex;
}

static noe_ex unary(noe_parser *p);

static noe_ex primary(noe_parser *p)
{
    const noe_token k = p->lex.token;
    if (k.kind == NOE_NUMBER) {
        noe_lex(&p->lex);
        return noe_num(&p->model->graph, k.number);
    }
    if (k.kind == NOE_NAME) return primes(p, name(p));
    if (noe_lex_is(&p->lex, '(')) {
        noe_lex(&p->lex);
        const noe_ex x = noe_expression(p);
        noe_expect(p, ')', "to close the parenthesis");
        if (noe_lex_is(&p->lex, '\''))
            noe_source_fail(&p->lex.source, p->lex.token.at, "a prime belongs to a name: give the expression a name");
        return x;
    }
    char found[64];
    noe_lex_describe(&p->lex, found);
    noe_source_fail(&p->lex.source, k.at, "expected a number, a name or '(', found %s", found);
}

static noe_ex power(noe_parser *p)
{
    noe_ex x = primary(p);
    if (!noe_lex_is(&p->lex, '^')) return x;
    noe_lex(&p->lex);
    return noe_make(&p->model->graph, NOE_POW, x, unary(p), 0); /* to the right: 2^3^2 = 2^(3^2) */
}

static noe_ex unary(noe_parser *p)
{
    if (++p->depth > DEPTH_MOST)
        noe_source_fail(&p->lex.source, p->lex.token.at, "nested deeper than %d levels", DEPTH_MOST);
    const bool minus = noe_lex_is(&p->lex, '-');
    noe_ex     x;
    if (minus || noe_lex_is(&p->lex, '+')) {
        noe_lex(&p->lex);
        x = unary(p);
        if (minus) x = noe_make(&p->model->graph, NOE_NEG, x, 0, 0);
    } else {
        x = power(p);
    }
    p->depth--;
    return x;
}

static noe_ex term(noe_parser *p)
{
    noe_ex x = unary(p);
    for (;;) {
        const noe_op op = noe_lex_is(&p->lex, '*') ? NOE_MUL : noe_lex_is(&p->lex, '/') ? NOE_DIV : NOE_NUM;
        if (op == NOE_NUM) return x;
        noe_lex(&p->lex);
        x = noe_make(&p->model->graph, op, x, unary(p), 0);
    }
}

noe_ex noe_expression(noe_parser *p)
{
    noe_ex x = term(p);
    for (;;) {
        const noe_op op = noe_lex_is(&p->lex, '+') ? NOE_ADD : noe_lex_is(&p->lex, '-') ? NOE_SUB : NOE_NUM;
        if (op == NOE_NUM) return x;
        noe_lex(&p->lex);
        x = noe_make(&p->model->graph, op, x, term(p), 0);
    }
}
