/* (t, q, v) -> r, L_q, L, d2L at one state, in binary128 and as double rounds it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of a model the derivatives are expressions of a model of the probe's own (a system is immutable), so an
 * entry can be zero, or free of q, from its expression.  Functions in C show numbers only; their parameters
 * are 0 here, as in an integrator that was told nothing. */
#ifndef NOE_INSPECT_DERIVATIVE_PROBE_H
#define NOE_INSPECT_DERIVATIVE_PROBE_H

#include "system/system.h"

/* Outputs: r_i = F - (L_v)_t - L_vq v (n), F = L_q + f (n), L; then those that the index arrays name. */
typedef struct {
    const noe_dynamics *dyn;
    noe_arena          *arena;
    int                 n, outputs;
    int        checked; /* outputs before this one must be finite where the state is good */
    int       *hess;    /* [2n][2n] the output of d2L/dz_i dz_j; -1: 0 from the expression */
    int       *force;   /* [n][2n] of df_i/dz_j */
    int        drain;   /* v . dD/dv, the power that the dissipation takes; -1: no dissipation */
    int       *gyro;    /* [n][n], j > i, of (L_vq - L_qv)_ij at v = 0 */
    uint8_t   *has;     /* of an output: NOE_HAS_..; all of them for functions in C */
    uint8_t    P_has;   /* the same of L_v as a whole */
    uint8_t    kinks;   /* of the conditions in abs, min, max, if: what derivatives do not see */
    bool      *cyclic;  /* [n] F_i is 0 from the expression */
    bool      *reads;   /* [2n][2n] dL/dz_i contains z_j; NULL without kinks */
    noe_model *model;   /* its own */
    noe_tape  *tape;
    quad      *input, *slot;
    double     tick; /* difference in t, for functions in C */
    double    *param, *z, *grad, *hessian, *f, *dfdz, *late, *early;
} noe_derivative_probe;

/* tick: a time short against the motion, not 0.  False with a message; close it all the same. */
bool noe_derivative_probe_open(noe_derivative_probe *, const noe_system *, double tick);
void noe_derivative_probe_close(noe_derivative_probe *);
bool noe_derivative_list(noe_derivative_probe *,
                         const noe_system *); /* derivative_list.c: of a model */

/* Fills out; rounded: every operation is rounded to double (functions in C are, anyway).  Are they finite? */
bool noe_derivative_probe_at(noe_derivative_probe *, quad t, const quad *q, const quad *v,
                             bool rounded, quad *out);

static inline int noe_derivative_probe_r(const noe_derivative_probe *x, int i)
{
    return (void)x, i;
}
static inline int noe_derivative_probe_F(const noe_derivative_probe *x, int i) { return x->n + i; }
static inline int noe_derivative_probe_L(const noe_derivative_probe *x) { return 2 * x->n; }

#endif
