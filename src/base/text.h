/* A growing text, numbers and terms as text, and a text written to a file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_TEXT_H
#define NOE_BASE_TEXT_H

#include "base/arena.h"
#include "number/quad.h"

#include "noether.h"

typedef struct {
    char      *data;             /* NULL once memory ran out */
    size_t     length, capacity; /* bytes without the final 0; bytes allocated */
    noe_arena *arena;            /* memory of the text */
} noe_text;

noe_text noe_text_new(noe_arena *); /* memory of the arena; NULL: the caller frees data */
/* Adds at most 1023 bytes; callers limit the lengths of names. */
void noe_text_add(noe_text *, const char *format, ...) __attribute__((format(printf, 2, 3)));

void noe_text_add_long(noe_text *, const char *from, size_t length); /* any number of bytes */

/* x as an integer, a fraction such as 10/7, or a decimal of 34 digits. */
void noe_text_number(quad, char out[64]);
/* Adds a term of a sum: the coefficient c times up to three factors. */
void noe_text_term(noe_text *, quad c, const char *a, const char *b, const char *d);

/* Writes the text to a file, completely or not at all; path NULL: standard output. */
noe_status noe_text_write(const char *path, const char *text);

#endif
