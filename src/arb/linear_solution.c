/* Linear systems in closed form.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M q'' + C q' + K q = f
 *     C = 0:  q = X eta, eta_i'' = phi_i - lambda_i eta_i;   else exp(s A)
 *
 * With Stumpff functions one formula serves lambda > 0 (cos, sin), < 0 (cosh, sinh) and 0
 * (uniform acceleration).  C is the part of L_vq that is not symmetric (magnetic fields,
 * rotating frames), and damping. */
#include "arb/closed_form.h"

#include "base/status.h"
#include "arb/arb_modes.h"
#include "arb/stumpff.h"
#include "arb/arb_constants.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    bool      turning;     /* C is not 0 */
    arb_mat_t X;           /* modes [n][n], or A of (q, v, 1)' = A (q, v, 1), [2n + 1][2n + 1] */
    arb_ptr   lambda, eta; /* lambda [n]; eta(0), eta'(0), phi [3n] */
} own;

static void drop(noe_exact_solution *x)
{
    own *y = x->own;
    arb_mat_clear(y->X);
    _arb_vec_clear(y->lambda, x->n), _arb_vec_clear(y->eta, 3 * x->n);
    free(y);
}

static arb_ptr hessian(noe_exact_solution *x, int i, int j) { return x->out + i * 2 * x->n + j; }

/* to[i] = sum_jk X_ji M_jk y_k, or without M. */
static void project(noe_exact_solution *x, arb_ptr to, const arb_mat_t M, arb_srcptr y)
{
    const own *z = x->own;
    const int  n = x->n;
    arb_t      a;
    arb_init(a);
    for (int i = 0; i < n; i++) {
        arb_zero(to + i);
        for (int j = 0; j < n; j++) {
            arb_zero(a);
            for (int k = 0; k < n && M->r; k++)
                arb_addmul(a, arb_mat_entry(M, j, k), y + k, x->prec);
            arb_addmul(to + i, arb_mat_entry(z->X, j, i), M->r ? a : y + j, x->prec);
        }
        noe_wide_middle(to + i);
    }
    arb_clear(a);
}

static bool by_modes(noe_exact_solution *x, const arb_mat_t M, const arb_mat_t K, arb_srcptr force)
{
    own      *y = x->own;
    const int n = x->n;
    double    fastest = 0;
    arb_mat_t none;
    if (!noe_arb_modes_solve(y->X, y->lambda, M, K, x->prec))
        return noe_solution_refusal(x, "the mass matrix is not positive definite"), false;
    arb_mat_init(none, 0, 0);
    project(x, y->eta, M, x->start + 1);
    project(x, y->eta + n, M, x->start + 1 + n);
    project(x, y->eta + 2 * n, none, force);
    arb_mat_clear(none);
    for (int i = 0; i < n; i++)
        fastest = fmax(fastest, fabs(arf_get_d(arb_midref(y->lambda + i), ARF_RND_NEAR)));
    x->rate = sqrt(fastest);
    return true;
}

/* A = (0 1 0; -M^-1 K, -M^-1 C, M^-1 f; 0 0 0). */
static bool by_matrix(noe_exact_solution *x, const arb_mat_t M, const arb_mat_t K,
                      const arb_mat_t C, arb_srcptr force)
{
    own      *y = x->own;
    const int n = x->n;
    arb_mat_t R;
    double    fastest = 0;
    arb_mat_init(R, n, 2 * n + 1);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            arb_neg(arb_mat_entry(R, i, j), arb_mat_entry(K, i, j));
            arb_neg(arb_mat_entry(R, i, n + j), arb_mat_entry(C, i, j));
        }
        arb_set(arb_mat_entry(R, i, 2 * n), force + i);
    }
    const bool ok = arb_mat_solve(R, M, R, x->prec);
    for (int i = 0; i < n && ok; i++) {
        arb_one(arb_mat_entry(y->X, i, n + i));
        for (int j = 0; j < 2 * n + 1; j++)
            arb_set(arb_mat_entry(y->X, n + i, j), arb_mat_entry(R, i, j));
        double row = 0, stiff = 0;
        for (int j = 0; j < n; j++) {
            row += fabs(arf_get_d(arb_midref(arb_mat_entry(R, i, n + j)), ARF_RND_NEAR));
            stiff += fabs(arf_get_d(arb_midref(arb_mat_entry(R, i, j)), ARF_RND_NEAR));
        }
        fastest = fmax(fastest, row + sqrt(stiff));
    }
    x->rate = fastest;
    arb_mat_clear(R);
    if (!ok) noe_solution_refusal(x, "the mass matrix is singular");
    return ok;
}

/* Do a and b differ by more than their rounding? */
static bool differ(const arb_t a, const arb_t b, slong prec)
{
    arb_t d, size;
    arb_init(d), arb_init(size);
    arb_sub(d, a, b, prec);
    arb_add(size, a, b, prec), arb_mul_2exp_si(size, size, LOST_BITS - prec);
    const bool yes = !arb_is_zero(d) && arf_cmpabs(arb_midref(d), arb_midref(size)) > 0;
    arb_clear(d), arb_clear(size);
    return yes;
}

static bool derive(noe_exact_solution *x)
{
    const int n = x->n;
    own      *y = x->own = noe_status_alloc(1, sizeof *y);
    arb_mat_t M, K, C;
    bool      ok;
    if (!y) return false;
    y->lambda = _arb_vec_init(n), y->eta = _arb_vec_init(3 * n);
    arb_mat_init(M, n, n), arb_mat_init(K, n, n), arb_mat_init(C, n, n);
    noe_arb_program_run(x->jet->hessian, x->parameter_input, x->out, x->prec, true);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            arb_set(arb_mat_entry(M, i, j), hessian(x, n + i, n + j));
            arb_neg(arb_mat_entry(K, i, j), hessian(x, i, j));
            arb_sub(arb_mat_entry(C, i, j), hessian(x, n + i, j), hessian(x, i, n + j), x->prec);
            y->turning = y->turning || differ(hessian(x, n + i, j), hessian(x, i, n + j), x->prec);
        }
    for (int i = 0; i < n * n; i++) /* of forces without a potential */
        y->turning = y->turning
                  || differ(arb_mat_entry(K, i / n, i % n), arb_mat_entry(K, i % n, i / n),
                            x->prec);
    const int size = y->turning ? 2 * n + 1 : n;
    arb_mat_init(y->X, size, size);
    arb_ptr force = _arb_vec_init(2 * n);
    noe_arb_program_run(x->jet->gradient, x->parameter_input, force, x->prec, true);
    ok = y->turning ? by_matrix(x, M, K, C, force) : by_modes(x, M, K, force);
    if (!(x->rate > 0)) x->rate = 1; /* free flight has no time scale */
    _arb_vec_clear(force, 2 * n);
    arb_mat_clear(M), arb_mat_clear(K), arb_mat_clear(C);
    return ok;
}

static void modes_at(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    const own  *y = x->own;
    const int   n = x->n;
    const slong prec = x->prec;
    arb_ptr     c = _arb_vec_init(NOE_STUMPFF_FUNCTIONS);
    arb_srcptr  eta = y->eta, rate = eta + n, phi = rate + n;
    arb_t       z, u, w, a;
    arb_init(z), arb_init(u), arb_init(w), arb_init(a);
    _arb_vec_zero(q, n), _arb_vec_zero(v, n);
    for (int i = 0; i < n; i++) {
        arb_mul(z, s, s, prec), arb_mul(z, z, y->lambda + i, prec);
        noe_stumpff(c, z, prec);
        /* eta = eta0 c0 + eta0' s c1 + phi s^2 c2;  eta' = eta0' c0 + (phi - lambda eta0) s c1 */
        arb_mul(u, phi + i, s, prec), arb_mul(u, u, c + 2, prec);
        arb_addmul(u, rate + i, c + 1, prec), arb_mul(u, u, s, prec);
        arb_addmul(u, eta + i, c, prec);
        arb_mul(a, y->lambda + i, eta + i, prec), arb_sub(a, phi + i, a, prec);
        arb_mul(w, a, s, prec), arb_mul(w, w, c + 1, prec), arb_addmul(w, rate + i, c, prec);
        for (int j = 0; j < n; j++) {
            arb_addmul(q + j, arb_mat_entry(y->X, j, i), u, prec);
            arb_addmul(v + j, arb_mat_entry(y->X, j, i), w, prec);
        }
    }
    arb_clear(z), arb_clear(u), arb_clear(w), arb_clear(a);
    _arb_vec_clear(c, NOE_STUMPFF_FUNCTIONS);
}

static void matrix_at(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    const own *y = x->own;
    const int  n = x->n;
    arb_mat_t  E, z;
    arb_mat_init(E, 2 * n + 1, 2 * n + 1), arb_mat_init(z, 2 * n + 1, 1);
    for (int i = 0; i < 2 * n; i++) arb_set(arb_mat_entry(z, i, 0), x->start + 1 + i);
    arb_one(arb_mat_entry(z, 2 * n, 0));
    arb_mat_scalar_mul_arb(E, y->X, s, x->prec);
    arb_mat_exp(E, E, x->prec);
    arb_mat_mul(z, E, z, x->prec);
    for (int i = 0; i < n; i++) {
        arb_set(q + i, arb_mat_entry(z, i, 0));
        arb_set(v + i, arb_mat_entry(z, n + i, 0));
    }
    arb_mat_clear(E), arb_mat_clear(z);
}

static void at(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    if (((own *)x->own)->turning) matrix_at(x, s, q, v);
    else modes_at(x, s, q, v);
}

const noe_closed_form noe_linear_solution = { "linear", derive, at, drop };
