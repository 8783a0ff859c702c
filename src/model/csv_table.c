/* x_11, x_12, ..: a file of numbers in rows and columns, the first line perhaps their names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/csv_table.h"

#include "base/csv_cells.h"
#include "base/whole_file.h"
#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 100000 };

char *noe_csv_table_read_file(noe_parser *p, const char *name, size_t length)
{
    const char  *model = p->model->name, *slash = strrchr(model, '/');
    const bool   beside = slash && *name != '/' && !p->assigning;
    const size_t folder = beside ? (size_t)(slash - model) + 1 : 0;
    char        *path = noe_model_alloc(p, folder + length + 1);
    memcpy(path, model, folder);
    memcpy(path + folder, name, length);
    size_t used;
    char  *text = noe_whole_file_read(path, NOE_DATA_FILE_MOST, &used);
    if (text && used > NOE_DATA_FILE_MOST) {
        free(text);
        noe_source_fail(&p->lex.source, p->lex.token.at, "'%.*s' has more than %d MB of data",
                        noe_source_shown(name, length, 100), name, NOE_DATA_FILE_MOST >> 20);
    }
    noe_csv_lines lines = noe_csv_cells_begin(text ? text : "", text ? used : 0);
    while (noe_csv_cells_line(&lines) && !lines.zero) continue;
    if (lines.zero) {
        free(text);
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "line %d of '%.*s': a NUL byte: expected a text file", lines.zero,
                        noe_source_shown(name, length, 100), name);
    }
    char      *kept = text ? noe_arena_copy(p->model->arena, text, used) : NULL;
    const bool lost = text
                   && !(kept
                        && noe_input_files_add(p->model, name, length,
                                               noe_hash(NOE_HASH_BEGIN, text, used)));
    free(text);
    if (lost) longjmp(*p->lex.source.stop, 1);
    return kept;
}

typedef struct {
    noe_parser    *p;
    noe_csv_table *s;
    size_t         at;       /* of the name in the model */
    char          *text;     /* of the file */
    int64_t        capacity; /* rows there is room for */
    int            line;     /* of the file */
} reader;

static _Noreturn void wrong(reader *r, const char *what, const char *word, size_t length)
{
    char message[400];
    snprintf(message, sizeof message, "line %d of '%.100s': %s%s%.*s%s", r->line, r->s->file, what,
             word ? ", found '" : "", word ? noe_source_shown(word, length, 40) : 0,
             word ? word : "", word ? "'" : "");
    noe_source_fail(&r->p->lex.source, r->at, "%s", message);
}

/* The next cell; a separator at the end of a line ends the last cell. */
static const char *cell(const char **c, const char *end, size_t *length)
{
    const char *word = noe_csv_cells_next(c, end, ",; ", length);
    if (*c == end) *c = NULL;
    return word;
}

static int count(const char *c, const char *end)
{
    size_t length;
    int    n = 0;
    for (; c && n <= COLUMNS_MOST; n++) cell(&c, end, &length);
    return n;
}

static void names(reader *r, const char *c, const char *end)
{
    size_t length;
    r->s->name = noe_model_alloc(r->p, (size_t)r->s->columns * sizeof *r->s->name);
    for (int j = 0; j < r->s->columns; j++) {
        const char *word = cell(&c, end, &length);
        r->s->name[j] = noe_model_copy_text(r->p, word, length);
    }
}

static void row(reader *r, const char *c, const char *end)
{
    noe_csv_table *s = r->s;
    size_t         length;
    if (s->rows == r->capacity) {
        const size_t wide = (size_t)s->columns, old = (size_t)s->rows * wide;
        r->capacity = r->capacity ? 2 * r->capacity : 64;
        quad   *value = noe_model_alloc(r->p, (size_t)r->capacity * wide * sizeof *value);
        int    *line = noe_model_alloc(r->p, (size_t)r->capacity * sizeof *line);
        noe_ex *ex = r->p->graph->exact
                       ? noe_model_alloc(r->p, (size_t)r->capacity * wide * sizeof *ex)
                       : NULL;
        if (old)
            memcpy(value, s->value, old * sizeof *value),
                memcpy(line, s->line, (size_t)s->rows * sizeof *line);
        if (old && ex) memcpy(ex, s->ex, old * sizeof *ex);
        s->value = value, s->line = line, s->ex = ex;
    }
    for (int j = 0; j < s->columns; j++) {
        const size_t at = (size_t)s->rows * (size_t)s->columns + (size_t)j;
        const char  *word = cell(&c, end, &length);
        if (!noe_lexer_number(word, length, &s->value[at]))
            wrong(r, "expected a number", word, length);
        if (s->ex) s->ex[at] = noe_number_literal_make(r->p, s->value[at], word, length);
    }
    s->line[s->rows++] = r->line;
}

noe_csv_table *noe_csv_table_read(noe_parser *p)
{
    const noe_token k = p->lex.token;
    if (k.kind != NOE_STRING)
        noe_expect_fail(p, "the name of a file of numbers in quotes, \"load.csv\"");
    reader      r = { .p = p, .s = noe_model_alloc(p, sizeof *r.s), .at = k.at };
    const char *name = p->lex.source.text + k.at;
    r.s->assigned = p->assigning;
    r.s->file = noe_model_copy_text(p, name, k.length);
    r.text = noe_csv_table_read_file(p, name, k.length);
    if (!r.text)
        noe_source_fail(&p->lex.source, k.at, "cannot read '%.*s': %s",
                        noe_source_shown(name, k.length, 100), name, strerror(errno));
    noe_csv_lines x = noe_csv_cells_begin(r.text, strlen(r.text));
    while (noe_csv_cells_row(&x)) {
        const int wide = count(x.from, x.end);
        r.line = x.line;
        if (!r.s->columns) {
            size_t      length;
            const char *at = x.from, *word = cell(&at, x.end, &length);
            quad        number;
            if (wide > COLUMNS_MOST) {
                char most[80];
                snprintf(most, sizeof most, "more than %d columns", COLUMNS_MOST);
                wrong(&r, most, NULL, 0);
            }
            r.s->columns = wide;
            if (!noe_lexer_number(word, length, &number)) {
                names(&r, x.from, x.end);
                continue;
            }
        }
        if (wide != r.s->columns) {
            char expected[80];
            snprintf(expected, sizeof expected, "expected %d columns, as before, found %d",
                     r.s->columns, wide);
            wrong(&r, expected, NULL, 0);
        }
        row(&r, x.from, x.end);
    }
    r.line = x.line;
    if (!r.s->rows) wrong(&r, "expected rows of numbers; there are none", NULL, 0);
    noe_lexer_next(&p->lex);
    return r.s;
}

int noe_csv_table_column(noe_parser *p, const noe_csv_table *s, const char *name, size_t length,
                         size_t at)
{
    const int        shown = noe_source_shown(name, length, 60);
    noe_nearest_word near = noe_nearest_word_to(name, length);
    for (int j = 0; s->name && j < s->columns; j++) {
        if (strlen(s->name[j]) == length && !memcmp(s->name[j], name, length)) return j;
        noe_nearest_word_try(&near, s->name[j]);
    }
    if (!s->name)
        noe_source_fail(&p->lex.source, at,
                        "the columns of '%.100s' have no names: its first line has numbers",
                        s->file);
    if (near.best)
        noe_source_fail(&p->lex.source, at, "'%.100s' has no column '%.*s'; did you mean '%.60s'?",
                        s->file, shown, name, near.best);
    noe_source_fail(&p->lex.source, at, "'%.100s' has no column '%.*s'", s->file, shown, name);
}
