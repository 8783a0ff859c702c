/* S <- dS over a Galerkin step of a transformed Lagrangian, with d of time, energy and step length.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Along a column (dq, dp, dt, dE), with lambda = d log h, h the step in fictitious time,
 *     dQ_i = dq + h (lambda U_i + I_i.da),  dV_i = l_i.da,  U_i = I_i.a,
 *     dF_i = F_q dQ_i + F_v dV_i + F_t dt_i + G_q dE_i + F_c,  dP_i likewise, without dE_i,
 *     sum_i b_i (l_im dP_i - h X_im (dF_i + lambda F_i)) = w_m dp,
 *     dG_i = G_q dQ_i + G_t dt_i + G_c,  dT_i = F_t dQ_i + P_t dV_i + T_t dt_i + G_t dE_i + T_c
 * with T = dL/dt.  Where L and G do not depend on t, dE_i = dE; else, as in node_times(),
 *     dt_i = dt + h sum_k B_ik (dG_k + lambda G_k),  B_ik = sum_m I_im l_km b_k,
 *     dE_i = dE - h sum_k C_ik (dT_k + lambda T_k),  C_ik = sum_m l_im X_km b_k
 * are unknowns beside da.  At the end dq + h w.(da + lambda a), dp + h sum b (dF + lambda F),
 * dt + h sum b (dG + lambda G), dE - h sum b (dT + lambda T).
 * One column more, with lambda = 1 and all else 0, is the derivative by the length of the step: a
 * step that ends at a given time has the length that keeps it there. */
#ifndef NOE_DERIVATIVE_MONITORED_SENSITIVITY_H
#define NOE_DERIVATIVE_MONITORED_SENSITIVITY_H

#include "derivative/constrained_sensitivity.h"

/* Row OF_TIME, OF_LEVEL or OF_LENGTH of all columns [wide]; before the part, and after it. */
INLINE real *more_row(const work *w, int which)
{
    return w->state.kicks + (3 * w->n + which) * w->state.wide;
}

/* Rows of one node of all columns [wide]: dQ_j, dF_j, dP_j of it, then dG and dT of every node. */
INLINE real *node_row(const work *w, int which, int j)
{
    return w->state.forces + (which * w->n + j) * w->state.wide;
}
INLINE real *pace_row(const work *w, int i) { return node_row(w, 3, 0) + i * w->state.wide; }
INLINE real *power_row(const work *w, int i) { return pace_row(w, w->r + i); }
enum { OF_Q, OF_F, OF_P };

/* Output o of the tape MIXED at node i; G and what follows it, from `mixed_clock` on. */
INLINE real mixed(const work *w, int o, int i) { return *element(w->eval.out, w->B, o, i); }
INLINE real of_clock(const work *w, int o, int i) { return mixed(w, w->dyn->mixed_clock + o, i); }
INLINE int  at_time(const work *w) { return 1 + w->n + w->dyn->columns; } /* G_t, T, T_t, T_c */

/* I_m(c_i), l_m(c_i) and the integral of l_m from c_i to 1. */
INLINE num I_at(const work *w, int i, int m) { return ((const num *)(w->method.I + m * w->B))[i]; }
INLINE num l_at(const work *w, int i, int m)
{
    return ((const num *)(w->method.l_m + i * w->S))[m];
}
INLINE num X_at(const work *w, int i, int m)
{
    return ((const num *)(w->method.X_m + i * w->S))[m];
}

/* linearize_last() at the time and the energy before the part. */
static void linearize_monitored(work *w)
{
    real *const balance = w->state.balance, *const level = w->state.level;
    w->state.balance = w->state.saved_state + 5 * w->n;
    if (w->dyn->clocked) w->state.level = w->state.balance + LEVEL;
    place_level(w, *w->state.level);
    linearize_last(w, of(w));
    w->state.balance = balance, w->state.level = level;
}

/* dQ, dF and dP of node i, and dG and dT of it, at fixed modes and, where they are unknown, fixed
 * times and energies of the nodes. */
static void node_at_fixed_modes(work *w, int i, real h)
{
    const int         n = w->n, wide = w->state.wide;
    const bool        times = w->dyn->clocked;
    const real *const lambda = more_row(w, OF_LENGTH);
    memset((void *)node_row(w, OF_F, 0), 0, (size_t)(2 * n * wide) * sizeof(real));
    memset((void *)pace_row(w, i), 0, (size_t)wide * sizeof(real));
    memset((void *)power_row(w, i), 0, (size_t)wide * sizeof(real));
    for (int j = 0; j < n; j++) {
        real U = r_set(0);
        for (int m = 0; m < w->s; m++) U += I_at(w, i, m) * w->scratch.a[j * w->s + m];
        memcpy((void *)node_row(w, OF_Q, j), S_row(w, j), (size_t)wide * sizeof(real));
        add_multiple(node_row(w, OF_Q, j), h * U, lambda, wide);
        add_multiple(pace_row(w, i), of_clock(w, 1 + j, i), node_row(w, OF_Q, j), wide);
        if (times)
            add_multiple(power_row(w, i), mixed(w, w->dyn->mixed_time + j, i), node_row(w, OF_Q, j),
                         wide);
        else add_multiple(node_row(w, OF_F, j), of_clock(w, 1 + j, i), more_row(w, OF_LEVEL), wide);
    }
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
        if (y->kind == NOE_D_FQ || y->kind == NOE_D_PQ)
            add_multiple(node_row(w, y->kind == NOE_D_FQ ? OF_F : OF_P, y->row),
                         mixed(w, y->output, i), node_row(w, OF_Q, y->col), wide);
    for (int c = 0; c < w->dyn->columns; c++) {
        pace_row(w, i)[c] += of_clock(w, 1 + n + c, i);
        if (times) power_row(w, i)[c] += of_clock(w, at_time(w) + 3 + c, i);
        for (int j = 0, at = w->dyn->mixed_at[c]; j < n && at >= 0; j++) {
            node_row(w, OF_F, j)[c] += mixed(w, at + j, i);
            node_row(w, OF_P, j)[c] += mixed(w, at + n + j, i);
        }
    }
}

/* Right sides of the modes, and d kick, at fixed modes: of node i. */
static void add_node(work *w, int i, real h)
{
    const int  wide = w->state.wide;
    const real b = r_set(w->method.b[i]);
    for (int j = 0; j < w->n; j++) {
        real *const dF = node_row(w, OF_F, j);
        add_multiple(dF, mixed(w, j, i), more_row(w, OF_LENGTH), wide);
        add_multiple(kick_row(w, j), h * b, dF, wide);
        for (int m = 0; m < w->s; m++) {
            real *const right = right_row(w, j * w->s + m);
            add_multiple(right, b * l_at(w, i, m), node_row(w, OF_P, j), wide);
            add_multiple(right, -h * b * X_at(w, i, m), dF, wide);
        }
    }
    add_multiple(pace_row(w, i), of_clock(w, 0, i), more_row(w, OF_LENGTH), wide);
    if (w->dyn->clocked)
        add_multiple(power_row(w, i), of_clock(w, at_time(w) + 1, i), more_row(w, OF_LENGTH), wide);
}

/* Matrix and right sides that belong to dt_i and dE_i, unknowns N + i and N + r + i. */
static void add_node_times(work *w, real h)
{
    const int n = w->n, s = w->s, r = w->r, N = w->N, wide = w->state.wide, t = w->dyn->mixed_time;
    for (int i = 0; i < r; i++) {
        real *const time = right_row(w, N + i), *const level = right_row(w, N + r + i);
        *matrix_entry(w, N + i, N + i) += r_set(1);
        *matrix_entry(w, N + r + i, N + r + i) += r_set(1);
        add_multiple(time, r_set(-1), more_row(w, OF_TIME), wide);
        add_multiple(level, r_set(-1), more_row(w, OF_LEVEL), wide);
        for (int k = 0; k < r; k++) {
            num B = 0, C = 0;
            for (int m = 0; m < s; m++) {
                B += I_at(w, i, m) * l_at(w, k, m);
                C += l_at(w, i, m) * X_at(w, k, m);
            }
            const real hB = h * (B * w->method.b[k]), hC = h * (C * w->method.b[k]),
                       G_t = of_clock(w, at_time(w), k);
            add_multiple(time, -hB, pace_row(w, k), wide);
            add_multiple(level, hC, power_row(w, k), wide);
            *matrix_entry(w, N + i, N + k) -= hB * G_t;
            *matrix_entry(w, N + r + i, N + k) += hC * of_clock(w, at_time(w) + 2, k);
            *matrix_entry(w, N + r + i, N + r + k) += hC * G_t;
            for (int j = 0; j < n; j++)
                for (int m = 0; m < s; m++) {
                    const real along = h * I_at(w, k, m);
                    *matrix_entry(w, N + i, j * s + m) -= hB * of_clock(w, 1 + j, k) * along;
                    *matrix_entry(w, N + r + i, j * s + m) +=
                        hC * (mixed(w, t + j, k) * along + mixed(w, t + n + j, k) * l_at(w, k, m));
                }
        }
        for (int j = 0; j < n; j++)
            for (int m = 0; m < s; m++) {
                const real b = r_set(w->method.b[i]), bl = b * l_at(w, i, m),
                           hbX = h * b * X_at(w, i, m);
                *matrix_entry(w, j * s + m, N + i) += bl * mixed(w, t + n + j, i)
                                                    - hbX * mixed(w, t + j, i);
                *matrix_entry(w, j * s + m, N + r + i) -= hbX * of_clock(w, 1 + j, i);
            }
    }
}

/* Adds to dt and dE, and to d kick, what follows from the unknowns at node i; -(da, dt_i, dE_i)
 * stand in the right sides. */
static void move_monitored(work *w, int i, real h)
{
    const int   n = w->n, s = w->s, N = w->N, wide = w->state.wide, t = w->dyn->mixed_time;
    real *const dG = pace_row(w, i), *const dT = power_row(w, i);
    const real hb = h * w->method.b[i];
    const bool times = w->dyn->clocked;
    for (int j = 0; j < n; j++)
        for (int m = 0; m < s; m++) {
            const real *const minus = right_row(w, j * s + m), along = h * I_at(w, i, m);
            subtract_multiple(dG, of_clock(w, 1 + j, i) * along, minus, wide);
            if (times)
                subtract_multiple(
                    dT, mixed(w, t + j, i) * along + mixed(w, t + n + j, i) * l_at(w, i, m), minus,
                    wide);
        }
    if (times) {
        const real *const dt = right_row(w, N + i), *const dE = right_row(w, N + w->r + i),
                          G_t = of_clock(w, at_time(w), i);
        subtract_multiple(dG, G_t, dt, wide);
        subtract_multiple(dT, of_clock(w, at_time(w) + 2, i), dt, wide);
        subtract_multiple(dT, G_t, dE, wide);
        for (int j = 0; j < n; j++) {
            subtract_multiple(kick_row(w, j), hb * mixed(w, t + j, i), dt, wide);
            subtract_multiple(kick_row(w, j), hb * of_clock(w, 1 + j, i), dE, wide);
        }
        add_multiple(more_row(w, OF_LEVEL), -hb, dT, wide);
    }
    add_multiple(more_row(w, OF_TIME), hb, dG, wide);
}

/* The rows of (q, p, t, E) [2n + 2] and, of the length, all columns, from S [2n + 2][columns + 1].
 */
static void place_columns(work *w, const real *S)
{
    const int n = w->n, k = w->dyn->columns, wide = w->state.wide;
    memset((void *)w->state.kicks, 0, (size_t)((3 * n + MORE_ROWS) * wide) * sizeof(real));
    for (int a = 0; a < 2 * n + 2; a++)
        memcpy((void *)S_row(w, a), S + a * (k + 1), (size_t)(k + 1) * sizeof *S);
    memcpy((void *)more_row(w, OF_LENGTH), w->state.shift + OF_LENGTH * k, (size_t)k * sizeof *S);
    more_row(w, OF_LENGTH)[k] = r_set(1);
}

/* S [2n + 2][columns + 1], rows (q, p, t, E), of the member after the part of the step that it has
 * just made.  False when it is not finite; then the member is where it was before that part. */
static bool monitored_sensitivity(work *w, int member, real *S)
{
    const int n = w->n, s = w->s, N = w->N, k = w->dyn->columns, wide = w->state.wide,
              U = N + (w->dyn->clocked ? 2 * w->r : 0);
    const real h = w->state.length;
    real       finite_probe = r_set(0);
    linearize_monitored(w);
    place_columns(w, S);
    memset((void *)w->state.right_sides, 0,
           (size_t)(U * w->state.row_batches) * sizeof *w->state.right_sides);
    for (int i = 0; i < N; i++) {
        memcpy((void *)matrix_entry(w, i, 0), w->newton.J + i * N, (size_t)N * sizeof(real));
        add_multiple(right_row(w, i), r_set(-w->method.w[i % s]), S_row(w, n + i / s), wide);
    }
    for (int i = 0; i < w->r; i++) node_at_fixed_modes(w, i, h), add_node(w, i, h);
    if (w->dyn->clocked) add_node_times(w, h);
    eliminate_beside(w->state.right_sides, U, w->state.row_batches, right_from(w), wide);
    for (int i = 0; i < w->r; i++) move_monitored(w, i, h);
    for (int j = 0; j < n; j++) {
        real drift = r_set(0);
        for (int m = 0; m < s; m++) {
            drift += w->method.w[m] * w->scratch.a[j * s + m];
            subtract_multiple(S_row(w, j), h * w->method.w[m], right_row(w, j * s + m), wide);
        }
        add_multiple(S_row(w, j), h * drift, more_row(w, OF_LENGTH), wide);
        for (int i = 0; i < N; i++)
            subtract_multiple(kick_row(w, j), w->newton.new_kick_jacobian[j * N + i],
                              right_row(w, i), wide);
        add_multiple(S_row(w, n + j), r_set(1), kick_row(w, j), wide);
    }
    for (int a = 0; a < 2 * n + 2; a++)
        for (int c = 0; c <= k; c++) finite_probe += S[a * (k + 1) + c] = S_row(w, a)[c];
    return is_differentiated(w, member, finite_probe);
}

/* S [2n + 2][columns + 1] before a step, with the column of its length, which is 0. */
static void begin_monitored_rows(const work *w, real *S)
{
    const int k = w->dyn->columns, rows = 2 * w->n + 2;
    for (int a = 0; a < rows; a++) {
        memcpy((void *)(S + a * (k + 1)), w->state.sensitivity + a * k, (size_t)k * sizeof *S);
        S[a * (k + 1) + k] = r_set(0);
    }
}

/* What was computed of a member becomes its state. */
static void keep_monitored_rows(work *w, int member, const real *S)
{
    const int k = w->dyn->columns;
    for (int a = 0; a < 2 * w->n + 2; a++)
        for (int c = 0; c < k; c++)
            r_put(&w->state.sensitivity[a * k + c], member, r_member(S[a * (k + 1) + c], member));
}

/* The step ends at a given time: its length moves so that dt = 0. */
static void hold_time(const work *w, real *S)
{
    const int         k = w->dyn->columns, wide = k + 1;
    const real *const t = S + 2 * w->n * wide;
    for (int c = 0; c < k; c++) {
        const real share = t[c] / t[k];
        for (int a = 0; a < 2 * w->n + 2; a++) S[a * wide + c] -= share * S[a * wide + k];
        S[2 * w->n * wide + c] = r_set(0);
    }
}

/* q' and p' in fictitious time of the motion that is stepped, in w->state.v (+ *w->state.unsolved)
 * and output(w, 0 .. n - 1); returns G, 1 where that time is t. */
static real rates_here(work *w)
{
    real rate;
    update_velocities(w);
    if (w->dyn->transformed) place_level(w, *w->state.level);
    const real G = w->dyn->transformed ? monitor_here(w, &rate) : r_set(1);
    const site at = here(w);
    jet_at(w, GRADIENT, &at, w->state.v);
    return G;
}

/* x [2n][columns], S of a member at the end of a step, becomes that at the time of the state: less
 * dt (q', p'), which a step of length 0 has; those of the transformed Lagrangian where there is
 * one. */
static void at_fixed_time(work *w, int member, quad *x)
{
    const int n = w->n, k = w->dyn->columns;
    bool      some = false;
    for (int c = 0; c < k; c++) some |= r_member(w->state.shift[c], member) != 0;
    if (!some) return;
    const real G = rates_here(w);
    for (int c = 0; c < k; c++) {
        const real shift = w->state.shift[c] / G;
        for (int j = 0; j < n; j++) {
            x[j * k + c] -= r_member(shift * (w->state.v[j] + *w->state.unsolved), member);
            x[(n + j) * k + c] -= r_member(shift * output(w, j), member);
        }
    }
}

#endif
