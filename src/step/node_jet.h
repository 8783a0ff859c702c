/* A system at the nodes: (t, q, v) -> F = L_q, P = L_v, their derivatives, L; masses, factored.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_NODE_JET_H
#define NOE_STEP_NODE_JET_H

#include "number/upper_halves.h"
#include "step/step_shape.h"
#include "tape/constraint_functions.h"

/* For functions in C, which are called for one node of one trajectory at a time; outputs in the
 * order of the tapes. */
static void jet_calls(work *w, int which, int nodes)
{
    batch *const Q = w->eval.Q, *const V = w->eval.V,
                 *const out = which == CONSTRAINT ? w->constraint.out : w->eval.out;
    const noe_dynamics *d = w->dyn;
    const int           n = w->n;
    noe_upper_halves_empty(); /* whoever calls this may have vectors of his own */
    for (int i = 0; i < nodes * MEMBERS; i++) {
        const int node = i / MEMBERS, member = i % MEMBERS;
#define AT(array, row) element(array, w->B, row, node)
        for (int j = 0; j < n; j++) {
            w->eval.z[j] = (double)r_member(*AT(Q, j), member);
            w->eval.z[n + j] = (double)r_member(*AT(V, j), member);
        }
        const double time = (double)r_member(((const real *)w->eval.t)[node], member);
        if (which == CONSTRAINT) {
            noe_constraint_functions_at(d, time, w->eval.z, w->eval.param, w->eval.tie_room,
                                        w->eval.function_outputs);
            for (int j = 0; j < w->constraint.outputs; j++)
                r_put(AT(out, j), member, w->eval.function_outputs[j]);
            continue;
        }
        if (which == POWER) { /* functions in C have no dissipation of their own */
            double force[n], power = d->L_t ? -d->L_t(time, w->eval.z, w->eval.param, d->ctx) : 0;
            if (d->f) d->f(time, w->eval.z, w->eval.param, force, NULL, d->ctx);
            for (int j = 0; j < n && d->f; j++) power += force[j] * w->eval.z[n + j];
            r_put(AT(out, 0), member, power);
            r_put(AT(out, 1), member, 0);
            continue;
        }
        const double L = d->L(time, w->eval.z, w->eval.param, w->eval.grad,
                              which == GRADIENT ? NULL : w->eval.hess, d->ctx);
        if (d->f && which != LEGENDRE) {
            double force[n];
            d->f(time, w->eval.z, w->eval.param, force, which == GRADIENT ? NULL : w->eval.dfdz,
                 d->ctx);
            for (int j = 0; j < n; j++) w->eval.grad[j] += force[j];
            for (int j = 0; j < 2 * n * n && which == HESSIAN; j++)
                w->eval.hess[j] += w->eval.dfdz[j];
        }
        if (which == LEGENDRE) {
            for (int j = 0; j < n; j++) r_put(AT(out, j), member, w->eval.grad[n + j]);
            r_put(AT(out, n), member, L);
            for (int j = 0; j < n * n; j++)
                r_put(AT(out, n + 1 + j), member, w->eval.hess[(n + j / n) * 2 * n + n + j % n]);
            continue;
        }
        for (int j = 0; j < 2 * n; j++) r_put(AT(out, j), member, w->eval.grad[j]);
        for (int j = 0; j < 4 * n * n && which == HESSIAN; j++)
            r_put(AT(out, 2 * n + j), member, w->eval.hess[j]);
        for (int j = 0; j < n * n && which == INERTIAL; j++)
            r_put(AT(out, 2 * n + j), member, w->eval.hess[(n + j / n) * 2 * n + n + j % n]);
#undef AT
    }
    const int outputs = which == POWER      ? 2
                      : which == CONSTRAINT ? w->constraint.outputs
                      : which == LEGENDRE   ? n + 1 + n * n
                                            : 2 * n
                                                + (which == HESSIAN    ? 4 * n * n
                                                   : which == INERTIAL ? n * n
                                                                       : 0);
    if (WIDE > 1) /* lanes without a node repeat the first node */
        for (int j = 0; j < outputs; j++)
            for (int i = nodes; i < blocks(nodes) * WIDE; i++)
                *element(out, w->B, j, i) = *element(out, w->B, j, 0);
}

/* Evaluates tape `which` at the first `nodes` elements of w->eval.t and of the rows of w->eval.Q
 * and w->eval.V; outputs in the rows of w->eval.out, of the constraints in those of
 * w->constraint.out. */
static void jet(work *w, int which, int nodes)
{
    if (w->dyn->L) {
        jet_calls(w, which, nodes);
        return;
    }
    char *const frame = (char *)w->eval.frame;
    const int   nb = blocks(nodes);
    if (w->eval.run[which])
        for (int b = 0; b < nb; b++) w->eval.run[which](frame + b * sizeof(batch));
    else interpret(w->eval.tape[which], w->eval.code[which], frame, nb);
    for (const frame_copy *x = w->eval.copy[which], *end = x + w->eval.copies[which]; x < end; x++)
        for (int b = 0; b < nb; b++)
            ((batch *)(frame + x->to))[b] = ((const batch *)(frame + x->from))[b];
}

/* ---- masses: M = L_vv at every node, factored, and U = M^-1 rho ---- */

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

_Static_assert(COFACTOR_MOST <= 3, "invert_masses() has formulas for two and three coordinates");

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
