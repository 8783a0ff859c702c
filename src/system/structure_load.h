/* f(t) = sum_k w_k g_k(t):  the load of a structure, from the forces of a model and the acceleration of its ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_STRUCTURE_LOAD_H
#define NOE_SYSTEM_STRUCTURE_LOAD_H

#include "model/model.h"
#include "matrix/static_condensation.h"
#include "matrix/structure.h"

typedef struct {    /* w g on one row */
    int    row, of; /* of: which of the functions */
    double w;
} noe_row_load;

typedef struct {
    noe_row_load *term;
    int           count, room, functions;
    noe_ex       *g; /* [functions] of t alone */
} noe_structure_load;

/* The forces of the model, by the numbers of the coordinates that move; false with a message. */
bool noe_structure_load_forces(noe_structure_load *, noe_model *);
/* -M a(t), a the ground's acceleration along each row of the whole M: fixed ones, too, drag what hangs on them. */
bool noe_structure_load_ground(noe_structure_load *, noe_model *, const noe_sparse *M);
/* A force on what follows acts on what it follows. */
bool noe_structure_load_condense(noe_structure_load *, const noe_condensation *);
/* The structure gets it. */
bool noe_structure_load_hang(noe_structure_load *, noe_model *, noe_structure *);
void noe_structure_load_free(noe_structure_load *);

#endif
