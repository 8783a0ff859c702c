/* The two spellings of a quantity: q' = q.v,  p(q) = q.p,  x[3] = x.3.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/spelling.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    const char *s;
    size_t      n;
    char        kind;
} name; /* s[0..n) is the plain part */

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

bool noe_spelling_same(const char *a, const char *b)
{
    name x = split(a), y = split(b);
    if (x.kind != y.kind) return false;
    for (;;) {
        char c = next(&x);
        if (c != next(&y)) return false;
        if (!c) return true;
    }
}

char noe_spelling_kind(const char *s) { return split(s).kind; }

void noe_spelling_of_member(const char *name, size_t n, char *out)
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
