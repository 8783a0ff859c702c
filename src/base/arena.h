/* An arena: memory that grows in blocks and is freed as a whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_ARENA_H
#define NOE_BASE_ARENA_H

#include <setjmp.h>
#include <stddef.h>

typedef struct noe_arena noe_arena;

noe_arena *noe_arena_new(void);
/* size zeroed bytes aligned to 64, or NULL with NOE_NO_MEMORY recorded. */
void *noe_arena_take(noe_arena *, size_t size);
/* The same for n objects of `size` bytes, at least one. */
void *noe_arena_array(noe_arena *, size_t n, size_t size);
/* noe_arena_array that leaves by longjmp(*stop, 1) where there is no memory: never NULL. */
void *noe_arena_need(noe_arena *, jmp_buf *stop, size_t n, size_t size);
char *noe_arena_copy(noe_arena *, const char *text, size_t length); /* with a closing 0 */
void  noe_arena_free(noe_arena *);

#endif
