/* symmetry NAME = (xi_1, .., xi_n):  a generator q -> q + eps xi(t, q), its momentum sum xi_i p_i.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

#include <stdio.h>
#include <string.h>

/* The text of the expression that begins at `at`, or of its component. */
static char *text_of(noe_parser *p, size_t at, int component)
{
    const char  *from = p->lex.source.text + at;
    const size_t length = p->lex.end - at;
    char        *text = noe_model_alloc(p, length + 5);
    if (component < 0) return noe_model_copy_text(p, from, length);
    sprintf(text, "(%.*s).%c", (int)length, from, "xyz"[component]);
    return text;
}

/* A number, or a vector for three coordinates. */
static void component(noe_parser *p, noe_declared *d)
{
    const size_t       at = p->lex.token.at;
    const noe_quantity x = noe_expression_quantity(p);
    for (int c = 0; c < (x.vector ? 3 : 1); c++) {
        if (p->graph->node[x.ex[c]].has & (NOE_HAS_V | NOE_HAS_P))
            noe_source_fail(
                &p->lex.source, at,
                "a generator is a function of coordinates, parameters and t: here are velocities");
        noe_model_push(p, &d->xi, d->parts, sizeof *d->xi);
        noe_model_push(p, &d->text, d->parts, sizeof *d->text);
        d->xi[d->parts] = x.ex[c];
        d->text[d->parts++] = text_of(p, at, x.vector ? c : -1);
    }
}

/* The components as written are in the order of the text; they get that of the coordinates. */
static void sort(noe_parser *p, noe_declared *d)
{
    const noe_model *m = p->model;
    const size_t     n = (size_t)m->n;
    noe_ex          *xi = noe_model_alloc(p, n * sizeof *xi);
    const char     **text = noe_model_alloc(p, n * sizeof *text);
    for (int i = 0; i < m->n; i++) xi[m->stated[i]] = d->xi[i], text[m->stated[i]] = d->text[i];
    d->xi = xi, d->text = text;
}

void noe_symmetry_statement_parse(noe_parser *p)
{
    noe_model *m = p->model;
    do {
        const noe_token k = noe_declaration_new_name(p, NOE_IS_SYMMETRY);
        noe_declared    d = { .at = k.at };
        noe_expect_token(p, '=', "after the symmetry's name");
        const size_t opened = p->lex.token.at;
        noe_expect_token(p, '(', "and one expression per coordinate: symmetry rotation = (-y, x)");
        do component(p, &d);
        while (noe_expect_comma(p));
        noe_expect_close(p, opened, "after the generator's components");
        d.symbol = noe_model_declare(p, NOE_IS_SYMMETRY, &k);
        noe_observable_add(p, d.symbol);
        noe_model_push(p, &m->declared, m->declareds, sizeof *m->declared);
        m->declared[m->declareds++] = d;
    } while (noe_expect_comma(p));
}

void noe_symmetry_statement_finish(noe_parser *p)
{
    noe_model *m = p->model;
    noe_graph *g = &m->graph;
    for (int k = 0; k < m->declareds; k++) {
        noe_declared *d = &m->declared[k];
        const char   *name = d->symbol->name;
        if (d->parts != m->n)
            noe_source_fail(&p->lex.source, d->at,
                            "the symmetry '%.*s' has %d component%s, the model %d coordinate%s: "
                            "one for each is expected, in the order of their declaration",
                            noe_source_shown(name, strlen(name), 60), name, d->parts,
                            d->parts > 1 ? "s" : "", m->n, m->n > 1 ? "s" : "");
        noe_ex sum = noe_graph_number(g, 0);
        int    still = 0;
        sort(p, d);
        while (still < m->n && noe_graph_is(g, d->xi[still], 0)) still++;
        if (still == m->n)
            noe_source_fail(&p->lex.source, d->at,
                            "the symmetry '%.*s' moves nothing: all its components are 0",
                            noe_source_shown(name, strlen(name), 60), name);
        for (int i = 0; i < m->n; i++)
            sum = noe_simplify_make(
                g, NOE_ADD, sum,
                noe_simplify_make(g, NOE_MUL, d->xi[i], noe_graph_leaf(g, NOE_P, i), 0), 0);
        d->symbol->ex = sum;
    }
}

void noe_symmetry_statement_fix(noe_parser *p, const int *number)
{
    noe_model *m = p->model;
    for (int k = 0; k < m->declareds; k++) {
        noe_declared *d = &m->declared[k];
        int           parts = 0;
        for (int i = 0; i < d->parts; i++) {
            if (number[i] >= 0) {
                d->xi[parts] = d->xi[i], d->text[parts++] = d->text[i];
            } else if (!noe_graph_is(&m->graph, d->xi[i], 0)) {
                const char *name = m->coordinate[i]->name;
                noe_source_fail(
                    &p->lex.source, d->at,
                    "the symmetry moves '%.*s', which is fixed: its component must be 0",
                    noe_source_shown(name, strlen(name), 60), name);
            }
        }
        d->parts = parts;
    }
}
