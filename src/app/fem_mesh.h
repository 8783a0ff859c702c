/* Finite-element examples: M and K of a square or cube of size^dim elements.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_APP_FEM_MESH_H
#define NOE_APP_FEM_MESH_H

#include "matrix/sparse.h"

typedef enum { NOE_CANTILEVER, NOE_MEMBRANE } noe_grid_kind;

/* Elements of a square or cube of side 1 with shape functions that are linear in each direction
 * (Q1; Hughes, The Finite Element Method, 3.2).
 * cantilever: elasticity of a plate in plane stress (dim = 2) or a solid (dim = 3) of steel,
 *             E = 210e9 Pa, nu = 0.3, 7850 kg/m^3, side 1 m, clamped at x = 0; dim coordinates
 *             per node, size (size + 1)^(dim - 1) nodes that move.
 * membrane:   q_tt = q_xx + q_yy on the unit square with fixed edges; one coordinate per node,
 *             (size - 1)^2 nodes that move. */
typedef struct {
    noe_grid_kind kind;       /* cantilever or membrane */
    int           dim, size;  /* dimension 2 or 3; elements along a side */
    bool          consistent; /* M as integrated; otherwise lumped: its row sums on the diagonal */
} noe_fem_mesh;

/* M and K; an error with a message */
noe_status noe_fem_mesh_make(const noe_fem_mesh *, noe_sparse **M, noe_sparse **K);
/* The same of the nodes in layers from .. to - 1 along the last axis alone, counted among those
 * that move: their rows and columns, in the order of the whole.  These matrices have fewer than
 * 2^31 rows, the whole may have more. */
noe_status noe_fem_mesh_slab(const noe_fem_mesh *, int from, int to, noe_sparse **M,
                             noe_sparse **K);
/* Layers along the last axis; coordinates of one. */
int    noe_fem_mesh_layers(const noe_fem_mesh *);
double noe_fem_mesh_layer_count(const noe_fem_mesh *);
/* Exact omega of the mode of the discrete membrane with i and j half waves, i, j = 1 .. size -
 * 1. */
double noe_fem_mesh_membrane_omega(const noe_fem_mesh *, int i, int j);

#endif
