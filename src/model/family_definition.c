/* X[i] = f(i, X[i-1], q[i], ..): definitions as families, recurrences among them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The index of X[i] = .. runs over all i for which what stands on the right exists and X[i] is
 * not defined yet; a first reading, without values, finds them.  A recurrence refers to the
 * members before: each member is one expression that the next ones share, so n of them cost n
 * times one. */
#include "model/sum_parser.h"

#include <string.h>

typedef struct {
    noe_symbol *family;
    noe_is_what what;
    noe_lexer   end;
} rule;

static int shown(const noe_symbol *s) { return noe_source_shown(s->name, strlen(s->name), 60); }

static void member(noe_parser *p, int64_t i, void *data)
{
    rule              *r = data;
    const size_t       at = p->lex.token.at;
    const noe_quantity x = noe_expression_quantity(p);
    r->end = p->lex;
    noe_family_decide_vector(p, r->family, x.vector, at);
    for (int c = 0; c < (x.vector ? 3 : 1); c++) {
        noe_symbol *s = noe_family_new_member(p, noe_vector_symbol_part(r->family, c), i);
        s->ex = x.ex[c];
        if (r->what == NOE_IS_OBSERVABLE) noe_observable_add(p, s);
    }
}

/* The range of the index, from reading the right side once without values. */
static void find_range(noe_parser *p, const noe_symbol *family, noe_left *left, bool *down)
{
    const noe_lexer body = p->lex;
    struct noe_dry  d = { .own = family,
                          .stand_in = { .ex = noe_graph_leaf(p->graph, NOE_T, 0) },
                          .at = left->at };
    const int64_t   lo = noe_vector_symbol_part(family, 0)->lo,
                  hi = noe_vector_symbol_part(family, 0)->hi; /* of the members there are */
    const bool old = lo <= hi;
    p->dry = &d;
    noe_index_expression_bind(p, &left->index, noe_index_expression_free(0));
    noe_expression_quantity(p);
    p->bounds--;
    p->dry = NULL;
    const char *name = p->lex.source.text + left->index.at;
    const int   length = noe_source_shown(name, left->index.length, 60);
    if (d.back && d.ahead)
        noe_source_fail(&p->lex.source, left->at,
                        "'%.*s' is defined by members before it and after it", shown(family),
                        family->name);
    if (left->kind == NOE_LEFT_EACH) {
        if (!d.bounded)
            noe_source_fail(&p->lex.source, left->at,
                            "over which indices does it run?  Write [%.*s in 1..10]", length, name);
        left->lo = d.lo, left->hi = d.hi;
        if (old && !d.ahead && left->lo <= hi && left->hi > hi) left->lo = hi + 1;
        else if (old && left->hi >= lo && left->lo < lo) left->hi = lo - 1;
        if (d.back && left->lo < lo + d.back) left->lo = lo + d.back;
        if (d.ahead && left->hi > hi - d.ahead) left->hi = hi - d.ahead;
    }
    if (left->hi < left->lo)
        noe_source_fail(&p->lex.source, left->at,
                        "there is no %.*s for which all of this exists and '%.*s' "
                        "is not defined",
                        length, name, shown(family), family->name);
    *down = d.ahead > 0;
    p->lex = body;
}

void noe_family_definition_parse(noe_parser *p, noe_is_what what, const noe_token *name,
                                 const noe_left *side)
{
    noe_left    left = *side;
    const char *text = p->lex.source.text + name->at;
    bool        down = false;
    noe_symbol *family = noe_model_find(p->model, text, name->length);
    if (left.kind == NOE_LEFT_RANGE)
        noe_source_fail(&p->lex.source, left.at, "a rule names its index: write [i in %lld..%lld]",
                        (long long)left.lo, (long long)left.hi);
    if (!family) family = noe_family_new(p, what, name, 0, -1);
    if (left.kind != NOE_LEFT_MEMBER) find_range(p, family, &left, &down);
    if (left.hi - left.lo >= NOE_FAMILY_MOST && !(p->model->grouped && what == NOE_IS_DEFINITION))
        noe_source_fail(&p->lex.source, left.at, "a family of more than %d members",
                        NOE_FAMILY_MOST);
    const bool kept = p->model->grouped && what == NOE_IS_DEFINITION;
    for (int64_t i = left.lo; i <= left.hi && (!kept || i == left.lo); i++)
        if (noe_family_find_member(p->model, noe_vector_symbol_part(family, 0), i))
            noe_source_fail(&p->lex.source, left.at, "'%.*s[%lld]' is declared already, in line %d",
                            shown(family), family->name, (long long)i,
                            noe_source_line(&p->lex.source, family->at));
    if (kept) {
        noe_sum_slot_rule(p, family, &left);
        return;
    }
    rule r = { .family = family, .what = what };
    noe_index_binding_each(p, &left, down, member, &r);
    p->lex = r.end;
}
