/* Divides the linear equations of a step into one system for each stage mode.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * (A0 (x) M + A1 (x) K) a = right sides   ->   (M + lambda_j K) y_j = g_j,  a = T y. */
#ifndef NOE_METHOD_STAGE_PENCIL_H
#define NOE_METHOD_STAGE_PENCIL_H

#include "method/method.h"

#include <complex.h>
#undef I /* I_im are integrals of the basis */

enum { NOE_PENCIL = NOE_MAX_DEGREE };

/* In units of the step: pi = h p,  k = h^2 K/24, rounded once,  rho = k q,  C = alpha/h M + beta
 * h K, f_i = f(t + c_i h):
 *     (M + lambda_j k) y_j = P_j pi + R_j rho + h^2 sum_i F_ji f_i,     d = sum_j V_j y_j,     u = sum_j U_j y_j,
 *     q += d,     pi += h^2 sum_i b_i f_i - 24 rho - k u - alpha M d.
 * Simpson: y_0 = M^-1 (pi - 4 rho), y_1 = (M + k)^-1 (pi - 6 rho), d = 4 y_1 - 3 y_0, u = 24
 * y_1 - 12 y_0.  All numbers are exact, so the step is that of exactly symmetric matrices, and
 * what it keeps has no drift from rounded numbers; so it is for midpoint and lobatto 1.  Of a
 * complex pair only the one with Im > 0 is kept; it stands for twice the real part. */
enum { NOE_UNIT = 24 };
typedef struct {
    int            s, r, count;        /* modes, nodes, shifts */
    double complex lambda[NOE_PENCIL]; /* 0 exactly where it is */
    double         part[NOE_PENCIL];   /* 1; 2 for a pair */
    double complex P[NOE_PENCIL], R[NOE_PENCIL], F[NOE_PENCIL][NOE_MAX_POINTS];
    double complex V[NOE_PENCIL], U[NOE_PENCIL];
    double complex W[NOE_MAX_POINTS][NOE_PENCIL]; /* h v at node i is sum_j W_ij y_j */
    double         b[NOE_MAX_POINTS], c[NOE_MAX_POINTS];
} noe_stage_pencil;

/* An eigenvalue of A0^-1 A1 and its vector to binary128, of a pair the one with Im > 0: the
 * guess is LAPACK's, the bits are not. */
typedef struct {
    bool         real;
    quad_complex lambda, x[NOE_PENCIL];
} noe_stage_pencil_mode;

/* Those without damping, the real ones first; how many; 0: there is no complete set. */
int noe_stage_pencil_modes(const noe_method *, noe_stage_pencil_mode *);

/* False when the equations have no complete set of shifts. */
bool noe_stage_pencil_make(noe_stage_pencil *, const noe_method *, double alpha, double beta);

#endif
