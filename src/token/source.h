/* Source texts and places in them, for messages: file:line:column, the line, a caret.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TOKEN_SOURCE_H
#define NOE_TOKEN_SOURCE_H

#include "base/nearest_word.h"

#include <setjmp.h>
#include <stddef.h>

typedef struct {
    const char *name;   /* "kepler.lag", "command line" */
    const char *text;   /* closed by a 0 */
    size_t      length; /* bytes of the text */
    jmp_buf    *stop;   /* where an error leads after its message */
} noe_source;

/* "name:line:column: message". */
void noe_source_place(const noe_source *, size_t offset, const char *message, char *out,
                      size_t size);
/* "name:line:column: message", the line and a caret under the column; NOE_SYNTAX; then jumps to
 * *stop. A column is a character, a tab too. */
_Noreturn void noe_source_fail(const noe_source *, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int noe_source_line(const noe_source *, size_t offset); /* 1, 2, ... */

/* The number of bytes of a word that a message shows: at most `most`, whole characters only. */
int noe_source_shown(const char *word, size_t length, int most);

/* Jumps with a message unless the text is UTF-8 without control characters, its lines short. */
void noe_source_check(const noe_source *);

#endif
