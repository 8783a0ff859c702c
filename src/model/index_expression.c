/* An index, wherever one may stand, by way of the parser's grammar; names bound to indices.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/family.h"

#include <stdio.h>
#include <string.h>

noe_index noe_index_expression_parse(noe_parser *p) { return p->grammar->index(p); }

bool noe_index_expression_is_fixed(const noe_index *x)
{
    for (int k = 0; k < NOE_BOUND_MOST; k++)
        if (x->factor[k]) return false;
    return true;
}

int noe_index_expression_bound_at(const noe_parser *p)
{
    const noe_token *k = &p->lex.token;
    if (k->kind != NOE_NAME) return -1;
    for (int i = p->bounds; i-- > p->scope;)
        if (p->bound[i].length == k->length
            && !memcmp(p->bound[i].name, p->lex.source.text + k->at, k->length))
            return i;
    return -1;
}

void noe_index_expression_check_room(noe_parser *p, const noe_token *k)
{
    if (p->bounds == NOE_BOUND_MOST)
        noe_source_fail(&p->lex.source, k->at, "more than %d indices at once", NOE_BOUND_MOST);
}

void noe_index_expression_bind(noe_parser *p, const noe_token *k, noe_index is)
{
    noe_index_expression_check_room(p, k);
    p->bound[p->bounds++] = (noe_bound){ p->lex.source.text + k->at, k->length, is };
}

int64_t noe_index_expression_value(noe_parser *p)
{
    const size_t    at = p->lex.token.at;
    const noe_index x = noe_index_expression_parse(p);
    if (!noe_index_expression_is_fixed(&x))
        noe_source_fail(&p->lex.source, at, "expected an index without a running one");
    return x.constant;
}

const char *noe_index_expression_bound_values(const noe_parser *p, char out[100])
{
    int n = 0;
    out[0] = 0;
    for (int i = p->scope; i < p->bounds && n < 60; i++)
        if (noe_index_expression_is_fixed(&p->bound[i].is))
            n += snprintf(out + n, (size_t)(100 - n), "%s%.*s = %lld", n ? ", " : " (",
                          noe_source_shown(p->bound[i].name, p->bound[i].length, 10),
                          p->bound[i].name, (long long)p->bound[i].is.constant);
    if (n) snprintf(out + n, (size_t)(100 - n), ")");
    return out;
}
