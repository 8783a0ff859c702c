/* The sets of coordinates that L, forces or constraints couple: D_jk is not 0, or G_aj and G_ak.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/coupled_blocks.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

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

void noe_coupled_blocks_sort(const noe_dynamics *d, int *first_entry, int *sorted_entry)
{
    for (int j = 0; j <= d->n; j++) first_entry[j] = 0;
    for (int k = 0; k < d->G_entries; k++) first_entry[d->G_entry[k].row + 1]++;
    for (int j = 0; j < d->n; j++) first_entry[j + 1] += first_entry[j];
    for (int k = 0; k < d->G_entries; k++) sorted_entry[first_entry[d->G_entry[k].row]++] = k;
    for (int j = d->n; j > 0; j--) first_entry[j] = first_entry[j - 1];
    first_entry[0] = 0;
}

/* Constraints and the coordinates that they share. */
typedef struct {
    const noe_dynamics *d;
    int                *first_entry, *sorted_entry, /* noe_coupled_blocks_sort() */
        *own; /* the first entry of G of each constraint [m + 1] */
} shared;

/* Puts the constraints that are connected with `start` to queue[from ..] in the order of their
 * distance; place[a] < 0 where a is not there yet.  Returns the length of the queue. */
static int reach(const shared *x, int start, int from, int *queue, int *place)
{
    int end = from;
    place[start] = end, queue[end++] = start;
    for (int i = from; i < end; i++)
        for (int k = x->own[queue[i]]; k < x->own[queue[i] + 1]; k++) {
            const int j = x->d->G_entry[k].row;
            for (int p = x->first_entry[j]; p < x->first_entry[j + 1]; p++) {
                const int a = x->d->G_entry[x->sorted_entry[p]].constraint;
                if (place[a] < 0) place[a] = end, queue[end++] = a;
            }
        }
    return end;
}

int noe_coupled_blocks_order(const noe_dynamics *d, int *to)
{
    const size_t n = (size_t)d->n, m = (size_t)d->constraints, e = (size_t)d->G_entries;
    int *const   all = noe_status_alloc(n + 3 * m + e + 2, sizeof *all);
    if (!all) return -1;
    const shared x = { d, all, all + n + 1, all + n + 1 + e };
    int *const queue = x.own + m + 1, *const place = queue + m;
    int end = 0, most = 0;
    noe_coupled_blocks_sort(d, x.first_entry, x.sorted_entry);
    for (int k = 0; k < d->G_entries; k++) x.own[d->G_entry[k].constraint + 1] = k + 1;
    for (size_t a = 0; a < m; a++)
        if (x.own[a + 1] < x.own[a]) x.own[a + 1] = x.own[a]; /* no entries */
    for (size_t a = 0; a < m; a++) place[a] = -1;
    for (int a = 0; a < d->constraints; a++) {
        if (place[a] >= 0) continue;
        const int last = reach(&x, a, end, queue, place), far = queue[last - 1];
        for (int i = end; i < last; i++) place[queue[i]] = -1;
        end = reach(&x, far, end, queue, place); /* from one end of what is connected */
    }
    for (int j = 0; j < d->n; j++)
        for (int p = x.first_entry[j]; p < x.first_entry[j + 1]; p++)
            for (int q = x.first_entry[j]; q < p; q++) {
                const int apart = abs(place[d->G_entry[x.sorted_entry[p]].constraint]
                                      - place[d->G_entry[x.sorted_entry[q]].constraint]);
                most = apart > most ? apart : most;
            }
    for (size_t a = 0; a < m && to; a++) to[a] = place[a];
    free(all);
    return most;
}

void noe_coupled_blocks_least_ranges(const noe_dynamics *d, const double *M, const double *square,
                                     const double *q, double noise, double *least)
{
    const double part = d->constraints ? 0x1p-14 : 0x1p-80;
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
