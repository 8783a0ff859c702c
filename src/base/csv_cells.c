/* Lines and cells of a text file of data.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/csv_cells.h"

#include <string.h>

noe_csv_lines noe_csv_cells_begin(const char *text, size_t length)
{
    const size_t mark = length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
    return (noe_csv_lines){ .next = text + mark, .stop = text + length };
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool noe_csv_cells_line(noe_csv_lines *x)
{
    if (x->next == x->stop) return false;
    const char *end = memchr(x->next, '\n', (size_t)(x->stop - x->next));
    x->from = x->next;
    x->end = end ? end : x->stop;
    x->next = end ? end + 1 : x->stop;
    x->line++;
    while (x->from < x->end && blank(*x->from)) x->from++;
    if (!x->zero && memchr(x->from, 0, (size_t)(x->end - x->from))) x->zero = x->line;
    return true;
}

bool noe_csv_cells_row(noe_csv_lines *x)
{
    while (noe_csv_cells_line(x))
        if (x->from < x->end && *x->from != '#') return true;
    return false;
}

static bool among(char c, const char *apart)
{
    while (*apart && *apart != c) apart++;
    return *apart;
}

static const char *after_blanks(const char *c, const char *end, const char *apart)
{
    while (c < end && blank(*c) && (*c == ' ' || !among(*c, apart))) c++;
    return c;
}

const char *noe_csv_cells_next(const char **c, const char *end, const char *apart, size_t *length)
{
    const bool  blanks = among(' ', apart);
    const char *from = after_blanks(*c, end, apart), *to = end;
    const bool  quoted = from < end && *from == '"';
    const char *close = quoted ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
    const char *next = close ? after_blanks(close + 1, end, apart) : end;
    if (close && (blanks || next == end || among(*next, apart))) from++, to = close;
    else {
        if (quoted && !close) from++;
        else
            for (to = from; to < end && !among(*to, apart) && !(blanks && blank(*to));) to++;
        next = after_blanks(to, end, apart);
        while (to > from && blank(to[-1])) to--;
    }
    *length = (size_t)(to - from);
    *c = next == end ? NULL : among(*next, apart) ? next + 1 : next;
    return from;
}
