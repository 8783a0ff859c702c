/* A X = B in double, in binary128, and in complex binary128: one elimination for three types.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/small_solve.h"

#include <math.h>

#define NUMBER double
#define SIZE fabs
#define FINITE isfinite
#define ELIMINATE noe_small_solve_doubles
#include "matrix/elimination.h"

#define NUMBER quad
#define SIZE fabsq
#define FINITE finiteq
#define ELIMINATE noe_small_solve_columns
#include "matrix/elimination.h"

#define NUMBER quad_complex
#define SIZE cabsq
#define FINITE finiteq
#define ELIMINATE noe_small_solve_complex
#include "matrix/elimination.h"

bool noe_small_solve_inverse(quad *A, int N, quad *W)
{
    for (int i = 0; i < N * N; i++) W[i] = i / N == i % N;
    return noe_small_solve_columns(A, N, W, N);
}
