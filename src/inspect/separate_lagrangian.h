/* L as a sum of parts of uncoupled blocks of coordinates, and a tape of their first derivatives.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * L = sum_b L_b(block b, t) + L_0(t), by the expression of L: sums, and factors and divisors
 * without coordinates, are multiplied out. */
#ifndef NOE_INSPECT_SEPARATE_LAGRANGIAN_H
#define NOE_INSPECT_SEPARATE_LAGRANGIAN_H

#include "system/system.h"

/* Tape of L, L_t, L_q (n), L_v (n), the generalized forces (n) and, where L has several parts, L_b
 * and L_b,t of each block; with constraints, L + sum_a p_a g_a takes the place of L.  block [n]:
 * the block of each coordinate, 0 .. *blocks - 1.  *several: L has several parts, counting L_0.
 * *own: the copy of the model that the tape belongs to, to be freed.  NULL with a message. */
noe_tape *noe_separate_lagrangian_tape(const noe_system *, noe_model **own, int *block, int *blocks,
                                       bool *several);

#endif
