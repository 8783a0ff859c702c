/* x[i+1] -> slot s: where an argument of a sum's term stands.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/sum_parser.h"

#include <string.h>

/* X[i] = .. for i = lo .. hi, as text. */
struct noe_family_rule {
    int64_t   lo, hi;
    noe_token index;
    bool      named;     /* the index has a name */
    int       component; /* component of the vector that the text means, or NOE_A_NUMBER */
    noe_lexer body;
};

static bool same_index(const noe_index *a, const noe_index *b)
{
    for (int k = 0; k < NOE_BOUND_MOST; k++)
        if (a->factor[k] != b->factor[k]) return false;
    return a->constant == b->constant && a->modulus == b->modulus && a->offset == b->offset;
}

int noe_sum_slot_number(noe_parser *p, noe_slot x)
{
    struct noe_sum *s = p->sum;
    for (int i = 0; i < s->slots; i++) {
        const noe_slot *y = &s->slot[i];
        if (y->kind == x.kind && y->first - y->lo == x.first - x.lo
            && same_index(&y->index, &x.index))
            return i;
    }
    noe_model_push(p, &s->slot, s->slots, sizeof *s->slot);
    s->slot[s->slots] = x;
    return s->slots++;
}

noe_ex noe_sum_slot_index(noe_parser *p, const noe_index *x)
{
    const noe_slot slot = { .kind = NOE_SLOT_INDEX, .index = *x };
    return noe_graph_leaf(p->graph, NOE_C, noe_sum_slot_number(p, slot));
}

/* Number `place` of all coordinates, in the term of the sum. */
static int placed(noe_parser *p, int place)
{
    const noe_slot slot = { .kind = NOE_SLOT_COORDINATE, .first = place, .name = "" };
    return noe_sum_slot_number(p, slot);
}

noe_ex noe_sum_slot_import(noe_parser *p, noe_ex x, size_t at)
{
    noe_graph *from = &p->model->graph, *to = p->graph;
    const int  count = noe_evaluate_reach(from, &x, 1);
    noe_ex    *image = noe_model_alloc(p, (size_t)(x + 1) * sizeof *image);
    for (int k = 0; k < count; k++) {
        const noe_ex   i = from->list[k];
        const noe_node y = from->node[i];
        const int      arity = noe_graph_arity(y.op);
        if (y.op == NOE_SUM) noe_write_out_sums(p, at, "a sum, or what contains one, inside a sum");
        if (y.op == NOE_H) noe_write_out_sums(p, at, "the energy inside a sum");
        image[i] = y.op == NOE_NUM ? noe_graph_number(to, y.value)
                 : y.op == NOE_Q || y.op == NOE_V || y.op == NOE_P
                     ? noe_graph_leaf(to, y.op, placed(p, y.a))
                 : !arity ? noe_graph_leaf(to, y.op, y.a)
                          : noe_simplify_make(to, y.op, image[y.a], arity > 1 ? image[y.b] : 0,
                                              arity > 2 ? image[y.c] : 0);
    }
    return image[x];
}

static noe_symbol *stand_in(noe_parser *p, const noe_symbol *s, noe_ex ex, int index)
{
    p->stand_in =
        (noe_symbol){ .name = s->name, .what = s->what, .at = s->at, .ex = ex, .index = index };
    return &p->stand_in;
}

noe_symbol *noe_sum_slot_plain(noe_parser *p, noe_symbol *s)
{
    if (s->what == NOE_IS_PARAMETER)
        return stand_in(p, s, noe_graph_leaf(p->graph, NOE_PARAM, s->index), s->index);
    if (s->what == NOE_IS_COORDINATE) {
        const int slot = placed(p, s->index);
        return stand_in(p, s, noe_graph_leaf(p->graph, NOE_Q, slot), slot);
    }
    return stand_in(p, s, noe_sum_slot_import(p, s->ex, p->lex.token.at), 0);
}

/* The least and the greatest value of an index over the sum.  False: they leave int64. */
static bool reach(const struct noe_sum *s, const noe_index *x, int levels, int64_t *lo, int64_t *hi)
{
    *lo = *hi = x->constant;
    for (int k = 0; k < levels; k++) {
        if (!x->factor[k]) continue;
        int64_t a, b, c, d;
        if (!reach(s, &s->from[k], k, &a, &c) || !reach(s, &s->to[k], k, &d, &b)) return false;
        /* a .. b at most */
        if (__builtin_mul_overflow(x->factor[k], x->factor[k] > 0 ? a : b, &c)
            || __builtin_mul_overflow(x->factor[k], x->factor[k] > 0 ? b : a, &d)
            || __builtin_add_overflow(*lo, c, lo) || __builtin_add_overflow(*hi, d, hi))
            return false;
    }
    if (x->modulus) *lo = x->offset, *hi = x->offset + x->modulus - 1;
    return true;
}

/* The text of the definition X[x] = .., read with its index bound to x. */
static noe_ex expand(noe_parser *p, const struct noe_family_rule *r, const noe_index *x, size_t at)
{
    enum { OUTSIDE_MOST = 60, NODES_MOST = 100000 };
    const noe_lexer outer = p->lex;
    const int       scope = p->scope, depth = p->depth, outside = p->outside;
    p->outside += depth + 1, p->depth = 0;
    if (p->outside > OUTSIDE_MOST || ++p->terms > NODES_MOST)
        noe_write_out_sums(p, at, "definitions that refer to definitions too many times");
    p->lex = r->body;
    p->scope = p->bounds;
    if (r->named) noe_index_expression_bind(p, &r->index, *x);
    p->component = r->component;
    const noe_ex ex = noe_expression_parse(p);
    p->component = NOE_A_NUMBER;
    if (r->named) p->bounds--;
    p->scope = scope;
    p->lex = outer;
    p->depth = depth, p->outside = outside;
    return ex;
}

static noe_symbol *definition(noe_parser *p, noe_symbol *f, const noe_index *x, size_t at)
{
    int64_t lo = x->constant, hi = x->constant;
    if (!noe_index_expression_is_fixed(x) && !reach(p->sum, x, p->sum->levels, &lo, &hi))
        noe_source_fail(&p->lex.source, at, "the index is too large");
    if (!p->sum) { /* a member by itself is worked out once */
        noe_symbol *known = noe_family_find_member(p->model, f, x->constant);
        if (known) return known;
    }
    for (int k = f->rules; k-- > 0;) {
        const struct noe_family_rule *r = &f->rule[k];
        if (lo < r->lo || hi > r->hi) continue;
        const noe_ex ex = expand(p, r, x, at);
        if (p->sum) return stand_in(p, f, ex, 0);
        noe_symbol *s = noe_family_new_member(p, f, x->constant);
        s->ex = ex;
        return s;
    }
    if (noe_index_expression_is_fixed(x)) noe_family_no_member(p, f, x->constant, at);
    if (lo < f->lo || hi > f->hi) noe_family_no_member(p, f, lo < f->lo ? lo : hi, at);
    noe_write_out_sums(p, at, "a sum over members of a definition that several statements define");
}

noe_symbol *noe_sum_slot_member(noe_parser *p, noe_symbol *f, const noe_index *x, size_t at)
{
    if (f->what == NOE_IS_OBSERVABLE) {
        noe_symbol *s = noe_index_expression_is_fixed(x)
                          ? noe_family_find_member(p->model, f, x->constant)
                          : NULL;
        if (!s) noe_write_out_sums(p, at, "members of an observable inside a sum");
        return p->sum ? noe_sum_slot_plain(p, s) : s;
    }
    if (f->what == NOE_IS_DEFINITION) return definition(p, f, x, at);
    const bool fixed = noe_index_expression_is_fixed(x), moves = f->what == NOE_IS_COORDINATE;
    if (fixed && (x->constant < f->lo || x->constant > f->hi))
        noe_family_no_member(p, f, x->constant, at);
    const int place = fixed ? f->index + (int)(x->constant - f->lo) : 0;
    if (fixed && !moves) return stand_in(p, f, noe_graph_leaf(p->graph, NOE_PARAM, place), place);
    if (fixed && !p->sum) return stand_in(p, f, noe_graph_leaf(p->graph, NOE_Q, place), place);
    noe_slot  slot = { .kind = moves ? NOE_SLOT_COORDINATE : NOE_SLOT_PARAMETER,
                       .index = *x,
                       .lo = f->lo,
                       .hi = f->hi,
                       .first = f->index,
                       .name = f->name };
    const int s = noe_sum_slot_number(p, slot);
    return stand_in(p, f, noe_graph_leaf(p->graph, moves ? NOE_Q : NOE_C, s), s);
}

static void add_rule(noe_parser *p, noe_symbol *f, const struct noe_family_rule *r)
{
    noe_model_push(p, &f->rule, f->rules, sizeof *f->rule);
    f->rule[f->rules++] = *r;
    if (f->hi < f->lo) f->lo = r->lo, f->hi = r->hi;
    if (r->lo < f->lo) f->lo = r->lo;
    if (r->hi > f->hi) f->hi = r->hi;
}

void noe_sum_slot_rule(noe_parser *p, noe_symbol *f, const noe_left *left)
{
    const bool             named = left->kind == NOE_LEFT_EACH || left->kind == NOE_LEFT_IN;
    struct noe_family_rule r = { left->lo, left->hi, left->index, named, NOE_A_NUMBER, p->lex };
    /* The text is read once, for its errors, its kind and its end; the expression is not used. */
    struct noe_dry d = { .own = f,
                         .stand_in = { .ex = noe_graph_leaf(p->graph, NOE_T, 0) },
                         .at = left->at };
    p->dry = &d;
    if (named) noe_index_expression_bind(p, &left->index, noe_index_expression_free(0));
    const noe_quantity x = noe_expression_quantity(p);
    if (named) p->bounds--;
    p->dry = NULL;
    if (d.back || d.ahead) noe_write_out_sums(p, left->at, "a recurrence");
    noe_family_decide_vector(p, f, x.vector, r.body.token.at);
    for (int c = 0; c < noe_vector_symbol_parts(f); c++) {
        if (x.vector) r.component = c;
        add_rule(p, noe_vector_symbol_part(f, c), &r);
    }
}
