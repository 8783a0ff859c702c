/* f(t) = sum_k w_k g_k(t):  the load of a structure, from the forces of a model and the acceleration of its ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_STRUCTURE_LOAD_H
#define NOE_SYSTEM_STRUCTURE_LOAD_H

#include "model/model.h"
#include "matrix/static_condensation.h"
#include "matrix/structure.h"

typedef struct { /* w g on one row */
    int    row, of; /* of: which of the functions */
    double w;
} noe_push_on;

typedef struct {
    noe_push_on *term;
    int          count, room, functions;
    noe_ex      *g;  /* [functions] of t alone */
} noe_load_of;

/* The forces of the model, by the numbers of the coordinates that move; false with a message. */
bool noe_load_forces(noe_load_of *, noe_model *);
/* -M a(t), a the ground's acceleration along each row of the whole M: fixed ones, too, drag what hangs on them. */
bool noe_load_ground(noe_load_of *, noe_model *, const noe_sparse *M);
/* A force on what follows acts on what it follows. */
bool noe_load_condense(noe_load_of *, const noe_condensed *);
/* The structure gets it. */
bool noe_load_hang(noe_load_of *, noe_model *, noe_linear *);
void noe_load_free(noe_load_of *);

#endif
