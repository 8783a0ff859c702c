/* Orders of coordinates and constraints in which those of one equation stand close together.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_ELIMINATION_ORDER_H
#define NOE_TAPE_ELIMINATION_ORDER_H

#include "tape/equations.h"

/* What is ordered: the vertices of a graph whose edges join those of one equation. */
typedef struct {
    int  vertices;
    int *first;     /* where the neighbours of each vertex begin [vertices + 1] */
    int *neighbour; /* of all vertices, each edge twice [first[vertices]] */
} noe_elimination_graph;

/* Sorts the entries of G by their coordinates: those of coordinate j are d->G_entry[k] with k =
 * sorted_entry[first_entry[j]] .. sorted_entry[first_entry[j + 1] - 1].  first_entry [n + 1],
 * sorted_entry [G_entries] */
void noe_elimination_order_sort(const noe_dynamics *, int *first_entry, int *sorted_entry);

/* The graph of coordinates, 0 .. n - 1, and constraints, n .. n + m - 1: its edges are the entries
 * of D, of G and of the second derivatives of constraints.  False without memory. */
bool noe_elimination_order_graph(noe_elimination_graph *, const noe_dynamics *);
void noe_elimination_order_drop(noe_elimination_graph *);

/* vertex [vertices]: all vertices, what is connected one after another, each set by its distances
 * from one of its ends.  by_degree: from an end that is sought twice, and among the neighbours of a
 * vertex those of few neighbours first (Cuthill and McKee, 1969); or else in the order of the
 * graph.  False without memory. */
bool noe_elimination_order_find(const noe_elimination_graph *, bool by_degree, int *vertex);

/* place [m]: that of each constraint in an order in which those that share a coordinate stand close
 * together; returns by how many places these differ at most, -1 without memory.  The entries of G
 * as noe_elimination_order_sort() sorts them. */
int noe_elimination_order_constraints(const noe_dynamics *, const int *first_entry,
                                      const int *sorted_entry, int *place);

#endif
