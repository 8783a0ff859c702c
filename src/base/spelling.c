/* The two spellings of a quantity: q' = q.v,  p(q) = q.p,  x[3] = x.3.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/spelling.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    const char *s;    /* the name */
    size_t      n;    /* s[0..n) is the plain part */
    char        kind; /* as noe_spelling_kind() */
} name;

static name split(const char *s)
{
    size_t n = strlen(s);
    if (n > 1 && s[n - 1] == '\'') return (name){ s, n - 1, 'v' };
    if (n > 2 && s[n - 2] == '.' && (s[n - 1] == 'v' || s[n - 1] == 'p'))
        return (name){ s, n - 2, s[n - 1] };
    if (n > 3 && !strncmp(s, "p(", 2) && s[n - 1] == ')') return (name){ s + 2, n - 3, 'p' };
    return (name){ s, n, 'q' };
}

/* The next character of the dotted spelling, 0 at the end. */
static char next(name *a)
{
    while (a->n && (*a->s == ']' || *a->s == ' ')) a->s++, a->n--;
    if (!a->n) return 0;
    char c = *a->s;
    a->s++, a->n--;
    return c == '[' || c == ',' ? '.' : c;
}

char noe_spelling_kind(const char *s) { return split(s).kind; }

static void plain_member(const char *name, size_t n, char *out)
{
    size_t dot = n;
    while (dot > 0 && name[dot - 1] >= '0' && name[dot - 1] <= '9') dot--;
    const size_t sign = dot > 0 && name[dot - 1] == '-';
    dot -= sign;
    const bool member = dot > 1 && name[dot - 1] == '.' && dot + sign < n
                     && (name[dot - 2] < '0' || name[dot - 2] > '9'
                         || memchr(name, '.', dot - 1) == NULL);
    memcpy(out, name, n);
    out[n] = 0;
    if (!member) return;
    out[dot - 1] = '[';
    out[n] = ']';
    out[n + 1] = 0;
}

/* The length of "r.3" or "r[3]" in "r.3.x" and "r[3].x", names of n characters; 0: no such name. */
static size_t before_component(const char *name, size_t n)
{
    if (n < 5 || name[n - 2] != '.' || !strchr("xyz", name[n - 1])) return 0;
    size_t at = n - 2;
    if (name[at - 1] == ']') return at;
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') at--;
    at -= at > 0 && name[at - 1] == '-';
    return at > 1 && at < n - 2 && name[at - 1] == '.' ? n - 2 : 0;
}

void noe_spelling_of_member(const char *name, size_t n, char *out)
{
    const size_t member = before_component(name, n);
    if (!member) {
        plain_member(name, n, out);
        return;
    }
    plain_member(name, member, out); /* r[3], then r.x[3] */
    char *index = strrchr(out, '[');
    if (!index) index = out + strlen(out);
    memmove(index + 2, index, strlen(index) + 1);
    index[0] = '.', index[1] = name[n - 1];
}

bool noe_spelling_same(const char *a, const char *b)
{
    char own[2][NOE_SPELLING_MOST + 4];
    name of[2] = { split(a), split(b) };
    if (of[0].kind != of[1].kind) return false;
    for (int i = 0; i < 2; i++) {
        if (of[i].n > NOE_SPELLING_MOST) continue;
        noe_spelling_of_member(of[i].s, of[i].n, own[i]);
        of[i].s = own[i], of[i].n = strlen(own[i]);
    }
    for (;;) {
        char c = next(&of[0]);
        if (c != next(&of[1])) return false;
        if (!c) return true;
    }
}

bool noe_spelling_energy(const char *name)
{
    static const char *const energy[] = {
#define ENERGY_COLUMN(name, value) #name,
#include "base/energy_columns.def"
#undef ENERGY_COLUMN
    };
    for (size_t i = 0; i < sizeof energy / sizeof *energy; i++)
        if (!strcmp(name, energy[i])) return true;
    return false;
}
