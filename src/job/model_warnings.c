/* Prints the warnings about the text of a model on standard error.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/verbs.h"

#include <string.h>

void noe_model_warnings_print(const noe_system *s)
{
    for (const char *line = noe_system_warning(s), *end; line && *line;
         line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        fprintf(stderr, "WARNING: %.*s\n", (int)(end - line), line);
    }
}
