/* Statuses and error messages: the first cause since the last clear, one message per thread.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char       message[1024];
static _Thread_local noe_status last;

const char *noe_error(void) { return message[0] ? message : NULL; }

void noe_error_clear(void) { message[0] = 0; }

noe_status noe_status_last(void) { return last; }

noe_status noe_status_fail(noe_status s, const char *format, ...)
{
    last = s;
    if (message[0]) return s;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return s;
}

void noe_status_append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list      args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

void *noe_status_alloc(size_t n, size_t size)
{
    void *p = size && n > SIZE_MAX / size ? NULL : calloc(n ? n : 1, size ? size : 1);
    if (!p) noe_status_fail(NOE_NO_MEMORY, "out of memory: %zu x %zu bytes wanted", n, size);
    return p;
}
