/* Reads a file of measurements: comma, semicolon, tab or blanks between its cells.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/measurements.h"

#include "base/csv_cells.h"
#include "base/status.h"
#include "base/whole_file.h"
#include "token/lexer.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { COLUMNS_MOST = 10000 };

typedef struct {
    noe_measurements *to;
    noe_arena        *arena;
    char              apart[2];       /* what separates cells, the same in all lines */
    int               line, capacity; /* of the file; rows there is room for */
} reader;

static bool wrong(const reader *r, const char *what, const char *word, size_t length)
{
    const int shown = length > 40 ? 40 : (int)length;
    return noe_status_fail(NOE_INVALID, "%s:%d: %s%s%.*s%s", r->to->path, r->line, what,
                           word ? ", found '" : "", shown, word ? word : "", word ? "'" : ""),
           false;
}

/* What separates the cells of the first line, outside of quotes: ';', else ',', else tabs, else
 * blanks. */
static char separator(const char *from, const char *end)
{
    char best = ' ';
    for (const char *c = from; c < end; c++) {
        const char *close = *c == '"' && (c == from || strchr(" \t,;", c[-1]))
                              ? memchr(c + 1, '"', (size_t)(end - c - 1))
                              : NULL;
        if (close) c = close;
        else if (*c == ';') return ';';
        else if (*c == ',' || (*c == '\t' && best == ' ')) best = *c;
    }
    return best;
}

static bool names(reader *r, const char *from, const char *end)
{
    noe_measurements *m = r->to;
    const char       *c = from;
    r->apart[0] = separator(from, end);
    m->name = noe_arena_take(r->arena, COLUMNS_MOST * sizeof *m->name);
    for (size_t length; c && m->name;) {
        const char *word = noe_csv_cells_next(&c, end, r->apart, &length);
        quad        number;
        if (m->columns == COLUMNS_MOST) return wrong(r, "more than 10000 columns", NULL, 0);
        if (length && noe_lexer_number(word, length, &number))
            return wrong(r, "expected the names of the columns in the first line, as t,q1", word,
                         length);
        const char *name = noe_arena_copy(r->arena, word, length);
        if (!name) return false;
        if (*name && noe_measurements_column(m, name) >= 0)
            return wrong(r, "two columns have the same name", word, length);
        m->name[m->columns++] = name;
    }
    return m->name != NULL;
}

static bool number(const reader *r, const char *word, size_t length, double *to)
{
    quad x;
    *to = NAN;
    if (!length || (length == 3 && !strncasecmp(word, "nan", 3))
        || (length == 2 && !strncasecmp(word, "na", 2)))
        return true;
    if (*word == '+' && length > 1) word++, length--;
    if (!noe_lexer_number(word, length, &x) || !isfinite((double)x))
        return wrong(r, "expected a finite number, or nothing where it is missing", word, length);
    *to = (double)x;
    return true;
}

static bool grow(reader *r)
{
    noe_measurements *m = r->to;
    if (m->rows < r->capacity) return true;
    r->capacity = r->capacity ? 2 * r->capacity : 256;
    const size_t cells = (size_t)m->columns * (size_t)m->rows;
    double      *value = noe_arena_take(r->arena,
                                        (size_t)m->columns * (size_t)r->capacity * sizeof *value);
    int         *line = noe_arena_take(r->arena, (size_t)r->capacity * sizeof *line);
    if (!value || !line) return false;
    if (m->rows) {
        memcpy(value, m->value, cells * sizeof *value);
        memcpy(line, m->line, (size_t)m->rows * sizeof *line);
    }
    m->value = value, m->line = line;
    return true;
}

static bool row(reader *r, const char *c, const char *end)
{
    noe_measurements *m = r->to;
    if (!grow(r)) return false;
    double *to = m->value + (size_t)m->rows * (size_t)m->columns;
    int     j = 0;
    for (size_t length; c; j++) {
        const char *word = noe_csv_cells_next(&c, end, r->apart, &length);
        if (j == m->columns) return wrong(r, "more cells than the first line has names", NULL, 0);
        if (!number(r, word, length, &to[j])) return false;
    }
    if (j < m->columns) return wrong(r, "fewer cells than the first line has names", NULL, 0);
    m->line[m->rows++] = r->line;
    return true;
}

static bool lines(reader *r, const char *text, size_t length)
{
    noe_csv_lines x = noe_csv_cells_begin(text, length);
    while (noe_csv_cells_row(&x)) {
        r->line = x.line;
        if (x.zero == x.line) return wrong(r, "a NUL byte: expected a text file", NULL, 0);
        if (!r->to->columns ? !names(r, x.from, x.end) : !row(r, x.from, x.end)) return false;
    }
    if (r->to->rows) return true;
    return noe_status_fail(NOE_INVALID, "%s: %s", r->to->path,
                           r->to->columns ? "there are no rows of data below the names"
                                          : "the file is empty"),
           false;
}

/* "with q = 1, q' = 0" after the name of the file. */
static bool changes(noe_measurements *m, noe_arena *arena, const char *text)
{
    int most = 1;
    for (const char *c = text; *c; c++) most += *c == ',';
    m->change = noe_arena_take(arena, (size_t)most * sizeof *m->change);
    while (m->change && *text) {
        const size_t length = strcspn(text, ",");
        const char  *from = text + strspn(text, " ");
        const char  *one = noe_arena_copy(arena, from, length - (size_t)(from - text));
        if (!one) return false;
        m->change[m->changes++] = one;
        text += length + (text[length] == ',');
    }
    return m->change != NULL;
}

bool noe_measurements_read(noe_measurements *m, noe_arena *arena, const char *text)
{
    const char *with = strstr(text, " with ");
    size_t      length;
    *m = (noe_measurements){ .path = noe_arena_copy(arena, text,
                                                    with ? (size_t)(with - text) : strlen(text)) };
    if (!m->path || (with && !changes(m, arena, with + 6))) return false;
    char *all = noe_whole_file_read(m->path, NOE_DATA_FILE_MOST, &length);
    if (!all) return noe_whole_file_fail("", m->path, "the data"), false;
    reader     r = { .to = m, .arena = arena };
    const bool ok = length > NOE_DATA_FILE_MOST ? wrong(&r, "more than 256 MB of data", NULL, 0)
                                                : lines(&r, all, length);
    free(all);
    return ok;
}

int noe_measurements_column(const noe_measurements *m, const char *name)
{
    for (int j = 0; j < m->columns; j++)
        if (!strcmp(m->name[j], name)) return j;
    return -1;
}
