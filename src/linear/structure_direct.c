/* A Galerkin step of a structure by factors of M + lambda_j k.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     (M + lambda_j k) y_j = g_j,   g_j = P_j pi + R_j rho + h^2 sum_i F_ji f_i */
#include "linear/structure_engine.h"

#include "number/compensated_dot.h"

/* Solves for one real or complex shift and adds its terms to d and u. */
static void shift(noe_structure_engine *w, int j)
{
    const noe_stage_pencil *x = &w->prepared.x;
    const int               n = w->at.n;
    const bool              real = x->multiplicity[j] == 1;
    const double P = creal(x->P[j]), R = creal(x->R[j]), Pi = cimag(x->P[j]), Ri = cimag(x->R[j]);
    const double h2 = *w->at.h * *w->at.h;
    double      *g = w->scratch.g, *y = w->scratch.y[0];
    for (int i = 0; i < n; i++) g[i] = P * w->state.p[i] + R * w->state.r[i];
    for (int i = 0; i < n && !real; i++) g[n + i] = Pi * w->state.p[i] + Ri * w->state.r[i];
    for (int l = 0; w->scratch.f && l < x->r; l++) {
        const double F = h2 * creal(x->F[j][l]), Fi = h2 * cimag(x->F[j][l]);
        for (int i = 0; i < n; i++) g[i] += F * w->scratch.f[l][i];
        for (int i = 0; i < n && !real; i++) g[n + i] += Fi * w->scratch.f[l][i];
    }
    noe_factorization_solve(w->prepared.shift[j] ? w->prepared.shift[j] : w->matrix.mass, g, y);
    const double V = x->multiplicity[j] * creal(x->V[j]), U = x->multiplicity[j] * creal(x->U[j]);
    const double Vi = x->multiplicity[j] * cimag(x->V[j]), Ui = x->multiplicity[j] * cimag(x->U[j]);
    for (int i = 0; i < n; i++) w->scratch.d[i] += V * y[i], w->scratch.u[i] += U * y[i];
    for (int i = 0; i < n && !real; i++) {
        w->scratch.d[i] -= Vi * y[n + i];
        w->scratch.u[i] -= Ui * y[n + i];
    }
    for (int l = 0; l < x->r && w->balance.kept; l++) {
        const double W = x->multiplicity[j] * creal(x->W[l][j]),
                     Wi = x->multiplicity[j] * cimag(x->W[l][j]);
        for (int i = 0; i < n; i++) w->scratch.hv[l][i] += W * y[i];
        for (int i = 0; i < n && !real; i++) w->scratch.hv[l][i] -= Wi * y[n + i];
    }
}

void noe_structure_direct_step(noe_structure_engine *w)
{
    const noe_stage_pencil *x = &w->prepared.x;
    const noe_structure    *s = w->s;
    const double            h = *w->at.h, h2 = h * h;
    const int               n = w->at.n;
    for (int i = 0; i < n; i++) w->scratch.d[i] = w->scratch.u[i] = 0;
    for (int l = 0; l < x->r && w->balance.kept; l++)
        for (int i = 0; i < n; i++) w->scratch.hv[l][i] = 0;
    if (w->prepared.whole) noe_coupled_solve_modes(w);
    else
        for (int j = 0; j < x->count; j++) shift(w, j);
    noe_structure_product_stiffness(w, w->scratch.u, w->scratch.e);
    for (int i = 0; i < n; i++) {
        double kick = -(NOE_STIFFNESS_DIVISOR * w->state.r[i] + w->scratch.e[i]);
        for (int l = 0; w->scratch.f && l < x->r; l++) kick += h2 * x->b[l] * w->scratch.f[l][i];
        w->scratch.g[i] = kick;
    }
    if (s->alpha != 0) {
        noe_structure_share_times(s, s->M, w->scratch.d, w->scratch.e);
        for (int i = 0; i < n; i++) w->scratch.g[i] -= h * s->alpha * w->scratch.e[i];
    }
    if (s->C) {
        noe_structure_share_times(s, s->C, w->scratch.d, w->scratch.e);
        for (int i = 0; i < n; i++) w->scratch.g[i] -= h * w->scratch.e[i];
    }
    for (int i = 0; i < n; i++)
        noe_compensated_add(&w->state.q[i], &w->state.dq[i], w->scratch.d[i]),
            noe_compensated_add(&w->state.p[i], &w->state.dp[i], w->scratch.g[i]);
    noe_structure_product_stiffness(w, w->state.q, w->state.r);
}
