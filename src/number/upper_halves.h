/* Empties the upper halves of the vector registers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_NUMBER_UPPER_HALVES_H
#define NOE_NUMBER_UPPER_HALVES_H

/* Before wide code returns to code that may be of SSE, which is slow on some processors while upper
 * halves are in use; compilers do it by themselves, but not on every way
 * (test/jit/test_upper_halves.c).  A function of its own, so that no value in a wide register is
 * alive there. */
#ifdef __x86_64__
static __attribute__((noinline)) void noe_upper_halves_empty(void)
{
    if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper" ::: "memory");
}
#else
static inline void noe_upper_halves_empty(void) {}
#endif

#endif
