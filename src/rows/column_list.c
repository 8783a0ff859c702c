/* Parses a list of columns, "t, q1, energy"; the name of a family stands for all its elements.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "rows/column_list.h"
#include "rows/vector_columns.h"
#include "base/spelling.h"
#include "rows/state_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS_MOST = 1 << 16 /* columns of one list */
};

/* The default columns as a list: t, coordinates, momenta, energy and observables. */
static char *usual(const noe_system *s)
{
    const int n = s->dyn.n, observables = s->usual;
    size_t    capacity = 16;
    for (int i = 0; i < n && n <= NOE_USUAL_COORDINATES_MOST; i++)
        capacity += 2 * strlen(noe_system_name(s, i)) + 5;
    for (int i = 0; i < observables; i++) capacity += strlen(s->model->observable[i]->name) + 1;
    char *list = noe_status_alloc(capacity, 1), *at = list;
    if (!list) return NULL;
    at += sprintf(at, "t");
    for (int i = 0; i < n && n <= NOE_USUAL_COORDINATES_MOST; i++)
        at += sprintf(at, ",%s", noe_system_name(s, i));
    for (int i = 0; i < n && n <= NOE_USUAL_COORDINATES_MOST; i++)
        at += sprintf(at, ",p(%s)", noe_system_name(s, i));
    at += sprintf(at, ",energy");
    for (int i = 0; i < observables; i++) at += sprintf(at, ",%s", s->model->observable[i]->name);
    return list;
}

/* The family x that "x", "x'", "x.v", "p(x)" or "x.p" names, and the spelling of its elements; or
 * NULL. */
static const noe_symbol *family(const noe_system *s, const char *name, size_t length,
                                const char **spelling)
{
    static const struct {
        const char *before, *after, *spelling; /* what stands around a name; how it is printed */
    } of[] = { { "", "", "%s" },
               { "", "'", "%s'" },
               { "", ".v", "%s'" },
               { "p(", ")", "p(%s)" },
               { "", ".p", "p(%s)" } };
    for (size_t i = 0; s->model && i < sizeof of / sizeof *of; i++) {
        const size_t b = strlen(of[i].before), a = strlen(of[i].after);
        if (length <= a + b || strncmp(name, of[i].before, b)
            || strncmp(name + length - a, of[i].after, a))
            continue;
        const noe_symbol *x = noe_model_find(s->model, name + b, length - a - b);
        if (!x || !x->family || (i && x->what != NOE_IS_COORDINATE) || x->what == NOE_IS_DEFINITION)
            continue;
        *spelling = of[i].spelling;
        return x;
    }
    return NULL;
}

/* Does element i of the family exist, and is it not fixed if it is a coordinate? */
static bool exists(const noe_system *s, const noe_symbol *f, int64_t i)
{
    if (!s->dyn.groups) {
        const noe_symbol *member = noe_family_find_member(s->model, f, i);
        return member && member->what == f->what;
    }
    return f->what != NOE_IS_COORDINATE || s->dyn.groups->inverse[f->index + (int)(i - f->lo)] != 0;
}

/* Adds the column of one name, or the columns of a family's elements; false with a message. */
static bool add(noe_columns *x, const noe_system *s, const char *name, size_t length, char **text)
{
    const char       *spelling = NULL;
    const noe_symbol *f = family(s, name, length, &spelling);
    for (int64_t i = f ? f->lo : 0; i <= (f ? f->hi : 0); i++) {
        char *to = *text;
        if (f) {
            if (!exists(s, f, i)) continue; /* fixed coordinate */
            const char *hole = strchr(spelling, '%');
            sprintf(to, "%.*s%s[%lld]%s", (int)(hole - spelling), spelling, f->name, (long long)i,
                    hole + 2);
        } else {
            memcpy(to, name, length);
            to[length] = 0;
        }
        *text += strlen(to) + 1;
        x->name[x->count] = to;
        if (noe_column_name_find(s, to, &x->column[x->count++])) continue;
        noe_column_name_refuse(s, to);
        return false;
    }
    return true;
}

/* The next name of a list, without the blanks around it. */
static const char *item(const char **list, size_t *length)
{
    const char *c = *list + strspn(*list, " "), *end = c + strcspn(c, ",");
    *list = *end ? end + 1 : NULL;
    *length = (size_t)(end - c);
    while (*length && c[*length - 1] == ' ') --*length;
    return c;
}

noe_columns *noe_column_list_parse(const noe_system *s, const char *list)
{
    char       *own = list ? noe_vector_columns_spread(s->model, list) : usual(s);
    size_t      count = 0, capacity = 0, length;
    const char *spelling;
    if (!(list = own)) return NULL;
    for (const char *c = list; c;) {
        const char       *name = item(&c, &length);
        const noe_symbol *f = family(s, name, length, &spelling);
        count += f ? (size_t)(f->hi - f->lo) + 1 : 1;
        capacity += f ? ((size_t)(f->hi - f->lo) + 1) * (length + 30) : length + 1;
        if (length && count <= COLUMNS_MOST) continue;
        if (!length)
            noe_status_fail(NOE_INVALID, "an empty name in the list of columns '%.60s'", list);
        else
            noe_status_fail(NOE_INVALID,
                            "more than %d columns: name some of the members, as '%.*s.1'",
                            COLUMNS_MOST, length < 60 ? (int)length : 60, name);
        free(own);
        return NULL;
    }
    noe_columns *x = noe_status_alloc(1, sizeof *x + count * (sizeof *x->column + sizeof *x->name)
                                             + capacity);
    if (x) {
        x->name = (const char **)(x + 1); /* the wider alignment first */
        x->column = (noe_column *)(x->name + count);
        char *text = (char *)(x->column + count);
        for (const char *c = list; x && c;) {
            const char *name = item(&c, &length);
            if (add(x, s, name, length, &text)) continue;
            free(x);
            x = NULL;
        }
    }
    free(own);
    return x;
}

/* The columns of one name, length n. */
static noe_columns *one_name(const noe_system *s, const char *name, size_t n)
{
    char *copy = noe_status_alloc(n + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, name, n);
    noe_columns *x = noe_column_list_parse(s, copy);
    free(copy);
    return x;
}

/* The family of "x[*]", "x.*", "x[*]'", "p(x[*])" .., as family(); with a message when there is
 * none. */
static const noe_symbol *find_starred(const noe_system *s, const char *name, size_t length,
                                      const char **spelling)
{
    const char       *star = memchr(name, '*', length);
    const size_t      before = (size_t)(star - name) - 1, skip = name[before] == '[' ? 3 : 2;
    char              plain[NOE_SPELLING_MOST + 1];
    const noe_symbol *f = NULL;
    if (star > name && length <= NOE_SPELLING_MOST && before + skip <= length
        && strchr("[.", name[before])) {
        memcpy(plain, name, before);
        memcpy(plain + before, name + before + skip, length - before - skip);
        f = family(s, plain, length - skip, spelling);
    }
    if (!f)
        noe_status_fail(
            NOE_INVALID,
            "'%.*s' is no family: a map is drawn of x[*], all members of coordinate x[1..N], of "
            "their "
            "velocities x[*]' or momenta p(x[*]), or of an observable E[*]",
            length < 60 ? (int)length : 60, name);
    return f;
}

/* Writes the name of an element, or of all with index "*". */
static void write_name(char *to, const char *spelling, const noe_symbol *f, const char *index)
{
    const char *hole = strchr(spelling, '%');
    sprintf(to, "%.*s%s[%s]%s", (int)(hole - spelling), spelling, f->name, index, hole + 2);
}

/* Divides "u[*] by N" into a name, whose length this returns, and members in a row; *across = 0:
 * no "by"; -1: wrong, with a message. */
static size_t divide(const noe_system *s, const char *name, size_t length, long *across)
{
    char  text[NOE_SPELLING_MOST + 1];
    quad  value;
    char *by = NULL;
    *across = 0;
    if (length <= NOE_SPELLING_MOST) {
        memcpy(text, name, length), text[length] = 0;
        by = strstr(text, " by ");
    }
    if (!by) return length;
    *across = -1;
    char *from = strstr(by, " from "); /* which noe_column_list_spread adds */
    if (from) *from = 0;
    if (!noe_parse_model_value(s->model, "by", by + 4, &value)) return length;
    if (!(value >= 2 && value <= COLUMNS_MOST && value == (quad)(long)value))
        noe_status_fail(NOE_INVALID, "'%.60s': a row of a frame has two members or more, 'by 8'",
                        text);
    else *across = (long)value;
    while (by > text && by[-1] == ' ') by--;
    return (size_t)(by - text);
}

/* Appends an item to a list that grows; false without memory. */
static bool append(char **list, size_t *used, const char *item, size_t length)
{
    char *wider = realloc(*list, *used + length + 2);
    if (!wider) return noe_status_fail(NOE_NO_MEMORY, "out of memory"), false;
    *list = wider;
    if (*used) wider[(*used)++] = ',';
    memcpy(wider + *used, item, length);
    wider[ *used += length] = 0;
    return true;
}

char *noe_column_list_sampled(const noe_system *s, const char *list, int most)
{
    char  *out = noe_status_alloc(1, 1);
    size_t used = 0, length;
    for (const char *c = list; out && c;) {
        const char *name = item(&c, &length), *spelling;
        const bool  star = memchr(name, '*', length) != NULL;
        long        across = 0;
        if (star) length = divide(s, name, length, &across);
        const noe_symbol *f = star ? find_starred(s, name, length, &spelling) : NULL;
        const int64_t     apart = f && !across ? 1 + (f->hi - f->lo) / most : 1;
        bool              ok = star ? f != NULL : append(&out, &used, name, length);
        for (int64_t i = f ? f->lo : 0; ok && f && i <= f->hi; i += apart) {
            char member[NOE_SPELLING_MOST + 40], number[24];
            if (!exists(s, f, i)) continue;
            snprintf(number, sizeof number, "%lld", (long long)i);
            write_name(member, spelling, f, number);
            ok = append(&out, &used, member, strlen(member));
        }
        if (ok) continue;
        free(out);
        return NULL;
    }
    return out;
}

char *noe_column_list_spread(const noe_system *s, const char *list)
{
    char  *out = noe_status_alloc(1, 1);
    size_t used = 0;
    for (const char *c = list; out && c;) {
        size_t      length;
        const char *name = item(&c, &length), *colon = memchr(name, ':', length), *spelling;
        if (memchr(name, '*', length) && !colon) {
            char              pattern[NOE_SPELLING_MOST + 80];
            long              across;
            const size_t      n = divide(s, name, length, &across);
            const noe_symbol *f = across < 0 ? NULL : find_starred(s, name, n, &spelling);
            if (f && across > f->hi - f->lo + 1) {
                noe_status_fail(NOE_INVALID, "'%.*s': %s has %lld members, a row of a frame %ld",
                                (int)(length < 60 ? length : 60), name, f->name,
                                (long long)(f->hi - f->lo + 1), across);
                f = NULL;
            }
            if (f) write_name(pattern, spelling, f, "*");
            if (f && across)
                sprintf(pattern + strlen(pattern), " by %ld from %lld", across, (long long)f->lo);
            if (f && append(&out, &used, pattern, strlen(pattern))) continue;
            free(out);
            return NULL;
        }
        const size_t first = colon ? (size_t)(colon - name) : length;
        noe_columns *x = one_name(s, name, first),
                    *y = colon ? one_name(s, colon + 1, length - first - 1) : NULL;
        bool ok = x && (y || !colon);
        if (ok && y && x->count != y->count && x->count != 1) {
            noe_status_fail(NOE_INVALID, "'%.60s': %d columns against %d", name, x->count,
                            y->count);
            ok = false;
        }
        for (int i = 0; ok && i < (y ? y->count : x->count); i++) {
            const char *a = x->name[x->count > 1 ? i : 0], *b = y ? y->name[i] : "";
            char       *wider = realloc(out, used + strlen(a) + strlen(b) + 3);
            if (!wider) ok = false, noe_status_fail(NOE_NO_MEMORY, "out of memory");
            else {
                out = wider;
                used += (size_t)sprintf(out + used, "%s%s%s%s", used ? "," : "", a, y ? ":" : "",
                                        b);
            }
        }
        free(x);
        free(y);
        if (ok) continue;
        free(out);
        return NULL;
    }
    return out;
}
