/* One processor.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_WEB_SCHED_H
#define NOE_WEB_SCHED_H

#include <stddef.h>

typedef struct {
    int count;
} cpu_set_t;

#define CPU_COUNT(set) ((set)->count)

static inline int sched_getaffinity(int process, size_t size, cpu_set_t *set)
{
    return (void)process, (void)size, set->count = 1, 0;
}
static inline int sched_yield(void) { return 0; }

#endif
