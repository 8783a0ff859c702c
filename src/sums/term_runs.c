/* Lists the terms of sum(i in a..b, j in c..d) as runs: base_s + stride_s e for slot s, e < count.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sums/sums.h"

#include "model/sum_group.h"
#include "token/source.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const noe_sums       *g;                          /* the system of sums */
    const struct noe_sum *s;                          /* the sum */
    noe_terms            *to;                         /* receives the runs */
    int64_t value[NOE_BOUND_MOST], capacity, last[2]; /* last: of an empty range, for its message */
    noe_source source;                                /* the text, for messages */
} lister;

static void grow(lister *x)
{
    const size_t wide = (size_t)(x->capacity ? 2 * x->capacity : 4), slots = (size_t)x->to->slots;
    int64_t     *count = noe_arena_need(x->g->arena, x->source.stop, wide, sizeof *count),
            *base = noe_arena_need(x->g->arena, x->source.stop, wide * (slots + 1), sizeof *base);
    if (x->capacity) {
        memcpy(count, x->to->count, (size_t)x->capacity * sizeof *count);
        memcpy(base, x->to->base, (size_t)x->capacity * slots * sizeof *base);
    }
    x->to->count = count, x->to->base = base;
    x->capacity = (int64_t)wide;
}

/* a + b c; refuses what leaves int64. */
static int64_t advanced(const lister *x, int64_t a, int64_t b, int64_t c)
{
    if (__builtin_mul_overflow(b, c, &b) || __builtin_add_overflow(a, b, &a))
        noe_source_fail(&x->source, x->s->at, "the index is too large");
    return a;
}

/* The part of an index before mod, at the values of the indices. */
static int64_t inner(const lister *x, const noe_index *i)
{
    int64_t a = i->constant;
    for (int k = 0; k < x->s->levels; k++) a = advanced(x, a, i->factor[k], x->value[k]);
    return a;
}

static _Noreturn void missing(lister *x, const noe_slot *s, int64_t index, int64_t at)
{
    char values[120];
    int  n = 0;
    if (x->s->levels) x->value[x->s->levels - 1] = at;
    values[0] = 0;
    for (int k = 0; k < x->s->levels && n < 80; k++)
        n += snprintf(values + n, sizeof values - (size_t)n, "%s%.*s = %lld", n ? ", " : " (",
                      noe_source_shown(x->s->index[k].name, x->s->index[k].length, 10),
                      x->s->index[k].name, (long long)x->value[k]);
    if (n) snprintf(values + n, sizeof values - (size_t)n, ")");
    noe_source_fail(&x->source, x->s->at,
                    "'%.*s[%lld]' does not exist%s: the index runs over %lld..%lld",
                    noe_source_shown(s->name, strlen(s->name), 60), s->name, (long long)index,
                    values, (long long)s->lo, (long long)s->hi);
}

/* Terms from `first` on, `most` of them: as far as no slot wraps around; returns how many. */
static int64_t add_run(lister *x, int64_t first, int64_t most)
{
    const int  levels = x->s->levels;
    noe_terms *t = x->to;
    if (t->runs == x->capacity) grow(x);
    int64_t *base = t->base + t->runs * t->slots, count = most;
    if (levels) x->value[levels - 1] = first;
    for (int k = 0; k < x->s->slots; k++) { /* how far */
        const noe_slot *s = &x->s->slot[k];
        const int64_t   by = levels ? s->index.factor[levels - 1] : 0, m = s->index.modulus;
        if (!m || !by) continue;
        const int64_t r = noe_index_expression_mod(inner(x, &s->index), m),
                      far = by > 0 ? (m - 1 - r) / by + 1 : r / -by + 1;
        if (far < count) count = far;
    }
    for (int k = 0; k < x->s->slots; k++) {
        const noe_slot *s = &x->s->slot[k];
        const int64_t   by = levels ? s->index.factor[levels - 1] : 0, m = s->index.modulus;
        int64_t         a = inner(x, &s->index);
        if (m) a = noe_index_expression_mod(a, m) + s->index.offset;
        base[k] = s->kind == NOE_SLOT_INDEX ? a : s->first + a - s->lo;
        if (s->kind == NOE_SLOT_INDEX) continue;
        const int64_t end = advanced(x, a, by, count - 1);
        if (a < s->lo || a > s->hi) missing(x, s, a, first);
        if (end > s->hi)
            missing(x, s, s->hi + 1 + noe_index_expression_mod(a - s->hi - 1, by),
                    first + (s->hi - a) / by + 1);
        if (end < s->lo)
            missing(x, s, s->lo - 1 - noe_index_expression_mod(s->lo - 1 - a, -by),
                    first + (a - s->lo) / -by + 1);
    }
    t->count[t->runs++] = count;
    t->terms += count;
    return count;
}

static void level(lister *x, int k)
{
    if (k == x->s->levels) {
        add_run(x, 0, 1);
        return;
    }
    const int64_t lo = inner(x, &x->s->from[k]), hi = inner(x, &x->s->to[k]);
    if (hi < lo) x->last[0] = lo, x->last[1] = hi;
    if (k == x->s->levels - 1)
        for (int64_t i = lo; i <= hi;) i += add_run(x, i, hi - i + 1);
    else
        for (int64_t i = lo; i <= hi; i++) {
            x->value[k] = i;
            for (int j = k + 1; j < x->s->levels; j++) x->value[j] = 0;
            level(x, k + 1);
        }
}

int noe_term_runs_family(const noe_sums *g, int64_t place)
{
    int lo = 0, hi = g->families - 1;
    while (lo < hi) {
        const int mid = (lo + hi + 1) / 2;
        if (g->family[mid].first <= place) lo = mid;
        else hi = mid - 1;
    }
    return lo;
}

void noe_term_runs_list(const noe_model *m, const noe_sums *g, const struct noe_sum *s,
                        noe_terms *to, jmp_buf *stop)
{
    lister       x = { .g = g, .s = s, .to = to, .source = { m->name, m->text, m->length, stop } };
    const size_t n = (size_t)s->slots;
    *to = (noe_terms){ .slots = s->slots };
    to->kind = noe_arena_need(g->arena, stop, n, sizeof *to->kind);
    to->family = noe_arena_need(g->arena, stop, n, sizeof *to->family);
    to->stride = noe_arena_need(g->arena, stop, n, sizeof *to->stride);
    for (int k = 0; k < s->slots; k++) {
        const noe_slot *y = &s->slot[k];
        to->kind[k] = y->kind == NOE_SLOT_COORDINATE ? NOE_ARGUMENT_COORDINATE
                    : y->kind == NOE_SLOT_PARAMETER  ? NOE_ARGUMENT_NUMBER
                                                     : NOE_ARGUMENT_INDEX;
        to->stride[k] = s->levels ? y->index.factor[s->levels - 1] : 0;
        if (y->kind == NOE_SLOT_COORDINATE) to->family[k] = noe_term_runs_family(g, y->first);
    }
    level(&x, 0);
    if (!to->terms)
        noe_source_fail(&x.source, s->at, "the sum is empty: its index would run over %lld..%lld",
                        (long long)x.last[0], (long long)x.last[1]);
}
