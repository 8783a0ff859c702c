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

/* Coefficients of the method, s degree, r nodes; pure numbers. */
typedef struct {
    bool    known;  /* they are computed */
    arb_ptr c, b,   /* nodes, weights [r] each */
        phi, slope, /* phi_k and phi_k' at c_i [r][s+1] each */
        ahead,      /* phi_k(1 + d_l) - phi_k(1) [s+1][s+1] */
        A;          /* explicit Runge-Kutta methods [r][r] */
} noe_arb_coefficients;

/* State of the motion.  Every member points into `all`, which is what a restart needs. */
typedef struct {
    arb_ptr all;          /* t0 .. p, then the history */
    int     numbers;      /* how many */
    arb_ptr t0, h, count, /* time at the start, length of a step, steps made */
        balance,          /* work, dissipated, energy at the start [3] */
        q, p;             /* positions, momenta [n] each */
} noe_arb_state;

/* The step before, from which the next is predicted; points into `all` of the state. */
typedef struct {
    arb_ptr known, /* 1: `modes` is known, else 0 */
        modes;     /* Q_k - Q_0, k = 1 .. s [N] */
} noe_arb_history;

/* The state as plain numbers, for a checkpoint. */
typedef struct {
    void  *memory; /* [bytes] numbers with their digits */
    size_t bytes;
    bool   given; /* the caller has a pointer to `memory` and may write to it */
} noe_arb_copy;

/* What is evaluated at the present state. */
typedef struct {
    arb_ptr point,   /* t, q, v, p, H */
        observables; /* [observables] */
    bool v_known,    /* v and H in `point` are computed */
        observed;    /* the observables are computed */
} noe_arb_present;

/* Scratch of a step. */
typedef struct {
    arb_ptr
        gain,   /* [3] 0, 1: work and dissipation of a step, divided by h; 2: the energy balance */
        X, Y,   /* Q_k - Q_0 [N], and those of the last shorter step */
        node,   /* t, q, v, .. at a node */
        F,      /* F and P at the nodes [r][2n] */
        D,      /* their derivatives [r][4nn + 2n] */
        sum,    /* [n] */
        before; /* the state before the step [numbers] */
    arb_mat_t J, R; /* Newton's matrix [N][N], residuals [N] */
} noe_arb_scratch;

/* Energies by which a root is judged that was found far from its prediction. */
typedef struct {
    double energy, /* largest kinetic energy so far */
        within;    /* estimate of that of the present step */
    bool doubt;    /* the root was not close to the prediction */
} noe_arb_check;

/* Statistics since the start. */
typedef struct {
    double iterations, refreshes, subdivided, /* counts */
        residual;                             /* largest, relative to the momenta */
} noe_arb_statistics;

/* All of an engine instance. */
typedef struct {
    const noe_dynamics *dyn;     /* the equations of motion of the model; borrowed */
    noe_method          method;  /* coefficients of the method in binary128 */
    noe_arb_jet        *jet;     /* L and its derivatives in Arb */
    int                 n, s, r, /* coordinates, degree, nodes */
        N,                       /* unknowns, n s */
        digits;                  /* decimal digits requested */
    slong                prec;   /* bits */
    noe_status           why;    /* status of the last step */
    noe_arb_coefficients coef;
    noe_arb_state        state;
    noe_arb_history      history;
    noe_arb_copy         copy;
    noe_arb_present      now;
    noe_arb_scratch      scratch;
    noe_arb_check        check;
    noe_arb_statistics   stats;
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

/* arb_balance.c: gain += weight (force.v - L_t, v.D_v) at w->scratch.node; a step multiplies it by
 * h. */
void noe_arb_balance_add(noe_arb_engine *, const arb_t weight);

#endif
