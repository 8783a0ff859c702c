/* i in a..b: names that stand for integers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/family.h"

#include <string.h>

static const char *here(const noe_parser *p) { return p->lex.source.text + p->lex.token.at; }

/* Does this sum stand inside another one? The index of a definition X[i] = .. does not count. */
static bool inside_sum(const char *running, const char *this)
{
    do running--;
    while (*running == ' ');
    do this --;
    while (*this == ' ');
    return *running != '[' && *this == '(';
}

noe_token noe_index_binding_name(noe_parser *p)
{
    const noe_token k = p->lex.token;
    const int       shown = noe_source_shown(here(p), k.length, 60);
    if (k.kind != NOE_NAME) noe_expect_fail(p, "the name of an index, as in 'i in 1..N'");
    noe_resolve_undotted(p);
    const noe_symbol *old = noe_model_find(p->model, here(p), k.length);
    if (noe_resolve_is_reserved(&p->lex))
        noe_source_fail(&p->lex.source, k.at, "'%.*s' is a reserved name", shown, here(p));
    if (old)
        noe_source_fail(&p->lex.source, k.at,
                        "'%.*s' is declared already, in line %d: give the index another name",
                        shown, here(p), noe_source_line(&p->lex.source, old->at));
    const int running = noe_index_expression_bound_at(p);
    if (running >= 0 && inside_sum(p->bound[running].name, here(p)))
        noe_source_fail(
            &p->lex.source, k.at,
            "the index '%.*s' runs already: the sum before reaches to the end of its line "
            "or parentheses; end it, (sum(..) ..) + sum(..), or give this index another name",
            shown, here(p));
    if (running >= 0)
        noe_source_fail(&p->lex.source, k.at,
                        "the index '%.*s' runs already: give this one another name", shown,
                        here(p));
    noe_lexer_next(&p->lex);
    return k;
}

void noe_index_binding_running_range(noe_parser *p, noe_index *from, noe_index *to)
{
    *from = noe_index_expression_parse(p);
    if (!noe_lexer_is(&p->lex, NOE_RANGE))
        noe_expect_fail(p, "'..' between the first and the last index");
    noe_lexer_next(&p->lex);
    *to = noe_index_expression_parse(p);
}

void noe_index_binding_range(noe_parser *p, int64_t *lo, int64_t *hi)
{
    *lo = noe_index_expression_value(p);
    if (!noe_lexer_is(&p->lex, NOE_RANGE))
        noe_expect_fail(p, "'..' between the first and the last index");
    noe_lexer_next(&p->lex);
    *hi = noe_index_expression_value(p);
}

static noe_left left_side(noe_parser *p, bool strides)
{
    noe_left left = { .kind = NOE_LEFT_PLAIN, .by = 1, .at = p->lex.token.at };
    if (!noe_lexer_is(&p->lex, '[')) return left;
    noe_lexer_next(&p->lex);
    const noe_lexer first = p->lex;
    left.index = p->lex.token;
    if (left.index.kind == NOE_NAME && noe_index_expression_bound_at(p) < 0
        && !noe_model_find(p->model, here(p), left.index.length)) {
        noe_lexer_next(&p->lex);
        const bool in = noe_lexer_is_word(&p->lex, "in");
        if (in || noe_lexer_is(&p->lex, ']')) {
            p->lex = first;
            left.index = noe_index_binding_name(p);
            left.kind = in ? NOE_LEFT_IN : NOE_LEFT_EACH;
            if (in) noe_lexer_next(&p->lex), noe_index_binding_range(p, &left.lo, &left.hi);
            if (in && strides && noe_lexer_is_word(&p->lex, "by")) {
                const size_t at = p->lex.token.at;
                noe_lexer_next(&p->lex);
                left.by = noe_index_expression_value(p);
                if (left.by < 1)
                    noe_source_fail(&p->lex.source, at, "expected 1 or more after 'by', found %lld",
                                    (long long)left.by);
            }
            noe_expect_token(p, ']', "after the index");
            return left;
        }
        p->lex = first;
    }
    left.lo = left.hi = noe_index_expression_value(p);
    left.kind = NOE_LEFT_MEMBER;
    if (noe_lexer_is(&p->lex, NOE_RANGE)) {
        noe_lexer_next(&p->lex);
        left.kind = NOE_LEFT_RANGE;
        left.hi = noe_index_expression_value(p);
    }
    noe_expect_token(p, ']', "after the index");
    return left;
}

noe_left noe_index_binding_left_side(noe_parser *p) { return left_side(p, false); }

noe_left noe_index_binding_member_side(noe_parser *p, const noe_symbol *f)
{
    const int shown = noe_source_shown(f->name, strlen(f->name), 60);
    noe_left  left = left_side(p, true);
    if (left.kind == NOE_LEFT_PLAIN)
        noe_source_fail(&p->lex.source, left.at,
                        "'%.*s' is a family: write '%.*s[%lld]', or '%.*s[i]' for all", shown,
                        f->name, shown, f->name, (long long)f->lo, shown, f->name);
    if (left.kind == NOE_LEFT_RANGE)
        noe_source_fail(&p->lex.source, left.at, "a rule names its index: write [i in %lld..%lld]",
                        (long long)left.lo, (long long)left.hi);
    if (left.kind == NOE_LEFT_EACH) left.lo = f->lo, left.hi = f->hi;
    if (left.hi < left.lo)
        noe_source_fail(&p->lex.source, left.at, "the range %lld..%lld is empty",
                        (long long)left.lo, (long long)left.hi);
    if (left.lo < f->lo || left.hi > f->hi)
        noe_source_fail(&p->lex.source, left.at,
                        "'%.*s[%lld]' does not exist: the index runs over %lld..%lld", shown,
                        f->name, (long long)(left.lo < f->lo ? left.lo : left.hi), (long long)f->lo,
                        (long long)f->hi);
    return left;
}

void noe_index_binding_each(noe_parser *p, const noe_left *left, bool down,
                            void (*each)(noe_parser *, int64_t, void *), void *data)
{
    const noe_lexer body = p->lex;
    const bool      named = left->kind == NOE_LEFT_EACH || left->kind == NOE_LEFT_IN;
    for (int64_t k = left->lo; k <= left->hi; k += named && left->by > 1 ? left->by : 1) {
        const int64_t i = down ? left->hi + left->lo - k : k;
        p->lex = body;
        if (named) noe_index_expression_bind(p, &left->index, noe_index_expression_of(i));
        each(p, i, data);
        if (named) p->bounds--;
    }
}
