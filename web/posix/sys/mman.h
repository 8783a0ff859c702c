/* Memory comes from malloc, none can be code (ENOSYS); a shared map is of a new temporary file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_WEB_MMAN_H
#define NOE_WEB_MMAN_H

#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>

#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define MAP_FAILED ((void *)-1)

static inline void *mmap(void *at, size_t size, int protection, int flags, int file, off_t from)
{
    (void)at, (void)flags, (void)file, (void)from;
    if (protection & PROT_EXEC) return errno = ENOSYS, MAP_FAILED;
    void *p = calloc(1, size);
    return p ? p : MAP_FAILED;
}
static inline int munmap(void *at, size_t size) { return (void)size, free(at), 0; }
static inline int mprotect(void *at, size_t size, int protection)
{
    (void)at, (void)size, (void)protection;
    return errno = ENOSYS, -1;
}

#endif
