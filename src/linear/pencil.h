/* (A0 (x) M + A1 (x) K) a = right sides   ->   (M + lambda_j K) y_j = g_j,  a = T y:  a step's modes, one by one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_PENCIL_H
#define NOE_LINEAR_PENCIL_H

#include "method/method.h"

#include <complex.h>
#undef I /* I_im are integrals of the basis */

enum { NOE_PENCIL = NOE_MAX_DEGREE };

/* Of a Galerkin method at step h, damping C = alpha M + beta K.  With r = K q and f_i = f(t + c_i h),
 *     (M + lambda_j K) y_j = P_j p + R_j r + sum_i F_ji f_i,     d = sum_j V_j y_j,     u = sum_j U_j y_j,
 *     q += d,     p += sum_i h b_i f_i - h r - K u - alpha M d.
 * Of a complex pair only the one with Im > 0 is kept; what it stands for is twice the real part. */
typedef struct {
    int            s, r, count;         /* modes, nodes, shifts */
    double complex lambda[NOE_PENCIL];  /* 0 exactly where it is */
    double         part[NOE_PENCIL];    /* 1; 2 for a pair */
    double complex P[NOE_PENCIL], R[NOE_PENCIL], F[NOE_PENCIL][NOE_MAX_POINTS];
    double complex V[NOE_PENCIL], U[NOE_PENCIL];
    double         b[NOE_MAX_POINTS], c[NOE_MAX_POINTS]; /* h b_i; c_i */
} noe_pencil;

/* False when the equations have no complete set of shifts. */
bool noe_pencil_make(noe_pencil *, const noe_method *, double h, double alpha, double beta);

#endif
