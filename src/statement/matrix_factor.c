/* K_ij <- c_ij K_ij: what assignments from outside do to matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     stiffness = 1.1                       every entry
 *     stiffness[3,4] = 1.1                  entries (3,4) and (4,3)
 *     stiffness[i,j] normal(1, 1e-3) = 7    a random factor for every pair; the seed is 7 */
#include "model/family.h"

#include <string.h>

static const char *const named[] = { "mass", "stiffness", "damping" };

static bool same(const noe_factor *x, const noe_factor *y)
{
    return x->what == y->what && x->which == y->which && x->row == y->row && x->col == y->col;
}

static void running(noe_parser *p, noe_factor *x)
{
    noe_lexer_next(&p->lex);
    noe_expect_token(p, ',', "between the indices of an entry");
    if (p->lex.token.kind != NOE_NAME)
        noe_expect_fail(p, "two indices that run, [i,j], or two numbers");
    noe_lexer_next(&p->lex);
    noe_expect_token(p, ']', "after the indices of an entry");
    x->what = noe_lexer_is_word(&p->lex, "uniform") ? NOE_FACTOR_UNIFORM : NOE_FACTOR_NORMAL;
    if (x->what == NOE_FACTOR_NORMAL && !noe_lexer_is_word(&p->lex, "normal"))
        noe_expect_fail(p, "normal(MEAN, DEVIATION) or uniform(LEAST, MOST)");
    noe_lexer_next(&p->lex);
    const size_t opened = p->lex.token.at;
    noe_expect_token(p, '(', "after the distribution");
    x->a = noe_constant_expression_value(p);
    noe_expect_token(p, ',', "between its numbers");
    x->b = noe_constant_expression_value(p);
    noe_expect_close(p, opened, "after the numbers of the distribution");
}

bool noe_matrix_factor_parse(noe_parser *p)
{
    noe_model   *m = p->model;
    noe_factor   x = { .what = NOE_FACTOR_ALL };
    const size_t at = p->lex.token.at;
    int          which = 0;
    while (which < 3 && !noe_lexer_is_word(&p->lex, named[which])) which++;
    if (which == 3 || !m->sparse) return false;
    x.which = (noe_matrix)which;
    if (!m->matrix[which].path)
        noe_source_fail(&p->lex.source, at,
                        "the model names no %s matrix whose entries could change", named[which]);
    noe_lexer_next(&p->lex);
    if (noe_lexer_is(&p->lex, '[')) {
        noe_lexer_next(&p->lex);
        if (p->lex.token.kind == NOE_NAME
            && !noe_model_find(m, p->lex.source.text + p->lex.token.at, p->lex.token.length))
            running(p, &x);
        else {
            x.what = NOE_FACTOR_ENTRY;
            x.row = noe_index_expression_value(p);
            noe_expect_token(p, ',', "between the row and the column of an entry");
            x.col = noe_index_expression_value(p);
            noe_expect_token(p, ']', "after the column of an entry");
            if (x.row < 1 || x.row > m->n || x.col < 1 || x.col > m->n)
                noe_source_fail(&p->lex.source, at,
                                "row %lld, column %lld: the matrix has %d of each",
                                (long long)x.row, (long long)x.col, m->n);
        }
    }
    noe_expect_token(p, '=', "and a number: the factor, or the seed of a distribution");
    const size_t seed = p->lex.token.at;
    const quad   value = noe_constant_expression_value(p);
    if (x.what == NOE_FACTOR_ALL || x.what == NOE_FACTOR_ENTRY) x.a = value;
    else if (!(value >= 0 && value <= (quad)0x1p53 && value == floorq(value)))
        noe_source_fail(&p->lex.source, seed,
                        "the seed of a distribution is a whole number from 0 to 2^53");
    else x.seed = (uint64_t)value;
    for (int i = 0; i < m->factors; i++)
        if (same(&m->factor[i], &x)) return m->factor[i] = x, true;
    noe_model_push(p, &m->factor, m->factors, sizeof *m->factor);
    m->factor[m->factors++] = x;
    return true;
}
