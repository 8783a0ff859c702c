/* Projection of the momenta at the end of a constrained step: G v + g_t = 0 with L_v(v) = p.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     p <- p + G^T mu
 * For L quadratic in the velocities mu = -(G M^-1 G^T)^-1 (G v + g_t), and v follows p by
 * M^-1 G^T mu; for others that is repeated with new velocities. */
#ifndef NOE_STEP_MOMENTUM_PROJECTION_H
#define NOE_STEP_MOMENTUM_PROJECTION_H

#include "step/condensed_constraints.h"
#include "step/pivoted_band.h"
#include "step/step_update.h"

/* The largest |hidden_a| / (|g_t,a| + sum_j |G_aj| (c->kinetic_j + c->momentum_terms_j/M_jj)),
 * hidden = G v + g_t at the end.  Velocities have the rounding of the terms whose sum is p: at rest
 * they are nothing but that. */
static real hidden_error(work *w, const real *value)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count;
    real                     worst = r_set(0);
    kinetic_speeds(w, c->velocity);
    const noe_constraint_entry *y = w->dyn->G_entry, *const end = y + w->dyn->G_entries;
    for (int a = 0; a < m; a++) {
        real sum = value[m + a], size = r_abs(sum) + LEAST_DIVISOR;
        for (; y < end && y->constraint == a; y++) {
            const real G = value[y->output], inverse = c->inverse_root[y->row];
            sum += G * c->velocity[y->row];
            size += r_abs(G)
                  * (c->kinetic[y->row] + c->momentum_terms[y->row] * (inverse * inverse));
        }
        c->hidden[a] = sum;
        /* sum - sum is nan where `sum` is not finite */
        worst = r_max(worst, r_abs(sum) / size) + (sum - sum);
    }
    return worst;
}

/* The coordinates of a part of M begin at this place. */
INLINE int part_begin(const work *w, int part) { return part ? w->mass_parts.end[part - 1] : 0; }

/* c->NG = M^-1 G^T: of each constraint in the parts of M that it touches, with the factors of M in
 * w->newton.J. */
static void solve_gradients(work *w, const real *value)
{
    constraint_solver *const    c = &w->constraint;
    const noe_constraint_entry *y = w->dyn->G_entry, *const end = y + w->dyn->G_entries;
    real *const G = w->scratch.e; /* of one constraint, by places */
    for (int a = 0; a < c->count; a++) {
        const int *const first = c->touched + c->first_touched[a];
        const int *const last = c->touched + c->first_touched[a + 1];
        for (const int *b = first; b < last; b++)
            for (int i = part_begin(w, *b); i < w->mass_parts.end[*b]; i++) G[i] = r_set(0);
        for (; y < end && y->constraint == a; y++)
            G[w->mass_parts.place[y->row]] = value[y->output];
        for (const int *b = first; b < last; b++) {
            const int i = part_begin(w, *b);
            lu_solve_fours(w->newton.J + w->mass_parts.begin[*b], w->newton.new_pivot + i,
                           w->mass_parts.end[*b] - i, G + i, c->NG + a * w->n + i);
        }
    }
}

/* Factors c->S; returns the largest 1/sine^2 of the angle between the gradient of a constraint and
 * those before it.  Without exchanges of rows that is S_aa over its pivot; where row b stands in
 * place of row a, sqrt(S_aa S_bb) over the pivot, whatever the units of a and b. */
static real factor_gradients(work *w)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count, half = c->inertia_half;
    const size_t             next = part_row_at(half, m, 1) - part_row_at(half, m, 0) + 1;
    const real *const        pivot = c->S + part_row_at(half, m, 0); /* on the diagonal */
    real *const before = c->by_places, *const exchanged = c->mu_correction;
    for (int i = 0; i < m; i++) before[i] = pivot[(size_t)i * next];
    factor_part(c->S, c->S_pivot, m, half);
    mask elsewhere = m_all(0);
    real most = r_set(1);
    for (int i = 0; i < m; i++) {
        elsewhere = elsewhere | m_not(r_equal(c->S_pivot[i], r_set(i)));
        most = r_max(most, r_abs(before[i] * pivot[(size_t)i * next]));
    }
    if (!m_any(elsewhere)) return most;
    for (int i = 0; i < m; i++) exchanged[i] = before[i];
    if (half == SQUARE) take_rows(c->S_pivot, m, before, exchanged);
    else
        for (int i = 0; i < m; i++) exchange_places(exchanged, c->S_pivot[i], i);
    most = r_set(1);
    for (int i = 0; i < m; i++) {
        const real inverse = pivot[(size_t)i * next];
        most = r_max(most, r_abs((before[i] * inverse) * (exchanged[i] * inverse)));
    }
    return square_root(most);
}

/* c->S = the factors of G M^-1 G^T, c->NG = M^-1 G^T, with the factors of M in w->newton.J.
 * Returns the largest 1/sine^2 between gradients. */
static real factor_inertia(work *w, const real *value)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count, half = c->inertia_half;
    if (c->condensed) return factor_end_band(w, value);
    solve_gradients(w, value);
    memset((void *)c->S, 0, part_numbers(half, m) * sizeof *c->S);
    for (int a = 0; a < m; a++) {
        for (int k = c->first_touched[a]; k < c->first_touched[a + 1]; k++)
            for (int i = part_begin(w, c->touched[k]); i < w->mass_parts.end[c->touched[k]]; i++)
                for (int e = c->first_entry[w->mass_parts.coordinate[i]];
                     e < c->first_entry[w->mass_parts.coordinate[i] + 1]; e++) {
                    const noe_constraint_entry *y = w->dyn->G_entry + c->sorted_entry[e];
                    c->S[part_row_at(half, m, c->inertia_place[y->constraint])
                         + (size_t)c->inertia_place[a]] += value[y->output] * c->NG[a * w->n + i];
                }
        c->S[part_row_at(half, m, c->inertia_place[a]) + (size_t)c->inertia_place[a]] +=
            c->left_out[a];
    }
    return factor_gradients(w);
}

/* c->mu_correction = (G M^-1 G^T)^-1 c->hidden. */
static void solve_inertia(work *w)
{
    const constraint_solver *c = &w->constraint;
    const int m = c->count, *const place = c->inertia_place;
    if (c->condensed) solve_end_band(w, c->hidden, c->mu_correction);
    else if (c->inertia_half == SQUARE)
        lu_solve_fours(c->S, c->S_pivot, m, c->hidden, c->mu_correction);
    else {
        for (int a = 0; a < m; a++) c->by_places[place[a]] = c->hidden[a];
        pivoted_band_solve(c->S, c->S_pivot, m, c->inertia_half, c->by_places);
        for (int a = 0; a < m; a++) c->mu_correction[a] = c->by_places[place[a]];
    }
}

/* c->velocity -= M^-1 G^T c->mu_correction. */
static void move_velocities(work *w, const real *force)
{
    constraint_solver *const c = &w->constraint;
    if (c->condensed) {
        for (int j = 0; j < w->n; j++) c->velocity[j] -= c->inverse_mass[j] * force[j];
        return;
    }
    for (int a = 0; a < c->count; a++)
        for (int k = c->first_touched[a]; k < c->first_touched[a + 1]; k++)
            for (int i = part_begin(w, c->touched[k]); i < w->mass_parts.end[c->touched[k]]; i++)
                c->velocity[w->mass_parts.coordinate[i]] -= c->NG[a * w->n + i]
                                                          * c->mu_correction[a];
}

/* c->velocity = v, L_v(v) = p, by Newton's method from c->velocity: at projection 0 the mean
 * velocity of the step.  Where L_v is linear in v, later projections have nothing to solve, since
 * project_momenta() has moved c->velocity by M^-1 G^T mu. */
static mask end_velocities(work *w, const site *x, int projection, mask going)
{
    real *const v = w->constraint.velocity, *const d = w->scratch.d, *const e = w->scratch.e;
    const int n = w->n, *const place = w->mass_parts.place;
    if (!w->dyn->momenta_linear) {
        const mask solved = velocities_at(w, x, NULL, going, v);
        factor_mass_parts(w, NULL);
        return solved;
    }
    if (projection) return going;
    jet_at(w, LEGENDRE, x, v);
    if (w->constraint.condensed)
        for (int j = 0; j < n; j++)
            v[j] -= w->constraint.inverse_mass[j] * (output(w, j) - (x->p[j] + x->dp[j]));
    else {
        factor_mass_parts(w, NULL);
        for (int j = 0; j < n; j++) e[place[j]] = output(w, j) - (x->p[j] + x->dp[j]);
        solve_mass_parts(w, e, d);
        for (int j = 0; j < n; j++) v[j] -= d[place[j]];
    }
    real finite_probe = r_set(0);
    for (int j = 0; j < n; j++) finite_probe += v[j];
    return going & r_finite(finite_probe);
}

/* Adds x to the number that is kick[j] + kick[n + j]. */
INLINE void add_to_kick(const work *w, mask which, real *kick, int j, real x)
{
    real       lost;
    const real sum = two_sum(kick[j], x, &lost);
    kick[j] = r_if(which, sum, kick[j]);
    kick[w->n + j] = r_if(which, kick[w->n + j] + lost, kick[w->n + j]);
}

/* Projects p + kick at the end of a step of length h; returns the members of `want` where that
 * succeeded.  c->mu = the impulses. */
static mask project_momenta(work *w, real h, mask want, real *kick)
{
    constraint_solver *const c = &w->constraint;
    const int                n = w->n, s = w->s, m = c->count;
    const real               t = step_begin(w) + h, upper = upper_half(h), rest = h - upper;
    real *const Q = c->end_position, *const value = c->end_value;
    real *const force = w->scratch.e, *const correction = c->mu_correction;
    for (int j = 0; j < n; j++) {
        real sum = r_set(0);
        for (int i = 0; i < s; i++) sum += w->method.w[i] * w->scratch.a[j * s + i];
        Q[j] = w->state.q[j] + ((rest * sum + upper * sum) + w->state.dq[j]);
        c->velocity[j] = sum;
    }
    constraint_jet_at(w, t, Q);
    const mask contradicted = left_out_fails(w, value, Q, t);
    mask       going = want & m_not(contradicted), done = m_all(0);
    *c->contradicted = r_if(want, r_if(contradicted, r_set(1), r_set(0)), *c->contradicted);
    leave_out(w, value, 1);
    real last = r_set(0);
    for (int a = 0; a < m; a++) c->mu[a] = r_if(want, r_set(0), c->mu[a]);
    for (int it = 0; it < PROJECTIONS_MOST && m_any(going); it++) {
        for (int j = 0; j < n; j++)
            c->momentum[j] = two_sum(w->state.p[j] + kick[j], w->state.dp[j] + kick[n + j],
                                     &c->rest[j]);
        const site x = { t, Q, c->momentum, c->rest };
        const mask solved = end_velocities(w, &x, it, going);
        const real error = hidden_error(w, value);
        const mask small = r_at_most(error, r_set(HIDDEN_ROUNDINGS * EPS)),
                   stalled = m_all(it > 0) & m_not(r_less(2 * error, last))
                           & r_at_most(error, r_set(HIDDEN_STALL_ROUNDINGS * EPS));
        done = done | (going & solved & (small | stalled));
        going = going & solved & r_finite(error) & m_not(small | stalled);
        last = error;
        if (!m_any(going)) break;
        if (it == 0) *c->dependence = r_if(going, factor_inertia(w, value), *c->dependence);
        solve_inertia(w);
        for (int j = 0; j < n; j++) force[j] = r_set(0);
        add_constraint_force(w, value, correction, force);
        for (int j = 0; j < n; j++) add_to_kick(w, going, kick, j, -force[j]);
        for (int a = 0; a < m; a++) c->mu[a] = r_if(going, c->mu[a] - correction[a], c->mu[a]);
        move_velocities(w, force);
    }
    return done;
}

#endif
