/* q'M q'/2 - q K q/2:  both variants of paper 003 and its propositions, on random M, K.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, J. G. Cabrera-Diaz, Simpson's variational integrator for
 * systems with quadratic Lagrangians, Axioms 13 (2024) 255.  Compared with steps of noether. */
#include "pair.h"

static void propositions(void)
{
    quad newmark = 0, first = 0, second = 0, D = 0, sn = 0, ss = 0, any = 0, sym = 0, Ypos = 1e9Q,
         Xpos = 1e9Q, conserved = 0;
    quad zeta = 0, H1 = 0, H2 = 0, nine = 0, both = 0, right27 = 0, wrong27 = 0, right7 = 0,
         wrong7 = 0, bounds = 0, bounds_printed = 0;
    quad sums = 0, sums_printed = 0;
    for (int i = 0; i < PAIRS; i++) {
        pair(N);
        set_step((NUM(0.5) + NUM(0.45) * some()) * sqrtq(8 / w2));
        matrix       A, B;
        const matrix Pn = step_matrix("newmark"), Ps = step_matrix("simpson");
        newmark = largest(newmark, apart(Pn, scheme(scaled(2 / h, M), scaled(h / 2, K))));
        second = largest(second, apart(Ps, scheme(X, Y)));
        first_variant(&A, &B);
        const matrix W = part(solve(A, B), N, 2 * N);
        first = largest(first, apart(Ps, W));
        both = largest(both, apart(scheme(X, Y), W));
        sn = largest(sn, symplectic(Pn)), ss = largest(ss, symplectic(Ps));
        /* Proposition 1 with indefinite X, Y */
        matrix x = definite(N), y = definite(N);
        x = sum(x, -3, one(N));
        any = largest(any, symplectic(scheme(x, y)));
        sym = largest(sym, apart(Y, turned(Y)));
        /* Propositions 4 and 5 at 0.999 of the bound (40) */
        const quad was = h;
        quad       low, high;
        set_step(NUM(0.9995) * sqrtq(8 * mu / k));
        eigenvalues(scaled(0.5Q, sum(Y, 1, turned(Y))), &low, &high);
        Ypos = less(Ypos, low / high);
        eigenvalues(X, &low, &high);
        Xpos = less(Xpos, low / high);
        set_step(was);
        /* Proposition 7 along noether's states */
        matrix y0 = zero(2 * N, 1);
        for (int j = 0; j < 2 * N; j++) y0.a[j][0] = some();
        int          rows;
        quad        *r = states("simpson", y0, 50, &rows);
        const matrix xi = inverse(sum(X, 1, Y)), ze = inverse(sum(inverse(X), 1, inverse(Y)));
        const matrix C = solve(M, K), I = one(N), F = inverse(sum(I, h * h / 24, C)),
                     G = sum(I, -h * h / 12, C), E = sum(I, -h * h / 24, C),
                     S = sum(I, -h * h / 8, C), Mi = inverse(M);
        zeta = largest(zeta, apart(ze, times(times(X, xi), Y)));
        quad f0 = 0, g0 = 0, e0 = 0;
        for (int j = 0; j < rows; j++) {
            const matrix s = column(r + 2 * N * j), p = half(s, 0), q = half(s, 1);
            const quad   f = (form(p, xi) + form(q, ze)) / 2;
            const quad   g =
                (form(p, times(times(S, F), Mi)) + form(q, times(K, times(times(G, E), F)))) / 2;
            const quad e = (form(p, times(S, Mi)) + form(q, times(K, times(G, E)))) / 2;
            if (j == 0) f0 = f, g0 = g, e0 = e;
            conserved = largest(conserved, (f - f0) / f0), H1 = largest(H1, (g - g0) / g0),
            H2 = largest(H2, (e - e0) / e0);
            nine = largest(nine, fabsq(g - 2 / h * f) / fabsq(g));
        }
        for (int j = 0; j + 1 < rows; j++) {
            const matrix a = column(r + 2 * N * j), b = column(r + 2 * N * (j + 1));
            D = largest(D, apart(b, by_D(a)));
            const matrix pa = half(a, 0), qa = half(a, 1), pb = half(b, 0), qb = half(b, 1);
            matrix       full = zero(3 * N, 1);
            put(&full, 0, 0, 1, solve(L, scaled(0.5Q, sum(qa, 1, qb)))), put(&full, 1, 0, 1, pb),
                put(&full, 2, 0, 1, qb);
            right27 = largest(right27, size(sum(times(A, full), -1, times(B, a))));
            wrong27 = largest(wrong27, size(sum(times(A, full), -1, times(B, b))));
            const matrix left7 = sum(sum(pb, -1, pa), 1, times(Y, qa));
            right7 = largest(right7, size(sum(left7, 1, times(Y, qb))));
            wrong7 = largest(wrong7, size(sum(left7, 1, times(X, qb))));
            if (j) continue;
            const matrix c = column(r + 4 * N), qc = half(c, 1),
                         qm = solve(L, scaled(0.5Q, sum(qa, 1, qb))),
                         qn = solve(L, scaled(0.5Q, sum(qb, 1, qc)));
            const matrix in = sum(scaled(1 / h, times(M, sum(qb, -1, qa))), -h / 6,
                                  times(K, sum(scaled(2, qm), 1, qb)));
            const matrix out = sum(scaled(1 / h, times(M, sum(qc, -1, qb))), h / 6,
                                   times(K, sum(scaled(2, qn), 1, qb)));
            sums = largest(sums, apart(in, out)), sums_printed = largest(sums_printed, size(out));
        }
        /* after (38): 1/m and 1/mu bound psi' M^-1 psi, not psi' M psi */
        for (int t = 0; t < 20; t++) {
            matrix z = zero(N, 1);
            quad   m;
            for (int j = 0; j < N; j++) z.a[j][0] = some();
            eigenvalues(M, &low, &m);
            const quad n2 = times(turned(z), z).a[0][0], inv = form(z, Mi) / n2,
                       straight = form(z, M) / n2;
            bounds = largest(bounds, fmaxq(0, fmaxq(inv - 1 / mu, 1 / m - inv)));
            bounds_printed = largest(bounds_printed,
                                     fmaxq(0, fmaxq(straight - 1 / mu, 1 / m - straight)));
        }
        free(r);
    }
    const char *pairs = "5 random pairs of 3 x 3, noether's steps in binary128";
    claim("(12) Newmark's scheme Phi_n is noether's newmark", pairs, newmark, 1e-31Q);
    claim("(29) first variant, with the middle, is noether's simpson", pairs, first, 1e-31Q);
    claim("(32) second variant Phi_s is noether's simpson", pairs, second, 1e-31Q);
    claim("both variants are equivalent", "entries of their matrices", both, 1e-31Q);
    claim("the form with D = M + h^2 K/24 and M alone, both definite", "50 steps of each pair", D,
          3e-32Q);
    claim("Proposition 1: symplectic for symmetric X, Y with X + Y invertible; definite they need "
          "not be",
          "X indefinite, 5 random pairs", any, 2e-32Q);
    claim("Proposition 2: Newmark's scheme is symplectic", "Phi' J Phi - J of noether's step", sn,
          1e-31Q);
    claim("Proposition 3: Y_s is symmetric", "random pairs, step up to 0.95 of the limit", sym,
          2e-32Q);
    claim("Proposition 4: Y_s is positive definite under (40)",
          "-(least eigenvalue)/(largest) at 0.9995 of the bound", -Ypos, 0);
    claim("Proposition 5: X_s is positive definite under (40)", "the same", -Xpos, 0);
    claim("Proposition 6: Simpson's scheme is symplectic", "Phi' J Phi - J of noether's step", ss,
          1e-31Q);
    claim("Proposition 7: phi of (42) is conserved", "50 steps of noether, relative", conserved,
          2e-31Q);
    claim("zeta = X xi Y", "(X^-1 + Y^-1)^-1 of the same pairs", zeta, 2e-32Q);
    claim("2 phi/h in closed form, with (1 - x/8)(1 + x/24)^-1, x = h^2 M^-1 K",
          "along the same states", largest(nine, H1), 2e-31Q);
    claim("a conserved form without a solve: p'(1 - x/8) M^-1 p/2 + q' K (1 - x/12)(1 - x/24) q/2",
          "along the same states", H2, 2e-31Q);
    erratum("right-side-27", "A_sigma (q_m, eta_1) - B_sigma eta at noether's states", wrong27,
            right27);
    erratum("proof-7", "second line of the expanded (41) at noether's states", wrong7, right7);
    erratum("inequalities-38",
            "violation of the bounds 1/m, 1/mu by psi' M psi (printed), psi' M^-1 psi",
            bounds_printed, bounds);
    erratum(
        "sums",
        "d(discrete action)/dq_1 on noether's trajectory; as printed the first interval is missing",
        sums_printed, sums);
}

int main(void)
{
    begin();
    propositions();
    return end();
}
