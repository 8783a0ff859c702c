/* The law "symplectic": M' Omega M = Omega for the Jacobian M of a step, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The terms of an entry of M may cancel, as those of dp/dq of a free particle in a rotating frame
 * do; the rounding error of the entry is that of its terms.  With a change of velocities
 * dv = |L_vv^-1| (|L_vq| + h |L_qq|) dq + |L_vv^-1| dp the sizes of these terms are, by entry,
 * dq + h dv and dp + h |L_qq| (dq + h dv) + h |L_qv| dv. */
#include "certify/symplectic_form.h"

#include "base/status.h"
#include "integrate/linearization.h"
#include "matrix/small_solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* C += a A B, n x n */
static void multiply(int n, quad a, const quad *A, const quad *B, quad *C)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const quad f = a * A[i * n + k];
            for (int j = 0; j < n && f != 0; j++) C[i * n + j] += f * B[k * n + j];
        }
}

/* Replaces each entry of M by the largest in its column among the rows coupled to its row:
 * pivoting mixes rows, so the rounding error of an entry is relative to that largest one (N.
 * Higham, Accuracy and Stability of Numerical Algorithms, 9.3). */
static void largest_of_columns(int n, const noe_linearization *at, quad *M)
{
    int part[n];
    for (int i = 0; i < n; i++) part[i] = i;
    for (int k = 0; k < NOE_D_KINDS; k++)
        for (int i = 0; i < n * n; i++) {
            const int a = part[i / n], b = part[i % n];
            for (int j = 0; j < n && a != b && at->D[k][i] != 0; j++)
                if (part[j] == b) part[j] = a;
        }
    for (int j = 0; j < n; j++) {
        quad most[n];
        for (int i = 0; i < n; i++) {
            most[i] = 0;
            for (int k = 0; k < n; k++)
                if (part[k] == part[i]) most[i] = fmaxq(most[i], M[k * n + j]);
        }
        for (int i = 0; i < n; i++) M[i * n + j] = most[i];
    }
}

/* Raises S[2n][2n] to the sizes of the terms of the four blocks of M at the present state. */
static bool terms_at(noe_integrator *g, noe_linearization *at, quad h, quad *scratch, quad *S)
{
    const int    n = g->system->dyn.n, N = 2 * n;
    const size_t nn = (size_t)n * (size_t)n;
    quad         t, q[n], v[n], *W = scratch, *V = W + nn, *dv = V + nn, *part = dv + 2 * nn;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_Q, q);
    noe_integrator_state_get(g, NOE_AT_V, v);
    if (!noe_linearization_at(at, t, q, v)) return false;
    quad *M = at->D[NOE_D_PV], *PQ = at->D[NOE_D_PQ], *FQ = at->D[NOE_D_FQ], *FV = at->D[NOE_D_FV];
    memcpy(part, M, nn * sizeof *M);
    if (!noe_small_solve_inverse(part, n, V)) return false;
    for (size_t i = 0; i < nn; i++) {
        V[i] = fabsq(V[i]);
        M[i] = fabsq(M[i]);
        FQ[i] = fabsq(FQ[i]);
        FV[i] = fabsq(FV[i]);
        PQ[i] = fabsq(PQ[i]) + h * FQ[i];
    }
    memset(part, 0, 2 * nn * sizeof *part), memset(W, 0, nn * sizeof *W);
    largest_of_columns(n, at, M);
    /* bound of the rounding error of a solution with L_vv */
    multiply(n, 1, V, M, part), multiply(n, 1, part, V, W);
    memset(dv, 0, 2 * nn * sizeof *dv), memset(part, 0, nn * sizeof *part);
    multiply(n, 1, W, PQ, dv), memcpy(dv + nn, W, nn * sizeof *W);
    for (int half = 0; half < 2; half++) { /* first the columns of dq, then those of dp */
        quad *d = dv + (size_t)half * nn;
        memset(part, 0, 2 * nn * sizeof *part);
        for (size_t i = 0; i < nn; i++)
            part[i] = h * d[i] + (half == 0 && i / (size_t)n == i % (size_t)n);
        multiply(n, h, FQ, part, part + nn), multiply(n, h, FV, d, part + nn);
        for (size_t i = 0; i < nn; i++) {
            const int row = (int)i / n, col = (int)i % n + half * n;
            quad     *dq = &S[row * N + col], *dp = &S[(n + row) * N + col];
            *dq = fmaxq(*dq, part[i]);
            *dp = fmaxq(*dp, part[nn + i] + (half == 1 && row == (int)i % n));
        }
    }
    return true;
}

bool noe_symplectic_form_terms(noe_integrator *g, quad h, quad *S)
{
    const size_t      n = (size_t)g->system->dyn.n;
    noe_linearization at;
    quad             *scratch = noe_status_alloc(6 * n * n, sizeof *scratch);
    const bool        ok = noe_linearization_open(&at, g) && scratch
                 && terms_at(g, &at, fabsq(h), scratch, S);
    noe_linearization_close(&at);
    free(scratch);
    return ok;
}

double noe_symplectic_form_error(int n, const quad *M, const quad *S)
{
    const int N = 2 * n;
    double    worst = 0;
    for (int a = 0; a < N; a++)
        for (int b = 0; b < a; b++) {
            quad sum = b == a - n ? 1 : 0, size = 0; /* of M' Omega M - Omega */
            for (int i = 0; i < n; i++) {
                const quad *Mq = M + i * N, *Mp = M + (n + i) * N, *Sq = S + i * N,
                           *Sp = S + (n + i) * N;
                sum += Mq[a] * Mp[b] - Mp[a] * Mq[b];
                size += Sq[a] * fabsq(Mp[b]) + fabsq(Mq[a]) * Sp[b] + Sp[a] * fabsq(Mq[b])
                      + fabsq(Mp[a]) * Sq[b];
            }
            if (sum != 0) worst = fmax(worst, (double)(fabsq(sum) / size));
        }
    return worst;
}
