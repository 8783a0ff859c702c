/* The sets of coordinates that L or forces couple: j and k are in one set where D_jk is not 0.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "step/coupled_blocks.h"

int noe_coupled_blocks_find(const noe_dynamics *d, int *block_of)
{
    int *const of = block_of;
    int        blocks = 0;
    for (int j = 0; j < d->n; j++) of[j] = j;
    for (const noe_entry *x = d->entry; x < d->entry + d->entries; x++) {
        const int a = of[x->row], b = of[x->col], low = a < b ? a : b, high = a < b ? b : a;
        for (int j = 0; j < d->n && a != b; j++)
            if (of[j] == high) of[j] = low;
    }
    for (int j = 0; j < d->n; j++) of[j] = of[j] == j ? blocks++ : of[of[j]];
    return blocks;
}
