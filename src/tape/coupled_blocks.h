/* The sets of coordinates that L or forces couple; an order of constraints.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_COUPLED_BLOCKS_H
#define NOE_TAPE_COUPLED_BLOCKS_H

#include "tape/equations.h"

/* block_of[n]: the set of each coordinate, numbered in the order of their first coordinates; their
 * number is returned. */
int noe_coupled_blocks_find(const noe_dynamics *, int *block_of);

/* The slopes of the constraints by their coordinates: those of j are slope_at[first_at[j] ..
 * first_at[j + 1] - 1].  first_at [n + 1], slope_at [slopes] */
void noe_coupled_blocks_sort(const noe_dynamics *, int *first_at, int *slope_at);

/* place[constraints], or NULL: an order in which constraints that share a coordinate stand close
 * together; by how many places they differ at most is returned, -1 without memory. */
int noe_coupled_blocks_order(const noe_dynamics *, int *place);

#endif
