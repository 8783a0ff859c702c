/* the widest build of the core that this machine runs; all of them give the same bits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"

#include <stdlib.h>
#include <string.h>

#if defined __x86_64__
#define BUILDS(name)                                                                                   \
    extern const noe_core name##_sse2, name##_avx2, name##_avx512;                                     \
    const noe_core *name(void)                                                                         \
    {                                                                                                  \
        const int level = noe_instruction_set();                                                       \
        return level == 2 ? &name##_avx512 : level == 1 ? &name##_avx2 : &name##_sse2;                 \
    }

/* NOETHER_ISA=sse2 or avx2 asks for a narrower build. */
int noe_instruction_set(void)
{
    const char *ask = getenv("NOETHER_ISA");
    int         level = 0;
    if (__builtin_cpu_supports("avx2")) level = 1;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512bw")) level = 2;
    if (ask && !strcmp(ask, "avx2") && level > 1) level = 1;
    if (ask && !strcmp(ask, "sse2")) level = 0;
    return level;
}
#else
#define BUILDS(name)                        \
    extern const noe_core name##_sse2;      \
    const noe_core *name(void) { return &name##_sse2; }
#endif

BUILDS(noe_core_double)
BUILDS(noe_core_lanes)
