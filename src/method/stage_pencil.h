/* Decouples the linear equations of a step into one system for each eigenvalue of the stages.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     (A0 (x) M + A1 (x) K) a = right sides   ->   (M + lambda_j K) y_j = g_j,   a = T y */
#ifndef NOE_METHOD_STAGE_PENCIL_H
#define NOE_METHOD_STAGE_PENCIL_H

#include "method/method.h"

#include <complex.h>
#undef I /* I_im are integrals of the basis */

enum { NOE_PENCIL = NOE_MAX_DEGREE };

/* The step in units of its length, with pi = h p, k = h^2 K/24 (rounded once), rho = k q,
 * C = alpha/h M + beta h K and f_i = f(t + c_i h):
 *     (M + lambda_j k) y_j = P_j pi + R_j rho + h^2 sum_i F_ji f_i,
 *     d = sum_j V_j y_j,   u = sum_j U_j y_j,
 *     q += d,   pi += h^2 sum_i b_i f_i - 24 rho - k u - alpha M d.
 * Simpson: y_0 = M^-1 (pi - 4 rho), y_1 = (M + k)^-1 (pi - 6 rho), d = 4 y_1 - 3 y_0,
 * u = 24 y_1 - 12 y_0. Here, and for midpoint and lobatto 1, all coefficients are exact in double,
 * so the computed step is a step with exactly symmetric matrices, and rounded coefficients cause no
 * drift of what it preserves. Of a complex pair of eigenvalues only the one with Im > 0 is stored;
 * its contribution is twice the real part. */
enum { NOE_STIFFNESS_DIVISOR = 24 };
typedef struct {
    int s, r, count; /* modes, nodes, eigenvalues */
    /* eigenvalues lambda_j; exactly 0 where they are 0 in theory */
    double complex lambda[NOE_PENCIL];
    double multiplicity[NOE_PENCIL]; /* multiplicity: 1 for a real eigenvalue, 2 for a pair */
    /* coefficients of the right sides: of pi, of rho, of the force at each node */
    double complex P[NOE_PENCIL], R[NOE_PENCIL], F[NOE_PENCIL][NOE_MAX_POINTS];
    double complex V[NOE_PENCIL], U[NOE_PENCIL];         /* coefficients of d and of u */
    double complex W[NOE_MAX_POINTS][NOE_PENCIL];        /* h v at node i is sum_j W_ij y_j */
    double         b[NOE_MAX_POINTS], c[NOE_MAX_POINTS]; /* [r] weights and nodes */
} noe_stage_pencil;

/* An eigenvalue of A0^-1 A1 and its eigenvector in binary128, of a complex pair the one with
 * Im > 0. Computed without LAPACK, so the bits are the same on every machine. */
typedef struct {
    bool         real;                  /* lambda is real */
    quad_complex lambda, x[NOE_PENCIL]; /* eigenvalue; eigenvector */
} noe_stage_pencil_mode;

/* The eigenvalues without damping, real ones first; returns their number, 0: there is no
 * complete set of eigenvectors. */
int noe_stage_pencil_modes(const noe_method *, noe_stage_pencil_mode *);

/* False when there is no complete set of eigenvectors. */
bool noe_stage_pencil_make(noe_stage_pencil *, const noe_method *, double alpha, double beta);

#endif
