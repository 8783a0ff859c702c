/* The gradient of a function by all parameters and starts at once: its tapes, and the two ends.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * lambda = dJ/d(q, p) at a time goes back through the steps (derivative/step_adjoint.h), which add
 * to dJ/dc of every parameter c.  sum_j y_j F_j is differentiated by all parameters in one reverse
 * sweep, so that the cost does not depend on their number; y stands in place of the momenta. */
#ifndef NOE_GRADIENT_ADJOINT_TAPES_H
#define NOE_GRADIENT_ADJOINT_TAPES_H

#include "gradient/gradient.h"

/* d(start or parameter number `of`)/d(parameter `by`): of < params, a parameter that follows
 * others; then q_i, v_i, p_i at params + 3 i. */
typedef struct {
    int  of, by;
    quad value; /* of the derivative */
} noe_start_entry;

typedef struct noe_adjoint_tapes {
    noe_tape        *rows;  /* derivatives of energy and observables */
    noe_row_entry   *entry; /* [entries] of `rows`; leaf 3n + 1 + c is parameter c */
    int              entries;
    noe_start_entry *start; /* [starts] in the order of `of` */
    int              starts;
    /* What events that change the motion do, by all parameters as columns; NULL: none does. */
    noe_gradient *events;
} noe_adjoint_tapes;

/* adjoint_tapes.c: d->adjoint, false with a message: what has no derivatives by parameters. */
bool noe_adjoint_tapes_make(noe_model *, noe_arena *, noe_dynamics *);
void noe_adjoint_tapes_drop(noe_dynamics *);
/* The tapes of what a monitor lets step in place of `own`; its Lagrangian stands in place of m->L.
 * Those of forces and momenta are its own where it is transformed.  m->graph.stop is set. */
bool noe_adjoint_tapes_stepped(noe_model *, noe_arena *, const noe_dynamics *own, noe_dynamics *to);
/* adjoint_ends.c: adds a row's part to lambda [2n] and by [params]; weight [3n + 1 + observables]:
 * the derivatives of J by q, v, p, energy and observables there; s->S is not read.  False with a
 * message. */
bool noe_adjoint_ends_row(const noe_dynamics *, const noe_row_state *, const quad *weight,
                          quad *lambda, quad *by);
/* by [params] += sum_j y_j P_j,c at t, q, v of a state; false with a message. */
bool noe_adjoint_ends_momenta(const noe_dynamics *, const noe_row_state *, const quad *y, quad *by);
/* constrained_adjoint_start.c: lambda at the start of the model (t, q, v, p), which satisfies the
 * constraints but those left out [constraints], becomes dJ/d(q_i) and dJ/d(v_i) or dJ/d(p_i) as
 * given; adds to `by`.  False with a message. */
bool noe_constrained_adjoint_start(const noe_dynamics *, const quad *left_out, quad t,
                                   const quad *q, const quad *v, const quad *p, quad *lambda,
                                   quad *by);
/* lambda at the start of the model (t, q, v) becomes dJ/d(q_i) and, as the model gives them,
 * dJ/d(v_i) or dJ/d(p_i); `by` becomes the gradient by parameters, what follows them moved along.
 * False with a message. */
bool noe_adjoint_ends_start(const noe_dynamics *, quad t, const quad *q, const quad *v,
                            quad *lambda, quad *by);
/* monitored_adjoint_start.c: of a system that is stepped as `stepped`, by a monitor, adds to lambda
 * [2n] and `by` [params] what E or the density of steps, and the step eps in fictitious time, make
 * of pace [NOE_PACES] at a start; false with a message. */
bool noe_monitored_adjoint_start(const noe_dynamics *, const noe_dynamics *stepped, quad eps,
                                 const noe_row_state *, const quad *pace, quad *lambda, quad *by);
/* The last part of that: what parameters do to the start as it is given, and to each other. */
void noe_adjoint_ends_given(const noe_dynamics *, const quad *lambda, quad *by);

#endif
