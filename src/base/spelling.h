/* The two spellings of a quantity: q' = q.v,  p(q) = q.p,  x[3] = x.3.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_SPELLING_H
#define NOE_BASE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

/* Do a and b name the same quantity?  The dotted spelling needs no quotes in a shell. */
bool noe_spelling_same(const char *a, const char *b);

/* Writes the first n characters of a name, "x.3" as "x[3]", "r.3.x" and "r[3].x" as "r.x[3]", and a
 * 0; out has memory for n + 3. */
void noe_spelling_of_member(const char *name, size_t n, char *out);

/* 'q' for a plain name, 'v' for a velocity, 'p' for a momentum. */
char noe_spelling_kind(const char *name);

#endif
