/* How the unknowns of a constrained step and the derivatives of the constraints are arranged.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Order of elimination, independent parts, and the pattern of sum_a y_a d2g_a/dq dq: all of it
 * follows from which entries G, G_q and D have, and is found once. */
#ifndef NOE_ENGINE_CONSTRAINT_SETUP_H
#define NOE_ENGINE_CONSTRAINT_SETUP_H

#include "base/status.h"
#include "step/constrained_newton.h"
#include "tape/coupled_blocks.h"

#include <stdlib.h>

/* c->coordinate_place, c->coordinates_end, c->mass_at and c->mass_size; in a part in the order of
 * the coordinates. */
static void place_masses(work *w)
{
    constraint_solver *const c = &w->constraint;
    const int               *place = c->coordinate_place, *ends = c->coordinates_end;
    int                      end = 0;
    size_t                   begin = 0; /* of a part in M */
    for (int b = 0; b < w->blocks; b++) {
        for (int j = 0; j < w->n; j++)
            if (w->block_of[j] == b) c->coordinate_place[j] = end++;
        c->coordinates_end[b] = end;
    }
    for (int b = 0, first = 0; b < w->blocks; first = ends[b++]) {
        const int size = ends[b] - first;
        for (int k = 0; k < w->dyn->masses; k++) {
            const noe_entry *y = w->dyn->mass + k;
            if (w->block_of[y->row] == b)
                c->mass_at[k] = begin + (size_t)((place[y->row] - first) * size)
                              + (size_t)(place[y->col] - first);
        }
        begin += (size_t)size * (size_t)size;
    }
    c->mass_size = begin;
}

/* c->unknown_place, c->part_of and c->part_end; in a part modes come first, and all in the order
 * of the unknowns. */
static void place_unknowns(work *w)
{
    constraint_solver *const c = &w->constraint;
    const int                s = w->s, m = c->count;
    int                      end = 0;
    for (int a = 0; a < m; a++) c->part_of[a] = 0; /* of a constraint without coordinates */
    for (int k = 0; k < w->dyn->G_entries; k++)
        c->part_of[w->dyn->G_entry[k].constraint] = w->block_of[w->dyn->G_entry[k].row];
    for (int b = 0; b < w->blocks; b++) c->part_end[b] = 0;
    for (int j = 0; j < w->n; j++) c->part_end[w->block_of[j]] += s;
    for (int a = 0; a < m; a++) c->part_end[c->part_of[a]] += s;
    for (int b = 0; b < w->blocks; b++) { /* sizes become beginnings, and these ends */
        const int size = c->part_end[b];
        c->part_end[b] = end, end += size;
    }
    for (int u = 0; u < w->N; u++) c->unknown_place[u] = c->part_end[w->block_of[u / s]]++;
    for (int u = 0; u < s * m; u++) c->unknown_place[w->N + u] = c->part_end[c->part_of[u % m]]++;
}

/* c->row_at, c->column and c->matrix_size. */
static void place_matrix(work *w)
{
    constraint_solver *const c = &w->constraint;
    size_t                   begin = 0; /* of a part in A */
    for (int b = 0, first = 0; b < w->blocks; first = c->part_end[b++]) {
        const int size = c->part_end[b] - first;
        for (int u = 0; u < c->unknowns; u++) {
            const int place = c->unknown_place[u];
            if (place < first || place >= first + size) continue;
            c->column[u] = place - first;
            c->row_at[u] = begin + (size_t)(place - first) * (size_t)size;
        }
        begin += (size_t)size * (size_t)size;
    }
    c->matrix_size = begin;
}

/* c->first_curved, c->curved and c->curved_at: entries of several constraints at one place are one.
 * False without memory. */
static bool place_curvature(work *w)
{
    constraint_solver *const c = &w->constraint;
    const int                n = w->n, all = 2 * w->dyn->G_q_entries;
    /* sorted [all]: entry e as 2 e, its image as 2 e + 1, by rows; begin [n + 1]: counts of the
     * rows, then their beginnings, after sorting their ends; place [n]: where a column was last put
     * in c->curved, of the present row j only if it is at least c->first_curved[j]. */
    int *const        sorted = noe_status_alloc((size_t)(all + 2 * n + 1), sizeof *sorted),
               *const begin = sorted + all, *const place = begin + n + 1;
    int end = 0;
    if (!sorted) return false;
#define ROW_OF(i) ((i) % 2 ? w->dyn->G_q_entry[(i) / 2].col : w->dyn->G_q_entry[(i) / 2].row)
    for (int i = 0; i < all; i++) begin[ROW_OF(i) + 1]++;
    for (int j = 0; j < n; j++) begin[j + 1] += begin[j], place[j] = -1;
    for (int i = 0; i < all; i++) sorted[begin[ROW_OF(i)]++] = i;
    for (int j = 0, i = 0; j < n; j++) { /* begin[j] is where row j ends */
        c->first_curved[j] = end;
        for (; i < begin[j]; i++) {
            const int column = ROW_OF(sorted[i] ^ 1);
            if (place[column] < c->first_curved[j]) place[column] = end, c->curved[end++] = column;
            c->curved_at[sorted[i]] = place[column];
        }
    }
#undef ROW_OF
    c->first_curved[n] = end;
    free(sorted);
    return true;
}

/* What step/condensed_constraints.h knows of the constraints; false without memory. */
static bool sort_constraints(work *w)
{
    constraint_solver *const c = &w->constraint;
    for (const noe_entry *y = w->dyn->entry; y < w->dyn->entry + w->dyn->entries; y++)
        c->varying_forces |= y->kind != NOE_D_PV;
    c->has_couplings = c->varying_forces || (w->dyn->G_q_entries && w->s > 1);
    noe_coupled_blocks_sort(w->dyn, c->first_entry, c->sorted_entry);
    if (noe_coupled_blocks_order(w->dyn, c->place) < 0) return false;
    for (int p = 0; p < w->dyn->G_entries; p++) {
        c->sorted[p] = w->dyn->G_entry[c->sorted_entry[p]];
        c->sorted[p].col = c->place[c->sorted[p].constraint];
    }
    return true;
}

/* All of that, for a system with constraints; false without memory. */
static bool set_up_constraints(work *w)
{
    place_masses(w);
    place_unknowns(w);
    place_matrix(w);
    return place_curvature(w) && sort_constraints(w);
}

#endif
