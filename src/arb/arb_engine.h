/* (q, p)(t) -> (q, p)(t + h) with any number of digits: what the two kinds of steps share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Middles only: arithmetic as in floating point, of prec bits, 64 of them beyond the digits asked for. */
#ifndef NOE_ARB_ARB_ENGINE_H
#define NOE_ARB_ARB_ENGINE_H

#include "arb/exact_solution.h"
#include "arb/arb_program.h"

typedef struct {
    const noe_dynamics *dyn;
    noe_method          method;
    noe_arb_jet        *jet;
    int                 n, s, r, N, digits; /* N = n s */
    slong               prec;
    /* State: t0, h, steps, whether past is known, the energy's books (work, dissipated, the energy at the start), q [n], p [n], past [N]: Q_k - Q_0 of the step before. */
    arb_ptr state;
    int     numbers;
    arb_ptr t0, h, count, known, book, q, p, past;
    void   *memory; /* the state as plain numbers, while the caller may write it: `out` */
    size_t  bytes;
    bool    out, laid;
    arb_ptr in; /* t, q, v, p, H of the present; v and H where v_known, observables where looked */
    arb_ptr seen;
    bool    v_known, looked;
    /* Coefficients: nodes, weights; [r][s+1]: phi_k and phi_k' at c_i; [s+1][s+1]: phi_k(1 + d_l) - phi_k(1). */
    arb_ptr c, b, phi, slope, ahead;
    arb_ptr A; /* explicit Runge-Kutta: [r][r] */
    /* Scratch of a step. */
    arb_ptr gain; /* what a step adds to the books; the ledger */
    arb_ptr X, Y, node, F, D,
        sum; /* X, Y [N]; node: t, q, v, ..; F [r][2n]; D [r][4nn + 2n]; sum [n] */
    arb_mat_t  J, R;
    arb_ptr    before; /* the state before a step */
    double     energy; /* the largest kinetic energy so far */
    double     within; /* about that of the step at hand */
    bool       doubt;  /* the root was not next to the prediction */
    double     iterations, refreshes, subdivided, residual;
    noe_status why;
} noe_arb_engine;

/* arb_galerkin.c, arb_explicit.c: coefficients, false with a message; a step, false where there is none. */
bool noe_arb_galerkin_prepare(noe_arb_engine *);
bool noe_arb_galerkin_step(noe_arb_engine *);
bool noe_arb_explicit_prepare(noe_arb_engine *);
bool noe_arb_explicit_step(noe_arb_engine *);

/* arb_memory.c: the state as plain numbers; and back before anything else, as the caller may have written them. */
void           *noe_arb_memory_of(void *, size_t *bytes);
noe_arb_engine *noe_arb_memory_settle(void *);

/* arb_balance.c: gain += weight (force.v - L_t, v.D_v) at w->node; a step multiplies it by h. */
void noe_arb_balance_add(noe_arb_engine *, const arb_t weight);

#endif
