/* Sizes of a step: n, s, r and the batches that hold them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_STEP_SHAPE_H
#define NOE_STEP_STEP_SHAPE_H

#include "step/engine_state.h"

/* Sizes of a step.  n to rows: copies of the fields of `work` with these names, or constants; a
 * step that is compiled for constant sizes has loops of known length. */
typedef struct {
    int n,        /* coordinates */
        s,        /* modes */
        r,        /* nodes */
        N,        /* unknowns, n s */
        B,        /* batches that hold the nodes */
        S,        /* batches that hold the modes */
        K,        /* batches that hold s s + s numbers: pairs of modes, then modes */
        rows;     /* batches that hold the unknowns */
    bool simpson; /* compiled for the zeros of Simpson's method: by of_simpson() alone */
} shape;
INLINE shape of_simpson(int n)
{
    return (shape){ n, 2, 3, 2 * n, blocks(3), blocks(2), blocks(6), blocks(2 * n), true };
}
/* Nodes, and as many modes, that fill one batch of doubles, or half of one. */
enum { LANE_NODES = 8, HALF_NODES = 4 };
INLINE shape of_nodes(int n, int s)
{
    return (shape){ n, s, s, s * n, blocks(s), blocks(s), blocks(s * s + s), blocks(s * n), false };
}
/* With a monitor, rows of derivatives beside those of (q, p). */
enum {
    OF_TIME = NOE_PACE_TIME,
    OF_LEVEL = NOE_PACE_LEVEL,
    OF_DENSITY = NOE_PACE_DENSITY,
    OF_LENGTH = NOE_PACE_LENGTH,
    MORE_ROWS = NOE_PACES
};
/* Adjoint of a step whose length a density of steps determines: derivatives of the function J by
 * the time at which the step begins, at fixed length, and by that length. */
enum { BY_BEGINNING, BY_LENGTH, TIME_WEIGHTS };
/* Numbers of `sensitivity` [2n][columns] and, behind it, `shift`: [MORE_ROWS][columns] with a
 * monitor, else [1], the time of the state. */
INLINE size_t sensitivity_numbers(const work *w)
{
    return (size_t)(2 * w->n + (w->dyn->clock ? MORE_ROWS : 1)) * (size_t)w->dyn->columns;
}
/* t, this number of steps after the present state; with a transformed Lagrangian, whose steps are
 * equal in fictitious time, t of the present state whatever `steps` is. */
INLINE real time_at(const work *w, num steps)
{
    if (!w->eval.tape[CLOCK]) return *w->state.t0 + (*w->state.count + steps) * *w->state.h;
    const real now = *w->state.t0 + (w->state.balance[ELAPSED] + w->state.balance[REST + ELAPSED]);
    /* steps == 0: without h, which is not finite where a reversible monitor is not positive */
    return w->dyn->transformed || steps == 0 ? now : now + steps * *w->state.h;
}
INLINE shape of(const work *w)
{
    return (shape){ w->n, w->s, w->r, w->N, w->B, w->S, w->K, w->rows, false };
}
/* The same with a number of modes that is known when it is compiled. */
INLINE shape of_modes(const work *w, int s)
{
    return (shape){ w->n, s, w->r, s * w->n, w->B, blocks(s), blocks(s * s + s), blocks(s * w->n),
                    false };
}

/* The tape whose outputs begin with F, P and the entries of D, for a derivative of the step. */
INLINE int jacobian_tape(const work *w) { return w->eval.tape[MIXED] ? MIXED : HESSIAN; }

/* Batches of sums that a loop accumulates at once, so that they stay in registers. */
enum { REGISTER_SUMS = 6 };

#endif
