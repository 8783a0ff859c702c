/* model -> M, C, K, f(t): what its statements mass, stiffness, damping, fix and force say.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_MODEL_STRUCTURE_H
#define NOE_SYSTEM_MODEL_STRUCTURE_H

#include "matrix/sparse.h"
#include "system/system.h"

/* The dynamics of a model given by matrices, false with a message.  Files are looked for beside the model's. */
bool noe_model_structure_make(noe_model *, noe_arena *, noe_dynamics *, noe_tape **observe);
/* matrix_scaling.c: what assignments do to the entries of a matrix as it is in its file; false with a message. */
bool noe_matrix_scaling_apply(const noe_model *, noe_matrix, const char *path, noe_sparse *);

#endif
