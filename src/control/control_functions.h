/* The functions of an optimal control problem, at a node of a step and at the ends of the motion.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With h = T/N, t = t0 + tau T and v = w/h:
 *     at a node   F_j = L_q + forces, P_j / h = L_v / h, h l   of y = (q, u, T, w)
 *     at an end   P_j / h, final conditions, cost of the end   of y = (q, v, T)
 * so that every y depends linearly on the unknowns. */
#ifndef NOE_CONTROL_CONTROL_FUNCTIONS_H
#define NOE_CONTROL_CONTROL_FUNCTIONS_H

#include "control/exact_derivatives.h"
#include "model/model.h"

/* Inputs of the tapes: coordinates of their graph, in this order. */
typedef struct {
    int u, T, tau, part, m; /* q is at 0; part: 1/N; m: multipliers, as many as values */
    int n;                  /* number of coordinates of the graph */
} noe_control_inputs;

typedef struct {
    noe_model            *model; /* a copy of the system's */
    int                   n, nu; /* numbers of coordinates and controls */
    int                   rows;  /* final conditions that are no bounds of a variable */
    int                  *row;   /* [rows] their numbers in model->optimal.final */
    noe_control_inputs    in;
    noe_exact_derivatives node, end;
} noe_control_functions;

/* False with a message; to be dropped in either case. */
bool noe_control_functions_make(noe_control_functions *, const noe_model *);
void noe_control_functions_drop(noe_control_functions *);

/* Where the inputs of a tape stand. */
static inline int noe_control_functions_input(const noe_control_functions *f, int coordinate)
{
    return noe_tape_input(NOE_Q, coordinate, f->in.n);
}
static inline int noe_control_functions_velocity(const noe_control_functions *f, int coordinate)
{
    return noe_tape_input(NOE_V, coordinate, f->in.n);
}

#endif
