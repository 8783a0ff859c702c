/* Chooses the widest build of the engine that this machine runs; all builds give the same bits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "step/engine_interface.h"

#include <stdlib.h>
#include <string.h>

/* NOETHER_ISA=sse2 or avx2 asks for a narrower build; the command checks the word (cli/main.c). */
int noe_engine_instruction_set(void)
{
    int level = 0;
#if defined __x86_64__
    const char *ask = getenv("NOETHER_ISA");
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) level = 1;
    if (level && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        level = 2;
    if (ask && !strcmp(ask, "avx2") && level > 1) level = 1;
    if (ask && !strcmp(ask, "sse2")) level = 0;
#endif
    return level;
}

NOE_BUILDS(noe_engine, noe_engine_double);
NOE_BUILDS(noe_engine, noe_engine_lanes);

const noe_engine *noe_engine_double(void) { return NOE_WIDEST(noe_engine_double); }
const noe_engine *noe_engine_lanes(void) { return NOE_WIDEST(noe_engine_lanes); }
