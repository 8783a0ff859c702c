/* "9e107d9d372bb682 k.mtx": what a model has read besides its text, a line for each file.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A run that goes on from another compares them: the text names a file, it does not hold it. */
#include "model/model.h"

#include <stdio.h>
#include <string.h>

bool noe_input_files_add(noe_model *m, const char *name, size_t length, uint64_t hash)
{
    const size_t old = m->inputs ? strlen(m->inputs) : 0;
    char        *text = noe_arena_take(m->arena, old + length + 20);
    if (!text) return false;
    if (old) memcpy(text, m->inputs, old);
    sprintf(text + old, "%016llx %.*s\n", (unsigned long long)hash, (int)length, name);
    if (!old || !strstr(m->inputs, text + old)) m->inputs = text; /* a file may be read twice */
    return true;
}
