/* An order of coordinates and constraints in which those of one equation stand close together.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_ELIMINATION_ORDER_H
#define NOE_TAPE_ELIMINATION_ORDER_H

#include "tape/equations.h"

/* Coordinates are the vertices 0 .. n - 1 of a graph, constraints n .. n + m - 1; its edges are the
 * entries of D, of G and of the second derivatives of constraints. */
typedef struct {
    int  vertices;  /* n + m */
    int *first;     /* where the neighbours of each vertex begin [vertices + 1] */
    int *neighbour; /* of all vertices, each edge twice [first[vertices]] */
} noe_elimination_graph;

/* False without memory. */
bool noe_elimination_order_graph(noe_elimination_graph *, const noe_dynamics *);
void noe_elimination_order_drop(noe_elimination_graph *);

/* vertex [vertices]: all vertices, what is connected one after another, each set by its distances
 * from one of its ends (Cuthill and McKee, 1969).  False without memory. */
bool noe_elimination_order_find(const noe_elimination_graph *, int *vertex);

#endif
