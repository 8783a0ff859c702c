/* x = (x[lo] .. x[hi]): many quantities under one name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shown(const noe_symbol *s) { return noe_source_shown(s->name, strlen(s->name), 60); }

noe_symbol *noe_family_new(noe_parser *p, noe_is_what what, const noe_token *name, int64_t lo,
                           int64_t hi)
{
    noe_symbol *s = noe_model_declare(p, what, name);
    s->family = true;
    s->lo = lo, s->hi = hi;
    return s;
}

noe_symbol *noe_family_new_member(noe_parser *p, noe_symbol *family, int64_t i)
{
    const size_t capacity = strlen(family->name) + 24;
    char         few[128], *name = capacity <= sizeof few ? few : noe_model_alloc(p, capacity);
    const int    length = snprintf(name, capacity, "%s[%lld]", family->name, (long long)i);
    noe_symbol  *s = noe_model_declare_name(p, family->what, name, (size_t)length, family->at);
    if (family->hi < family->lo) family->lo = family->hi = i;
    if (i < family->lo) family->lo = i;
    if (i > family->hi) family->hi = i;
    return s;
}

void noe_family_decide_vector(noe_parser *p, noe_symbol *f, bool vector, size_t at)
{
    const bool is = f->what == NOE_IS_VECTOR, first = !is && f->hi < f->lo;
    if (is != vector && !first)
        noe_source_fail(&p->lex.source, at, "'%.*s' is a family of %s, and this is a %s", shown(f),
                        f->name, is ? "vectors" : "numbers", vector ? "vector" : "number");
    if (vector && first) noe_vector_symbol_split(p, f);
}

noe_symbol *noe_family_find_member(const noe_model *m, const noe_symbol *family, int64_t i)
{
    char         name[128];
    const size_t length = strlen(family->name);
    if (length < sizeof name - 24)
        return noe_model_find(
            m, name, (size_t)snprintf(name, sizeof name, "%s[%lld]", family->name, (long long)i));
    for (int k = 0; k < m->symbols; k++) { /* a very long name */
        const char *other = m->symbol[k]->name;
        char       *end;
        if (!strncmp(other, family->name, length) && other[length] == '['
            && strtoll(other + length + 1, &end, 10) == i && !strcmp(end, "]"))
            return m->symbol[k];
    }
    return NULL;
}

_Noreturn void noe_family_no_member(noe_parser *p, const noe_symbol *f, int64_t i, size_t at)
{
    char values[100], runs[80] = "it has no members yet";
    noe_index_expression_bound_values(p, values);
    if (f->lo <= f->hi)
        snprintf(runs, sizeof runs, "the index runs over %lld..%lld", (long long)f->lo,
                 (long long)f->hi);
    noe_source_fail(&p->lex.source, at, "'%.*s[%lld]' does not exist%s: %s", shown(f), f->name,
                    (long long)i, values, runs);
}
