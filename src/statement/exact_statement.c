/* exact NAME: the motion is known in closed form.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The statement only names the family; what it needs is worked out from L and the start, and a
 * solution that does not solve the equations of L is refused when it is asked for. */
#include "model/parser.h"

#include <string.h>

static const char *const known[] = {
#define EXACT(name) #name,
#include "model/exact_families.def"
#undef EXACT
};
enum { KNOWN = sizeof known / sizeof *known };

void noe_exact_statement_parse(noe_parser *p)
{
    const noe_source *s = &p->lex.source;
    const noe_token   k = p->lex.token;
    const char       *name = s->text + k.at;
    char              list[128] = "";
    noe_nearest_word  near = noe_nearest_word_to(name, k.length);
    if (k.kind != NOE_NAME)
        noe_expect_fail(p, "the name of a family of solutions, as in 'exact pendulum'");
    if (p->model->exact)
        noe_source_fail(s, k.at, "a model has one exact solution, here is a second");
    for (int i = 0; i < KNOWN; i++) {
        if (noe_lexer_is_word(&p->lex, known[i])) p->model->exact = known[i];
        noe_nearest_word_try(&near, known[i]);
        strcat(strcat(list, i ? i < KNOWN - 1 ? ", " : " and " : ""), known[i]);
    }
    if (!p->model->exact && near.best)
        noe_source_fail(s, k.at, "no exact solution is called '%.*s'; did you mean '%s'?",
                        noe_source_shown(name, k.length, 60), name, near.best);
    if (!p->model->exact)
        noe_source_fail(s, k.at, "no exact solution is called '%.*s'; known are %s",
                        noe_source_shown(name, k.length, 60), name, list);
    noe_lexer_next(&p->lex);
}
