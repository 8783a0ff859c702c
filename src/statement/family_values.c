/* The values of m[lo..hi]: a list, a file of numbers, or one expression read for each member.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/family.h"
#include "base/csv_cells.h"
#include "model/csv_table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Numbers between commas, semicolons, blanks and line ends; # begins a comment.  Returns how many
 * there are (the first `members` are stored); *bad [*length]: the first text that is no number, in
 * the line *x, or NULL.  ex: set only where the graph is exact, which alone reads it; of an
 * expression in the model it exists in any case. */
static int64_t numbers(noe_parser *p, noe_csv_lines *x, quad *value, noe_ex *ex, int64_t members,
                       const char **bad, size_t *length)
{
    int64_t count = 0;
    *bad = NULL;
    while (noe_csv_cells_row(x)) {
        const char *comment = memchr(x->from, '#', (size_t)(x->end - x->from)),
                   *end = comment ? comment : x->end;
        for (const char *c = x->from; c && c < end;) {
            const char *word = noe_csv_cells_next(&c, end, ",; ", length);
            quad        number;
            if (*length == 0) continue; /* between two separators, or after the last */
            if (!noe_lexer_number(word, *length, &number)) return *bad = word, count;
            if (count < members) value[count] = number;
            if (count < members && p->graph->exact)
                ex[count] = noe_number_literal_make(p, number, word, *length);
            count++;
        }
    }
    return count;
}

static void from_file(noe_parser *p, int64_t members, quad *value, noe_ex *ex)
{
    const noe_token k = p->lex.token;
    const char     *name = p->lex.source.text + k.at, *bad;
    const int       shown = noe_source_shown(name, k.length, 100);
    char           *text = noe_csv_table_read_file(p, name, k.length), message[200] = "";
    if (!text)
        noe_source_fail(&p->lex.source, k.at, "cannot read '%.*s': %s", shown, name,
                        strerror(errno));
    size_t        length;
    noe_csv_lines line = noe_csv_cells_begin(text, strlen(text));
    const int64_t count = numbers(p, &line, value, ex, members, &bad, &length);
    if (bad)
        snprintf(message, sizeof message, "line %d of '%.*s': expected a number, found '%.*s'",
                 line.line, shown, name, noe_source_shown(bad, length, 40), bad);
    else if (count != members)
        snprintf(message, sizeof message, "'%.*s' has %lld number%s, the family has %lld member%s",
                 shown, name, (long long)count, count == 1 ? "" : "s", (long long)members,
                 members == 1 ? "" : "s");
    if (*message) noe_source_fail(&p->lex.source, k.at, "%s", message);
    noe_lexer_next(&p->lex);
}

typedef struct {
    const noe_left *left;
    quad           *value; /* [hi - lo + 1] values, in turn */
    noe_ex         *ex;    /* [hi - lo + 1] expressions, in turn */
    noe_lexer       end;   /* after the expression of the last member */
} filling;

static void one(noe_parser *p, int64_t i, void *data)
{
    filling *f = data;
    f->value[i - f->left->lo] = noe_constant_expression_value(p);
    f->ex[i - f->left->lo] = p->constant;
    f->end = p->lex;
}

/* Reads (1, 2, 3); false when there is no comma in the parenthesis. */
static bool from_list(noe_parser *p, int64_t members, quad *value, noe_ex *ex)
{
    const noe_lexer first = p->lex;
    const size_t    opened = p->lex.token.at;
    int64_t         count = 0;
    noe_lexer_next(&p->lex);
    do {
        const quad x = noe_constant_expression_value(p);
        if (count < members) value[count] = x, ex[count] = p->constant;
        count++;
    } while (noe_expect_comma(p));
    const bool list = count > 1;
    if (list) noe_expect_close(p, opened, "after the values");
    if (!list) p->lex = first;
    else if (count != members)
        noe_source_fail(&p->lex.source, opened, "%lld values for %lld member%s", (long long)count,
                        (long long)members, members == 1 ? "" : "s");
    return list;
}

void noe_family_values_parse(noe_parser *p, const noe_left *left, quad *value, noe_ex *ex)
{
    const int64_t count = left->hi - left->lo + 1;
    filling       f = { left, value, ex, { .at = 0 } };
    if (left->kind == NOE_LEFT_RANGE && p->lex.token.kind == NOE_STRING) {
        from_file(p, count, value, ex);
        return;
    }
    if (left->kind == NOE_LEFT_RANGE && noe_lexer_is(&p->lex, '(')
        && from_list(p, count, value, ex))
        return;
    noe_index_binding_each(p, left, false, one, &f);
    p->lex = f.end;
}
