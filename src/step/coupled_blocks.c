/* The sets of coordinates that L, forces or constraints couple: D_jk is not 0, or G_aj and G_ak.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "step/coupled_blocks.h"

/* Unites the sets of the coordinates j and k. */
static void unite(int *of, int n, int j, int k)
{
    const int a = of[j], b = of[k], low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < n && a != b; i++)
        if (of[i] == high) of[i] = low;
}

int noe_coupled_blocks_find(const noe_dynamics *d, int *block_of)
{
    int *const of = block_of;
    int        blocks = 0;
    for (int j = 0; j < d->n; j++) of[j] = j;
    for (const noe_entry *x = d->entry; x < d->entry + d->entries; x++)
        unite(of, d->n, x->row, x->col);
    for (int k = 1; k < d->slopes; k++)
        if (d->slope[k].constraint == d->slope[k - 1].constraint)
            unite(of, d->n, d->slope[k].row, d->slope[k - 1].row);
    for (int j = 0; j < d->n; j++) of[j] = of[j] == j ? blocks++ : of[of[j]];
    return blocks;
}
