/* Columns d(NAME)/d(BY) of a job: the parameters and starts BY of its derivatives.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/derivative_columns.h"

#include "base/status.h"
#include "gradient/gradient.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is this parameter or start in the list already? */
static bool listed(const noe_model *m, const char *list, const noe_by *by)
{
    noe_by other;
    for (const char *c = list; *c;) {
        const size_t length = strcspn(c, ",");
        if (noe_varied_find(m, c, length, &other) && other.kind == by->kind
            && other.index == by->index)
            return true;
        c += length + (c[length] == ',');
    }
    return false;
}

/* Appends what the columns of a list are differentiated by; false with a message. */
static bool collect(const noe_model *m, const char *columns, char *list)
{
    static const char over[] = ")/d(";
    for (const char *c = columns ? strstr(columns, over) : NULL; c; c = strstr(c, over)) {
        size_t length = 0;
        c += sizeof over - 1;
        for (int open = 1; c[length]; length++) {
            open += (c[length] == '(') - (c[length] == ')');
            if (!open) break;
        }
        noe_by by;
        if (!noe_varied_find(m, c, length, &by)) return false;
        if (!listed(m, list, &by))
            sprintf(list + strlen(list), "%s%.*s", *list ? "," : "", (int)length, c);
    }
    return true;
}

char *noe_derivative_columns_by(const noe_model *m, const noe_job *j)
{
    const size_t size = (j->columns ? strlen(j->columns) : 0)
                      + (j->plot_columns ? strlen(j->plot_columns) : 0) + 1;
    char *list = noe_status_alloc(size, 1);
    if (list && collect(m, j->columns, list) && collect(m, j->plot_columns, list)) return list;
    free(list);
    return NULL;
}

bool noe_derivative_columns_differentiate(noe_system **s, const noe_job *j)
{
    const noe_model *m = (*s)->model;
    char            *list = m ? noe_derivative_columns_by(m, j) : NULL;
    bool             ok = list;
    if (ok && *list && (j->ensemble || j->sweep || j->scatter)) {
        noe_status_fail(NOE_INVALID,
                        "d(..)/d(%.60s): members of an ensemble have no columns of derivatives",
                        list);
        ok = false;
    }
    if (ok && *list) {
        noe_system *with = noe_system_differentiated(*s, list);
        if (with) noe_system_free(*s), *s = with;
        ok = with != NULL;
    }
    free(list);
    return ok || !m;
}
