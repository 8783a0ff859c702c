/* Energy and preserved quadratic form of a linear system, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     H = v.PV v/2 - q.FQ q/2 - cF.q - L0,   v = PV^-1 (p - PQ q - cP) */
#include "linear/quadratic_energy.h"

#include "linear/dense_engine.h"

static quad dot(int n, const quad *x, const quad *A, const quad *y)
{
    quad sum = 0;
    for (int i = 0; i < n; i++) {
        quad row = 0;
        for (int j = 0; j < n; j++) row += A[i * n + j] * y[j];
        sum += x[i] * row;
    }
    return sum;
}

void noe_quadratic_energy_velocities(const noe_affine_blocks *x, const noe_linear_state *at,
                                     quad *v)
{
    const int     n = at->n;
    const double *q = at->z, *p = q + n;
    for (int i = 0; i < n; i++) v[i] = 0;
    for (int j = 0; j < n; j++) {
        quad rest = p[j] - x->cP[j];
        for (int k = 0; k < n; k++) rest -= x->PQ[j * n + k] * q[k];
        for (int i = 0; i < n; i++) v[i] += x->inverse[i * n + j] * rest;
    }
}

quad noe_quadratic_energy_value(const noe_affine_blocks *x, const noe_linear_state *at)
{
    const int n = at->n;
    quad      q[2 * NOE_DENSE_MOST], *v = q + n;
    noe_quadratic_energy_velocities(x, at, v);
    for (int i = 0; i < n; i++) q[i] = at->z[i];
    quad H = dot(n, v, x->PV, v) / 2 - dot(n, q, x->FQ, q) / 2 - x->L0;
    for (int i = 0; i < n; i++) H -= x->cF[i] * q[i];
    return H;
}

quad noe_quadratic_energy_simpson(const noe_affine_blocks *x, const noe_linear_state *at)
{
    const int  n = at->n;
    quad       q[4 * NOE_DENSE_MOST], *u = q + n, *r = u + n, *a = r + n, pu = 0, qr = 0, ra = 0;
    const quad h2 = (quad)*at->h * *at->h;
    noe_quadratic_energy_velocities(x, at, u);
    for (int i = 0; i < n; i++) q[i] = at->z[i], r[i] = a[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) r[i] -= x->FQ[i * n + j] * q[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i] += x->inverse[i * n + j] * r[j];
    for (int i = 0; i < n; i++) pu += at->z[n + i] * u[i], qr += q[i] * r[i], ra += r[i] * a[i];
    return pu / 2 + h2 / 16 * dot(n, u, x->FQ, u) + qr / 2 - h2 / 16 * ra
         - h2 * h2 / 576 * dot(n, a, x->FQ, a);
}
