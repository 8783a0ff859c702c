/* The sets of coordinates that L or forces couple.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_COUPLED_BLOCKS_H
#define NOE_STEP_COUPLED_BLOCKS_H

#include "step/equations.h"

/* block_of[n]: the set of each coordinate, numbered in the order of their first coordinates; their
 * number is returned. */
int noe_coupled_blocks_find(const noe_dynamics *, int *block_of);

#endif
