/* Memory that is not given back, by glibc's count of what is in use.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Under a sanitizer that count is 0: it finds leaks itself. */
#ifndef LEAKS_H
#define LEAKS_H

#include <malloc.h>
#include <stddef.h>

static inline size_t bytes_in_use(void)
{
    const struct mallinfo2 x = mallinfo2();
    return x.uordblks + x.hblkhd;
}

/* Bytes that a call leaves behind each time.  glibc keeps some freed memory as used, the same after
 * every call from the first few on. */
static inline size_t bytes_lost(void (*call)(const void *), const void *with)
{
    enum { CALLS = 10 };
    for (int i = 0; i < CALLS; i++) call(with);
    const size_t before = bytes_in_use();
    for (int i = 0; i < CALLS; i++) call(with);
    const size_t now = bytes_in_use();
    return now > before ? (now - before) / CALLS : 0;
}

#endif
