/* The way back over a step that follows a monitor: derivative/monitored_sensitivity.h, transposed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Transformed Lagrangian: with lambda = dJ/d(q, p, t, E) after a part of the step, the matrix A of
 * (da, dt_i, dE_i) gives A^T (mu, nu, xi) from the weights of these, and with alpha_i, beta_i of
 * derivative/step_adjoint.h, gamma_i = h (b_i lambda_t + sum_k B_ki nu_k) of dG_i and
 * delta_i = -h (b_i lambda_E + sum_k C_ki xi_k) of dT_i
 *     x_i = b_i (h F_q^T alpha_i + P_q^T beta_i) + gamma_i G_q + delta_i T_q  of dQ_i,
 *     lambda_q += sum_i x_i,  lambda_p += w mu,  lambda_t += sum_i nu_i,  lambda_E += sum_i xi_i,
 *     dJ/d(log h) += h lambda_q.(w a) + sum_i (h U_i.x_i + h b_i F_i.alpha_i + gamma_i G_i
 *                    + delta_i T_i),
 *     dJ/dc += sum_i (b_i (h alpha_i.F_c + beta_i.P_c) + gamma_i G_c + delta_i T_c).
 * Where L and G do not depend on t there are no dt_i, dE_i; lambda_E += h sum_i b_i G_q.alpha_i.
 *
 * Density of steps: of a step of length h = eps/rho the weights theta of its beginning and sigma of
 * h give, with psi = (dG/dt)/G before it and rho = rho_0 - eps psi,
 *     lambda_rho -= (h/rho) (lambda_t + sigma),  m = -eps lambda_rho,
 *     dJ/d(log eps) += h (lambda_t + sigma) + m psi,
 *     lambda_t += theta,  and m dpsi goes to (q, p, t, c). */
#ifndef NOE_DERIVATIVE_MONITORED_ADJOINT_H
#define NOE_DERIVATIVE_MONITORED_ADJOINT_H

#include "derivative/step_adjoint.h"

/* dJ/d(time of the state), dJ/d(E) or dJ/d(density), dJ/d(log of the step in fictitious time). */
INLINE real *pace_adjoint(const work *w, int which)
{
    return w->state.adjoint + 2 * w->n + w->dyn->model->params + which;
}

/* gamma_i of G at node i, delta_i of T = L_t or, of a density, m of psi. */
enum { OF_MONITOR, OF_RATE };
INLINE real *clock_weight(const work *w, int which, int i)
{
    return w->state.forces + (w->n + which) * w->r + i;
}
/* Room for one more adjoint [noe_equations_adjoint_numbers()]. */
INLINE real *adjoint_aside(const work *w) { return time_weight(w, TIME_WEIGHTS); }

/* dJ/dc += sum_i of G_c and of T_c or psi_c at `nodes` nodes, with their weights. */
static void add_clock_by_parameters(work *w, int nodes)
{
    const noe_tape *tape = w->eval.tape[CLOCK_ADJOINT];
    if (!tape) return;
    jet(w, CLOCK_ADJOINT, nodes);
    for (int o = 0; o < tape->outputs; o++) {
        const int which = o < w->dyn->clock_second ? OF_MONITOR : OF_RATE;
        real      sum = r_set(0);
        for (int i = 0; i < nodes; i++)
            sum += *clock_weight(w, which, i) * *element(w->eval.out, w->B, o, i);
        w->state.adjoint[2 * w->n + w->dyn->clock_by[o]] += sum;
    }
}

/* ---- transformed Lagrangian ---- */

/* The weights of da, dt_i and dE_i, to b [U]. */
static void weights_of_unknowns(work *w, real h, real *b)
{
    const int         n = w->n, s = w->s, r = w->r, N = w->N, t = w->dyn->mixed_time;
    const bool        times = w->dyn->clocked;
    const real *const lq = w->state.adjoint, *const lp = lq + n, lt = *pace_adjoint(w, OF_TIME),
                      lE = *pace_adjoint(w, OF_LEVEL);
    for (int i = 0; i < N; i++) {
        b[i] = h * w->method.w[i % s] * lq[i / s];
        for (int j = 0; j < n; j++) b[i] += w->newton.new_kick_jacobian[j * N + i] * lp[j];
        for (int k = 0; k < r; k++) {
            const int  j = i / s;
            const real along = h * I_at(w, k, i % s), hb = h * w->method.b[k];
            b[i] += hb * lt * of_clock(w, 1 + j, k) * along;
            if (times)
                b[i] -= hb * lE
                      * (mixed(w, t + j, k) * along + mixed(w, t + n + j, k) * l_at(w, k, i % s));
        }
    }
    for (int i = 0; i < r && times; i++) {
        const real hb = h * w->method.b[i], G_t = of_clock(w, at_time(w), i);
        b[N + i] = hb * (lt * G_t - lE * of_clock(w, at_time(w) + 2, i));
        b[N + r + i] = -hb * lE * G_t;
        for (int j = 0; j < n; j++) {
            b[N + i] += hb * mixed(w, t + j, i) * lp[j];
            b[N + r + i] += hb * of_clock(w, 1 + j, i) * lp[j];
        }
    }
}

/* The matrix of (da, dt_i, dE_i), of the forward equations, to transposed() [U][U]. */
static void fill_monitored(work *w, real h, int U)
{
    const size_t row = (size_t)w->state.row_batches * WIDE;
    memset((void *)w->state.right_sides, 0,
           (size_t)(U * w->state.row_batches) * sizeof *w->state.right_sides);
    for (int i = 0; i < w->N; i++)
        memcpy((void *)matrix_entry(w, i, 0), w->newton.J + i * w->N, (size_t)w->N * sizeof(real));
    if (w->dyn->clocked) add_node_times(w, h);
    for (int i = 1; i < U; i++) /* rows without right sides */
        memmove((void *)(transposed(w) + i * U), transposed(w) + (size_t)i * row,
                (size_t)U * sizeof(real));
}

/* gamma_i and delta_i from nu and xi. */
static void place_clock_weights(work *w, real h, const real *nu, const real *xi)
{
    const real lt = *pace_adjoint(w, OF_TIME), lE = *pace_adjoint(w, OF_LEVEL);
    for (int i = 0; i < w->r; i++) {
        real later = lt, higher = lE;
        for (int k = 0; k < w->r && w->dyn->clocked; k++) {
            num B = 0, C = 0;
            for (int m = 0; m < w->s; m++) {
                B += I_at(w, k, m) * l_at(w, i, m);
                C += l_at(w, k, m) * X_at(w, i, m);
            }
            later += B * nu[k], higher += C * xi[k];
        }
        *clock_weight(w, OF_MONITOR, i) = h * w->method.b[i] * later;
        *clock_weight(w, OF_RATE, i) = -h * w->method.b[i] * higher;
    }
}

/* What the weights of dG_i and dT_i add to lambda_q; returns what they add to dJ/d(log h). */
static real clock_back(work *w, real h)
{
    const bool times = w->dyn->clocked;
    real       longer = r_set(0);
    for (int i = 0; i < w->r; i++) {
        const real gamma = *clock_weight(w, OF_MONITOR, i), delta = *clock_weight(w, OF_RATE, i);
        longer += gamma * of_clock(w, 0, i);
        if (times) longer += delta * of_clock(w, at_time(w) + 1, i);
        for (int j = 0; j < w->n; j++) {
            real x = gamma * of_clock(w, 1 + j, i);
            if (times) x += delta * mixed(w, w->dyn->mixed_time + j, i);
            w->state.adjoint[j] += x;
            longer += h * x * *node_move(w, i, j);
        }
    }
    return longer;
}

/* Takes lambda back over one part of a step, whose state, time and energy are placed. */
static void transformed_back(work *w, const real *modes)
{
    const int   n = w->n, r = w->r, N = w->N, U = N + (w->dyn->clocked ? 2 * r : 0);
    const real  h = w->state.length;
    real *const lp = w->state.adjoint + n, *const b = transposed_rows(w, 1),
                *const mu = transposed_rows(w, 2), *const nu = mu + N, *const xi = nu + r;
    place_level(w, *w->state.level);
    linearize(w, of(w), modes, MIXED);
    weights_of_unknowns(w, h, b);
    fill_monitored(w, h, U);
    lu_factor(transposed(w), transposed_rows(w, 0), U);
    lu_solve_transposed(transposed(w), transposed_rows(w, 0), U, b, mu);
    memcpy((void *)w->scratch.d, mu, (size_t)N * sizeof *mu);
    place_clock_weights(w, h, nu, xi);
    place_node_moves(w, modes);
    real longer = h * drift_back(w, modes);
    place_weights(w, w->method.l_m, NULL, -1);
    longer += h * add_entries(w, NOE_D_PQ, r_set(1));
    place_weights(w, w->method.X_m, lp, 1);
    longer += h * (add_entries(w, NOE_D_FQ, h) + kick_back(w));
    for (int i = 0; i < r; i++)
        for (int j = 0; j < n && !w->dyn->clocked; j++)
            *pace_adjoint(w, OF_LEVEL) += h * w->method.b[i] * of_clock(w, 1 + j, i)
                                        * *element(w->eval.Y, w->B, j, i);
    longer += clock_back(w, h);
    for (int i = 0; i < r && w->dyn->clocked; i++)
        *pace_adjoint(w, OF_TIME) += nu[i], *pace_adjoint(w, OF_LEVEL) += xi[i];
    *pace_adjoint(w, OF_LENGTH) += longer;
    add_by_parameters(w, FORCE_ADJOINT, r, w->method.b, h);
    if (w->eval.tape[MOMENTUM_ADJOINT]) {
        place_weights(w, w->method.l_m, NULL, -1);
        add_by_parameters(w, MOMENTUM_ADJOINT, r, w->method.b, r_set(1));
    }
    add_clock_by_parameters(w, r);
    for (int i = 0; i < N; i++) lp[i / w->s] += w->method.w[i % w->s] * mu[i];
}

/* ---- density of steps ---- */

/* Takes the weight of psi back to (q, p, t, c) at the placed state. */
static void psi_back(work *w, real weight)
{
    const int   n = w->n, psi = w->dyn->mixed_clock + 1 + n;
    real *const lq = w->state.adjoint, *const lp = lq + n, *const lt = pace_adjoint(w, OF_TIME),
                *const z = w->scratch.d;
    const site         x = here(w);
    const mass_factors M = factored_mass(w);
    for (int j = 0; j < n; j++) {
        lq[j] += weight * output(w, psi + 1 + j);
        w->scratch.e[j] = weight * output(w, psi + 1 + n + j);
    }
    lu_solve_transposed(M.LU, M.pivot, n, w->scratch.e, z);
    *lt += weight * output(w, psi + 1 + 2 * n);
    for (int j = 0; j < n; j++) lp[j] += z[j], *lt -= rate_at(w, n + j, 0) * z[j];
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
        if (y->kind == NOE_D_PQ) lq[y->col] -= output(w, y->output) * z[y->row];
    add_by_parameters_at(w, MOMENTUM_ADJOINT, &x, w->state.v, z, r_set(-1));
    *clock_weight(w, OF_MONITOR, 0) = r_set(0), *clock_weight(w, OF_RATE, 0) = weight;
    add_clock_by_parameters(w, 1);
}

/* Takes the adjoints of time, density and fictitious step back over a step of this density, after
 * lambda; the state before the step is placed. */
static void density_back(work *w, real density)
{
    const site x = here(w);
    const real h = *w->state.h, eps = *w->state.fictitious,
               end = *pace_adjoint(w, OF_TIME) + *time_weight(w, BY_LENGTH);
    real *const of_density = pace_adjoint(w, OF_DENSITY);
    *of_density -= end * h / density;
    *pace_adjoint(w, OF_TIME) += *time_weight(w, BY_BEGINNING);
    real bad = r_set(0);
    if (w->kind == NOE_SPLITTING) split_velocities(w, NULL, w->state.v);
    else /* of a record they may be a guess */
        bad = doubt(velocities_at(w, &x, NULL, m_all(1), w->state.v));
    jet_at(w, MIXED, &x, w->state.v);
    const real weight = bad - eps * *of_density, psi = output(w, w->dyn->mixed_clock + 1 + w->n);
    *pace_adjoint(w, OF_LENGTH) += end * h + weight * psi;
    psi_back(w, weight);
}

#endif
