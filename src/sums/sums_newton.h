/* A step by simplified Newton iterations, for stiff sums where the fixed point is slow or diverges.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     y <- y - (G (x) M + h^2 Theta (x) K)^-1 R(y),   K = U''(q) of an earlier step.
 *
 * The unknowns are the modes y = h a of the velocity: Q_i = q + sum_m I_im y_m and
 *     R_m = sum_k G_mk M y_k - w_m h p - h^2 sum_i b_i X_im F(Q_i),
 *     G = sum_i b_i l_i l_i',   Theta = sum_i b_i X_i I_i'.
 * In the basis of the eigenvectors T of G^-1 Theta this separates into one symmetric matrix M +
 * mu_j h^2 K for every real eigenvalue, and one complex matrix for every conjugate pair
 * (doc/theory.md, section 14).  Simpson: mu = 0, 1/24.  The matrices are used again as long as the
 * iterations that new ones would save cost less than making them. */
#ifndef NOE_SUMS_SUMS_NEWTON_H
#define NOE_SUMS_SUMS_NEWTON_H

#include "sums/sums_energy.h"

#include <stdio.h>

/* A loop over all places or unknowns, divided among the threads; no thread reads what another one
 * writes. */
typedef struct {
    const work *w;    /* the engine */
    int         node; /* node for node_by */
    double      h;    /* step length */
    /* Results of each thread, padded to a cache line: largest change of a position, largest
     * position. */
    struct {
        double most, size, rest[6];
    } of[NOE_THREADS_MOST];
} sweep;

/* Runs the loop, by one thread if there are few coordinates. */
static void sweep_all(void (*part)(void *, int), sweep *x)
{
    if (x->w->g->n >= ONE_THREAD_PLACES) noe_thread_team_do(x->w->tiles.team, part, x);
    else part(x, 0);
}

/* First index, a multiple of the vector length, of the part of thread `me` in a loop of length
 * `count`. */
static int64_t part_from(const work *w, int me, int64_t count)
{
    const int64_t vectors = (count + LANES - 1) / LANES,
                  size = w->g->n >= ONE_THREAD_PLACES ? noe_thread_team_size(w->tiles.team) : 1,
                  from = vectors * me / size * LANES;
    return from < count ? from : count;
}

/* Positions at a node, the part of thread `me`: Q_i = q + dq + sum_m I_im y_m. */
static void node_by(void *ctx, int me)
{
    const sweep             *y = ctx;
    const work              *w = y->w;
    const sums_newton_state *x = w->newton;
    const double            *q = array(w, w->state.now, A_Q), *dq = array(w, w->state.now, A_DQ);
    const int64_t            end = part_from(w, me + 1, (int64_t)w->state.wide);
    for (int64_t k = part_from(w, me, (int64_t)w->state.wide); k < end; k += LANES) {
        lanes d = VECTOR(dq + k);
        for (int m = 0; m < x->modes.s; m++) d += x->modes.I[y->node][m] * VECTOR(x->y[m] + k);
        *(loose *)(x->Q[y->node] + k) = (loose)(VECTOR(q + k) + d);
    }
}

/* Positions at node i. */
static void node_at(const work *w, int i)
{
    sweep x = { .w = w, .node = i };
    sweep_all(node_by, &x);
}

/* Whether a new matrix costs less than the iterations that it saves.  e: last correction; ratio:
 * contraction; floor: the correction at which the iteration ends. */
static bool new_matrix_pays(const work *w, double e, double ratio, double floor)
{
    const double left = ratio < 1 ? log(floor / e) / log(ratio) : SPARSE_NEWTON_ITERATIONS;
    return (left - ITERATIONS_WITH_NEW_MATRIX) * (w->cost.round + w->cost.solve) > w->cost.matrix;
}

/* R_m <- sum_k G_mk M y_k if M is not diagonal. */
static void inertia_of(const sums_newton_state *x)
{
    for (int m = 0; m < x->modes.s; m++) {
        for (int k = 0; k < x->K->at.n; k++) {
            x->v[k] = 0;
            for (int l = 0; l < x->modes.s; l++)
                x->v[k] += x->modes.G[m][l] * x->y[l][x->K->place[k]];
        }
        mass_times(x->K, x->v, x->R[m]);
    }
}

/* R <- T^-1 G^-1 R(y), the residuals of the separated equations; the part of thread `me`. */
static void residuals_by(void *ctx, int me)
{
    const sweep             *y = ctx;
    const work              *w = y->w;
    const sums_newton_state *x = w->newton;
    const int                n = x->K->at.n, s = x->modes.s;
    const double            *p = array(w, w->state.now, A_P), *dp = array(w, w->state.now, A_DP),
                 *F0 = array(w, w->state.now, A_F);
    const double  h = y->h, h2 = h * h;
    const int64_t end = part_from(w, me + 1, n);
    for (int64_t k = part_from(w, me, n); k < end; k++) {
        const int    at = x->K->place[k];
        const double mass = x->K->M[x->K->at.start[k + 1] - 1];
        double       r[NOE_MAX_DEGREE];
        for (int m = 0; m < s; m++) {
            double inertia = 0, force = w->method.first ? x->modes.bX[0][m] * F0[at] : 0;
            for (int l = 0; l < s; l++) inertia += x->modes.G[m][l] * x->y[l][at];
            for (int i = w->method.lo; i < w->method.hi; i++)
                force += x->modes.bX[i][m] * x->F[i][at];
            r[m] = (x->mass ? x->R[m][k] : mass * inertia) - x->modes.w[m] * h * (p[at] + dp[at])
                 - h2 * force;
        }
        /* Of a conjugate pair: real parts in R[j], imaginary parts in R[j + 1]. */
        for (int j = 0; j < s; j++) {
            double sum = 0;
            for (int m = 0; m < s; m++) sum += x->modes.to[j][m] * r[m];
            x->R[j][k] = sum;
        }
    }
}

/* R <- the corrections of the modes in the basis T: residuals, then one solve for each mu_j. */
static void correct(const work *w, double h)
{
    const sums_newton_state *x = w->newton;
    sweep                    y = { .w = w, .h = h };
    if (x->mass) inertia_of(x);
    sweep_all(residuals_by, &y);
    for (int j = 0, at = 0; j < x->modes.shifts; j++) {
        if (mass_alone(&x->modes, j)) mass_divide(x->K, x->mass, x->R[at]);
        else noe_ldl_solve(x->ldl, j, x->R[at], j < x->modes.real ? NULL : x->R[at + 1]);
        at += j < x->modes.real ? 1 : 2;
    }
}

/* The larger of a and b; INFINITY if b is NaN. */
static double larger(double a, double b) { return b > a || b != b ? (b != b ? INFINITY : b) : a; }

/* y <- y - T R, the part of thread `me`. */
static void move_by(void *ctx, int me)
{
    sweep                   *y = ctx;
    const work              *w = y->w;
    const sums_newton_state *x = w->newton;
    const int                n = x->K->at.n, s = x->modes.s;
    const double            *q = array(w, w->state.now, A_Q);
    double                   most = 0, large = 0;
    const int64_t            last = part_from(w, me + 1, n);
    for (int64_t k = part_from(w, me, n); k < last; k++) {
        const int at = x->K->place[k];
        double    d[NOE_MAX_DEGREE], end = 0, old = 0;
        for (int m = 0; m < s; m++) {
            d[m] = 0;
            for (int j = 0; j < s; j++) d[m] += x->modes.from[m][j] * x->R[j][k];
            x->y[m][at] -= d[m];
            end += x->modes.w[m] * d[m], old += x->modes.w[m] * x->y[m][at];
        }
        most = larger(most, fabs(end));
        large = larger(large, larger(fabs(q[at]), fabs(q[at] + old)));
        for (int i = w->method.lo; i < w->method.hi; i++) {
            double change = 0;
            for (int m = 0; m < s; m++) change += x->modes.I[i][m] * d[m];
            most = larger(most, fabs(change));
        }
    }
    y->of[me].most = most, y->of[me].size = large;
}

/* Corrects the modes.  Returns the largest change of a position at a node or at the end; *size: the
 * largest position. */
static double move(const work *w, double *size)
{
    sweep  x = { .w = w };
    double most = *size = 0;
    sweep_all(move_by, &x);
    for (int i = 0; i < NOE_THREADS_MOST; i++) {
        most = larger(most, x.of[i].most);
        *size = larger(*size, x.of[i].size);
    }
    return most;
}

/* Writes the state at the end of the step to w->state.next.  False: it is not finite. */
static bool arrive_everywhere(work *w, double h, double t)
{
    const sums_newton_state *x = w->newton;
    const double            *q = array(w, w->state.now, A_Q), *dq = array(w, w->state.now, A_DQ),
                 *p = array(w, w->state.now, A_P), *dp = array(w, w->state.now, A_DP),
                 *F = array(w, w->state.now, A_F), *m = w->g->inverse;
    double *to = array(w, w->state.next, A_Q), *to_dq = array(w, w->state.next, A_DQ),
           *to_p = array(w, w->state.next, A_P), *to_dp = array(w, w->state.next, A_DP),
           *end = x->end;
    const lanes zero = { 0 };
    lanes       not_finite = zero;
    for (size_t k = 0; k < w->state.wide; k += LANES) {
        lanes d = VECTOR(dq + k), lost;
        for (int l = 0; l < x->modes.s; l++) d += x->modes.w[l] * VECTOR(x->y[l] + k);
        *(loose *)(to + k) = (loose)two_sum_lanes(VECTOR(q + k), d, &lost);
        *(loose *)(to_dq + k) = (loose)lost;
    }
    if (w->method.last) forces_everywhere(w, t + h, to, end);
    for (size_t k = 0; k < w->state.wide; k += LANES) {
        lanes sum = zero, lost;
        if (w->method.first) sum = w->method.b[0] * VECTOR(F + k);
        for (int i = w->method.lo; i < w->method.hi; i++)
            sum += w->method.b[i] * VECTOR(x->F[i] + k);
        if (w->method.last) sum += w->method.b[w->method.r - 1] * VECTOR(end + k);
        sum = lanes_if(lanes_equal((lanes)VECTOR(m + k), zero), zero, h * sum);
        *(loose *)(to_p + k) = (loose)two_sum_lanes(VECTOR(p + k), sum + VECTOR(dp + k), &lost);
        *(loose *)(to_dp + k) = (loose)lost;
        not_finite += VECTOR(to + k) - VECTOR(to + k) + (VECTOR(to_p + k) - VECTOR(to_p + k));
    }
    const double *last = w->method.last ? end : x->F[w->method.hi - 1];
    memcpy(array(w, w->state.next, A_F), last, w->state.stride * sizeof *last);
    memcpy(array(w, w->state.next, A_K), array(w, w->state.now, A_K),
           w->state.stride * sizeof *last);
    for (int k = 1; k < LANES; k++) not_finite[0] += not_finite[k];
    return not_finite[0] == 0;
}

/* Whether the energy change of the step is plausible.  A solution far from the motion, or a step
 * beyond the stability limit, changes the energy by more than a quarter of sum_j (p_new -
 * p)_j^2/m_j plus rounding.  That sum is a measure of the energy exchanged in the step which
 * depends neither on constants in V nor on a common velocity. */
static bool plausible(work *w)
{
    const double *p0 = array(w, w->state.now, A_P), *p1 = array(w, w->state.next, A_P),
                 *inverse = w->g->inverse;
    double       kinetic, after, exchanged = 0;
    const double H1 = energy_of(w, w->state.next, &after),
                 H0 = energy_of(w, w->state.now, &kinetic);
    for (size_t k = 0; k < w->state.wide; k++)
        exchanged += (p1[k] - p0[k]) * (p1[k] - p0[k]) * inverse[k];
    return fabs(H1 - H0)
        <= SUMS_EXCHANGED_PART * exchanged
               + SUMS_ENERGY_ROUNDINGS * EPS * (fabs(H0) + fabs(H1) + kinetic + after);
}

/* One step. The iteration starts from y = 0, at rest at q, so its first result is the linearly
 * implicit step. full: a new matrix in every iteration (solver BY_NEWTON). fresh: the matrix was
 * made in this step. slow: some correction was more than CONTRACTION_MOST times the one before.
 * doubt: the energy is checked at the end. last, before: correction and contraction of the previous
 * iteration. */
static outcome newton_step(work *w, double h, double t, double *rounds, double *residual)
{
    sums_newton_state *x = w->newton;
    const bool         full = w->state.now[SOLVER] == BY_NEWTON;
    const double      *q = array(w, w->state.now, A_Q),
                 *middle = w->method.lo < w->method.hi ? x->Q[(w->method.lo + w->method.hi - 1) / 2]
                                                       : q;
    bool   fresh = full || w->state.now[FROZEN] == 0, slow = false, doubt = false;
    double last = 0, before = 1;
    int    grown = 0;
    if (fresh && !refresh(w, h, t, q)) return FAILED;
    if (!fresh
        && (x->length != h
            || (x->accessible
                && positions_hash(array(w, w->state.now, A_K), (size_t)w->g->places) != x->hash)))
        if (!factorise(w, h, t)) return FAILED;
    x->accessible = false;
    for (int m = 0; m < x->modes.s; m++) memset(x->y[m], 0, w->state.stride * sizeof *x->y[m]);
    for (int it = 1; it <= SPARSE_NEWTON_ITERATIONS; it++) {
        double size;
        for (int i = w->method.lo; i < w->method.hi; i++) {
            node_at(w, i);
            if (it == 1 && i > w->method.lo)
                memcpy(x->F[i], x->F[w->method.lo], w->state.stride * sizeof *x->F[i]);
            else if (it == 1 && w->method.first)
                memcpy(x->F[i], array(w, w->state.now, A_F), w->state.stride * sizeof *x->F[i]);
            else forces_everywhere(w, t + w->method.c[i] * h, x->Q[i], x->F[i]);
        }
        if (it > 1 && full && !refresh(w, h, t, middle)) return FAILED;
        correct(w, h);
        const double e = move(w, &size), ratio = it > 1 ? e / last : 1;
        *rounds += 1;
        w->state.now[SPENT] += w->cost.round + w->cost.solve;
        if (e - e != 0) return BROKEN;
        /* Cancellation in the forces amounts to h^2 omega^2 roundings of a position: corrections do
         * not get smaller than `floor`.  The iteration ends when a correction is two roundings
         * (settled), when it no longer decreases below the floor (stalled), or when the contraction
         * is so strong that the next one would be rounding (superlinear). */
        const double floor = FLOOR_ROUNDINGS * EPS * size
                           * (1 + h * h * x->bound / FLOOR_STIFFNESS);
        const bool settled = e <= SETTLED_ROUNDINGS * EPS * size,
                   stalled = it > 2 && e <= floor
                          && (e >= STALLED_PART * last
                              || (e >= last / STALLED_GAIN && before < STALLED_AFTER));
        const bool superlinear = it > 1 && SUPERLINEAR_GAIN * e < last
                              && e * e <= EPS / 2 * size * last
                              && (fresh || e <= SUMS_OLD_MATRIX_ROUNDINGS * EPS * size);
        if (settled || stalled || superlinear) {
            *residual = size > 0 ? e / size * (superlinear ? ratio : 1) : 0;
            for (int i = w->method.lo; i < w->method.hi; i++) {
                node_at(w, i);
                forces_everywhere(w, t + w->method.c[i] * h, x->Q[i], x->F[i]);
            }
            if (!arrive_everywhere(w, h, t)) return BROKEN;
            doubt |= (slow && it >= CHECKED_ITERATIONS) || x->unstable_angle > 0;
            return doubt && !plausible(w) ? FAILED : SOLVED;
        }
        slow |= it > 1 && e > CONTRACTION_MOST * last;
        grown += it > 1 && e > last;
        if (grown > NEWTON_GROWN_MOST) return FAILED;
        if (it > 1 && e > floor && !full && new_matrix_pays(w, e, ratio, floor)) {
            doubt |= fresh && ratio > DOUBTED_CONTRACTION;
            if (!refresh(w, h, t, middle)) return FAILED;
            fresh = true;
        }
        last = e, before = ratio;
    }
    return FAILED;
}

#endif
