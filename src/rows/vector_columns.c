/* "t, r', energy" -> "t, r.x', r.y', r.z', energy": the name of a vector stands for its components.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rows/vector_columns.h"

#include "base/spelling.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *before, *after; /* what stands around the name of a vector's component */
} spelling[] = { { "", "" }, { "", "'" }, { "", ".v" }, { "p(", ")" }, { "", ".p" } };
enum { SPELLINGS = sizeof spelling / sizeof *spelling };

/* Writes the three columns that a name of `length` characters stands for; 0: it is no vector's. */
static size_t components(const noe_model *m, const char *name, size_t length, char *to)
{
    char plain[NOE_SPELLING_MOST + 4];
    for (int i = 0; i < SPELLINGS && length <= NOE_SPELLING_MOST; i++) {
        const size_t b = strlen(spelling[i].before), a = strlen(spelling[i].after);
        if (length <= a + b || strncmp(name, spelling[i].before, b)
            || strncmp(name + length - a, spelling[i].after, a))
            continue;
        noe_spelling_of_member(name + b, length - a - b, plain);
        const size_t      stem = strcspn(plain, "[");
        const noe_symbol *s = noe_model_find(m, plain, stem);
        if (!s || s->what != NOE_IS_VECTOR || s->component[0]->what == NOE_IS_DEFINITION) continue;
        char *end = to;
        for (int c = 0; c < 3; c++)
            end += sprintf(end, "%s%s%.*s.%c%s%s", c ? "," : "", spelling[i].before, (int)stem,
                           plain, "xyz"[c], plain + stem, spelling[i].after);
        return (size_t)(end - to);
    }
    return 0;
}

char *noe_vector_columns_spread(const noe_model *m, const char *list)
{
    char *out = noe_status_alloc(3 * strlen(list) + 16 * (1 + strlen(list)), 1), *to = out;
    while (out) {
        const size_t length = strcspn(list, ","), blanks = strspn(list, " ");
        size_t       name = length > blanks ? length - blanks : 0;
        while (name && list[blanks + name - 1] == ' ') name--;
        const size_t made = m ? components(m, list + blanks, name, to) : 0;
        if (!made) memcpy(to, list, length);
        to += made ? made : length;
        if (!list[length]) break;
        *to++ = ',';
        list += length + 1;
    }
    return out;
}
