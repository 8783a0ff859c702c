/* Which upper halves of the vector registers are in use.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * XGETBV with ECX = 1 tells (Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 1, 13.6): bit 2 of those of YMM, bit 6 of ZMM.  Left in use they make SSE code slow,
 * whoever's it is. */
#ifndef UPPER_H
#define UPPER_H

#include <stdbool.h>

#if defined __x86_64__
#include <cpuid.h>

/* Does this processor tell? */
static inline bool upper_told(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE
        && __get_cpuid_count(13, 1, &a, &b, &c, &d) && a & 1 << 2;
}

static inline unsigned upper_used(void)
{
    unsigned a, d;
    __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(1) : "memory");
    return a & (1 << 2 | 1 << 6);
}

static inline void upper_clear(void)
{
    if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper" ::: "memory");
}

static inline void upper_spoil(void)
{
    __asm__ volatile("vpcmpeqd %%xmm1, %%xmm1, %%xmm1\nvinsertf128 $1, %%xmm1, %%ymm1, %%ymm1" ::
                         : "xmm1");
}
#else
static inline bool     upper_told(void) { return false; }
static inline unsigned upper_used(void) { return 0; }
static inline void     upper_clear(void) {}
#endif

#endif
