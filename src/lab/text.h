/* text <- text + piece: a text that grows, and a file that holds it whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LAB_TEXT_H
#define NOE_LAB_TEXT_H

#include <stddef.h>

typedef struct {
    char  *data; /* NULL once memory ran out */
    size_t length, room;
} noe_text;

noe_text noe_text_new(void);
/* Adds at most 1023 bytes: callers bound the names they print. */
void noe_say(noe_text *, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
