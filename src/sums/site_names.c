/* x[3] <-> its place; coordinate i <-> the i-th place that is not fixed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/spelling.h"
#include "base/status.h"
#include "sums/sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int noe_site_names_place(const noe_sums *g, const noe_model *m, const char *name, size_t length)
{
    char plain[NOE_SPELLING_MOST + 3];
    if (length > NOE_SPELLING_MOST) return -1;
    noe_spelling_of_member(name, length, plain);
    char             *bracket = strchr(plain, '['), *end = NULL;
    const size_t      family = bracket ? (size_t)(bracket - plain) : strlen(plain);
    const noe_symbol *s = noe_model_find(m, plain, family);
    const long long   i = bracket ? strtoll(bracket + 1, &end, 10) : 0;
    if (!s || s->what != NOE_IS_COORDINATE || s->family != (bracket != NULL)) return -1;
    if (bracket && (end == bracket + 1 || strcmp(end, "]") || i < s->lo || i > s->hi)) return -1;
    const int place = s->index + (bracket ? (int)(i - s->lo) : 0);
    return g->inverse[place] == 0 ? -1 : place;
}

const noe_symbol *noe_site_names_family(const noe_model *m, int64_t place)
{
    const noe_symbol *found = NULL;
    for (int i = 0; i < m->symbols; i++) {
        const noe_symbol *s = m->symbol[i];
        if (s->what == NOE_IS_COORDINATE && s->index <= place
            && (!found || s->index > found->index))
            found = s;
    }
    return found;
}

/* Makes all names at the first call; two threads may call at the same time (the first to finish
 * stores its names). */
const char *noe_site_names_name(noe_sums *g, const noe_model *m, int i)
{
    enum { SITE_MOST = 96 };
    char *names = __atomic_load_n(&g->names, __ATOMIC_ACQUIRE), *none = NULL;
    if (!names && (names = noe_status_alloc((size_t)g->n, SITE_MOST))) {
        const noe_symbol *s = NULL;
        for (int place = 0, k = 0; place < g->places; place++) {
            if (!s || place > s->index + (s->family ? s->hi - s->lo : 0))
                s = noe_site_names_family(m, place);
            if (g->inverse[place] == 0) continue;
            char *to = names + (size_t)k++ * SITE_MOST;
            if (s->family)
                snprintf(to, SITE_MOST, "%.60s[%lld]", s->name,
                         (long long)(s->lo + place - s->index));
            else snprintf(to, SITE_MOST, "%.90s", s->name);
        }
        if (!__atomic_compare_exchange_n(&g->names, &none, names, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE)) {
            free(names);
            names = none;
        }
    }
    return names ? names + (size_t)i * SITE_MOST : NULL;
}
