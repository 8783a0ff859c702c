/* a square or a cube of size^dim elements -> M, K.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_FEM_MESH_H
#define NOE_MATRIX_FEM_MESH_H

#include "matrix/sparse.h"

typedef enum { NOE_CANTILEVER, NOE_MEMBRANE } noe_grid_kind;

/* Elements with linear shape functions in each direction (Q1; Hughes, The Finite Element Method,
 * 3.2), side 1 in all. cantilever: elasticity, plane stress or solid, clamped at x = 0: steel,
 * E = 210e9 Pa, nu = 0.3, 7850 kg/m^3, 1 m;
 *             dim coordinates a node, size (size + 1)^(dim - 1) nodes that move.
 * membrane:   q_tt = q_xx + q_yy on the unit square, edges held; one coordinate a node, (size - 1)^2 nodes. */
typedef struct {
    noe_grid_kind kind;
    int           dim, size;
    bool          consistent; /* M as integrated; else lumped: the sums of its rows */
} noe_fem_mesh;

/* How many coordinates; -1: more than 2^31. */
double     noe_fem_mesh_count(const noe_fem_mesh *);
noe_status noe_fem_mesh_make(const noe_fem_mesh *, noe_sparse **M, noe_sparse **K);
/* omega of the discrete membrane with i, j = 1 .. size - 1 half waves, exactly. */
double noe_fem_mesh_membrane_omega(const noe_fem_mesh *, int i, int j);

#endif
