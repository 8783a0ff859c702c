/* sum(i in a..b, j in c..d) EXPRESSION, written out: the text of a term is read once for each term.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/sum_parser.h"

#include <stdio.h>
#include <string.h>

/* Most terms of a sum inside a sum, which is written out once in every term of the outer sum. */
enum { INNER_TERMS_MOST = 64 };

typedef struct {
    noe_quantity total;
    bool         any;        /* there was a term */
    size_t       at, opened; /* offsets of the sum and of its bracket in the text */
    noe_lexer    end;        /* after the last term */
    int64_t lo, hi; /* offset of the last range in the text, for the message "the sum is empty" */
} sum;

static void term(noe_parser *p, sum *s)
{
    noe_expect_close(p, s->opened, "after the range of the sum");
    const size_t       at = p->lex.token.at;
    const noe_quantity x = noe_expression_quantity(p);
    if (++p->terms > NOE_TERMS_MOST)
        noe_source_fail(&p->lex.source, s->at, "the sums of this model have more than %d terms",
                        NOE_TERMS_MOST);
    s->total = s->any ? noe_quantity_sum(p, NOE_ADD, s->total, x, at) : x;
    s->any = true;
    s->end = p->lex;
}

/* What the index of name k is bound to in a term: i, or an index without a value. */
static noe_index value(noe_parser *p, const noe_token *k, int64_t i)
{
    noe_index_expression_check_room(p, k);
    return p->dry ? noe_index_expression_free(p->bounds) : noe_index_expression_of(i);
}

/* From the name of an index on. */
static void level(noe_parser *p, sum *s)
{
    const noe_token k = noe_index_binding_name(p);
    if (!noe_lexer_is_word(&p->lex, "in")) noe_expect_fail(p, "'in' after the name of an index");
    noe_lexer_next(&p->lex);
    int64_t
        lo = 0,
        hi = 0; /* reading without values: the term is read once, with an index that has no value */
    if (p->dry) {
        noe_index from, to;
        noe_index_binding_running_range(p, &from, &to);
    } else if (p->sum) {
        noe_index from, to;
        noe_index_binding_running_range(p, &from, &to);
        if (!noe_index_expression_is_fixed(&from) || !noe_index_expression_is_fixed(&to)
            || to.constant - from.constant >= INNER_TERMS_MOST)
            noe_write_out_sums(
                p, s->at,
                "a sum inside a sum, of more than 64 terms or of a range that changes: write one "
                "sum over two indices");
        lo = from.constant, hi = to.constant;
    } else {
        noe_index_binding_range(p, &lo, &hi);
    }
    const noe_lexer after = p->lex;
    s->lo = lo, s->hi = hi;
    for (int64_t i = lo; i <= hi; i++) {
        p->lex = after;
        noe_index_expression_bind(p, &k, value(p, &k, i));
        if (noe_expect_comma(p)) level(p, s);
        else term(p, s);
        p->bounds--;
        if (!(++p->terms & 1023) && p->terms > NOE_TERMS_MOST)
            noe_source_fail(&p->lex.source, s->at, "the sums of this model have more than %d terms",
                            NOE_TERMS_MOST);
    }
}

/* Is the current name one of the indices whose ranges begin at `ranges`? */
static bool runs(const noe_lexer *x, noe_lexer ranges)
{
    bool same = false;
    for (int open = 0;; noe_lexer_next(&ranges)) {
        const noe_token k = ranges.token;
        open += noe_lexer_is(&ranges, '(') - noe_lexer_is(&ranges, ')');
        if (!open || k.kind == NOE_END) return false;
        if (same && noe_lexer_is_word(&ranges, "in")) return true;
        same = k.kind == NOE_NAME && k.length == x->token.length
            && !memcmp(x->source.text + k.at, x->source.text + x->token.at, k.length);
    }
}

/* sum(..) a + b, where b does not contain an index that runs, is read as sum(..) (a + b), which is
 * probably a mistake: the model then has a warning. */
static void look_ahead(noe_parser *p, size_t at)
{
    noe_lexer look = p->lex;
    size_t    sign = 0; /* offset of the sign before the present summand; 0 for the first */
    bool      has = true, operand = false;
    if (p->dry || p->assigning || at <= p->looked) return;
    p->looked = at;
    for (int open = 0;; noe_lexer_next(&look)) { /* to the end of the ranges */
        open += noe_lexer_is(&look, '(') - noe_lexer_is(&look, ')');
        if (look.token.kind == NOE_END) return;
        if (!open) break;
    }
    noe_lexer_next(&look);
    for (int open = 0;; noe_lexer_next(&look)) {
        const bool opens = noe_lexer_is(&look, '(') || noe_lexer_is(&look, '['),
                   closes = noe_lexer_is(&look, ')') || noe_lexer_is(&look, ']');
        const bool word = look.token.kind == NOE_NAME, number = look.token.kind == NOE_NUMBER;
        const bool end = look.token.kind == NOE_END || look.token.kind == NOE_LINE
                      || (closes && !open)
                      || (!open
                          && (noe_lexer_is(&look, ',') || noe_lexer_is_word(&look, "and")
                              || noe_lexer_is_word(&look, "or")))
                      || noe_lexer_is(&look, '<') || noe_lexer_is(&look, '>')
                      || noe_lexer_is(&look, 'l') || noe_lexer_is(&look, 'g');
        const bool next =
            end || (!open && operand && (noe_lexer_is(&look, '+') || noe_lexer_is(&look, '-')));
        if (next && !has) {
            noe_model_warn(p, sign,
                           "the sum before reaches to the end of its line or parentheses, so this "
                           "is added in each of its terms: "
                           "write (sum(..) ..) and then what is added once");
            return;
        }
        if (end) return;
        if (next) sign = look.token.at, has = false;
        open += opens - closes;
        has = has || (word && runs(&look, p->lex));
        operand = closes || number || noe_lexer_is(&look, '\'')
               || (word && !noe_lexer_is_word(&look, "mod"));
    }
}

noe_quantity noe_expanded_sum_parse(noe_parser *p, size_t at)
{
    sum s = { .at = at, .opened = p->lex.token.at };
    if (noe_lexer_is(&p->lex, '(')) look_ahead(p, at);
    noe_expect_token(p, '(', "after sum: a sum is sum(i in 1..N) EXPRESSION");
    if (p->model->grouped && !p->dry && !p->sum) return noe_sum_parser_sum(p, at, s.opened);
    p->model->summed = true;
    level(p, &s);
    if (!s.any) {
        char values[100];
        noe_source_fail(
            &p->lex.source, at, "the sum is empty%s: its index would run over %lld..%lld",
            noe_index_expression_bound_values(p, values), (long long)s.lo, (long long)s.hi);
    }
    p->lex = s.end;
    return s.total;
}
