/* The tableau of a method: L_d = h sum_i b_i L(t + c_i h, q + h sum_m I_im a_m, sum_m l_im a_m).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A method is a set of coefficients, of one of the kinds below; its order and other traits
 * are computed from them.
 *
 * Galerkin: the velocity over a step is a polynomial of degree s-1 with the modes a_m, in the
 * orthonormal Legendre basis l_m of [0, 1]; positions are its integral.  (The formulas hold in
 * any basis and the step is the same: method/stage_basis.h.)  Stationary action gives, m < s,
 *     sum_i b_i ( l_im P_i - h X_im F_i ) = w_m p,   P = L_v, F = L_q at the nodes,
 *     q <- q + h sum_m w_m a_m,   p <- p + h sum_i b_i F_i           (doc/theory.md, section 2).
 *
 * Runge-Kutta, explicit: y' = f(t, y) with y = (q, p) or (q, v),
 *     k_i = f(t + c_i h, y + h sum_l a_il k_l),   y <- y + h sum_i b_i k_i.
 *
 * Composition: Galerkin steps of the lengths part_i h in turn.
 *
 * Splitting, of L = v.M v/2 - V(q, t): flows in turn, with x = flow_i,
 *     kick: p <- p + x h F(q),   drift: q <- q + x h M^-1 p, t <- t + x h. */
#ifndef NOE_METHOD_METHOD_H
#define NOE_METHOD_METHOD_H

#include "number/quad.h"
#include "noether.h"

#include <stdbool.h>

enum {
    NOE_MAX_DEGREE = 12,
    NOE_MAX_POINTS = 32,
    NOE_MAX_STAGES = 16,
    NOE_MAX_FLOWS = 1024,
    NOE_MAX_PARTS = 128
};

/* How the kicks of a splitting treat forces that depend on velocities: by the exact flow at
 * fixed q; by Euler's method, p <- p + x h F(q, v); as a stiffness that is constant over the
 * step, F_j = -K_j q_j (paper 004, doc/theory.md). */
typedef enum { NOE_KICK_EXACT, NOE_KICK_EULER, NOE_KICK_FROZEN } noe_kick;

typedef enum { NOE_GALERKIN, NOE_RUNGE_KUTTA, NOE_SPLITTING, NOE_NEWMARK } noe_method_kind;

struct noe_method {
    char            name[48];   /* canonical: "simpson", "gauss 3", "P4 clenshaw 5" */
    noe_method_kind kind;       /* which of the fields below are used */
    int             order;      /* on every system the method is for */
    bool            symmetric;  /* a step of -h undoes one of h */
    bool            symplectic; /* a step is a symplectic map for conservative systems */
    int             s,          /* degree of the positions, number of velocity modes */
        r;                      /* number of quadrature nodes, or of stages */
    int      exact;             /* Galerkin: polynomials up to this degree are integrated exactly */
    bool     in_v;              /* Runge-Kutta: y = (q, v), not (q, p) */
    quad     A[NOE_MAX_STAGES][NOE_MAX_STAGES]; /* Runge-Kutta: a_il */
    int      flows;                             /* Splitting: number of kicks and drifts in turn */
    bool     drift_first;                       /* Splitting: the first flow is a drift */
    noe_kick kick;                              /* Splitting: forces that depend on velocities */
    int      damped_order;        /* Splitting: order with forces that depend on velocities */
    quad     flow[NOE_MAX_FLOWS]; /* Splitting: lengths of the flows, in steps */
    int      parts;               /* Composition of a Galerkin method: number of parts; else 0 */
    quad     part[NOE_MAX_PARTS]; /* Composition: lengths of the parts, in steps */
    /* Newmark, for linear systems; c = 0, 1 are the times of the forces, b = 1/2. */
    quad beta, gamma;
    quad c[NOE_MAX_POINTS], b[NOE_MAX_POINTS]; /* nodes in [0, 1], ascending; weights, sum 1 */
    quad l[NOE_MAX_POINTS][NOE_MAX_DEGREE];    /* l_im = l_m(c_i) */
    quad I[NOE_MAX_POINTS][NOE_MAX_DEGREE];    /* I_im = int_0^{c_i} l_m */
    quad X[NOE_MAX_POINTS][NOE_MAX_DEGREE];    /* X_im = int_{c_i}^1 l_m */
    quad w[NOE_MAX_DEGREE];                    /* w_m = int_0^1 l_m, 1 0 0 .. for Legendre */
    /* a <- E a: the same polynomial continued over the next step. */
    quad E[NOE_MAX_DEGREE][NOE_MAX_DEGREE];
};

/* Is it one of Gauss' methods, which preserve quadratic invariants? */
bool noe_method_is_gauss(const noe_method *);

#endif
