/* An arena: memory that grows in blocks and is freed as a whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "base/arena.h"

#include "base/status.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 64, BLOCK = 1 << 14, HUGE = 1 << 21 };

struct noe_arena {
    noe_arena
         *older; /* next block of the list; its first block is the handle and has the free range */
    char *free, *end; /* free range of the newest block */
};

static char *align(char *p) { return p + (-(uintptr_t)p & (ALIGN - 1)); }

/* Advises pages of 2 MB, so that an array of 10^6 doubles needs 4 pages instead of 2000. */
static void in_large_pages(void *p, size_t size)
{
#if defined MADV_HUGEPAGE
    char *first = (char *)p + (-(uintptr_t)p & (HUGE - 1)), *end = (char *)p + size;
    /* advice only */
    if (end - first >= HUGE)
        madvise(first, (size_t)(end - first) & ~(size_t)(HUGE - 1), MADV_HUGEPAGE);
#else
    (void)p, (void)size;
#endif
}

static noe_arena *block(size_t size)
{
    noe_arena *b = noe_status_alloc(1, sizeof *b + ALIGN + size);
    if (!b) return NULL;
    if (size >= 2 * HUGE) in_large_pages(b, sizeof *b + ALIGN + size);
    b->free = align((char *)(b + 1));
    b->end = (char *)(b + 1) + ALIGN + size;
    return b;
}

noe_arena *noe_arena_new(void) { return block(BLOCK); }

void *noe_arena_take(noe_arena *a, size_t size)
{
    if (!a) return NULL;
    if (size > (size_t)(a->end - a->free)) {
        noe_arena *b = block(size > BLOCK ? size : BLOCK);
        if (!b) return NULL;
        /* the full block goes second in the list; the handle gets the new free range */
        b->older = a->older;
        a->older = b;
        a->free = b->free;
        a->end = b->end;
    }
    char *p = a->free;
    a->free = (size_t)(a->end - p) <= size + ALIGN ? a->end : align(p + size);
    return p;
}

void *noe_arena_array(noe_arena *a, size_t n, size_t size)
{
    size_t bytes;
    /* more than there are addresses: noe_status_alloc reports it */
    if (__builtin_mul_overflow(n ? n : 1, size, &bytes)) return noe_status_alloc(n, size);
    return noe_arena_take(a, bytes);
}

void *noe_arena_need(noe_arena *a, jmp_buf *stop, size_t n, size_t size)
{
    void *p = noe_arena_array(a, n, size);
    if (!p) longjmp(*stop, 1);
    return p;
}

char *noe_arena_copy(noe_arena *a, const char *text, size_t length)
{
    char *copy = noe_arena_take(a, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

void noe_arena_free(noe_arena *a)
{
    while (a) {
        noe_arena *older = a->older;
        free(a);
        a = older;
    }
}
