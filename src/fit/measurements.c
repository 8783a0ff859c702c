/* Reads a file of measurements: comma, semicolon, tab or blanks between its cells.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/measurements.h"

#include "base/status.h"
#include "base/whole_file.h"
#include "token/lexer.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { COLUMNS_MOST = 10000 };

typedef struct {
    noe_measurements *to;
    noe_arena        *arena;
    char              apart; /* between two cells; a blank: any number of blanks and tabs */
    int               line, capacity; /* of the file; rows there is room for */
} reader;

static bool wrong(const reader *r, const char *what, const char *word, int length)
{
    if (length > 40) length = 40;
    return noe_status_fail(NOE_INVALID, "%s:%d: %s%s%.*s%s", r->to->path, r->line, what,
                           word ? ", found '" : "", length, word ? word : "", word ? "'" : ""),
           false;
}

/* The next cell of a line that ends at `end`, without blanks and quotes around it; *c moves past
 * the mark after it, to NULL after the last cell. */
static const char *cell(const reader *r, const char **c, const char *end, int *length)
{
    const char *from = *c, *to, *next;
    while (from < end && (*from == ' ' || (*from == '\t' && r->apart != '\t'))) from++;
    if (from < end && *from == '"') {
        for (to = ++from; to < end && *to != '"';) to++;
        next = to < end ? to + 1 : to;
        while (next < end && (*next == ' ' || *next == '\t') && *next != r->apart) next++;
    } else {
        for (to = from; to < end && *to != r->apart && !(r->apart == ' ' && *to == '\t');) to++;
        next = to;
        while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    }
    if (r->apart == ' ')
        while (next < end && (*next == ' ' || *next == '\t')) next++;
    else if (next < end) next++, *length = (int)(to - from);
    else next = end + 1;
    *length = (int)(to - from);
    *c = r->apart == ' ' ? (next < end ? next : NULL) : next <= end ? next : NULL;
    return from;
}

static bool names(reader *r, const char *from, const char *end)
{
    noe_measurements *m = r->to;
    const char       *c = from;
    r->apart = memchr(from, ';', (size_t)(end - from))  ? ';'
             : memchr(from, ',', (size_t)(end - from))  ? ','
             : memchr(from, '\t', (size_t)(end - from)) ? '\t'
                                                        : ' ';
    m->name = noe_arena_take(r->arena, COLUMNS_MOST * sizeof *m->name);
    for (int length; c && m->name;) {
        const char *word = cell(r, &c, end, &length);
        quad        number;
        if (m->columns == COLUMNS_MOST) return wrong(r, "more than 10000 columns", NULL, 0);
        if (length && noe_lexer_number(word, (size_t)length, &number))
            return wrong(r, "expected the names of the columns in the first line, as t,q1", word,
                         length);
        const char *name = noe_arena_copy(r->arena, word, (size_t)length);
        if (!name) return false;
        if (*name && noe_measurements_column(m, name) >= 0)
            return wrong(r, "two columns have the same name", word, length);
        m->name[m->columns++] = name;
    }
    return m->name != NULL;
}

static bool number(const reader *r, const char *word, int length, double *to)
{
    quad x;
    *to = NAN;
    if (!length || (length == 3 && !strncasecmp(word, "nan", 3))
        || (length == 2 && !strncasecmp(word, "na", 2)))
        return true;
    if (*word == '+' && length > 1) word++, length--;
    if (!noe_lexer_number(word, (size_t)length, &x) || !isfinite((double)x))
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
    for (int length; c; j++) {
        const char *word = cell(r, &c, end, &length);
        if (j == m->columns) return wrong(r, "more cells than the first line has names", NULL, 0);
        if (!number(r, word, length, &to[j])) return false;
    }
    if (j < m->columns) return wrong(r, "fewer cells than the first line has names", NULL, 0);
    m->line[m->rows++] = r->line;
    return true;
}

static bool lines(reader *r, const char *c, const char *stop)
{
    if (stop - c >= 3 && !strncmp(c, "\xEF\xBB\xBF", 3)) c += 3;
    while (c < stop) {
        const char *end = memchr(c, '\n', (size_t)(stop - c)), *next = end ? end + 1 : stop;
        if (!end) end = stop;
        while (end > c && (end[-1] == '\r' || end[-1] == ' ')) end--;
        r->line++;
        const char *from = c;
        while (from < end && (*from == ' ' || *from == '\t')) from++;
        c = next;
        if (from == end || *from == '#') continue;
        if (memchr(from, 0, (size_t)(end - from)))
            return wrong(r, "a NUL byte: expected a text file", NULL, 0);
        if (!r->to->columns ? !names(r, from, end) : !row(r, from, end)) return false;
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
    if (!all)
        return noe_status_fail(NOE_IO, "%s: cannot read the data: %s", m->path, strerror(errno)),
               false;
    reader     r = { .to = m, .arena = arena };
    const bool ok = length > NOE_DATA_FILE_MOST ? wrong(&r, "more than 256 MB of data", NULL, 0)
                                                : lines(&r, all, all + length);
    free(all);
    return ok;
}

int noe_measurements_column(const noe_measurements *m, const char *name)
{
    for (int j = 0; j < m->columns; j++)
        if (!strcmp(m->name[j], name)) return j;
    return -1;
}
