/* Prints the table of properties as text: a line for each that has a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/property_table.h"

#include <stdlib.h>

void noe_properties_text(const noe_properties *s, FILE *f)
{
    noe_text t = noe_text_new(NULL);
    if (!s || !f) return;
    for (const noe_property *x = noe_property_table; x->key || x->label; x++) {
        t.length = 0;
        if (x->sentence) x->sentence(&t, s);
        if (t.data && t.length) fprintf(f, "%-19s %s\n", x->label, t.data);
    }
    free(t.data);
}
