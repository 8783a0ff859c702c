/* The equations of one Galerkin step, R_m = sum_i b_i (l_im P_i - h X_im F_i) - w_m p, and dR/da.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The unknowns are the velocity modes a_m, m = 0 .. s-1.  At node i, Q_i = q + h sum_m I_im a_m
 * and V_i = sum_m l_im a_m; F_i = L_q and P_i = L_v there.  The discrete action h sum_i b_i
 * L(t_i, Q_i, V_i) is stationary when all R_m vanish (doc/theory.md, section 2).  Arrays over
 * coordinates j and modes m are indexed [j][m].
 * Where a Lagrangian that a monitor G has transformed depends on t, t and E are unknowns as well,
 * t polynomial as positions are and E as velocities are:  h sum_i b_i L + int E (h G - dt) is
 * stationary when
 *     t_i = t + h sum_m I_im sum_k b_k l_km G_k,    E_i = E - h sum_m l_im sum_k b_k X_km L_t,k. */
#ifndef NOE_STEP_DISCRETE_ACTION_H
#define NOE_STEP_DISCRETE_ACTION_H

#include "step/node_jet.h"
#include "step/solver_constants.h"

/* The largest |x| over the nodes. */
INLINE real largest_at_nodes(const batch *x, int nb)
{
    batch most = b_abs(x[0]);
    for (int b = 1; b < nb; b++) most = b_max(most, b_abs(x[b]));
    return over_nodes(most);
}

/* to = start +- h sum_m A_m(c_i) sum_k b_k B_m(c_k) x_k at the nodes, for the members `going`;
 * returns the largest change, relative to the size of the terms. */
INLINE real node_sums(work *w, const shape z, real h, const batch *x, const coef *B_m,
                      const coef *A, real start, mask going, batch *to)
{
    const real upper = upper_half(h), rest = h - upper;
    batch      bx[NOE_MAX_POINTS], modes[NOE_MAX_DEGREE], sum[NOE_MAX_POINTS], most = b_zero();
    weigh(bx, z.B, w->method.weight, x);
    contract(modes, z.S, B_m, z.r, (const real *)bx);
    contract(sum, z.B, A, z.s, (const real *)modes);
    for (int b = 0; b < z.B; b++) {
        const batch next = start + (rest * sum[b] + upper * sum[b]);
        most = b_max(most, b_abs(next - to[b]));
        to[b] = b_where(going, next, to[b]);
    }
    return over_nodes(most) / (r_abs(start) + r_abs(h) * largest_at_nodes(x, z.B) + LEAST_DIVISOR);
}

/* t and E at the nodes, from the positions and velocities there, by iteration from those of the
 * state; t is nan for the members for which it does not contract. */
static __attribute__((noinline)) void node_times(work *w, real h)
{
    const shape  z = of(w);
    const real   t = time_at(w, 0), E = *w->state.level + w->state.balance[LEVEL_REST];
    batch *const level = w->eval.frame + (size_t)noe_tape_input(NOE_H, 0, w->n) * (size_t)w->B,
                 *const G = w->eval.out, *const L_t = G + 2 * z.B;
    batch minus[NOE_MAX_POINTS];
    mask  going = m_all(1);
    for (int b = 0; b < z.B; b++) w->eval.t[b] = b_set(t), level[b] = b_set(E);
    for (int it = 0; it < NODE_TIME_ITERATIONS && m_any(going); it++) {
        jet(w, CLOCK, z.r);
        for (int b = 0; b < z.B; b++) minus[b] = -L_t[b];
        const real later = node_sums(w, z, h, G, w->method.l_m, w->method.I, t, going, w->eval.t),
                   higher = node_sums(w, z, h, minus, w->method.X_m, w->method.l, E, going, level);
        going = going & m_not(r_at_most(r_max(later, higher), r_set(NODE_TIME_ROUNDINGS * EPS)));
    }
    for (int b = 0; b < z.B && m_any(going); b++)
        w->eval.t[b] = b_where(going, b_set(r_set((num)__builtin_nan(""))), w->eval.t[b]);
}

/* w->eval.t = t + c h, the times of the nodes of a step of length h, or of its part. */
INLINE void node_times_by_step(work *w, const shape z, real h)
{
    const batch t = b_of(time_at(w, w->state.part_start));
    for (int b = 0; b < z.B; b++) w->eval.t[b] = t + c_of(w->method.c[b]) * b_of(h);
}

/* t, Q and V at the nodes of a step of length h, from the modes in w->scratch.a. */
INLINE void nodes(work *w, const shape z, real h)
{
    const real  half = upper_half(h);
    const batch upper = b_of(half), rest = b_of(h - half);
    node_times_by_step(w, z, h);
    for (int j = 0; j < z.n; j++) {
        const batch q = b_of(w->state.q[j]), dq = b_of(w->state.dq[j]);
        batch      *Q = w->eval.Q + j * z.B, *V = w->eval.V + j * z.B;
        const real *a = w->scratch.a + j * z.s;
        contract(V, z.B, w->method.l, z.s, a);
        contract(Q, z.B, w->method.I, z.s, a);
        for (int b = 0; b < z.B; b++) Q[b] = q + ((dq + rest * Q[b]) + upper * Q[b]);
    }
    if (w->dyn->clocked) node_times(w, h);
}

/* e = R and kick = h sum_i b_i F_i, from F and P in w->eval.out.  The weights b_i multiply F and P
 * first and the other coefficients are those of nodes(): what is solved is then the stationary
 * point of one discrete action, also with rounded coefficients. */
INLINE void residual(work *w, const shape z, real h)
{
    const int  n = z.n, s = z.s;
    const real upper = upper_half(h), rest = h - upper;
    batch P_part[NOE_MAX_DEGREE], F_part[NOE_MAX_DEGREE], bP[NOE_MAX_POINTS], bF[NOE_MAX_POINTS];
    for (int j = 0; j < n; j++) {
        const real *F = (const real *)bF;
        weigh(bF, z.B, w->method.weight, w->eval.out + j * z.B);
        weigh(bP, z.B, w->method.weight, w->eval.out + (n + j) * z.B);
        contract(P_part, z.S, w->method.l_m, z.r, (const real *)bP);
        contract(F_part, z.S, w->method.X_m, z.r, F);
        for (int m = 0; m < s; m++)
            w->scratch.e[j * s + m] = (((const real *)P_part)[m] - upper * ((const real *)F_part)[m]
                                       - r_of(w->method.w[m]) * w->state.p[j])
                                    - (rest * ((const real *)F_part)[m]
                                       + r_of(w->method.w[m]) * w->state.dp[j]);
        real sum = F[0];
        for (int i = 1; i < z.r; i++) sum += F[i];
        w->scratch.kick[j] = rest * sum + upper * sum;
    }
}

/* at_start_j = |p_j| + max_i ( |P_ij| + |h F_ij| ) at the prediction: the part of scale_j that
 * later iterations do not change. */
INLINE void scales_at_start(work *w, const shape z, real h)
{
    for (int j = 0; j < z.n; j++) {
        const real *F = element(w->eval.out, z.B, j, 0), *P = element(w->eval.out, z.B, z.n + j, 0);
        real        most = r_set(0);
        for (int i = 0; i < z.r; i++) most = r_max(most, r_abs(P[i]) + r_abs(h * F[i]));
        w->scratch.at_start[j] = r_abs(w->state.p[j]) + most;
    }
}

/* speed_k = max_m |a_km| */
INLINE void speeds(work *w, const shape z)
{
    for (int k = 0; k < z.n; k++) {
        const real *a = w->scratch.a + k * z.s;
        if (z.s == WIDE) w->scratch.speed[k] = over_nodes(b_abs(*(const batch *)a));
        else {
            w->scratch.speed[k] = r_set(0);
            for (int m = 0; m < z.s; m++)
                w->scratch.speed[k] = r_max(w->scratch.speed[k], r_abs(a[m]));
        }
    }
}

/* sum + sum_k |M_jk| x_k over n coordinates; of many by the entries that are not 0: *y, the first
 * one of row j, becomes the first of row j + 1. */
INLINE real add_mass_row(const work *w, int n, int j, const noe_entry **y, const real *x, real sum)
{
    const noe_entry *const end = w->dyn->mass + w->dyn->masses;
    const real *const      row = w->newton.mass_bound + (size_t)j * (size_t)n;
    if (n <= NOE_MAX_DEGREE)
        for (int k = 0; k < n; k++) sum += row[k] * x[k];
    else
        for (; *y < end && (*y)->row == j; ++*y) sum += row[(*y)->col] * x[(*y)->col];
    return sum;
}

/* scale_j = at_start_j + sum_k max_i |L_vv,jk| speed_k: the size of the terms of R_j, to which
 * its rounding errors are relative. */
INLINE void scales(work *w, const shape z)
{
    const noe_entry *y = w->dyn->mass;
    speeds(w, z);
    for (int j = 0; j < z.n; j++)
        w->scratch.scale[j] = add_mass_row(w, z.n, j, &y, w->scratch.speed,
                                           w->scratch.at_start[j] + LEAST_DIVISOR);
}

/* The relative residual, max_jm |R_jm| / (scale_j + position_rounding_j / RESIDUAL_ROUNDINGS);
 * not finite when any R is not. */
INLINE real worst_residual(const work *w, const shape z)
{
    real worst = r_set(0), finite_probe = r_set(0);
    for (int j = 0; j < z.n; j++) {
        real most = r_set(0);
        for (int m = j * z.s; m < (j + 1) * z.s; m++) {
            most = r_max(most, r_abs(w->scratch.e[m]));
            finite_probe += w->scratch.e[m]
                          - w->scratch.e[m]; /* nan where R is; a maximum can lose a nan */
        }
        worst = r_max(
            worst,
            most / (w->scratch.scale[j] + w->newton.position_rounding[j] / RESIDUAL_ROUNDINGS));
    }
    return worst + finite_probe;
}

/* scaled = part times 1, h, h, h^2, for P_v, P_q, F_v, F_q; recomputed when h changes. */
INLINE void scale_parts(work *w, const shape z, real h)
{
    const real power[NOE_D_KINDS] = { r_set(1), h, h, h * h };
    if (!m_any(m_not(r_equal(*w->eval.scaled_h, h)))) return;
    *w->eval.scaled_h = h;
    for (int p = 0; p < NOE_D_KINDS; p++)
        for (int i = 0; i < z.r * z.K; i++)
            w->eval.scaled[p][i] = c_of(w->method.part[p][i]) * b_of(power[p]);
}

/* Simpson's method: which coefficients are not 0, for each kind of derivative and each node.
 * Bits 0 to 3 are the pairs of modes (m, k), bits 4 and 5 the modes of the kick. */
static const unsigned char simpson[NOE_D_KINDS][3] = {
    { 0x0f, 0x01, 0x0f }, { 0x00, 0x03, 0x05 }, { 0x33, 0x15, 0x30 }, { 0x00, 0x3f, 0x10 }
};

/* Two modes, three nodes, and 0 wherever simpson[] has no bit: is it Simpson's method, or one whose
 * step may be compiled as that? */
static bool has_simpson_zeros(const work *w)
{
    bool yes = w->s == 2 && w->r == 3;
    for (int p = 0; p < NOE_D_KINDS && yes; p++)
        for (int i = 0; i < w->r; i++)
            for (int k = 0; k < 6; k++)
                yes &= simpson[p][i] >> k & 1
                    || ((const num *)(w->method.part[p] + i * w->K))[k] == 0;
    return yes;
}

/* even and odd += A D over the even and the odd nodes, for one entry D of this kind and `count`
 * batches of the coefficients A from b on.  Products with coefficients that are 0 are left out
 * (whole batches of them; one by one where a batch is one node of several trajectories): adding
 * them would not change a sum that began as +0. */
INLINE void add_entry(const shape z, const batch *A, const int count, const int kind, const real *D,
                      batch *even, batch *odd)
{
    int i = 0;
#define NODE(sum, i)                                                                 \
    _Pragma("GCC unroll 6")                                                          \
    for (int k = 0; k < count; k++)                                                  \
        if (!z.simpson || (WIDE > 1 ? simpson[kind][i] : simpson[kind][i] >> k & 1)) \
            sum[k] += A[(i)*z.K + k] * b_of(D[i]);
    for (; i + 1 < z.r; i += 2) {
        NODE(even, i)
        NODE(odd, i + 1)
    }
    if (i < z.r) NODE(even, i)
#undef NODE
}

/* max_i |x_i y_i| over the nodes; y = NULL: max_i |x_i|. */
INLINE real largest(const shape z, const real *x, const real *y)
{
    real most = r_set(0);
    for (int i = 0; i < z.r; i++) most = r_max(most, r_abs(y ? x[i] * y[i] : x[i]));
    return most;
}

/* What a loop over pairs of coordinates reads, fetched from the memory of the step once. */
typedef struct {
    const batch *A[NOE_D_KINDS], /* coefficients of each kind [r][K] */
        *D;                      /* derivatives at the nodes, outputs of the tape [..][B] */
    batch *block;                /* room for the sums of a pair [K] */
    real  *kick_jacobian;        /* d kick / d a [n][N] */
} jacobian_parts;

INLINE jacobian_parts parts_of_jacobian(work *w)
{
    jacobian_parts x = { .D = w->eval.out,
                         .block = w->eval.block,
                         .kick_jacobian = w->newton.new_kick_jacobian };
    for (int kind = 0; kind < NOE_D_KINDS; kind++) x.A[kind] = w->eval.scaled[kind];
    return x;
}

/* block = sum over entries and nodes of A D, for `count` batches from b on.  Even and odd nodes
 * are summed separately, which halves the chain of dependent additions. */
INLINE void sums_of(const jacobian_parts *x, const shape z, int b, const int count, const int *at)
{
    batch even[REGISTER_SUMS], odd[REGISTER_SUMS];
#pragma GCC unroll 6
    for (int k = 0; k < count; k++) even[k] = odd[k] = b_zero();
#pragma GCC unroll 4
    for (int kind = 0; kind < NOE_D_KINDS; kind++)
        if (at[kind] >= 0)
            add_entry(z, x->A[kind] + b, count, kind, (const real *)(x->D + at[kind] * z.B), even,
                      odd);
#pragma GCC unroll 6
    for (int k = 0; k < count; k++) x->block[b + k] = even[k] + odd[k];
}

/* Where J goes: mode m of coordinate j has the row at J + row[j s + m], of coordinate l in it the
 * column column[l s]; row NULL: N rows of N numbers. */
typedef struct {
    real         *J;
    const size_t *row;
    const int    *column;
} jacobian_place;

INLINE real *place_of(jacobian_place to, const shape z, int j, int m, int l)
{
    const int i = j * z.s + m;
    return to.row ? to.J + to.row[i] + to.column[l * z.s]
                  : to.J + (size_t)i * (size_t)z.N + l * z.s;
}

/* to = from, [n]; in one piece where n is known when it is compiled. */
INLINE void copy_few(real *to, const real *from, int n)
{
    if (__builtin_constant_p(n)) memcpy((void *)to, from, (size_t)n * sizeof *to);
    else
        for (int k = 0; k < n; k++) to[k] = from[k];
}

/* The block of J and of new_kick_jacobian that belongs to the coordinates j and l. */
INLINE void jacobian_block(const jacobian_parts *x, const shape z, jacobian_place to, int j, int l,
                           const int *at)
{
    const int s = z.s, N = z.N, K = z.K;
    int       b = 0;
    for (; b + REGISTER_SUMS <= K; b += REGISTER_SUMS) sums_of(x, z, b, REGISTER_SUMS, at);
    for (; b + REGISTER_SUMS / 2 <= K; b += REGISTER_SUMS / 2)
        sums_of(x, z, b, REGISTER_SUMS / 2, at);
    for (; b < K; b++) sums_of(x, z, b, 1, at);
    const real *block = (const real *)x->block;
    for (int m = 0; m < s; m++) copy_few(place_of(to, z, j, m, l), block + m * s, s);
    copy_few(x->kick_jacobian + j * N + l * s, block + s * s, s);
}

/* The zeros of j and l that L and the forces do not couple; with to.row J has them already. */
INLINE void zero_block(work *w, const shape z, jacobian_place to, int j, int l)
{
    real *kick_row = w->newton.new_kick_jacobian + j * z.N + l * z.s;
    for (int m = 0; m < z.s && !to.row; m++)
        for (int k = 0; k < z.s; k++) place_of(to, z, j, m, l)[k] = r_set(0);
    for (int k = 0; k < z.s; k++) kick_row[k] = r_set(0);
}

/* Is less than half of D not 0?  Not asked for up to three coordinates.  No measurement of other
 * bounds is recorded. */
INLINE bool is_sparse(const work *w, const shape z)
{
    return z.n > 3 && 2 * w->dyn->entries < z.n * z.n * NOE_D_KINDS;
}

/* J = dR/da and new_kick_jacobian = d kick / da from D in w->eval.out.  With to.row (parts of a
 * constrained step) entries of J without derivative stay as they are: the caller has set them to
 * 0. */
INLINE void jacobian_matrix(work *w, const shape z, real h, jacobian_place to)
{
    scale_parts(w, z, h);
    const jacobian_parts x = parts_of_jacobian(w);
    if (is_sparse(w, z)) { /* by the pairs of coordinates that have entries */
        const coordinate_pair *y = w->newton.pair, *const end = y + w->newton.pairs;
        const int *const at = w->dyn->at;
        if (!to.row) memset((void *)to.J, 0, (size_t)(z.N * z.N) * sizeof *to.J);
        for (; y < end; y++)
            jacobian_block(&x, z, to, y->row, y->col, at + (y->row * z.n + y->col) * NOE_D_KINDS);
        return;
    }
    for (int j = 0; j < z.n; j++)
        for (int l = 0; l < z.n; l++) {
            const int *at = w->dyn->at + (j * z.n + l) * NOE_D_KINDS;
            if (at[0] >= 0 || at[1] >= 0 || at[2] >= 0 || at[3] >= 0)
                jacobian_block(&x, z, to, j, l, at);
            else zero_block(w, z, to, j, l);
        }
}

/* What the coordinates j and l add to the two bounds of jacobian(). */
INLINE void add_bounds(work *w, const shape z, real step, int j, int l)
{
    const int *at = w->dyn->at + (j * z.n + l) * NOE_D_KINDS;
    if (at[NOE_D_PV] >= 0)
        w->newton.new_mass_bound[j * z.n + l] = largest(
            z, element(w->eval.out, z.B, at[NOE_D_PV], 0), NULL);
    if (at[NOE_D_FQ] >= 0)
        w->newton.new_position_rounding[j] += step
                                            * largest(z, element(w->eval.out, z.B, at[NOE_D_FQ], 0),
                                                      element(w->eval.Q, z.B, l, 0));
}

/* The same, and the two bounds by which a step is judged: new_mass_bound = max_i
 * |L_vv| over the nodes and new_position_rounding_j = sum_k max_i |h F_q,jk Q_k|: a relative
 * rounding error of Q changes R_j by this times that error.  Where forces of large coordinates
 * balance and a coordinate is at rest, no other term bounds the rounding of R_j. */
INLINE void jacobian(work *w, const shape z, real h, jacobian_place to)
{
    const real step = r_abs(h);
    jacobian_matrix(w, z, h, to);
    for (int j = 0; j < z.n; j++) w->newton.new_position_rounding[j] = r_set(0);
    if (is_sparse(w, z)) {
        const coordinate_pair *const end = w->newton.pair + w->newton.pairs;
        for (const coordinate_pair *y = w->newton.pair; y < end; y++)
            add_bounds(w, z, step, y->row, y->col);
        return;
    }
    for (int j = 0; j < z.n; j++)
        for (int l = 0; l < z.n; l++) add_bounds(w, z, step, j, l);
}

#endif
