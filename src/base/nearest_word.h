/* The candidate nearest to a word: d(word, candidate) = fewest edits between them (Levenshtein).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_NEAREST_WORD_H
#define NOE_BASE_NEAREST_WORD_H

#include <stddef.h>

/* Search for the candidate that differs from a word by the fewest edits, at most a third of its
 * length; upper and lower case are equal.  Begin with noe_nearest_word_to, then try each
 * candidate. */
typedef struct {
    const char *word;     /* [length] */
    size_t      length;   /* of the word */
    int         distance; /* a candidate must be nearer than this */
    const char *best;     /* nearest candidate so far, or NULL */
} noe_nearest_word;
noe_nearest_word noe_nearest_word_to(const char *word, size_t length);
void             noe_nearest_word_try(noe_nearest_word *, const char *candidate);

#endif
