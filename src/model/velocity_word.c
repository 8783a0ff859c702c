/* theta_dot, thetadot, dtheta, v_theta, d/dt: what other tools call theta', for messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/sum_parser.h"

#include <string.h>

/* What stands before or after the name of a coordinate. */
static const struct {
    const char *word;        /* "_dot", "d", .. */
    bool        after;       /* the word stands after the name */
    int         derivatives; /* 1: velocity, 2: acceleration */
} affix[] = { { "_ddot", true, 2 }, { "ddot", true, 2 },     { "ddot_", false, 2 },
              { "_dot", true, 1 },  { "dot", true, 1 },      { "Dot", true, 1 },
              { "dot_", false, 1 }, { "_prime", true, 1 },   { "_t", true, 1 },
              { "_d", true, 1 },    { "\xCC\x87", true, 1 }, /* U+0307, the dot above a letter */
              { "dd", false, 2 },   { "d", false, 1 },       { "D", false, 1 },
              { "v_", false, 1 },   { "v", false, 1 },       { "d", true, 1 } };
enum { AFFIXES = sizeof affix / sizeof *affix };

static const noe_symbol *coordinate(const noe_parser *p, const char *name, size_t length)
{
    const noe_symbol *s = length ? noe_model_find(p->model, name, length) : NULL;
    return s && noe_vector_symbol_part(s, 0)->what == NOE_IS_COORDINATE ? s : NULL;
}

/* "/dt", or "(theta)/dt". */
static bool over_dt(const char *after)
{
    if (*after == '(') after += strcspn(after, ")\n"), after += *after == ')';
    return *after == '/' && !strncmp(after + 1, "dt", 2);
}

void noe_velocity_word_refuse(noe_parser *p, const noe_token *k)
{
    const noe_source *s = &p->lex.source;
    const char       *name = s->text + k->at;
    if (k->length == 1 && *name == 'd' && over_dt(name + 1))
        noe_source_fail(s, k->at, "unknown name 'd': the time derivative of q is q'");
    for (int i = 0; i < AFFIXES; i++) {
        const size_t more = strlen(affix[i].word), left = k->length - more;
        if (k->length <= more) continue;
        const char *end = affix[i].after ? name + left : name;
        if (strncmp(end, affix[i].word, more)) continue;
        const noe_symbol *q = coordinate(p, affix[i].after ? name : name + more, left);
        if (!q) continue;
        const char *const member = q->family ? "[i]" : "";
        const int         shown = noe_source_shown(q->name, strlen(q->name), 60);
        if (affix[i].derivatives == 2)
            noe_source_fail(s, k->at,
                            "unknown name '%.*s': a model has '%.*s%s' and its velocity "
                            "'%.*s%s''; accelerations follow from L",
                            noe_source_shown(name, k->length, 60), name, shown, q->name, member,
                            shown, q->name, member);
        noe_source_fail(s, k->at, "unknown name '%.*s': the velocity of '%.*s%s' is '%.*s%s''",
                        noe_source_shown(name, k->length, 60), name, shown, q->name, member, shown,
                        q->name, member);
    }
    const int stem = k->length > 4 ? noe_source_shown(name, k->length - 4, 60) : 0;
    if (stem && !memcmp(name + k->length - 4, "_dot", 4))
        noe_source_fail(s, k->at,
                        "unknown name '%.*s': there is no coordinate '%.*s', whose velocity would "
                        "be '%.*s''",
                        noe_source_shown(name, k->length, 60), name, stem, name, stem, name);
}
