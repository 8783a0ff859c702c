/* The candidate nearest to a word: d(word, candidate) = fewest edits between them (Levenshtein).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_NEAREST_WORD_H
#define NOE_BASE_NEAREST_WORD_H

#include <stddef.h>

/* The candidate that differs from a word by the fewest edits, at most a third of it.  Capital
 * letters are the small ones.  Begin with noe_nearest_word_to, try each candidate; best is the
 * winner so far, or NULL. */
typedef struct {
    const char *word;
    size_t      length;
    int         distance;
    const char *best;
} noe_nearest_word;
noe_nearest_word noe_nearest_word_to(const char *word, size_t length);
void             noe_nearest_word_try(noe_nearest_word *, const char *candidate);

#endif
