/* Statuses and error messages: the first cause since the last clear, one message per thread.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_STATUS_H
#define NOE_BASE_STATUS_H

#include "noether.h"

/* Records the message, unless an earlier message has not been cleared, and returns s: "return
 * noe_status_fail(NOE_IO, ...)". */
noe_status noe_status_fail(noe_status s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The status of the last failure in this thread, also where an earlier message was kept; for what
 * has just returned NULL or false. */
noe_status noe_status_last(void);

/* Appends to the text in text[size]; the result is cut to size - 1 characters. */
void noe_status_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* calloc(n, size) that records NOE_NO_MEMORY; NULL on failure or overflow. */
void *noe_status_alloc(size_t n, size_t size);

#endif
