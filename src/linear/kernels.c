/* the widest build of the kernels that this machine runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "linear/kernel.h"

extern const noe_kernel noe_kernel_sse2;
#if defined __x86_64__
extern const noe_kernel noe_kernel_avx2, noe_kernel_avx512;
#endif

const noe_kernel *noe_kernel_best(void)
{
#if defined __x86_64__
    const int level = noe_instruction_set();
    return level == 2 ? &noe_kernel_avx512 : level == 1 ? &noe_kernel_avx2 : &noe_kernel_sse2;
#else
    return &noe_kernel_sse2;
#endif
}
