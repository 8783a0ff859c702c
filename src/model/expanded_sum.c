/* sum(i in a..b, j in c..d) EXPRESSION, written out: the text of a term is read once for each term.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/sum_parser.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    noe_ex    total;
    bool      any;
    size_t    at, opened;
    noe_lexer end; /* behind the last term */
    int64_t   lo, hi; /* of the last range, for "the sum is empty" */
} sum;

static void term(noe_parser *p, sum *s)
{
    noe_close(p, s->opened, "after the range of the sum");
    const noe_ex x = noe_expression(p);
    if (++p->terms > NOE_TERMS_MOST)
        noe_source_fail(&p->lex.source, s->at, "the sums of this model have more than %d terms", NOE_TERMS_MOST);
    s->total = s->any ? noe_make(p->graph, NOE_ADD, s->total, x, 0) : x;
    s->any = true;
    s->end = p->lex;
}

/* From the name of an index on. */
static void level(noe_parser *p, sum *s)
{
    const noe_token k = noe_bind(p);
    if (!noe_lex_word(&p->lex, "in")) noe_wrong(p, "'in' after the name of an index");
    noe_lex(&p->lex);
    int64_t lo = 0, hi = 0; /* a dry run reads the term once, for an index that is free */
    if (p->dry) {
        noe_index from, to;
        noe_free_range(p, &from, &to);
    } else if (p->sum) {
        noe_index from, to;
        noe_free_range(p, &from, &to);
        if (!noe_index_fixed(&from) || !noe_index_fixed(&to) || to.at - from.at > 64)
            noe_ungroupable(p, s->at, "a sum inside a sum, of more than 64 terms or of a range that changes: write one "
                            "sum over two indices");
        lo = from.at, hi = to.at;
    } else {
        noe_range(p, &lo, &hi);
    }
    const noe_lexer behind = p->lex;
    s->lo = lo, s->hi = hi;
    for (int64_t i = lo; i <= hi; i++) {
        p->lex = behind;
        noe_push_bound(p, &k, p->dry ? noe_index_free(p->bounds) : noe_index_of(i));
        if (noe_comma(p)) level(p, s);
        else term(p, s);
        p->bounds--;
        if (!(++p->terms & 1023) && p->terms > NOE_TERMS_MOST)
            noe_source_fail(&p->lex.source, s->at, "the sums of this model have more than %d terms", NOE_TERMS_MOST);
    }
}

/* Does the name at hand run in the ranges that begin at `ranges`? */
static bool runs(const noe_lexer *x, noe_lexer ranges)
{
    bool same = false;
    for (int open = 0;; noe_lex(&ranges)) {
        const noe_token k = ranges.token;
        open += noe_lex_is(&ranges, '(') - noe_lex_is(&ranges, ')');
        if (!open || k.kind == NOE_END) return false;
        if (same && noe_lex_word(&ranges, "in")) return true;
        same = k.kind == NOE_NAME && k.length == x->token.length && !memcmp(x->source.text + k.at, x->source.text + x->token.at, k.length);
    }
}

/* sum(..) a + b, where b does not contain an index that runs, is read as sum(..) (a + b), and was hardly meant so. */
static void look_ahead(noe_parser *p, size_t at)
{
    noe_lexer look = p->lex;
    size_t    sign = 0; /* where the summand at hand begins, but for the first */
    bool      has = true, operand = false;
    if (p->dry || p->assigning || at <= p->looked) return;
    p->looked = at;
    for (int open = 0;; noe_lex(&look)) { /* to the end of the ranges */
        open += noe_lex_is(&look, '(') - noe_lex_is(&look, ')');
        if (look.token.kind == NOE_END) return;
        if (!open) break;
    }
    noe_lex(&look);
    for (int open = 0;; noe_lex(&look)) {
        const bool opens = noe_lex_is(&look, '(') || noe_lex_is(&look, '['), closes = noe_lex_is(&look, ')') || noe_lex_is(&look, ']');
        const bool word = look.token.kind == NOE_NAME, number = look.token.kind == NOE_NUMBER;
        const bool end = look.token.kind == NOE_END || look.token.kind == NOE_LINE || (closes && !open)
                      || (!open && (noe_lex_is(&look, ',') || noe_lex_word(&look, "and") || noe_lex_word(&look, "or")))
                      || noe_lex_is(&look, '<') || noe_lex_is(&look, '>') || noe_lex_is(&look, 'l') || noe_lex_is(&look, 'g');
        const bool next = end || (!open && operand && (noe_lex_is(&look, '+') || noe_lex_is(&look, '-')));
        if (next && !has) {
            noe_model_warn(p, sign, "the sum before reaches to the end of its line or parentheses, so this is added in each of its terms: "
                           "write (sum(..) ..) and then what is added once");
            return;
        }
        if (end) return;
        if (next) sign = look.token.at, has = false;
        open += opens - closes;
        has = has || (word && runs(&look, p->lex));
        operand = closes || number || noe_lex_is(&look, '\'') || (word && !noe_lex_word(&look, "mod"));
    }
}

noe_ex noe_sum(noe_parser *p, size_t at)
{
    sum s = { .at = at, .opened = p->lex.token.at };
    if (noe_lex_is(&p->lex, '(')) look_ahead(p, at);
    noe_expect(p, '(', "after sum: a sum is sum(i in 1..N) EXPRESSION");
    if (p->model->grouped && !p->dry && !p->sum) return noe_grouped_sum(p, at, s.opened);
    p->model->summed = true;
    level(p, &s);
    if (!s.any) {
        char values[100];
        noe_source_fail(&p->lex.source, at, "the sum is empty%s: its index would run over %lld..%lld",
                        noe_bound_values(p, values), (long long)s.lo, (long long)s.hi);
    }
    p->lex = s.end;
    return s.total;
}
