/* malloc that fails at the k-th call, for k = 1, 2, .. until nothing fails; its largest request.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For one test program, linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc. */
#ifndef FAILING_H
#define FAILING_H

#include <stddef.h>

static long calls_left = -1; /* negative: never fail */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static size_t largest_request; /* bytes */

static inline void note(size_t n)
{
    if (n > largest_request) largest_request = n;
}

static inline int fails(void) { return calls_left >= 0 && calls_left-- == 0; }

void *__wrap_malloc(size_t n) { return note(n), fails() ? NULL : __real_malloc(n); }

void *__wrap_calloc(size_t n, size_t size)
{
    return note(n * size), fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n) { return note(n), fails() ? NULL : __real_realloc(p, n); }

#endif
