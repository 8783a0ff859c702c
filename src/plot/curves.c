/* Parses lists of curves: "q1,q2" = (t, q1), (t, q2); "q1:q1.p" = (q1, p(q1)); "x[*]": heat map.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/curves.h"

#include "base/spelling.h"

#include <string.h>

bool noe_curves_position(const char *name)
{
    static const char *const other[] = { "t", "simpson_energy", "local_error", "energy_error",
                                         "accumulated_error" };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (!strcmp(name, other[i])) return false;
    return noe_spelling_kind(name) == 'q' && !noe_spelling_energy(name);
}

/* Does the name contain "[*]"? */
static bool is_starred(const char *name) { return strstr(name, "[*]") != NULL; }

static noe_status make_room(noe_curves *c, noe_arena *memory, size_t most)
{
    *c = (noe_curves){ .x = noe_arena_take(memory, most * sizeof *c->x) };
    c->y = noe_arena_take(memory, most * sizeof *c->y);
    c->map = noe_arena_take(memory, most * sizeof *c->map);
    return c->x && c->y && c->map ? NOE_OK : NOE_NO_MEMORY;
}

noe_status noe_curves_all(noe_curves *c, noe_arena *memory, const noe_table *t)
{
    size_t     n = noe_table_columns(t);
    noe_status s = make_room(c, memory, n);
    for (size_t j = 0; j < n && !s; j++)
        if (noe_curves_position(noe_table_name(t, j))) {
            c->x[c->count] = "t";
            c->y[c->count++] = noe_table_name(t, j);
        }
    return s;
}

/* The next name of "a, b[1,2]:c", up to a comma or colon outside brackets; *separator:
 * that comma or colon. */
static const char *next_name(noe_arena *memory, const char **s, char *separator)
{
    int         depth = 0;
    const char *begin = *s + strspn(*s, " "), *end = begin;
    for (; *end && (depth > 0 || (*end != ',' && *end != ':')); end++)
        depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
    *separator = *end;
    *s = *end ? end + 1 : end;
    while (end > begin && end[-1] == ' ') end--;
    return noe_arena_copy(memory, begin, (size_t)(end - begin));
}

noe_status noe_curves_named(noe_curves *c, noe_arena *memory, const char *columns)
{
    char       separator = ',';
    noe_status s = make_room(c, memory, strlen(columns) + 1);
    c->pairs = strchr(columns, ':') != NULL;
    while (separator && !s) {
        const char *x = c->pairs ? next_name(memory, &columns, &separator) : "t";
        if (!x) return NOE_NO_MEMORY;
        if (c->pairs && separator != ':')
            return noe_status_fail(
                NOE_INVALID, "no partner for '%s': draw columns over t (q1,q2) or pairs (q1:q1.p)",
                x);
        const char *y = next_name(memory, &columns, &separator);
        if (!y) return NOE_NO_MEMORY;
        if (separator == ':')
            return noe_status_fail(NOE_INVALID, "'%s' stands between two colons: a pair is q1:q1.p",
                                   y);
        if (is_starred(x) || is_starred(y)) {
            if (c->pairs)
                return noe_status_fail(
                    NOE_INVALID, "'%s': a map has the time on its axis; pairs have another one", y);
            c->map[c->maps++] = y;
            continue;
        }
        c->x[c->count] = x;
        c->y[c->count++] = y;
    }
    return s;
}

const char *noe_curves_axis(noe_arena *memory, const char *const *name, int n)
{
    size_t size = 8;
    int    different = 1;
    for (int i = 0; i < n; i++) size += strlen(name[i]) + 2;
    char *text = noe_arena_take(memory, size);
    if (!text) return NULL;
    for (int i = 1; i < n; i++) different += strcmp(name[i], name[i - 1]) != 0;
    strcpy(text, name[0]);
    if (different > 4) return strcat(strcat(text, " \u2026 "), name[n - 1]);
    for (int i = 1; i < n; i++)
        if (strcmp(name[i], name[i - 1])) strcat(strcat(text, ", "), name[i]);
    return text;
}
