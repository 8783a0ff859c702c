/* The engine in any number of digits: the state that Galerkin and Runge-Kutta steps share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     (q, p)(t) -> (q, p)(t + h)
 *
 * Only the midpoints of Arb's balls are used, so this is floating-point arithmetic of prec bits, 64
 * more than the digits requested. */
#ifndef NOE_ARB_ARB_ENGINE_H
#define NOE_ARB_ARB_ENGINE_H

#include "arb/exact_solution.h"
#include "arb/arb_program.h"

typedef struct {
    const noe_dynamics *dyn;    /* the equations of motion of the model */
    noe_method          method; /* coefficients of the method in binary128 */
    noe_arb_jet        *jet;    /* L and its derivatives in Arb */
    /* coordinates, degree, nodes, unknowns N = n s, decimal digits */
    int n, s, r, N, digits;
    /* bits */
    slong prec;
    /* State [numbers]: t0, h, number of steps, whether `last_modes` is known, balance [3] for
     * the energy balance (work, dissipated, energy at the start), q [n], p [n], and last_modes
     * [N] = Q_k - Q_0 of the previous step. */
    arb_ptr state;
    int     numbers; /* number of values in `state` */
    arb_ptr t0, h, count, last_modes_known, balance, q, p, last_modes; /* pointers into `state` */
    /* [bytes] the state as plain numbers, for a checkpoint */
    void  *memory;
    size_t bytes; /* size of `memory` */
    /* out: the caller has a pointer to `memory` and may write to it; laid: the coefficients are
     * computed */
    bool out, laid;
    /* t, q, v, p, H of the present state */
    arb_ptr in;
    /* the observables */
    arb_ptr seen;
    /* the velocities and H in `in` are computed; the observables are computed */
    bool v_known, looked;
    /* Coefficients: nodes, weights; [r][s+1]: phi_k and phi_k' at c_i; [s+1][s+1]: phi_k(1 + d_l) -
     * phi_k(1). */
    arb_ptr c, b, phi, slope, ahead;
    arb_ptr A; /* explicit Runge-Kutta: [r][r] */
    /* Scratch of a step. */
    /* [3]: work and dissipation of a step; energy balance */
    arb_ptr gain;
    /* X, Y [N]; node: t, q, v, ..; F [r][2n]; D [r][4nn + 2n]; sum [n] */
    arb_ptr X, Y, node, F, D, sum;
    /* Newton's matrix [N][N] and residuals [N] */
    arb_mat_t J, R;
    /* the state before a step */
    arb_ptr before;
    /* largest kinetic energy so far; estimate of that of the present step */
    double energy;
    double within; /* the estimate for the present step */
    /* the root was not close to the prediction */
    bool doubt;
    /* counts since the start, and the largest residual */
    double iterations, refreshes, subdivided, residual;
    /* status of the last step */
    noe_status why;
} noe_arb_engine;

/* arb_galerkin.c, arb_explicit.c: the coefficients, false with a message; one step, false if it has
 * no solution. */
bool noe_arb_galerkin_prepare(noe_arb_engine *);
bool noe_arb_galerkin_step(noe_arb_engine *);
bool noe_arb_explicit_prepare(noe_arb_engine *);
bool noe_arb_explicit_step(noe_arb_engine *);

/* arb_memory.c: the state as plain numbers; and its conversion back, which must come before any
 * other use of the state, since the caller may have written to those numbers. */
void           *noe_arb_memory_of(void *, size_t *bytes);
noe_arb_engine *noe_arb_memory_settle(void *);

/* arb_balance.c: gain += weight (force.v - L_t, v.D_v) at w->node; a step multiplies it by h. */
void noe_arb_balance_add(noe_arb_engine *, const arb_t weight);

#endif
