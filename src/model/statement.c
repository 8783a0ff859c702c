/* parameter, coordinate, NAME = .., kinetic, potential, lagrangian, force, dissipation, start, observe, suggest, exact.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "token/foreign_word.h"
#include "model/sum_parser.h"

#include <string.h>

static void parameter(noe_parser *p)
{
    do noe_define(p, NOE_IS_PARAMETER);
    while (noe_comma(p));
}

static void observe(noe_parser *p)
{
    p->observing = true;
    do noe_define(p, NOE_IS_OBSERVABLE);
    while (noe_comma(p));
    p->observing = false;
}

static void add(noe_parser *p, noe_op op)
{
    const noe_ex x = noe_sound(p);
    p->model->L = noe_make(p->graph, op, p->model->L, x, 0);
}

static void kinetic(noe_parser *p) { add(p, NOE_ADD); }
static void potential(noe_parser *p) { add(p, NOE_SUB); }

static void once(noe_parser *p, noe_target to, void *data) { (void)data, noe_start_once(p, to); }

static void start(noe_parser *p)
{
    do {
        if (p->lex.token.kind == NOE_STRING) {
            noe_state_file(p);
            continue;
        }
        const noe_target to = noe_start_target(p);
        noe_expect(p, '=', "after what starts there");
        noe_start_values(p, to, once, NULL);
    } while (noe_comma(p));
}

/* What is suggested is kept as text: step and until may depend on parameters. */
static void suggest(noe_parser *p)
{
    noe_model *m = p->model;
    do {
        const size_t name = p->lex.token.at, length = p->lex.token.length;
        const char **to = noe_lex_word(&p->lex, "method") ? &m->method
                        : noe_lex_word(&p->lex, "step")   ? &m->step
                        : noe_lex_word(&p->lex, "until")  ? &m->until : NULL;
        const char  *text = p->lex.source.text;
        if (!to) noe_wrong(p, "method, step or until");
        if (*to) noe_source_fail(&p->lex.source, name, "'%.*s' is suggested twice", (int)length, text + name);
        noe_lex(&p->lex);
        noe_expect(p, '=', "after what is suggested");
        const noe_token k = p->lex.token;
        if (to != &m->method) {
            noe_constant(p);
            *to = noe_keep(p, text + k.at, p->lex.end - k.at);
            continue;
        }
        if (k.kind != NOE_STRING) noe_wrong(p, "the method's name in quotes, \"simpson\"");
        *to = noe_keep(p, text + k.at, k.length);
        noe_lex(&p->lex);
    } while (noe_comma(p));
}

static const struct {
    const char *name;
    void (*parse)(noe_parser *);
} statements[] = {
    { "parameter", parameter }, { "coordinate", noe_coordinates }, { "kinetic", kinetic },
    { "potential", potential }, { "lagrangian", kinetic },         { "start", start },
    { "observe", observe },     { "suggest", suggest },     { "fix", noe_fix },
    { "symmetry", noe_symmetry_statement },
    { "force", noe_force_statement },
    { "ground", noe_ground_statement },
    { "dissipation", noe_dissipation_statement },
    { "exact", noe_exact_statement },
    { "mass", noe_mass_statement },
    { "stiffness", noe_stiffness_statement },
    { "damping", noe_damping_statement },
};
enum { STATEMENTS = sizeof statements / sizeof *statements, GROUPED = 9 }; /* the first of them leave sums as sums */

static _Noreturn void no_statement(noe_parser *p)
{
    char        found[64];
    noe_nearest near = noe_nearest_to(p->lex.source.text + p->lex.token.at, p->lex.token.length);
    noe_lex_describe(&p->lex, found);
    const char *const advice = noe_foreign_statement(&p->lex);
    if (advice)
        noe_source_fail(&p->lex.source, p->lex.token.at, "%s begins no statement and is not followed by '=': write %s", found, advice);
    for (int i = 0; i < STATEMENTS; i++) noe_nearest_try(&near, statements[i].name);
    if (near.best)
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "%s begins no statement and is not followed by '='; did you mean '%s'?", found,
                        near.best);
    noe_source_fail(&p->lex.source, p->lex.token.at, "%s begins no statement and is not followed by '='",
                    found);
}

void noe_statement(noe_parser *p)
{
    const noe_lexer first = p->lex;
    int             i = 0;
    if (p->lex.token.kind != NOE_NAME) noe_wrong(p, "a statement");
    while (i < STATEMENTS && !noe_lex_word(&p->lex, statements[i].name)) i++;
    noe_lex(&p->lex);
    const bool definition = noe_lex_is(&p->lex, '=') || noe_lex_is(&p->lex, '[');
    if (definition || i == STATEMENTS) p->lex = first;
    if (definition) noe_define(p, NOE_IS_DEFINITION);
    else if (i == STATEMENTS) no_statement(p);
    else if (p->model->grouped && i >= GROUPED)
        noe_ungroupable(p, first.token.at, "forces and exact solutions");
    else statements[i].parse(p);
}
