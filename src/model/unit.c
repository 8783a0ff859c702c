/* Units of columns, by the unit statements of a model: x' has that of x over that of t.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/unit.h"

#include "base/spelling.h"

#include <stdio.h>
#include <string.h>

static const char *unit_of_name(const noe_model *m, const char *name, size_t length)
{
    for (const noe_unit *u = m->unit; u; u = u->next)
        if (strlen(u->name) == length && !memcmp(u->name, name, length)) return u->text;
    return NULL;
}

bool noe_unit_of(const noe_model *m, const char *column, char *out, size_t size)
{
    if (noe_spelling_energy(column)) column = "energy";
    const char kind = noe_spelling_kind(column);
    if (strchr(column, '(') || kind == 'p') return false;
    /* that of a family or a vector is that of its members: x of x[3], r of r.x */
    const char *whole = unit_of_name(m, column, strlen(column)),
               *base = unit_of_name(m, column, strcspn(column, "[.'")),
               *time = kind == 'v' ? unit_of_name(m, "t", 1) : "";
    if (!(whole ? whole : base) || !time) return false;
    snprintf(out, size, "%s%s%s", whole ? whole : base, kind == 'v' ? "/" : "", time);
    return true;
}

const char *noe_unit_label(const noe_model *m, const char *column, const char *text, char *out,
                           size_t size)
{
    char       unit[24];
    const bool has = m && noe_unit_of(m, column, unit, sizeof unit);
    snprintf(out, size, "%s%s%s%s", text, has ? " [" : "", has ? unit : "", has ? "]" : "");
    return out;
}
