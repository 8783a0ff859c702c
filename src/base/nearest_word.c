/* The candidate nearest to a word: d(word, candidate) = fewest edits between them (Levenshtein).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/nearest_word.h"

#include <string.h>

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

noe_nearest_word noe_nearest_word_to(const char *word, size_t length)
{
    return (
        noe_nearest_word){ .word = word, .length = length, .distance = (int)(length + 2) / 3 + 1 };
}

void noe_nearest_word_try(noe_nearest_word *n, const char *candidate)
{
    enum { LENGTH_MOST = 40 };
    const size_t m = strlen(candidate);
    if (n->length > LENGTH_MOST || m > LENGTH_MOST || m == 0) return;
    int row[LENGTH_MOST + 1]; /* one row of the table of distances */
    for (size_t j = 0; j <= m; j++) row[j] = (int)j;
    for (size_t i = 1; i <= n->length; i++) {
        int diagonal = row[0], least = (int)i;
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            const int above = row[j],
                      change = diagonal + (lower(n->word[i - 1]) != lower(candidate[j - 1]));
            row[j] = change;
            if (above + 1 < row[j]) row[j] = above + 1;
            if (row[j - 1] + 1 < row[j]) row[j] = row[j - 1] + 1;
            diagonal = above;
            if (row[j] < least) least = row[j];
        }
        if (least >= n->distance) return; /* no later row is nearer */
    }
    /* a candidate that shares no letter with the word is not near */
    const int most = (int)(m > n->length ? m : n->length);
    if (row[m] < n->distance && row[m] < most) n->distance = row[m], n->best = candidate;
}
