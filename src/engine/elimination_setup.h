/* Where the unknowns of a constrained step stand in its matrices: parts, bands, squares.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Coordinates that nothing couples are solved for apart: a block of w->block_of is a part of the
 * Newton matrix, with the impulses of its constraints; coordinates that share an entry of M are a
 * part of M.  In a part of the Newton matrix modes come first, then impulses, unless an order of
 * coordinates and constraints makes it a narrow band (tape/elimination_order.h), as that of a
 * chain of bodies is.  All of it follows from which entries D, G and G_q have. */
#ifndef NOE_ENGINE_ELIMINATION_SETUP_H
#define NOE_ENGINE_ELIMINATION_SETUP_H

#include "base/status.h"
#include "step/constrained_newton.h"
#include "tape/coupled_blocks.h"
#include "tape/elimination_order.h"

#include <stdlib.h>

/* `count` integers in the arena of the engine. */
static int *integers(work *w, size_t count)
{
    return noe_arena_array(w->arena, count, sizeof(int));
}

/* w->mass_parts; in a part in the order of the coordinates.  False without memory. */
static bool place_masses(work *w)
{
    mass_parts *const x = &w->mass_parts;
    const size_t      n = (size_t)w->n;
    int               end = 0;
    if (!(x->of = integers(w, n)) || !(x->place = integers(w, n))
        || !(x->coordinate = integers(w, n)) || !(x->end = integers(w, n))
        || !(x->begin = noe_arena_array(w->arena, n, sizeof *x->begin))
        || !(x->at = noe_arena_array(w->arena, (size_t)w->dyn->masses, sizeof *x->at)))
        return false;
    x->count = noe_coupled_blocks_find_masses(w->dyn, x->of);
    for (int b = 0; b < x->count; b++) {
        const int first = end;
        for (int j = 0; j < w->n; j++) {
            if (x->of[j] != b) continue;
            x->coordinate[end] = j;
            x->place[j] = end++;
        }
        x->end[b] = end, x->begin[b] = x->numbers;
        x->numbers += (size_t)(end - first) * (size_t)(end - first);
    }
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *y = w->dyn->mass + k;
        const int        b = x->of[y->row], first = b ? x->end[b - 1] : 0;
        x->at[k] = x->begin[b] + (size_t)((x->place[y->row] - first) * (x->end[b] - first))
                 + (size_t)(x->place[y->col] - first);
    }
    return true;
}

/* c->first_touched and c->touched: the parts of M that each constraint has coordinates of. */
static void list_touched(work *w)
{
    constraint_solver *const    c = &w->constraint;
    const noe_constraint_entry *y = w->dyn->G_entry, *const end = y + w->dyn->G_entries;
    int count = 0;
    for (int a = 0; a < c->count; a++) {
        c->first_touched[a] = count;
        for (; y < end && y->constraint == a; y++) {
            bool known = false;
            for (int k = c->first_touched[a]; k < count; k++)
                known |= c->touched[k] == w->mass_parts.of[y->row];
            if (!known) c->touched[count++] = w->mass_parts.of[y->row];
        }
    }
    c->first_touched[c->count] = count;
}

/* c->inertia_place and c->inertia_half: constraints that touch one part of M have an entry in
 * G M^-1 G^T.  vertex: their order of elimination; scratch [2 w->mass_parts.count]. */
static void place_inertia(work *w, const int *vertex, int *scratch)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count;
    int *const first = scratch, *const last = scratch
                                            + w->mass_parts.count; /* places, of each part */
    int end = 0;
    for (int i = 0; i < w->n + m; i++)
        if (vertex[i] >= w->n) c->inertia_place[vertex[i] - w->n] = end++;
    for (int b = 0; b < w->mass_parts.count; b++) first[b] = m, last[b] = 0;
    for (int a = 0; a < m; a++)
        for (int k = c->first_touched[a]; k < c->first_touched[a + 1]; k++) {
            const int b = c->touched[k], place = c->inertia_place[a];
            if (place < first[b]) first[b] = place;
            if (place > last[b]) last[b] = place;
        }
    c->inertia_half = 0;
    for (int b = 0; b < w->mass_parts.count; b++)
        if (last[b] - first[b] > c->inertia_half) c->inertia_half = last[b] - first[b];
    if (band_saves(c->inertia_half, m)) return;
    c->inertia_half = SQUARE;
    for (int a = 0; a < m; a++) c->inertia_place[a] = a;
}

/* The part of a coordinate or constraint, a vertex of the graph. */
static int part_of_vertex(const work *w, int vertex)
{
    return vertex < w->n ? w->block_of[vertex] : w->constraint.part_of[vertex - w->n];
}

/* c->part_half: by how many places the unknowns of one equation differ at most, with those of each
 * vertex at place[vertex] and after; SQUARE where the natural order takes less room. */
static void find_bands(work *w, const noe_elimination_graph *graph, const int *place)
{
    constraint_solver *const c = &w->constraint;
    for (int b = 0; b < w->blocks; b++) c->part_half[b] = w->s - 1;
    for (int i = 0; i < graph->vertices; i++)
        for (int k = graph->first[i]; k < graph->first[i + 1]; k++) {
            int *const half = &c->part_half[part_of_vertex(w, i)];
            const int  apart = abs(place[i] - place[graph->neighbour[k]]) + w->s - 1;
            if (apart > *half) *half = apart;
        }
    for (int b = 0, first = 0; b < w->blocks; first = c->part_end[b++])
        if (!band_saves(c->part_half[b], c->part_end[b] - first)) c->part_half[b] = SQUARE;
}

/* c->unknown_place, c->part_of, c->part_end and c->part_half.  vertex: the order of elimination;
 * scratch [n + m + blocks]. */
static void place_unknowns(work *w, const noe_elimination_graph *graph, const int *vertex,
                           int *scratch)
{
    constraint_solver *const c = &w->constraint;
    const int                s = w->s, m = c->count;
    int *const place = scratch, *const next = scratch + graph->vertices;
    int end = 0;
    for (int k = 0; k < w->dyn->G_entries; k++)
        c->part_of[w->dyn->G_entry[k].constraint] = w->block_of[w->dyn->G_entry[k].row];
    for (int i = 0; i < graph->vertices; i++) c->part_end[part_of_vertex(w, i)] += s;
    for (int b = 0; b < w->blocks; b++) next[b] = end, end = c->part_end[b] += end;
    for (int i = 0; i < graph->vertices; i++) {
        int *const to = &next[part_of_vertex(w, vertex[i])];
        place[vertex[i]] = *to, *to += s;
    }
    find_bands(w, graph, place);
    for (int b = 0; b < w->blocks; b++) next[b] = b ? c->part_end[b - 1] : 0;
    for (int u = 0; u < c->unknowns; u++) {
        const int i = u < w->N ? u / s : w->n + (u - w->N) % m,
                  k = u < w->N ? u % s : (u - w->N) / m, b = part_of_vertex(w, i);
        c->unknown_place[u] = c->part_half[b] == SQUARE ? next[b]++ : place[i] + k;
    }
}

/* c->row_at, c->column and c->matrix_size. */
static void place_matrix(work *w, size_t *begin)
{
    constraint_solver *const c = &w->constraint;
    for (int b = 0, first = 0; b < w->blocks; first = c->part_end[b++]) {
        begin[b] = c->matrix_size;
        c->matrix_size += part_numbers(c->part_half[b], c->part_end[b] - first);
    }
    for (int u = 0; u < c->unknowns; u++) {
        const int b = part_of_vertex(w, u < w->N ? u / w->s : w->n + (u - w->N) % c->count),
                  first = b ? c->part_end[b - 1] : 0, place = c->unknown_place[u] - first;
        c->column[u] = place;
        c->row_at[u] = begin[b] + part_row_at(c->part_half[b], c->part_end[b] - first, place);
    }
}

/* All of that; false without memory. */
static bool set_up_elimination(work *w)
{
    constraint_solver *const c = &w->constraint;
    const size_t             n = (size_t)w->n, m = (size_t)c->count, U = (size_t)c->unknowns,
                 entries = (size_t)w->dyn->G_entries;
    const bool taken = (c->first_touched = integers(w, m + 1))
                    && (c->touched = integers(w, entries)) && (c->inertia_place = integers(w, m))
                    && (c->part_of = integers(w, m)) && (c->part_end = integers(w, n))
                    && (c->part_half = integers(w, n)) && (c->unknown_place = integers(w, U))
                    && (c->column = integers(w, U))
                    && (c->row_at = noe_arena_array(w->arena, U, sizeof(size_t)));
    noe_elimination_graph graph = { 0 };
    int *const            vertex = noe_status_alloc(4 * (n + m) + 1, sizeof *vertex);
    size_t *const         begin = noe_status_alloc(n, sizeof *begin);
    const bool made = taken && vertex && begin && noe_elimination_order_graph(&graph, w->dyn)
                   && noe_elimination_order_find(&graph, true, vertex);
    if (made) {
        list_touched(w);
        place_inertia(w, vertex, vertex + n + m);
        place_unknowns(w, &graph, vertex, vertex + n + m);
        place_matrix(w, begin);
    }
    noe_elimination_order_drop(&graph);
    free(vertex), free(begin);
    return made;
}

#endif
