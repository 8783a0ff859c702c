/* Layers of coordinates around those of a process, and the rows of their matrices.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_LAYERS_H
#define NOE_MPI_LAYERS_H

#include "matrix/structure.h"

enum { LAYER_MATRICES = 3 }; /* K, M, C; C only where all processes have it whole */

/* Rows of one matrix, with the columns of the whole matrix. */
typedef struct {
    int64_t  rows, room, entries, entry_room; /* rows, entries; memory for them */
    int64_t *start;                           /* [rows + 1] */
    int32_t *col;                             /* [entries] */
    double  *value;                           /* [entries] */
} row_list;

typedef struct {
    int64_t  count;                /* coordinates of all layers, own ones included */
    int     *list;                 /* [count] layer after layer, ascending in each */
    int     *layer;                /* [n] 0 for own coordinates, k for layer k, -1 beyond */
    row_list rows[LAYER_MATRICES]; /* of list[0 .. count - 1], where they are kept */
} layers;

/* Finds the own coordinates, owner[n] = this process, and `depth` layers around them; keep: with
 * all their rows.  It stops where the layers of a process have more than `most` times its own
 * coordinates.  All processes together. */
noe_status layers_find(layers *, const noe_structure *, const int *owner, int depth, bool keep,
                       double most);
void       layers_drop(layers *);

#endif
