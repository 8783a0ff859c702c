/* Mass matrices M = L_vv at every node of a step, factored, and U = M^-1 rho.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_NODE_MASSES_H
#define NOE_STEP_NODE_MASSES_H

#include "step/node_jet.h"

/* An entry of L_vv at the nodes, among the last outputs of the inertial tape. */
INLINE batch *mass_entry(work *w, const noe_entry *x)
{
    return w->eval.out + (size_t)(x->output + w->n - 1) * w->B;
}

/* W = the entries of M, where it is not diagonal. */
static void gather_masses(work *w)
{
    memset((void *)w->nodal.W, 0, (size_t)(w->n * w->n * w->B) * sizeof *w->nodal.W);
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->nodal.mass[k];
        for (int b = 0; b < w->B; b++)
            w->nodal.W[(x->row * w->n + x->col) * w->B + b] = mass_entry(w, x)[b];
    }
}

/* M^-1 for two or three coordinates, on and below the diagonal of W. */
static void invert_masses(work *w)
{
    const int n = w->n, B = w->B;
    for (int b = 0; b < B; b++) {
        batch      *W = w->nodal.W + b;
        const batch xx = W[0], xy = W[n * B], yy = W[(n + 1) * B];
        if (n == 2) {
            const batch d = 1 / (xx * yy - xy * xy);
            W[0] = yy * d, W[2 * B] = -xy * d, W[3 * B] = xx * d;
            continue;
        }
        const batch xz = W[6 * B], yz = W[7 * B], zz = W[8 * B];
        const batch x = yy * zz - yz * yz, y = xz * yz - xy * zz, z = xy * yz - xz * yy;
        const batch d = 1 / ((xx * x + xy * y) + xz * z);
        W[0] = x * d, W[3 * B] = y * d, W[6 * B] = z * d;
        W[4 * B] = (xx * zz - xz * xz) * d;
        W[7 * B] = (xy * xz - xx * yz) * d;
        W[8 * B] = (xx * yy - xy * xy) * d;
    }
}

/* M = L D L^T at every node, without exchanges of rows: where that fails numbers are not finite,
 * and the iteration ends.  W holds L below the diagonal and 1/D on it, or M^-1 itself. */
static void factor_masses(work *w)
{
    const int n = w->n, B = w->B;
    if (!w->nodal.coupled) {
        for (int k = 0; k < w->dyn->masses; k++)
            for (int b = 0; b < B; b++)
                w->nodal.W[w->nodal.mass[k].row * B + b] = 1 / mass_entry(w, &w->nodal.mass[k])[b];
        return;
    }
    gather_masses(w);
    if (n <= COFACTOR_MOST) {
        invert_masses(w);
        return;
    }
    for (int b = 0; b < B; b++)
        for (int j = 0; j < n; j++) {
            const batch d = 1 / w->nodal.W[(j * n + j) * B + b];
            w->nodal.W[(j * n + j) * B + b] = d;
            for (int i = j + 1; i < n; i++) {
                const batch l = w->nodal.W[(i * n + j) * B + b] * d;
                for (int k = j + 1; k <= i; k++)
                    w->nodal.W[(i * n + k) * B + b] -= l * w->nodal.W[(k * n + j) * B + b];
            }
            for (int i = j + 1; i < n; i++) w->nodal.W[(i * n + j) * B + b] *= d;
        }
}

/* U = M^-1 rho, node by node, where M is not diagonal. */
INLINE void mass_solve(const batch *W, const batch *rho, batch *U, const int n, const int B)
{
    for (int b = 0; b < B && n <= COFACTOR_MOST; b++)
#pragma GCC unroll 3
        for (int i = 0; i < n; i++) {
            batch sum = W[i * n * B + b] * rho[b];
#pragma GCC unroll 3
            for (int k = 1; k < n; k++)
                sum += W[(k <= i ? i * n + k : k * n + i) * B + b] * rho[k * B + b];
            U[i * B + b] = sum;
        }
    for (int b = 0; b < B && n > COFACTOR_MOST; b++) {
        for (int j = 0; j < n; j++) {
            batch sum = rho[j * B + b];
            for (int k = 0; k < j; k++) sum -= W[(j * n + k) * B + b] * U[k * B + b];
            U[j * B + b] = sum;
        }
        for (int j = n - 1; j >= 0; j--) {
            batch sum = U[j * B + b] * W[(j * n + j) * B + b];
            for (int k = j + 1; k < n; k++) sum -= W[(k * n + j) * B + b] * U[k * B + b];
            U[j * B + b] = sum;
        }
    }
}

#endif
