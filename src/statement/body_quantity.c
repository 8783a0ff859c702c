/* "top.omega" -> the body top: names that a body alone gives a meaning.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "statement/rigid_body.h"

#include <string.h>

static const char *here(const noe_parser *p) { return p->lex.source.text + p->lex.token.at; }

struct noe_body *noe_body_quantity(const noe_parser *p, const char *quantity)
{
    const noe_token k = p->lex.token;
    const size_t    tail = strlen(quantity);
    if (k.kind != NOE_NAME || k.length <= tail + 1) return NULL;
    const size_t stem = k.length - tail - 1;
    if (here(p)[stem] != '.' || memcmp(here(p) + stem + 1, quantity, tail) != 0) return NULL;
    for (int i = 0; i < p->bodies; i++)
        if (strlen(p->body[i]->name) == stem && !memcmp(p->body[i]->name, here(p), stem))
            return p->body[i];
    return NULL;
}
