/* The table of statements: the first word, and the function that reads the rest.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "token/foreign_word.h"
#include "expr/time_alone.h"
#include "model/sum_parser.h"
#include "statement/rigid_body.h"

#include <stdio.h>
#include <string.h>

static void parameter(noe_parser *p)
{
    do noe_declaration_define(p, NOE_IS_PARAMETER);
    while (noe_expect_comma(p));
}

static void observe(noe_parser *p)
{
    p->observing = true;
    do noe_declaration_define(p, NOE_IS_OBSERVABLE);
    while (noe_expect_comma(p));
    p->observing = false;
}

static void add(noe_parser *p, noe_op op)
{
    noe_hamiltonian_statement_exclude(p, p->lex.token.at);
    const noe_ex x = noe_time_alone_drop(p->graph, noe_constant_expression_checked(p));
    p->model->L = noe_simplify_make(p->graph, op, p->model->L, x, 0);
}

static void kinetic(noe_parser *p) { add(p, NOE_ADD); }
static void potential(noe_parser *p) { add(p, NOE_SUB); }

static void once(noe_parser *p, noe_target to, void *data)
{
    (void)data, noe_initial_conditions_once(p, to);
}

static void start(noe_parser *p)
{
    do {
        if (p->lex.token.kind == NOE_STRING) {
            noe_start_file_read(p);
            continue;
        }
        if (noe_lexer_is_word(&p->lex, "energy")) {
            noe_energy_start_parse(p);
            continue;
        }
        if (noe_body_start_parse(p)) continue;
        const noe_target to = noe_initial_conditions_target(p);
        noe_expect_token(p, '=', "after what starts there");
        noe_initial_conditions_values(p, to, once, NULL);
    } while (noe_expect_comma(p));
}

/* What is suggested is kept as text: step and until may depend on parameters. */
static void suggest(noe_parser *p)
{
    noe_model *m = p->model;
    do {
        const size_t name = p->lex.token.at, length = p->lex.token.length;
        const char **to = noe_lexer_is_word(&p->lex, "method") ? &m->method
                        : noe_lexer_is_word(&p->lex, "step")   ? &m->step
                        : noe_lexer_is_word(&p->lex, "until")  ? &m->until
                                                               : NULL;
        const char  *text = p->lex.source.text;
        if (!to) noe_expect_fail(p, "method, step or until");
        if (*to)
            noe_source_fail(&p->lex.source, name, "'%.*s' is suggested twice", (int)length,
                            text + name);
        noe_lexer_next(&p->lex);
        noe_expect_token(p, '=', "after what is suggested");
        const noe_token k = p->lex.token;
        if (to != &m->method) {
            noe_constant_expression_value(p);
            *to = noe_model_copy_text(p, text + k.at, p->lex.end - k.at);
            continue;
        }
        if (k.kind != NOE_STRING) noe_expect_fail(p, "the method's name in quotes, \"simpson\"");
        *to = noe_model_copy_text(p, text + k.at, k.length);
        noe_lexer_next(&p->lex);
    } while (noe_expect_comma(p));
}

static const struct {
    const char *name;            /* first word of the statement */
    void (*parse)(noe_parser *); /* reads what follows */
    bool keeps_sums;             /* sums of many terms in it stay sums where the model is read so */
} statements[] = {
    { "parameter", parameter, true },
    { "coordinate", noe_declaration_coordinates, true },
    { "kinetic", kinetic, true },
    { "potential", potential, true },
    { "lagrangian", kinetic, true },
    { "hamiltonian", noe_hamiltonian_statement_parse, false },
    { "start", start, true },
    { "observe", observe, true },
    { "suggest", suggest, true },
    { "unit", noe_unit_statement_parse, true },
    { "fix", noe_fixed_coordinate_parse, true },
    { "draw", noe_draw_statement_parse, true },
    { "symmetry", noe_symmetry_statement_parse, false },
    { "force", noe_force_statement_force, false },
    { "ground", noe_force_statement_ground, false },
    { "dissipation", noe_force_statement_dissipation, false },
    { "event", noe_event_statement_parse, false },
    { "monitor", noe_monitor_statement_parse, false },
    { "control", noe_control_statement_parse, true },
    { "cost", noe_control_statement_cost, false },
    { "final", noe_control_statement_final, false },
    { "constraint", noe_constraint_statement_parse, false },
    { "body", noe_rigid_body_parse, false },
    { "point", noe_rigid_body_point, false },
    { "axis", noe_rigid_body_axis, false },
    { "exact", noe_exact_statement_parse, false },
    { "mass", noe_matrix_statement_mass, false },
    { "stiffness", noe_matrix_statement_stiffness, false },
    { "damping", noe_matrix_statement_damping, false },
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

static _Noreturn void no_statement(noe_parser *p)
{
    char             found[64];
    noe_nearest_word near = noe_nearest_word_to(p->lex.source.text + p->lex.token.at,
                                                p->lex.token.length);
    noe_lexer_describe(&p->lex, found);
    const char *const advice = noe_foreign_word_statement(&p->lex);
    if (advice)
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "%s begins no statement and is not followed by '=': write %s", found,
                        advice);
    for (int i = 0; i < STATEMENTS; i++) noe_nearest_word_try(&near, statements[i].name);
    if (near.best)
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "%s begins no statement and is not followed by '='; did you mean '%s'?",
                        found, near.best);
    noe_source_fail(&p->lex.source, p->lex.token.at,
                    "%s begins no statement and is not followed by '='", found);
}

void noe_statement_parse(noe_parser *p)
{
    const noe_lexer first = p->lex;
    int             i = 0;
    if (p->lex.token.kind != NOE_NAME) noe_expect_fail(p, "a statement");
    while (i < STATEMENTS && !noe_lexer_is_word(&p->lex, statements[i].name)) i++;
    noe_lexer_next(&p->lex);
    const bool definition = noe_lexer_is(&p->lex, '=') || noe_lexer_is(&p->lex, '[');
    if (definition || i == STATEMENTS) p->lex = first;
    if (definition) {
        p->momenta = true;
        noe_declaration_define(p, NOE_IS_DEFINITION);
        p->momenta = false;
    } else if (i == STATEMENTS) no_statement(p);
    else if (p->model->grouped && !statements[i].keeps_sums) {
        char why[64];
        snprintf(why, sizeof why, "the statement '%s'", statements[i].name);
        noe_write_out_sums(p, first.token.at, why);
    } else statements[i].parse(p);
}
