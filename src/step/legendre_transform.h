/* The Legendre transform: velocities v from L_v(t, q, v) = p, and the energy v . L_v - L.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_LEGENDRE_TRANSFORM_H
#define NOE_STEP_LEGENDRE_TRANSFORM_H

#include "step/newton_iteration.h"

/* A point at which L and its derivatives are evaluated: time t, q [n], and the momenta p + dp
 * [n]. */
typedef struct {
    real        t;
    const real *q, *p, *dp;
} site;

/* The present state. */
INLINE site here(const work *w)
{
    return (site){ time_at(w, w->state.part_start), w->state.q, w->state.p, w->state.dp };
}

/* Evaluates a tape at one (t, q, v); outputs in w->eval.out, read by output(). */
static void jet_at(work *w, int which, const site *x, const real *v)
{
    w->eval.t[0] = b_set(x->t);
    for (int j = 0; j < w->n; j++) {
        w->eval.Q[j * w->B] = b_set(x->q[j]);
        w->eval.V[j * w->B] = b_set(v[j]);
    }
    jet(w, which, 1);
}

/* P, L and L_vv at the present t and q and at v. */
static void legendre_jet(work *w, const real *v)
{
    const site x = here(w);
    jet_at(w, LEGENDRE, &x, v);
}

/* Output o of the tape that jet_at() has evaluated. */
INLINE real output(work *w, int o) { return *element(w->eval.out, w->B, o, 0); }

/* J = L_vv [n][n]. */
static void mass_matrix(work *w)
{
    const int n = w->n;
    for (int i = 0; i < n * n; i++) w->newton.J[i] = r_set(0);
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->dyn->mass[k];
        w->newton.J[x->row * n + x->col] = output(w, x->output);
    }
}

/* w->newton.J = the factors of L_vv, the outputs of the tape LEGENDRE, by w->mass_parts; rows of
 * coordinates whose velocity is given (solve[j] = 0) are those of the identity.  solve NULL: there
 * are none. */
static void factor_mass_parts(work *w, const bool *solve)
{
    const mass_parts *x = &w->mass_parts;
    real *const       M = w->newton.J;
    memset((void *)M, 0, x->numbers * sizeof *M);
    for (int k = 0; k < w->dyn->masses; k++)
        if (!solve || solve[w->dyn->mass[k].row]) M[x->at[k]] = output(w, w->dyn->mass[k].output);
    for (int j = 0; j < w->n && solve; j++) {
        const int part = x->of[j], first = part ? x->end[part - 1] : 0, i = x->place[j] - first;
        if (!solve[j]) M[x->begin[part] + (size_t)(i * (x->end[part] - first + 1))] = r_set(1);
    }
    lu_factor_parts(M, w->newton.new_pivot, x->count, x->end);
}

/* x [n] = L_vv^-1 right [n], both by w->mass_parts.place, with these factors. */
static void solve_mass_parts(const work *w, const real *right, real *x)
{
    lu_solve_parts(w->newton.J, w->newton.new_pivot, w->mass_parts.count, w->mass_parts.end, right,
                   x);
}

/* The members for which L_vv is nonsingular at (q, v): judged by its pivots after rows and
 * columns are scaled to entries of size 1. */
static mask regular(work *w, const real *v)
{
    const int n = w->n;
    legendre_jet(w, v);
    mass_matrix(w);
    mask ok = m_all(1);
    for (int side = 0; side < 2; side++) /* rows, then columns */
        for (int j = 0; j < n; j++) {
            real most = r_set(0);
            for (int i = 0; i < n; i++)
                most = r_max(most, r_abs(w->newton.J[side ? i * n + j : j * n + i]));
            ok = ok & r_less(r_set(0), most) & r_finite(most);
            for (int i = 0; i < n; i++) w->newton.J[side ? i * n + j : j * n + i] /= most;
        }
    lu_factor(w->newton.J, w->newton.new_pivot, n);
    for (int j = 0; j < n; j++) /* the diagonal has reciprocals of the pivots */
        ok = ok & r_less(r_abs(w->newton.J[j * n + j]), r_set(1 / (PIVOT_ROUNDINGS * n * EPS)));
    return ok;
}

/* The mean velocity of coordinate j in the last step, 0 where it is not finite. */
static real mean_velocity(const work *w, int j)
{
    const real *a = w->history.last;
    real        mean = r_set(0);
    for (int m = 0; m < w->s; m++) mean += w->method.w[m] * a[j * w->s + m];
    return r_if(r_finite(mean), mean, r_set(0));
}

/* v = the mean velocity of the last step: an initial guess that depends on the state alone, so
 * that reading the velocities twice, or after a restart, gives the same bits. */
static void guess_velocities(const work *w, mask want, real *v)
{
    for (int j = 0; j < w->n; j++)
        v[j] = r_if(want & r_less(r_set(0), *w->history.length), mean_velocity(w, j), v[j]);
}

/* scratch.d = M^-1 scratch.e with the outputs of the tape LEGENDRE; adds |M| |v| to the scales.
 * solve as in factor_mass_parts(). */
static void solve_mass(work *w, const bool *solve, const real *v)
{
    const int n = w->n, *const place = w->mass_parts.place;
    real *right = w->scratch.room[2], *x = w->scratch.room[3];
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *y = w->dyn->mass + k;
        if (!solve || solve[y->row])
            w->scratch.scale[y->row] += r_abs(output(w, y->output) * v[y->col]);
    }
    for (int j = 0; j < n && solve; j++)
        if (!solve[j]) w->scratch.scale[j] += r_abs(v[j]);
    factor_mass_parts(w, solve);
    for (int j = 0; j < n; j++) right[place[j]] = w->scratch.e[j];
    solve_mass_parts(w, right, x);
    for (int j = 0; j < n; j++) w->scratch.d[j] = x[place[j]];
}

/* The same where M is diagonal; without an entry of M the velocity is not a number. */
static void divide_by_masses(work *w, const bool *solve, const real *v)
{
    for (int j = 0; j < w->n; j++)
        w->scratch.d[j] = r_set(solve && !solve[j] ? 0 : (num)__builtin_nan(""));
    for (int k = 0; k < w->dyn->masses; k++) {
        const int  j = w->dyn->mass[k].row;
        const real M = output(w, w->dyn->mass[k].output);
        if (solve && !solve[j]) continue;
        w->scratch.scale[j] += r_abs(M * v[j]);
        w->scratch.d[j] = w->scratch.e[j] * (1 / M);
    }
}

/* Solves L_v = p for the v_j with solve[j] (all when NULL) of the wanted members by Newton's
 * method from v; returns the members that converged, whose L and L_v are then the tape's outputs.
 * A Newton step that does not reduce the residual is halved (L_v of a relativistic particle ends at
 * the speed of light).  The residuals at both ends of a Newton step are compared in one norm,
 * relative to the largest scales so far: the present scales go to 0 where v does. */
static mask velocities_at(work *w, const site *x, const bool *solve, mask want, real *v)
{
    const int n = w->n;
    const num stall = STALL_ROUNDINGS * EPS;
    mask      going = want, done = m_all(0);
    real      share = r_set(1), *d = w->scratch.d + n;
    real     *before = w->scratch.room[0],
         *most = w->scratch.room[1]; /* |e_j| at the last v, and the largest scale_j so far */
    for (int j = 0; j < n; j++) most[j] = r_set(0);
    for (int it = 0; it < LEGENDRE_ITERATIONS && m_any(going); it++) {
        real worst = r_set(0), finite_probe = r_set(0), correction = r_set(0), size = r_set(0),
             now = r_set(0), last = r_set(0);
        jet_at(w, LEGENDRE, x, v);
        for (int j = 0; j < n; j++) { /* the size of what cancels in p - L_v */
            w->scratch.scale[j] = r_abs(x->p[j]) + r_abs(x->dp[j]) + r_abs(output(w, j))
                                + LEAST_DIVISOR;
            w->scratch.e[j] = !solve || solve[j] ? output(w, j) - (x->p[j] + x->dp[j]) : r_set(0);
        }
        if (w->nodal.coupled) solve_mass(w, solve, v);
        else divide_by_masses(w, solve, v);
        for (int j = 0; j < n; j++) {
            worst = r_max(worst, r_abs(w->scratch.e[j]) / w->scratch.scale[j]);
            finite_probe += w->scratch.d[j] - w->scratch.d[j];
            correction += r_abs(w->scratch.e[j] * w->scratch.d[j]);
            size += w->scratch.scale[j] * r_abs(v[j]);
        }
        worst += finite_probe;
        const mask finite = r_finite(worst);
        for (int j = 0; j < n; j++) {
            most[j] = r_if(finite & r_less(most[j], w->scratch.scale[j]), w->scratch.scale[j],
                           most[j]);
            now = r_max(now, r_abs(w->scratch.e[j]) / most[j]);
            last = r_max(last, before[j] / most[j]);
        }
        const mask better = finite & (m_all(it == 0) | r_less(now, last));
        const mask tiny = r_at_most(worst, r_set(stall))
                        | r_at_most(correction, stall * stall * size);
        const mask end = going & finite
                       & (r_at_most(worst, r_set(RESIDUAL_ROUNDINGS * EPS))
                          | (m_not(better) & tiny));
        const mask forward = going & m_not(end) & better, back = going & m_not(end) & m_not(better);
        share = r_if(back, share / 2, r_set(1));
        copy_where(forward, d, w->scratch.d, n);
        for (int j = 0; j < n; j++) {
            v[j] = r_if(forward, v[j] - d[j], r_if(back, v[j] + d[j] * share, v[j]));
            before[j] = r_if(forward, r_abs(w->scratch.e[j]), before[j]);
        }
        done = done | end;
        going = (forward | back) & r_less(r_set(LEGENDRE_SHARE_LEAST), share)
              & m_not(back & m_all(it == 0));
    }
    return done;
}

/* velocities_at() for the present state; where all velocities are unknown, from
 * guess_velocities(). */
static mask velocities(work *w, const bool *solve, mask want, real *v)
{
    const site x = here(w);
    if (!solve) guess_velocities(w, want, v);
    return velocities_at(w, &x, solve, want, v);
}

/* G at the present state, and *rate = dG/dt there where w->state.v are velocities in time. */
static real monitor_here(work *w, real *rate)
{
    const site x = here(w);
    jet_at(w, CLOCK, &x, w->state.v);
    *rate = output(w, 1);
    return output(w, 0);
}

/* E for the tapes of a transformed Lagrangian, at every node. */
static void place_level(work *w, real E)
{
    batch *row = w->eval.frame + (size_t)noe_tape_input(NOE_H, 0, w->n) * (size_t)w->B;
    for (int b = 0; b < w->B; b++) row[b] = b_set(E);
}

/* v . L_v - L where the tape LEGENDRE has been evaluated at the present state and w->state.v. */
static real energy_of_jet(work *w)
{
    real H = -output(w, w->n);
    for (int j = 0; j < w->n; j++) H += w->state.v[j] * output(w, j);
    return H;
}

/* The energy H at the present state and w->state.v, v . L_v - L.  Where the Lagrangian Lbar is
 * transformed, v . Lbar_v - Lbar is G (H - E), from which H follows. */
static real energy(work *w)
{
    real rate;
    if (w->dyn->transformed) place_level(w, *w->state.level);
    legendre_jet(w, w->state.v);
    const real value = energy_of_jet(w);
    return w->dyn->transformed ? *w->state.level + value / monitor_here(w, &rate) : value;
}

/* 0, or nan for the members whose velocities are not solved. */
static real doubt(mask solved) { return r_if(solved, r_set(0), r_set((num)__builtin_nan(""))); }

/* Solves for the velocities when they are read; where that fails they read as nan.  True: just now,
 * so that the tape LEGENDRE has been evaluated with them. */
static bool update_velocities(work *w)
{
    if (w->state.v_known) return false;
    *w->state.unsolved = doubt(velocities(w, NULL, m_all(1), w->state.v));
    w->state.v_known = true;
    return true;
}

#endif
