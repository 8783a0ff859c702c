/* table("load.csv", t, "north", cubic, zero): a function of x by its values.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/csv_table.h"

#include <string.h>

typedef struct {
    noe_token   file, column; /* the file's name; the column's, where it was given by its name */
    int64_t     number;       /* of the column, from 1, where it was given so; 0: it was not */
    size_t      at;           /* where the column stands in the text; 0: it was not given */
    bool        cubic;        /* a spline, or else straight lines */
    noe_outside outside;
} wanted;

/* Reads what may follow the argument, in any order: linear or cubic, zero or hold, the column. */
static void words(noe_parser *p, wanted *w)
{
    static const char *const known[] = { "linear", "cubic", "zero", "hold" };
    while (noe_expect_comma(p)) {
        const noe_token k = p->lex.token;
        int             i = 0;
        while (i < 4 && !noe_lexer_is_word(&p->lex, known[i])) i++;
        if (i < 4) {
            noe_lexer_next(&p->lex);
            if (i < 2) w->cubic = i == 1;
            else w->outside = i == 2 ? NOE_OUTSIDE_ZERO : NOE_OUTSIDE_HELD;
            continue;
        }
        if (w->at) noe_expect_fail(p, "linear or cubic, zero or hold after the column");
        w->at = k.at;
        if (k.kind == NOE_STRING) {
            w->column = k;
            noe_lexer_next(&p->lex);
            continue;
        }
        const quad x = noe_constant_expression_value(p);
        if (!(x >= 1 && x <= 1e6 && x == floorq(x)))
            noe_source_fail(&p->lex.source, k.at,
                            "expected the number of a column, 1 or more, or its name in quotes");
        if (p->graph->node[p->constant].has) p->model->shaped = true;
        w->number = (int64_t)x;
    }
}

/* Makes the function of the points (x_k, y_k): x is the first column of the file, y the wanted one;
 * in a file of one column x_k = k = 0, 1, .. */
static void points(noe_parser *p, const wanted *w, noe_tabulated *s, const noe_csv_table *sheet)
{
    const noe_source *text = &p->lex.source;
    const int64_t     n = sheet->rows, C = sheet->columns, j = s->column - 1;
    quad             *x = noe_model_alloc(p, (size_t)n * sizeof *x),
         *y = noe_model_alloc(p, (size_t)n * sizeof *y);
    if (j >= C)
        noe_source_fail(text, w->at, "'%.100s' has %lld column%s: there is no number %lld",
                        sheet->file, (long long)C, C > 1 ? "s" : "", (long long)s->column);
    if (n < 2)
        noe_source_fail(text, w->file.at, "'%.100s' has one row: expected two or more",
                        sheet->file);
    for (int64_t k = 0; k < n; k++) {
        x[k] = C == 1 ? (quad)k : sheet->value[k * C];
        y[k] = sheet->value[k * C + j];
        if (k && (double)x[k] <= (double)x[k - 1])
            noe_source_fail(text, w->file.at,
                            "line %d of '%.100s': %.10g follows %.10g in the first column: "
                            "expected a larger number",
                            sheet->line[k], sheet->file, (double)x[k], (double)x[k - 1]);
    }
    s->pieces = n - 1;
    if (!noe_tabulated_make(s, p->model->arena, x, y)) longjmp(*text->stop, 1);
}

/* Does a token in quotes name this file? */
static bool named(const noe_source *text, const noe_token *k, const char *file)
{
    return strlen(file) == k->length && !memcmp(file, text->text + k->at, k->length);
}

/* The numbers of a file, which is read once for all its uses. */
static noe_csv_table *read(noe_parser *p, const noe_token *file)
{
    noe_model *m = p->model;
    for (int i = 0; i < m->csv_tables; i++)
        if (m->csv_table[i]->assigned == p->assigning
            && named(&p->lex.source, file, m->csv_table[i]->file))
            return m->csv_table[i];
    const noe_lexer after = p->lex;
    p->lex.token = *file;
    noe_model_push(p, &m->csv_table, m->csv_tables, sizeof *m->csv_table);
    noe_csv_table *s = m->csv_table[m->csv_tables++] = noe_csv_table_read(p);
    p->lex = after;
    return s;
}

/* The index of the function in the graph's tables: of an equal one, or of a new one. */
static int samples(noe_parser *p, const wanted *w)
{
    const noe_source    *text = &p->lex.source;
    const noe_csv_table *sheet = read(p, &w->file);
    noe_tables          *t = p->model->graph.tables;
    if (!t) t = p->model->graph.tables = noe_model_alloc(p, sizeof *t);
    p->graph->tables = t;
    noe_tabulated s = {
        .file = sheet->file, .column = w->number, .cubic = w->cubic, .outside = w->outside
    };
    if (w->column.length)
        s.column =
            1 + noe_csv_table_column(p, sheet, text->text + w->column.at, w->column.length, w->at);
    if (!s.column) s.column = sheet->columns > 1 ? 2 : 1;
    for (int i = 0; i < t->count; i++) {
        const noe_tabulated *old = t->item[i];
        if (old->file == s.file && old->column == s.column && old->cubic == s.cubic
            && old->outside == s.outside)
            return i;
    }
    if (t->count == NOE_TABLES_MOST)
        noe_source_fail(text, w->file.at, "more than %d tables", NOE_TABLES_MOST);
    t->item[t->count] = noe_model_alloc(p, sizeof s);
    points(p, w, &s, sheet);
    *t->item[t->count] = s;
    return t->count++;
}

noe_ex noe_table_lookup_parse(noe_parser *p)
{
    const size_t opened = p->lex.token.at;
    wanted       w = { .number = 0 };
    noe_expect_token(p, '(', "after table");
    w.file = p->lex.token;
    if (w.file.kind != NOE_STRING)
        noe_expect_fail(p, "the name of a file of numbers in quotes, \"load.csv\"");
    noe_lexer_next(&p->lex);
    noe_expect_token(p, ',', "and what to look up, as in table(\"load.csv\", t)");
    const noe_ex x = noe_expression_parse(p);
    words(p, &w);
    noe_expect_close(p, opened, "after the table");
    return noe_simplify_make(p->graph, NOE_TABLE, x,
                             noe_graph_number(p->graph, NOE_TABLE_ORDERS * samples(p, &w)), 0);
}

static const noe_tabulated *outside(const noe_graph *g, quad t)
{
    for (int i = 0; i < g->count; i++) {
        const noe_node *x = &g->node[i];
        if (x->op == NOE_TABLE && g->node[x->a].op == NOE_T
            && isnanq(noe_tabulated_at(g->tables, g->node[x->b].value, t)))
            return g->tables->item[noe_tabulated_item((int)g->node[x->b].value)];
    }
    return NULL;
}

const noe_tabulated *noe_table_lookup_outside(const noe_model *m, quad t)
{
    const noe_tabulated *s = outside(&m->graph, t);
    for (int i = 0; !s && i < m->graph_count; i++) s = outside(m->graphs[i], t);
    return s;
}
