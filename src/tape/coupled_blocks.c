/* The sets of coordinates that L, forces or constraints couple: D_jk is not 0, or G_aj and G_ak.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/coupled_blocks.h"

#include <math.h>

/* Unites the sets of the coordinates j and k. */
static void unite(int *of, int n, int j, int k)
{
    const int a = of[j], b = of[k], low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < n && a != b; i++)
        if (of[i] == high) of[i] = low;
}

/* Numbers the sets in the order of their first coordinates; returns how many there are. */
static int number_sets(int *of, int n)
{
    int sets = 0;
    for (int j = 0; j < n; j++) of[j] = of[j] == j ? sets++ : of[of[j]];
    return sets;
}

int noe_coupled_blocks_find(const noe_dynamics *d, int *block_of)
{
    int *const of = block_of;
    for (int j = 0; j < d->n; j++) of[j] = j;
    for (const noe_entry *x = d->entry; x < d->entry + d->entries; x++)
        unite(of, d->n, x->row, x->col);
    for (int k = 1; k < d->G_entries; k++)
        if (d->G_entry[k].constraint == d->G_entry[k - 1].constraint)
            unite(of, d->n, d->G_entry[k].row, d->G_entry[k - 1].row);
    return number_sets(of, d->n);
}

int noe_coupled_blocks_find_masses(const noe_dynamics *d, int *block_of)
{
    for (int j = 0; j < d->n; j++) block_of[j] = j;
    for (const noe_entry *x = d->mass; x < d->mass + d->masses; x++)
        unite(block_of, d->n, x->row, x->col);
    return number_sets(block_of, d->n);
}

/* `part` of the header, which says why. */
static const double LEAST_PART = 0x1p-80, LEAST_PART_CONSTRAINED = 0x1p-14;

void noe_coupled_blocks_least_ranges(const noe_dynamics *d, const double *M, const double *square,
                                     const double *q, double noise, double *least)
{
    const double part = d->constraints ? LEAST_PART_CONSTRAINED : LEAST_PART;
    const int    n = d->n;
    for (int j = 0; j < n; j++) least[j] = 0;
    if (!M) return;
    double all[n], rounding[n];
    int    block_of[n];
    for (int j = 0; j < n; j++) all[j] = rounding[j] = 0;
    noe_coupled_blocks_find(d, block_of);
    for (int j = 0; j < n; j++) {
        all[block_of[j]] += M[j * n + j] * square[j];
        rounding[block_of[j]] += M[j * n + j] * (noise * q[j]) * (noise * q[j]);
    }
    for (int j = 0; j < n; j++) {
        const int b = block_of[j];
        if (M[j * n + j] > 0)
            least[j] = d->constraints && all[b] <= rounding[b] ? INFINITY
                                                               : part * all[b] / M[j * n + j];
    }
}
