/* Evaluates L and its first and second derivatives at a state, in binary128 or rounded to double.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For a model the derivatives are expressions in the probe's own copy of the model (a system is
 * immutable), so an entry can be zero, or independent of q, by its expression.  A Lagrangian in C
 * has values only; its parameters are 0 here, as in an integrator whose parameters were not set. */
#ifndef NOE_INSPECT_DERIVATIVE_PROBE_H
#define NOE_INSPECT_DERIVATIVE_PROBE_H

#include "system/system.h"

/* Outputs: r = F - (L_v)_t - L_vq v [n], F = L_q + f [n], L; then the second derivatives, whose
 * output numbers are in the index arrays below; -1: 0 by the expression. */
typedef struct {
    const noe_dynamics *dyn;        /* the equations of motion */
    noe_arena          *arena;      /* memory of all arrays */
    int                 n, outputs; /* coordinates; number of outputs */
    int        checked; /* the first outputs, which must be finite at an admissible state */
    int       *hess;    /* [2n][2n] output of d2L/dz_i dz_j, z = (q, v) */
    int       *force;   /* [n][2n] output of df_i/dz_j */
    int        drain;   /* output of v . dD/dv, the power of the dissipation; -1: no dissipation */
    int       *gyro;    /* [n][n], j > i, output of (L_vq - L_qv)_ij at v = 0 */
    uint8_t   *has;     /* [outputs] NOE_HAS_..: variables in the expression; all for L in C */
    uint8_t    P_has;   /* NOE_HAS_.. of all of L_v */
    uint8_t    kinks;   /* NOE_HAS_.. of conditions in abs, min, max, if: hidden from derivatives */
    bool      *cyclic;  /* [n] F_i is 0 by the expression */
    bool      *reads;   /* [2n][2n] dL/dz_i contains z_j; NULL without kinks */
    noe_model *model;   /* copy of the system's model; owned; NULL for L in C */
    noe_tape  *tape;    /* of the outputs; NULL for L in C */
    quad      *input, *slot; /* [tape->inputs] its inputs, [tape->slots] its memory */
    /* For L in C: step of the difference in t; parameters (0); z = (q, v); gradient, Hessian,
     * force and its derivative at t; gradients at t + tick and t - tick. */
    double  tick;
    double *param, *z, *grad, *hessian, *f, *dfdz, *late, *early; /* see above */
} noe_derivative_probe;

/* tick: a time short against the motion, not 0.  False with a message; must be closed in either
 * case. */
bool noe_derivative_probe_open(noe_derivative_probe *, const noe_system *, double tick);
void noe_derivative_probe_close(noe_derivative_probe *);
/* derivative_list.c: lists the outputs of a model; false with a message. */
bool noe_derivative_list(noe_derivative_probe *, const noe_system *);

/* Fills out[outputs]; rounded: every operation is rounded to double (L in C always is).  False:
 * one of the `checked` outputs is not finite. */
bool noe_derivative_probe_at(noe_derivative_probe *, quad t, const quad *q, const quad *v,
                             bool rounded, quad *out);

static inline int noe_derivative_probe_r(const noe_derivative_probe *x, int i)
{
    return (void)x, i;
}
static inline int noe_derivative_probe_F(const noe_derivative_probe *x, int i) { return x->n + i; }
static inline int noe_derivative_probe_L(const noe_derivative_probe *x) { return 2 * x->n; }

#endif
