/* Makes M, C, K, f(t) of a model given by statements mass, stiffness, damping, fix and force.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_MODEL_STRUCTURE_H
#define NOE_SYSTEM_MODEL_STRUCTURE_H

#include "matrix/sparse.h"
#include "system/system.h"

/* The dynamics of a model given by matrices; false with a message.  Relative file names are taken
 * from the folder of the model's file. */
bool noe_model_structure_make(noe_model *, noe_arena *, noe_dynamics *, noe_tape **observe);
/* matrix_scaling.c: applies the assignments of the model to the entries of a matrix as it was read;
 * false with a message. */
bool noe_matrix_scaling_apply(const noe_model *, noe_matrix, const char *path, noe_sparse *);

enum { NOE_WRITTEN_STRUCTURE_MOST = 64 };
/* written_structure.c: makes of the dynamics of a structure those of its Lagrangian, written out,
 * of which the derivatives by parameters and starts are known; false with a message. */
bool noe_written_structure_make(noe_model *, noe_arena *, noe_dynamics *, noe_tape **observe);

#endif
