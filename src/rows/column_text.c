/* Value of a column as text, in all digits of an integrator of more than 33 digits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rows/column_list.h"

#include "number/decimal.h"

#include <string.h>

char *noe_column_text(noe_integrator *g, const noe_column *c)
{
    char number[NOE_NUMBER_SIZE];
    if (c->exact || c->kind != NOE_COL_OBSERVABLE || c->index < g->system->usual)
        return noe_exact_column_text(g, c);
    if (noe_integrator_start_ready(g)) return NULL;
    noe_decimal_write(number, noe_column_value(g, c),
                      NOE_DIGITS_QUAD); /* a quantity known in binary128 only */
    return strdup(number);
}
