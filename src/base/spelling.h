/* The two spellings of a quantity: q' = q.v,  p(q) = q.p,  x[3] = x.3.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_SPELLING_H
#define NOE_BASE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

/* Do a and b name the same quantity?  The dotted spelling needs no quotes in a shell. */
bool noe_spelling_same(const char *a, const char *b);

/* Bytes of a name up to which it is written in its other spelling, and may have an asterisk; a
 * longer one is no member's. */
enum { NOE_SPELLING_MOST = 200 };

/* Writes the first n characters of a name, "x.3" as "x[3]", "r.3.x" and "r[3].x" as "r.x[3]", and a
 * 0; out has memory for n + 3. */
void noe_spelling_of_member(const char *name, size_t n, char *out);

/* 'q' for a plain name, 'v' for a velocity, 'p' for a momentum. */
char noe_spelling_kind(const char *name);

/* Is it the name of a column that holds the energy, or a part of its balance? */
bool noe_spelling_energy(const char *name);

#endif
