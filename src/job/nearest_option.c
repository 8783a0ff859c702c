/* Finds the option nearest to a misspelt word.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/nearest_word.h"
#include "job/verbs.h"

const char *noe_nearest_option_find(const char *word, size_t length, const char *const *list,
                                    int count)
{
    noe_nearest_word near = noe_nearest_word_to(word, length);
    for (int i = 0; i < count; i++) noe_nearest_word_try(&near, list[i]);
    return near.best;
}
