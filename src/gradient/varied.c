/* Names of what is differentiated by: a parameter, "q" or "q(0)", "q'" or "q.v", "p(q)" or "q.p".
 * SPDX-License-Identifier: BSD-3-Clause */
#include "gradient/gradient.h"

#include "base/nearest_word.h"
#include "base/spelling.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Takes `after` from the end of the name; false: it does not end so. */
static bool cut(char *name, const char *after)
{
    const size_t length = strlen(name), a = strlen(after);
    if (length <= a || strcmp(name + length - a, after)) return false;
    name[length - a] = 0;
    return true;
}

/* The plain name inside `name`, which it overwrites, and what it says of the coordinate. */
static noe_by_kind peel(char *name)
{
    cut(name, "(0)");
    if (!strncmp(name, "p(", 2) && cut(name, ")")) {
        memmove(name, name + 2, strlen(name) - 1);
        return NOE_BY_MOMENTUM;
    }
    return cut(name, ".p")                   ? NOE_BY_MOMENTUM
         : cut(name, ".v") || cut(name, "'") ? NOE_BY_VELOCITY
                                             : NOE_BY_POSITION;
}

static bool refuse(const noe_model *m, const char *name)
{
    noe_nearest_word near = noe_nearest_word_to(name, strlen(name));
    for (int i = 0; i < m->symbols; i++)
        if (m->symbol[i]->what == NOE_IS_PARAMETER || m->symbol[i]->what == NOE_IS_COORDINATE)
            noe_nearest_word_try(&near, m->symbol[i]->name);
    noe_status_fail(
        NOE_INVALID, "'%.60s' is neither a parameter nor the start of a coordinate%s%s%s", name,
        near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
    return false;
}

bool noe_varied_find(const noe_model *m, const char *name, size_t length, noe_by *by)
{
    char own[NOE_SPELLING_MOST + 4], plain[NOE_SPELLING_MOST + 4], whole[NOE_SPELLING_MOST + 4];
    while (length && *name == ' ') name++, length--;
    while (length && name[length - 1] == ' ') length--;
    if (length > NOE_SPELLING_MOST) length = NOE_SPELLING_MOST;
    memcpy(own, name, length), own[length] = 0;
    memcpy(whole, own, length + 1);
    if (!length)
        return noe_status_fail(NOE_INVALID, "expected the name of a parameter or a start"), false;
    const noe_by_kind kind = peel(own);
    noe_spelling_of_member(own, strlen(own), plain);
    const noe_symbol *x = noe_model_find(m, plain, strlen(plain));
    if (x && x->family)
        return noe_status_fail(NOE_INVALID,
                               "'%.60s' is a family: name one of its members, as '%.60s.%lld'",
                               whole, x->name, (long long)x->lo),
               false;
    const bool parameter = x && x->what == NOE_IS_PARAMETER && kind == NOE_BY_POSITION
                        && !strchr(whole, '(');
    if (!parameter && (!x || x->what != NOE_IS_COORDINATE)) return refuse(m, whole);
    *by = (noe_by){ parameter ? NOE_BY_PARAMETER : kind, x->index, NULL };
    return true;
}

bool noe_varied_split(const char *name, size_t *what, const char **by, size_t *length)
{
    const size_t      n = strlen(name);
    const char *const middle = n > 7 && !strncmp(name, "d(", 2) ? strstr(name, ")/d(") : NULL;
    if (!middle || name[n - 1] != ')' || middle + 4 >= name + n - 1) return false;
    *what = (size_t)(middle - name) - 2;
    *by = middle + 4;
    *length = (size_t)(name + n - 1 - *by);
    return *what > 0;
}

int noe_varied_column(const noe_dynamics *d, const noe_model *m, const char *by, size_t length)
{
    noe_by x;
    if (!d->by || !noe_varied_find(m, by, length, &x)) return -1;
    for (int c = 0; c < d->by->count; c++)
        if (d->by->by[c].kind == x.kind && d->by->by[c].index == x.index) return c;
    return -1;
}
