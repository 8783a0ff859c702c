/* R_m = sum_i b_i ( l_im P_i - h X_im F_i ) - w_m p, and its derivative with respect to the modes a.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The discrete action h sum_i b_i L(t_i, q + h sum_m I_im a_m, sum_m l_im a_m) is stationary when all R_m
 * vanish (doc/theory.md, section 2).  Arrays over dofs j and modes m are indexed [j][m]. */
#ifndef NOE_STEP_DISCRETE_ACTION_H
#define NOE_STEP_DISCRETE_ACTION_H

#include "step/node_jet.h"

/* t, Q and V at the nodes of a step of length h. */
INLINE void nodes(work *w, const shape z, real h)
{
    const real t = *w->t0 + (*w->count + w->part_start) * *w->h, upper = upper_half(h),
               rest = h - upper;
    for (int b = 0; b < z.B; b++) w->t[b] = t + w->c[b] * h;
    for (int j = 0; j < z.n; j++) {
        batch      *Q = w->Q + j * z.B, *V = w->V + j * z.B;
        const real *a = w->a + j * z.s;
        contract(V, z.B, w->l, z.s, a);
        contract(Q, z.B, w->I, z.s, a);
        for (int b = 0; b < z.B; b++) Q[b] = w->q[j] + ((w->dq[j] + rest * Q[b]) + upper * Q[b]);
    }
}

/* e = R from F and P in w->out; kick = h sum b F.  The weights go to F and P, the other coefficients are as in nodes():
 * what is solved is then the stationary point of one discrete action, also when they are rounded. */
INLINE void residual(work *w, const shape z, real h)
{
    const int  n = z.n, s = z.s;
    const real upper = upper_half(h), rest = h - upper;
    batch P_part[NOE_MAX_DEGREE], F_part[NOE_MAX_DEGREE], bP[NOE_MAX_POINTS], bF[NOE_MAX_POINTS];
    for (int j = 0; j < n; j++) {
        const real *F = (const real *)bF;
        weigh(bF, z.B, w->weight, w->out + j * z.B);
        weigh(bP, z.B, w->weight, w->out + (n + j) * z.B);
        contract(P_part, z.S, w->l_m, z.r, (const real *)bP);
        contract(F_part, z.S, w->X_m, z.r, F);
        for (int m = 0; m < s; m++)
            w->e[j * s + m] = (((const real *)P_part)[m] - upper * ((const real *)F_part)[m]
                               - w->w[m] * w->p[j])
                            - (rest * ((const real *)F_part)[m] + w->w[m] * w->dp[j]);
        real sum = F[0];
        for (int i = 1; i < z.r; i++) sum += F[i];
        w->kick[j] = rest * sum + upper * sum;
    }
}

/* at_start_j = |p_j| + max_i ( |P_ij| + |h F_ij| ) at the prediction. */
INLINE void scales_at_start(work *w, const shape z, real h)
{
    for (int j = 0; j < z.n; j++) {
        const real *F = element(w->out, z.B, j, 0), *P = element(w->out, z.B, z.n + j, 0);
        real        most = r_set(0);
        for (int i = 0; i < z.r; i++) most = r_max(most, r_abs(P[i]) + r_abs(h * F[i]));
        w->at_start[j] = r_abs(w->p[j]) + most;
    }
}

/* speed_k = max_m |a_km| */
INLINE void speeds(work *w, const shape z)
{
    for (int k = 0; k < z.n; k++) {
        const real *a = w->a + k * z.s;
        if (z.s == WIDE) w->speed[k] = over_nodes(b_abs(*(const batch *)a));
        else {
            w->speed[k] = r_set(0);
            for (int m = 0; m < z.s; m++) w->speed[k] = r_max(w->speed[k], r_abs(a[m]));
        }
    }
}

/* scale_j = at_start_j + sum_k |L_vv,jk| speed_k, the size of the terms of R_j. */
INLINE void scales(work *w, const shape z)
{
    const int n = z.n;
    speeds(w, z);
    for (int j = 0; j < n; j++) {
        w->scale[j] = w->at_start[j] + (num)1e-300;
        for (int k = 0; k < n; k++) w->scale[j] += w->mass_bound[j * n + k] * w->speed[k];
    }
}

/* part times 1, h, h, h^2. */
INLINE void scale_parts(work *w, const shape z, real h)
{
    const real power[NOE_D_KINDS] = { r_set(1), h, h, h * h };
    if (!m_any(m_not(*w->scaled_h == h))) return;
    *w->scaled_h = h;
    for (int p = 0; p < NOE_D_KINDS; p++)
        for (int i = 0; i < z.r * z.K; i++) w->scaled[p][i] = w->part[p][i] * power[p];
}

/* Pairs of modes, then modes of the kick, whose coefficient is not 0 at a node: those of Simpson's method. */
static const unsigned char simpson[NOE_D_KINDS][3] = {
    { 0x0f, 0x01, 0x0f }, { 0x00, 0x03, 0x05 }, { 0x33, 0x15, 0x30 }, { 0x00, 0x3f, 0x10 }
};

/* Is that all there is? */
static bool is_simpson(const work *w)
{
    bool yes = w->s == 2 && w->r == 3;
    for (int p = 0; p < NOE_D_KINDS && yes; p++)
        for (int i = 0; i < w->r; i++)
            for (int k = 0; k < 6; k++)
                yes &= simpson[p][i] >> k & 1 || ((const num *)(w->part[p] + i * w->K))[k] == 0;
    return yes;
}

/* even, odd += A D over the nodes of one entry of this kind, for `count` batches from b on.  Products with 0 are left
 * out: where all of a batch are, and in lanes one by one; a sum that began as +0 does not see them. */
INLINE void add_entry(work *w, const shape z, int b, const int count, const int kind, const real *D,
                      batch *even, batch *odd)
{
    const batch *A = w->scaled[kind] + b;
    int          i = 0;
#define NODE(sum, i)                                                                 \
    _Pragma("GCC unroll 6")                                                          \
    for (int k = 0; k < count; k++)                                                  \
        if (!z.simpson || (WIDE > 1 ? simpson[kind][i] : simpson[kind][i] >> k & 1)) \
            sum[k] += A[(i)*z.K + k] * D[i];
    for (; i + 1 < z.r; i += 2) {
        NODE(even, i)
        NODE(odd, i + 1)
    }
    if (i < z.r) NODE(even, i)
#undef NODE
}

/* most_i |x_i y_i| over the nodes */
INLINE real largest(const shape z, const real *x, const real *y)
{
    real most = r_set(0);
    for (int i = 0; i < z.r; i++) most = r_max(most, r_abs(y ? x[i] * y[i] : x[i]));
    return most;
}

/* block_b = sum over entries and nodes of A D, the even and the odd nodes apart, for `count` batches from b on. */
INLINE void sums_of(work *w, const shape z, int b, const int count, const int *at)
{
    batch even[REGISTER_SUMS], odd[REGISTER_SUMS];
#pragma GCC unroll 6
    for (int k = 0; k < count; k++) even[k] = odd[k] = b_zero();
#pragma GCC unroll 4
    for (int kind = 0; kind < NOE_D_KINDS; kind++)
        if (at[kind] >= 0)
            add_entry(w, z, b, count, kind, element(w->out, z.B, at[kind], 0), even, odd);
#pragma GCC unroll 6
    for (int k = 0; k < count; k++) w->block[b + k] = even[k] + odd[k];
}

/* One block of J and of new_kick_jacobian, of the dofs j and l. */
INLINE void block_of(work *w, const shape z, int j, int l, const int *at)
{
    const int s = z.s, N = z.N, K = z.K;
    int       b = 0;
    for (; b + REGISTER_SUMS <= K; b += REGISTER_SUMS) sums_of(w, z, b, REGISTER_SUMS, at);
    for (; b < K; b++) sums_of(w, z, b, 1, at);
    const real *block = (const real *)w->block;
    real       *J = w->J + (size_t)j * s * N + l * s, *push = w->new_kick_jacobian + j * N + l * s;
    for (int m = 0; m < s; m++)
        for (int k = 0; k < s; k++) J[m * N + k] = block[m * s + k];
    for (int k = 0; k < s; k++) push[k] = block[s * s + k];
}

/* J = dR/da and new_kick_jacobian = d kick / da from D in w->out.  On the way new_mass_bound = max_i |L_vv| over the nodes, and
 * new_reach_j = sum_k max_i |h F_q,jk| |Q_k|: a unit of rounding in Q is one of this in R_j, and where large
 * coordinates balance all that one at rest has. */
INLINE void jacobian(work *w, const shape z, real h)
{
    scale_parts(w, z, h);
    for (int j = 0; j < z.n; j++) {
        real reach = r_set(0);
        for (int l = 0; l < z.n; l++) {
            const int *at = w->dyn->at + (j * z.n + l) * NOE_D_KINDS;
            if (at[NOE_D_PV] >= 0)
                w->new_mass_bound[j * z.n + l] = largest(z, element(w->out, z.B, at[NOE_D_PV], 0),
                                                         NULL);
            if (at[NOE_D_FQ] >= 0)
                reach += r_abs(h)
                       * largest(z, element(w->out, z.B, at[NOE_D_FQ], 0),
                                 element(w->Q, z.B, l, 0));
            block_of(w, z, j, l, at);
        }
        w->new_position_rounding[j] = reach;
    }
}

#endif
