/* Derivatives of an exact model, and velocities from momenta by Newton's iteration.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     F = L_q + f,   P = L_v,   d(F, P)/d(q, v);   v of L_v(t, q, v) = p */
#include "arb/arb_program.h"

#include "base/status.h"
#include "expr/derivative.h"
#include "arb/arb_constants.h"

#include <stdlib.h>

static noe_ex *list(noe_arb_jet *j, size_t count)
{
    noe_ex *x = noe_arena_take(j->model->arena, (count + 1) * sizeof *x);
    if (!x) longjmp(*j->model->graph.stop, 1);
    return x;
}

static bool derive(noe_arb_jet *j)
{
    noe_model *m = j->model;
    const int  n = j->n, N = 2 * n;
    noe_ex    *gradient = list(j, (size_t)N), *hessian = list(j, (size_t)(N * N + N)),
           *legendre = list(j, (size_t)(n + 1 + n * n));
    noe_ex *observe = list(j, (size_t)m->observables);
    noe_ex *force = list(j, 4 * (size_t)n), *rate = list(j, (size_t)n);
    noe_derivative_gradient(&m->graph, m->L, n, gradient);
    noe_force_statement_forces(m, force, force + n);
    for (int i = 0; i < n; i++)
        gradient[i] = noe_simplify_make(&m->graph, NOE_ADD, gradient[i], force[i], 0);
    for (int i = 0; i < n; i++) rate[i] = noe_derivative_by_time(&m->graph, gradient[n + i]);
    for (int i = 0; i < N; i++)
        noe_derivative_gradient(&m->graph, gradient[i], n, hessian + i * N),
            hessian[N * N + i] = gradient[i];
    for (int i = 0; i < n; i++) legendre[i] = gradient[n + i];
    legendre[n] = m->L;
    for (int i = 0; i < n * n; i++) legendre[n + 1 + i] = hessian[(n + i / n) * N + n + i % n];
    for (int i = 0; i < m->observables; i++) observe[i] = m->observable[i]->ex;
    noe_ex power[2];
    noe_force_statement_power(m, power, force);
    if (!(j->power = noe_arb_program_new(m, power, 2))) return false;
    return (j->gradient = noe_arb_program_new(m, gradient, N))
        && (j->hessian = noe_arb_program_new(m, hessian, N * N + N))
        && (j->legendre = noe_arb_program_new(m, legendre, n + 1 + n * n))
        && (j->observe = noe_arb_program_new(m, observe, m->observables))
        && (j->rate = noe_arb_program_new(m, rate, n));
}

noe_arb_jet *noe_arb_jet_new(const noe_model *m)
{
    enum { COORDINATES_MOST = 256 }; /* most coordinates: the Hessian here is a dense matrix */
    if (m->n > COORDINATES_MOST) {
        noe_status_fail(NOE_INVALID,
                        "%.200s: %d coordinates: many digits and exact solutions are for up to %d",
                        m->name, m->n, COORDINATES_MOST);
        return NULL;
    }
    noe_arb_jet *j = noe_status_alloc(1, sizeof *j);
    if (!j) return NULL;
    jmp_buf       stop;
    volatile bool ok = false;
    j->model = noe_parse_model_exact(m);
    j->n = m->n;
    if (j->model) {
        j->model->graph.stop = &stop;
        if (!setjmp(stop)) ok = derive(j);
        j->model->graph.stop = NULL;
    }
    if (ok) return j;
    noe_arb_jet_free(j);
    return NULL;
}

void noe_arb_jet_free(noe_arb_jet *j)
{
    if (!j) return;
    noe_arb_program_free(j->gradient);
    noe_arb_program_free(j->hessian);
    noe_arb_program_free(j->legendre);
    noe_arb_program_free(j->observe);
    noe_arb_program_free(j->rate);
    noe_arb_program_free(j->power);
    noe_model_free(j->model);
    free(j);
}

slong noe_arb_jet_exponent(arb_srcptr x, int count)
{
    slong most = WORD_MIN;
    for (int i = 0; i < count; i++) {
        if (!arb_is_finite(x + i)) return WORD_MAX;
        if (arb_is_zero(x + i)) continue;
        const slong e = arf_abs_bound_lt_2exp_si(arb_midref(x + i));
        if (e > most) most = e;
    }
    return most;
}

bool noe_arb_jet_velocities(noe_arb_jet *j, arb_ptr in, arb_srcptr p, const bool *momentum,
                            slong prec)
{
    const int n = j->n;
    arb_ptr   v = in + 1 + n, out = _arb_vec_init(n + 1 + n * n);
    arb_mat_t A, b;
    bool      ok = true;
    slong     before = WORD_MAX;
    arb_mat_init(A, n, n), arb_mat_init(b, n, 1);
    for (int k = 0; k < ARB_LEGENDRE_ITERATIONS && ok; k++) {
        noe_arb_program_run(j->legendre, in, out, prec, true);
        for (int i = 0; i < n; i++) {
            const bool solve = !momentum || momentum[i];
            for (int l = 0; l < n; l++) arb_set(arb_mat_entry(A, i, l), out + n + 1 + i * n + l);
            if (solve) arb_sub(arb_mat_entry(b, i, 0), p + i, out + i, prec);
            else { /* this velocity is given: its update is 0 */
                for (int l = 0; l < n; l++) arb_set_si(arb_mat_entry(A, i, l), i == l);
                arb_zero(arb_mat_entry(b, i, 0));
            }
        }
        ok = arb_mat_approx_solve(b, A, b, prec);
        const slong e = ok ? noe_arb_jet_exponent(arb_mat_entry(b, 0, 0), n) : 0;
        slong       scale = e;
        for (int i = 0; i < n && ok; i++) {
            arb_add(v + i, v + i, arb_mat_entry(b, i, 0), prec);
            noe_wide_middle(v + i);
            ok = arb_is_finite(v + i);
            if (!arb_is_zero(v + i))
                scale = FLINT_MAX(scale, arf_abs_bound_lt_2exp_si(arb_midref(v + i)));
        }
        /* Convergence is quadratic: after an update of half the digits one more is enough;
         * otherwise the iteration ends when updates no longer shrink. */
        if (e == WORD_MIN || (k && e < scale - prec + LEGENDRE_ROUNDING_BITS)
            || (k > LEGENDRE_SETTLING && e >= before && e < scale - prec / 2))
            break;
        if (k == ARB_LEGENDRE_ITERATIONS - 1) ok = false;
        before = e;
    }
    arb_mat_clear(A), arb_mat_clear(b);
    _arb_vec_clear(out, n + 1 + n * n);
    return ok;
}

bool noe_arb_jet_regular(noe_arb_jet *j, arb_srcptr in, slong prec)
{
    const int n = j->n;
    arb_ptr   out = _arb_vec_init(n + 1 + n * n);
    slong    *perm = flint_malloc((size_t)n * sizeof *perm);
    arb_mat_t M;
    arb_mat_init(M, n, n);
    noe_arb_program_run(j->legendre, in, out, prec, true);
    for (int i = 0; i < n; i++) { /* rows scaled to size 1, so that units do not matter */
        const slong e = noe_arb_jet_exponent(out + n + 1 + i * n, n);
        for (int l = 0; l < n; l++)
            arb_mul_2exp_si(arb_mat_entry(M, i, l), out + n + 1 + i * n + l,
                            e == WORD_MIN || e == WORD_MAX ? 0 : -e);
    }
    bool ok = arb_mat_approx_lu(perm, M, M, prec);
    for (int i = 0; i < n && ok; i++)
        ok = arf_cmpabs_2exp_si(arb_midref(arb_mat_entry(M, i, i)), LOST_BITS - prec) > 0;
    arb_mat_clear(M);
    flint_free(perm);
    _arb_vec_clear(out, n + 1 + n * n);
    return ok;
}

void noe_arb_jet_energy(noe_arb_jet *j, arb_srcptr in, arb_t H, slong prec)
{
    const int n = j->n;
    arb_ptr   out = _arb_vec_init(n + 1 + n * n);
    noe_arb_program_run(j->legendre, in, out, prec, false);
    arb_dot(H, NULL, 0, out, 1, in + 1 + n, 1, n, prec);
    arb_sub(H, H, out + n, prec);
    _arb_vec_clear(out, n + 1 + n * n);
}
