/* How the derivatives of the constraints are arranged.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The entries of G by coordinates and by places, and the pattern of sum_a y_a d2g_a/dq dq: they
 * follow from which entries G, G_q and D have, and are found once. */
#ifndef NOE_ENGINE_CONSTRAINT_SETUP_H
#define NOE_ENGINE_CONSTRAINT_SETUP_H

#include "engine/elimination_setup.h"

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
    noe_elimination_order_sort(w->dyn, c->first_entry, c->sorted_entry);
    c->half_band = noe_elimination_order_constraints(w->dyn, c->first_entry, c->sorted_entry,
                                                     c->place);
    if (c->half_band < 0) return false;
    for (int p = 0; p < w->dyn->G_entries; p++) {
        c->sorted[p] = w->dyn->G_entry[c->sorted_entry[p]];
        c->sorted[p].col = c->place[c->sorted[p].constraint];
    }
    return true;
}

/* All of that and the places of the unknowns, for a system with constraints; false without
 * memory. */
static bool set_up_constraints(work *w)
{
    constraint_solver *const c = &w->constraint;
    const size_t             n = (size_t)w->n, entries = (size_t)w->dyn->G_entries,
                 curves = 2 * (size_t)w->dyn->G_q_entries;
    c->count = w->dyn->constraints, c->unknowns = w->N + w->s * c->count;
    return (c->place = integers(w, (size_t)c->count)) && (c->first_entry = integers(w, n + 1))
        && (c->sorted_entry = integers(w, entries)) && (c->first_curved = integers(w, n + 1))
        && (c->curved = integers(w, curves)) && (c->curved_at = integers(w, curves))
        && (c->sorted = noe_arena_array(w->arena, entries, sizeof *c->sorted))
        && set_up_elimination(w) && place_curvature(w) && sort_constraints(w);
}

#endif
