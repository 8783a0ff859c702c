/* start "state.csv": q, q', p and t from the columns of these names, in the last row.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * So what a run has written is a start of another.  Columns of anything else, energy or an
 * observable, are skipped. */
#include "base/spelling.h"
#include "model/sum_parser.h"
#include "model/csv_table.h"

#include <stdio.h>
#include <string.h>

/* The column's name as the language writes it: "q1.v" is q1', "u.3" is u[3]. */
static const char *written(noe_parser *p, const char *name)
{
    const size_t length = strlen(name);
    const char   kind = noe_spelling_kind(name);
    char        *plain = noe_model_alloc(p, length + 4), *text = noe_model_alloc(p, length + 8);
    if (strpbrk(name, "'()")) return name;
    noe_spelling_of_member(name, length - (kind == 'q' ? 0 : 2), plain);
    sprintf(text, kind == 'p' ? "p(%s)" : kind == 'v' ? "%s'" : "%s", plain);
    return text;
}

static bool says_nothing(const noe_model *m, const char *name)
{
    const noe_symbol *s = noe_model_find(m, name, strlen(name));
    return noe_spelling_energy(name) || (s && !s->family && s->what != NOE_IS_COORDINATE);
}

void noe_start_file_read(noe_parser *p)
{
    const size_t         at = p->lex.token.at;
    const noe_csv_table *s = noe_csv_table_read(p);
    const noe_lexer      outer = p->lex;
    int                  used = 0;
    if (!s->name)
        noe_source_fail(&p->lex.source, at,
                        "the first line of '%.100s' has numbers: expected the names of what "
                        "starts, \"q1,q1.v\"",
                        s->file);
    if (p->model->grouped) noe_write_out_sums(p, at, "a start by the names of columns");
    for (int j = 0; j < s->columns; j++) {
        const size_t k = (size_t)(s->rows - 1) * (size_t)s->columns + (size_t)j;
        if (says_nothing(p->model, s->name[j])) continue;
        const char *text = written(p, s->name[j]);
        p->lex = (noe_lexer){ .source = { s->file, text, strlen(text), outer.source.stop } };
        noe_source_check(&p->lex.source);
        noe_lexer_next(&p->lex);
        noe_target to = noe_initial_conditions_target(p);
        if (p->lex.token.kind != NOE_END || to.ruled || to.moving.parts > 1)
            noe_expect_fail(
                p, "the name of a coordinate, q1, its velocity q1', its momentum p(q1), or t");
        p->constant = s->ex ? s->ex[k] : noe_graph_number(&p->model->graph, s->value[k]);
        noe_initial_conditions_once(p, to);
        to.at = at;
        noe_initial_conditions_set(p, to, s->value[k]);
        used++;
    }
    p->lex = outer;
    if (!used) noe_source_fail(&p->lex.source, at, "'%.100s' has no column of the state", s->file);
}
