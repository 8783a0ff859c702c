/* Parses the statements of a structure: its matrices and proportional damping.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * mass "m.mtx", stiffness "k.mtx", damping "c.mtx", alpha = a, beta = b:  M q'' + (C + a M + b
 * K) q' + K q = f(t).
 *
 * The files are named here and read when the system is made: src/system/model_structure.c. */
#include "model/parser.h"

#include <string.h>

static const char *const named[] = { "mass", "stiffness", "damping" };

bool noe_matrix_statement_names_matrix(const char *text, size_t length)
{
    for (const char *c = text, *end = text + length; c < end; c += strcspn(c, "\n") + 1) {
        const char *word = c + strspn(c, " \t");
        for (int k = NOE_MASS; k <= NOE_STIFFNESS; k++) {
            const size_t n = strlen(named[k]);
            if (!strncmp(word, named[k], n) && word[n + strspn(word + n, " \t")] == '"')
                return true;
        }
    }
    return false;
}

static void file(noe_parser *p, noe_matrix which)
{
    const noe_token   k = p->lex.token;
    const noe_source *s = &p->lex.source;
    noe_matrix_file  *m = &p->model->matrix[which];
    if (k.kind != NOE_STRING) noe_expect_fail(p, "the name of a file in quotes, \"k.mtx\"");
    if (m->path) noe_source_fail(s, k.at, "a second %s matrix: a model has one", named[which]);
    if (k.length == 0) noe_source_fail(s, k.at, "the name of the file is empty");
    m->path = noe_model_copy_text(p, s->text + k.at, k.length);
    m->at = k.at;
    noe_lexer_next(&p->lex);
}

void noe_matrix_statement_mass(noe_parser *p) { file(p, NOE_MASS); }
void noe_matrix_statement_stiffness(noe_parser *p) { file(p, NOE_STIFFNESS); }

void noe_matrix_statement_damping(noe_parser *p)
{
    do {
        const bool alpha = noe_lexer_is_word(&p->lex, "alpha");
        if (!alpha && !noe_lexer_is_word(&p->lex, "beta")) {
            if (p->lex.token.kind != NOE_STRING)
                noe_expect_fail(p, "alpha = .., beta = .. or the name of a file in quotes");
            file(p, NOE_DAMPING);
            continue;
        }
        noe_lexer_next(&p->lex);
        noe_expect_token(p, '=', "after a coefficient of damping");
        *(alpha ? &p->model->alpha : &p->model->beta) += noe_constant_expression_value(p);
    } while (noe_expect_comma(p));
}

/* Matrices replace L as a whole; forces may depend on t. */
void noe_matrix_statement_check(noe_parser *p)
{
    noe_model        *m = p->model;
    const noe_source *s = &p->lex.source;
    if (!m->matrix[NOE_STIFFNESS].path && !m->matrix[NOE_MASS].path) {
        if (m->matrix[NOE_DAMPING].path || m->alpha != 0 || m->beta != 0)
            noe_source_fail(s, m->matrix[NOE_DAMPING].at,
                            "damping by matrices needs a mass and a stiffness matrix; use "
                            "'dissipation' with a Lagrangian");
        return;
    }
    for (int k = NOE_MASS; k <= NOE_STIFFNESS; k++)
        if (!m->matrix[k].path)
            noe_source_fail(s, m->matrix[1 - k].at, "a %s matrix alone: the %s matrix is missing",
                            named[1 - k], named[k]);
    if (m->n == 0)
        noe_source_fail(
            s, m->matrix[NOE_MASS].at,
            "no coordinates are declared: write 'coordinate u[1..n]', n the number of rows");
    if (m->graph.node[m->L].has & (NOE_HAS_Q | NOE_HAS_V)
        || m->graph.node[m->dissipation].has & NOE_HAS_V)
        noe_source_fail(s, m->matrix[NOE_MASS].at,
                        "a system is given by matrices or by a Lagrangian, not by both");
    for (int k = 0; k < m->forces; k++)
        if (m->graph.node[m->force[k].ex].has & ~(NOE_HAS_PARAM | NOE_HAS_T))
            noe_source_fail(s, m->matrix[NOE_MASS].at,
                            "the force on '%.60s' depends on the motion: forces on matrices are "
                            "functions of t",
                            m->coordinate[m->force[k].index]->name);
}
