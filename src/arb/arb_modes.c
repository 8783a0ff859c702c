/* The symmetric generalized eigenvalue problem, at any precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     K x = lambda M x:   X^T M X = 1,   X^T K X = diag(lambda),   M > 0
 *
 * M = G G^T by Cholesky, then Jacobi's rotations of G^-1 K G^-T: G. H. Golub, C. F. Van Loan,
 * Matrix Computations, 8.5.  They converge quadratically, find multiple eigenvalues, and keep
 * the vectors orthogonal to the last digit, whatever the number of digits.  No failure to converge
 * is told: after JACOBI_SWEEPS_MOST sweeps, three times as many as any matrix took, the matrix is
 * taken as it is. */
#include "arb/arb_modes.h"

#include "arb/arb_constants.h"

static void drop_radii(arb_mat_t A)
{
    for (slong i = 0; i < arb_mat_nrows(A); i++)
        for (slong j = 0; j < arb_mat_ncols(A); j++) noe_wide_middle(arb_mat_entry(A, i, j));
}

/* Cosine and sine of the rotation that makes A_pq zero: t = s/c is the root of smaller modulus of
 * t^2 + 2 theta t - 1 = 0, theta = (A_qq - A_pp)/(2 A_pq); A_pq is not 0. */
static void angle(arb_t c, arb_t s, const arb_mat_t A, slong p, slong q, slong prec)
{
    arb_t theta, t;
    arb_init(theta), arb_init(t);
    arb_sub(theta, arb_mat_entry(A, q, q), arb_mat_entry(A, p, p), prec);
    arb_div(theta, theta, arb_mat_entry(A, p, q), prec);
    arb_mul_2exp_si(theta, theta, -1), noe_wide_middle(theta);
    arb_mul(t, theta, theta, prec), arb_add_ui(t, t, 1, prec), arb_sqrt(t, t, prec);
    arb_abs(s, theta), arb_add(t, t, s, prec), arb_inv(t, t, prec);
    if (arb_is_negative(theta)) arb_neg(t, t);
    arb_mul(c, t, t, prec), arb_add_ui(c, c, 1, prec), arb_rsqrt(c, c, prec), noe_wide_middle(c);
    arb_mul(s, t, c, prec), noe_wide_middle(s);
    arb_clear(theta), arb_clear(t);
}

/* (x, y) <- (c x - s y, s x + c y) */
static void rotate(arb_t x, arb_t y, const arb_t c, const arb_t s, slong prec)
{
    arb_t a, b;
    arb_init(a), arb_init(b);
    arb_mul(a, c, x, prec), arb_submul(a, s, y, prec);
    arb_mul(b, s, x, prec), arb_addmul(b, c, y, prec);
    noe_wide_middle(a), noe_wide_middle(b);
    arb_swap(x, a), arb_swap(y, b);
    arb_clear(a), arb_clear(b);
}

/* A becomes diagonal to rounding, W [n][n] its eigenvectors as columns; after JACOBI_SWEEPS_MOST
 * sweeps A is taken as it is. */
static void jacobi(arb_mat_t A, arb_mat_t W, slong prec)
{
    const slong n = arb_mat_nrows(A);
    arb_t       c, s;
    arf_t       bound, sum;
    arb_init(c), arb_init(s), arf_init(bound), arf_init(sum);
    arb_mat_one(W);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            arf_abs(sum, arb_midref(arb_mat_entry(A, i, j)));
            if (arf_cmp(sum, bound) > 0) arf_set(bound, sum);
        }
    arf_mul_2exp_si(bound, bound, -prec - ROTATED_BITS);
    bool more = true;
    for (int k = 0; k < JACOBI_SWEEPS_MOST && more; k++) {
        more = false;
        for (slong p = 0; p < n; p++)
            for (slong q = p + 1; q < n; q++) {
                if (arf_cmpabs(arb_midref(arb_mat_entry(A, p, q)), bound) <= 0) continue;
                more = true;
                angle(c, s, A, p, q, prec);
                for (slong i = 0; i < n; i++)
                    rotate(arb_mat_entry(A, i, p), arb_mat_entry(A, i, q), c, s, prec);
                for (slong i = 0; i < n; i++)
                    rotate(arb_mat_entry(A, p, i), arb_mat_entry(A, q, i), c, s, prec);
                for (slong i = 0; i < n; i++)
                    rotate(arb_mat_entry(W, i, p), arb_mat_entry(W, i, q), c, s, prec);
                arb_zero(arb_mat_entry(A, p, q)), arb_zero(arb_mat_entry(A, q, p));
            }
    }
    arb_clear(c), arb_clear(s), arf_clear(bound), arf_clear(sum);
}

bool noe_arb_modes_solve(arb_mat_t X, arb_ptr lambda, const arb_mat_t M, const arb_mat_t K,
                         slong prec)
{
    const slong n = arb_mat_nrows(M);
    arb_mat_t   G, A, B;
    arb_mat_init(G, n, n), arb_mat_init(A, n, n), arb_mat_init(B, n, n);
    const bool ok = arb_mat_cho(G, M, prec);
    if (ok) {
        drop_radii(G);
        arb_mat_approx_solve_tril(A, G, K, 0, prec);
        arb_mat_transpose(A, A);
        arb_mat_approx_solve_tril(B, G, A, 0, prec);
        arb_mat_transpose(A, B);
        /* A <- (A + A^T)/2, symmetric to the last bit */
        arb_mat_add(A, A, B, prec), arb_mat_scalar_mul_2exp_si(A, A, -1);
        drop_radii(A);
        jacobi(A, B, prec);
        for (slong i = 0; i < n; i++) arb_set(lambda + i, arb_mat_entry(A, i, i));
        arb_mat_transpose(G, G);
        arb_mat_approx_solve_triu(X, G, B, 0, prec);
    }
    arb_mat_clear(G), arb_mat_clear(A), arb_mat_clear(B);
    return ok;
}
