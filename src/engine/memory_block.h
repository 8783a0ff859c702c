/* A block of memory that is handed out piece by piece.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENGINE_MEMORY_BLOCK_H
#define NOE_ENGINE_MEMORY_BLOCK_H

#include <stddef.h>

/* With base NULL only the size is counted. */
typedef struct {
    char  *base;
    size_t used; /* bytes handed out */
} memory_block;

/* Memory for n elements of this size, aligned to 64 bytes. */
static void *piece(memory_block *x, size_t n, size_t size)
{
    void *p = x->base ? x->base + x->used : NULL;
    x->used += (n * size + 63) / 64 * 64;
    return p;
}

#endif
