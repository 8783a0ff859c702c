/* A text that grows by pieces, and a file written as a whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_TEXT_H
#define NOE_BASE_TEXT_H

#include "base/arena.h"
#include "number/quad.h"

#include "noether.h"

typedef struct {
    char      *data; /* NULL once memory ran out */
    size_t     length, capacity;
    noe_arena *arena;
} noe_text;

noe_text noe_text_new(noe_arena *); /* it grows there; NULL: on its own, and the caller frees it */
/* Adds at most 1023 bytes: callers bound the names they print. */
void noe_text_add(noe_text *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* 2, 10/7, or 34 digits. */
void noe_text_number(quad, char out[64]);
/* One term of a sum: a coefficient and up to three factors. */
void noe_text_term(noe_text *, quad c, const char *a, const char *b, const char *d);

/* The whole text or nothing; path NULL: standard output. */
noe_status noe_text_write(const char *path, const char *text);

#endif
