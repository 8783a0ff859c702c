/* any bytes -> a system or one message.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A target of libFuzzer, `make fuzz`; the seeds are the models in systems/. */
#include "base/status.h"
#include "model/model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EMITTED_MOST = 60 }; /* coordinates */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    noe_error_clear();
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = 0;
    noe_system *s = noe_system_parse(text);
    /* The first line again, as an assignment from outside, and what may be asked of a system. The C
     * code of 78 atoms is 18 MB, and takes as long as a loop that has no end. */
    if (s) {
        text[strcspn(text, "\n")] = 0;
        noe_system *changed = noe_system_let(s, text), *last = changed ? changed : s;
        if (noe_system_dim(last) <= EMITTED_MOST) free(noe_system_emit(last, "fuzzed"));
        noe_system_free(changed);
    } else if (!noe_error()) {
        abort();
    }
    noe_system_free(s);
    /* With a length: bytes behind a 0 are no text, either. */
    if (size) memcpy(text, data, size);
    noe_error_clear();
    noe_model *m = noe_parse_model_text("model", text, size, NULL, 0);
    if (!m && !noe_error()) abort();
    noe_model_free(m);
    free(text);
    return 0;
}
