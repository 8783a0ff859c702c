/* The load f(t) = sum_k w_k g_k(t) of a structure, from forces and the acceleration of the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_STRUCTURE_LOAD_H
#define NOE_SYSTEM_STRUCTURE_LOAD_H

#include "model/model.h"
#include "matrix/static_condensation.h"
#include "matrix/structure.h"

/* The load w g_of on one row. */
typedef struct {
    int    row, of; /* number of the row; of the function g */
    double w;       /* its factor */
} noe_row_load;

typedef struct {
    noe_row_load *term;                       /* [count] */
    int           count, capacity, functions; /* terms; memory for terms; functions */
    noe_ex       *g;                          /* [functions] expressions of t alone */
} noe_structure_load;

/* The forces of the model, by the numbers of the coordinates that move; false with a message. */
bool noe_structure_load_forces(noe_structure_load *, noe_model *);
/* Adds -M a(t), a the acceleration of the ground along each row of the whole M, fixed coordinates
 * included: these act on the others through M. */
bool noe_structure_load_ground(noe_structure_load *, noe_model *, const noe_sparse *M);
/* Transfers forces on eliminated coordinates to the coordinates that these follow. */
bool noe_structure_load_condense(noe_structure_load *, const noe_condensation *);
/* Attaches the load to the structure. */
bool noe_structure_load_hang(noe_structure_load *, noe_model *, noe_structure *);
void noe_structure_load_free(noe_structure_load *);

#endif
