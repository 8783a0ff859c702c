/* sin x and cos x as instructions of AVX-512.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations are those of number/sincos_steps.h one by one, so the bits are the same. */
#ifndef NOE_JIT_SINE_CODE_H
#define NOE_JIT_SINE_CODE_H

#include "jit/assembler.h"

enum { NOE_SINE_SCRATCH = 10 }; /* number of scratch registers */

/* Appends the constants of the instructions to the code; to be called once, before the first
 * use. */
void noe_sine_code_pool(noe_assembler *);
/* s <- sin x, c <- cos x; all registers are different. If an argument is too large or nan, the
 * code runs the instructions that leave() writes and jumps to the offset `otherwise`. */
void noe_sine_code_emit(noe_assembler *, int x, int s, int c, const int *scratch, size_t otherwise,
                        void (*leave)(noe_assembler *));

#endif
