/* x[i+1] -> the member of a family, a slot of a sum, or what stands for it while a rule is read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/sum_parser.h"

#include <string.h>

static int shown(const noe_symbol *s) { return noe_source_shown(s->name, strlen(s->name), 60); }

/* floor(a/b), b > 0 */
static int64_t below(int64_t a, int64_t b) { return (a - noe_index_expression_mod(a, b)) / b; }

/* lo <= at + by i <= hi, as a bound of i. */
static void constrain(struct noe_dry *d, int64_t lo, int64_t hi, int64_t at, int64_t by)
{
    const int64_t first = by > 0 ? -below(at - lo, by) : -below(hi - at, -by);
    const int64_t last = by > 0 ? below(hi - at, by) : below(at - lo, -by);
    if (!d->bounded || first > d->lo) d->lo = first;
    if (!d->bounded || last < d->hi) d->hi = last;
    d->bounded = true;
}

/* Is it the family that is being defined, or a component of that? */
static bool own(const struct noe_dry *d, const noe_symbol *f)
{
    return (f->of ? f->of : f) == d->own;
}

/* The index of the family's definition: the last one that was bound outside sums. */
static noe_symbol *stand_in(noe_parser *p, const noe_symbol *f, const noe_index *x)
{
    struct noe_dry *d = p->dry;
    bool            others = false;
    for (int k = 1; k < NOE_BOUND_MOST; k++) others |= x->factor[k] != 0;
    if (!others && !x->modulus && x->factor[0]) {
        if (own(d, f)) {
            if (f->hi < f->lo)
                noe_source_fail(&p->lex.source, d->at,
                                "'%.*s' is defined by itself: define a first member above, as "
                                "'%.*s[0] = 0'",
                                shown(d->own), d->own->name, shown(d->own), d->own->name);
            if (x->factor[0] == 1 && -x->constant > d->back) d->back = -x->constant;
            if (x->factor[0] == 1 && x->constant > d->ahead) d->ahead = x->constant;
        } else {
            constrain(d, f->lo, f->hi, x->constant, x->factor[0]);
        }
    }
    return &d->stand_in;
}

noe_index noe_family_member_index(noe_parser *p, const noe_symbol *f, size_t at)
{
    if (!noe_lexer_is(&p->lex, '['))
        noe_source_fail(&p->lex.source, at,
                        "'%.*s' is a family: write a member of it, as '%.*s[%lld]'", shown(f),
                        f->name, shown(f), f->name, (long long)f->lo);
    noe_lexer_next(&p->lex);
    const noe_index x = noe_index_expression_parse(p);
    noe_expect_token(p, ']', "after the index");
    return x;
}

noe_symbol *noe_family_member_pick(noe_parser *p, noe_symbol *f, const noe_index *x, size_t at)
{
    if (p->dry && !noe_index_expression_is_fixed(x)) return stand_in(p, f, x);
    if (p->dry && p->model->grouped) return &p->dry->stand_in;
    if (p->model->grouped) return noe_sum_slot_member(p, f, x, at);
    noe_symbol *s = noe_family_find_member(p->model, f, x->constant);
    if (!s && p->dry && own(p->dry, f)) return &p->dry->stand_in;
    if (!s) noe_family_no_member(p, f, x->constant, at);
    return s;
}

noe_symbol *noe_family_member_parse(noe_parser *p, noe_symbol *f, size_t at)
{
    const noe_index x = noe_family_member_index(p, f, at);
    return noe_family_member_pick(p, f, &x, at);
}
