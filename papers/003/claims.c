/* q'M q'/2 - q K q/2:  both variants of paper 003 and its propositions, on random M, K, against noether.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, J. G. Cabrera-Diaz, Simpson's variational integrator for systems with
 * quadratic Lagrangians, Axioms 13 (2024) 255. */
#include "../claim.h"

#include <math.h>
#include <unistd.h>

enum { N = 3, MOST = 3 * N, PAIRS = 5 };

/* ---- small dense matrices ---- */

typedef struct { int rows, columns; quad a[MOST][MOST]; } matrix;

static matrix zero(int r, int c) { return (matrix){ .rows = r, .columns = c }; }
static matrix scaled(quad s, matrix A)
{
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.columns; j++) A.a[i][j] *= s;
    return A;
}
static matrix one(int n)
{
    matrix I = zero(n, n);
    for (int i = 0; i < n; i++) I.a[i][i] = 1;
    return I;
}
static matrix sum(matrix A, quad s, matrix B) /* A + s B */
{
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.columns; j++) A.a[i][j] += s * B.a[i][j];
    return A;
}
static matrix times(matrix A, matrix B)
{
    matrix C = zero(A.rows, B.columns);
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < B.columns; j++)
            for (int k = 0; k < A.columns; k++) C.a[i][j] += A.a[i][k] * B.a[k][j];
    return C;
}
static matrix turned(matrix A)
{
    matrix C = zero(A.columns, A.rows);
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.columns; j++) C.a[j][i] = A.a[i][j];
    return C;
}
static matrix solve(matrix A, matrix B) /* A^-1 B */
{
    const int n = A.rows;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++)
            if (fabsq(A.a[i][k]) > fabsq(A.a[p][k])) p = i;
        for (int j = 0; j < n; j++) { quad t = A.a[k][j]; A.a[k][j] = A.a[p][j]; A.a[p][j] = t; }
        for (int j = 0; j < B.columns; j++) { quad t = B.a[k][j]; B.a[k][j] = B.a[p][j]; B.a[p][j] = t; }
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const quad f = A.a[i][k] / A.a[k][k];
            for (int j = k; j < n; j++) A.a[i][j] -= f * A.a[k][j];
            for (int j = 0; j < B.columns; j++) B.a[i][j] -= f * B.a[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < B.columns; j++) B.a[i][j] /= A.a[i][i];
    return B;
}
static matrix inverse(matrix A) { return solve(A, one(A.rows)); }
static void put(matrix *A, int r, int c, quad s, matrix B) /* block (r, c) of N x N blocks, += s B */
{
    for (int i = 0; i < B.rows; i++)
        for (int j = 0; j < B.columns; j++) A->a[r * N + i][c * N + j] += s * B.a[i][j];
}
static quad size(matrix A)
{
    quad most = 0;
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.columns; j++) most = largest(most, A.a[i][j]);
    return most;
}
static quad apart(matrix A, matrix B) { return size(sum(A, -1, B)) / (1 + size(A)); }
static quad form(matrix x, matrix A) { return times(times(turned(x), A), x).a[0][0]; }

/* Eigenvalues of a symmetric matrix, by Jacobi's rotations: the least and the largest. */
static void eigenvalues(matrix A, quad *least, quad *most)
{
    for (int sweep = 0; sweep < 40; sweep++)
        for (int p = 0; p < A.rows; p++)
            for (int q = p + 1; q < A.rows; q++) {
                if (A.a[p][q] == 0) continue;
                const quad f = (A.a[q][q] - A.a[p][p]) / (2 * A.a[p][q]);
                const quad t = (f < 0 ? -1 : 1) / (fabsq(f) + sqrtq(f * f + 1)), c = 1 / sqrtq(t * t + 1);
                matrix     R = one(A.rows);
                R.a[p][p] = R.a[q][q] = c, R.a[p][q] = t * c, R.a[q][p] = -t * c;
                A = times(times(turned(R), A), R);
            }
    *least = *most = A.a[0][0];
    for (int i = 1; i < A.rows; i++) {
        if (A.a[i][i] < *least) *least = A.a[i][i];
        if (A.a[i][i] > *most) *most = A.a[i][i];
    }
}
static matrix cholesky(matrix A) /* L, A = L L' */
{
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.rows; j++) {
            if (j > i) { A.a[i][j] = 0; continue; }
            for (int k = 0; k < j; k++) A.a[i][j] -= A.a[i][k] * A.a[j][k];
            A.a[i][j] = i == j ? sqrtq(A.a[i][i]) : A.a[i][j] / A.a[j][j];
        }
    return A;
}

/* ---- a random pair, and noether's steps of it ---- */

static matrix M, K, L;            /* L = 1 - h^2/8 M^-1 K */
static quad   h, w2, k, mu;       /* step; largest omega^2 of the pair; largest eigenvalue of K, least of M */
static matrix X, Y;               /* of (31), Simpson; of (11), Newmark */
static matrix Xn, Yn;
static char   model[] = P_tmpdir "/noether-pair-XXXXXX";

static matrix definite(void)
{
    matrix A = zero(N, N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) A.a[i][j] = some();
    return sum(times(A, turned(A)), NUM(0.2), one(N));
}

static void set_step(quad step)
{
    h = step;
    L = sum(one(N), -h * h / 8, solve(M, K));
    Xn = scaled(2 / h, M), Yn = scaled(h / 2, K);
    X = sum(scaled(2 / h, M), -h / 6, K);
    Y = scaled(h / 3, sum(times(K, inverse(L)), 0.5Q, K));
}

static void pair(void)
{
    quad least, most;
    M = definite(), K = scaled(9, definite());
    eigenvalues(M, &mu, &most);
    eigenvalues(K, &least, &k);
    const matrix C = inverse(cholesky(M)), S = times(times(C, K), turned(C));
    eigenvalues(S, &least, &w2);
    FILE *f = fopen(model, "w");
    if (!f) exit(2);
    fprintf(f, "coordinate x1, x2, x3\n");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            fprintf(f, "kinetic (%s)/2*x%d'*x%d'\n", text(M.a[i][j]), i + 1, j + 1);
            fprintf(f, "potential (%s)/2*x%d*x%d\n", text(K.a[i][j]), i + 1, j + 1);
        }
    fclose(f);
}

/* Rows (p, q) of a run from y = (p, q). */
static quad *states(const char *method, matrix y, int steps, int *rows)
{
    char start[1024] = "";
    for (int i = 0; i < N; i++)
        sprintf(start + strlen(start), "x%d=%s x%d.p=%s ", i + 1, text(y.a[N + i][0]), i + 1, text(y.a[i][0]));
    quad *r = noether(2 * N, rows, "%s %s --digits 33 --method '%s' --step %s --until '%d*%s' --columns "
                      "x1.p,x2.p,x3.p,x1,x2,x3", model, start, method, text(h), steps, text(h));
    if (*rows != steps + 1) exit(fprintf(stderr, "%d rows instead of %d\n", *rows, steps + 1));
    return r;
}

static matrix step_matrix(const char *method)
{
    matrix P = zero(2 * N, 2 * N);
    for (int j = 0; j < 2 * N; j++) {
        matrix e = zero(2 * N, 1);
        int    rows;
        e.a[j][0] = 1;
        quad *r = states(method, e, 1, &rows);
        for (int i = 0; i < 2 * N; i++) P.a[i][j] = r[2 * N + i];
        free(r);
    }
    return P;
}

/* ---- schemes of the paper ---- */

static matrix scheme(matrix x, matrix y) /* A^-1 B of (34) */
{
    matrix A = zero(2 * N, 2 * N), B = A, I = one(N);
    put(&A, 0, 0, 1, I), put(&A, 0, 1, -1, x), put(&A, 1, 0, 1, I), put(&A, 1, 1, 1, y);
    put(&B, 0, 0, -1, I), put(&B, 0, 1, -1, x), put(&B, 1, 0, 1, I), put(&B, 1, 1, -1, y);
    return solve(A, B);
}

static void first_variant(matrix *A, matrix *B) /* (28) */
{
    const matrix I = one(N), S = sum(scaled(2 / h, M), -h / 6, K);
    *A = zero(3 * N, 3 * N), *B = zero(3 * N, 2 * N);
    put(A, 0, 0, 1, L), put(A, 0, 2, -0.5Q, I), put(A, 1, 1, 1, I), put(A, 1, 2, -1, S);
    put(A, 2, 0, 2 * h / 3, K), put(A, 2, 1, 1, I), put(A, 2, 2, h / 6, K);
    put(B, 0, 1, 0.5Q, I), put(B, 1, 0, -1, I), put(B, 1, 1, -1, S), put(B, 2, 0, 1, I), put(B, 2, 1, -h / 6, K);
}

static matrix by_D(matrix y) /* one solve with D = M + h^2 K/24, one with M */
{
    matrix p = zero(N, 1), q = p;
    for (int i = 0; i < N; i++) p.a[i][0] = y.a[i][0], q.a[i][0] = y.a[N + i][0];
    const matrix D = sum(M, h * h / 24, K), r = times(K, q);
    const matrix m = sum(q, h / 2, solve(D, sum(p, -h / 4, r))), s = times(K, m);
    const matrix q1 = sum(q, h, solve(M, sum(p, -h / 6, sum(r, 2, s)))), t = times(K, q1);
    const matrix p1 = sum(p, -h / 6, sum(sum(r, 4, s), 1, t));
    matrix       out = zero(2 * N, 1);
    put(&out, 0, 0, 1, p1), put(&out, 1, 0, 1, q1);
    return out;
}

static quad symplectic(matrix P) /* (33) */
{
    matrix J = zero(2 * N, 2 * N);
    put(&J, 0, 1, -1, one(N)), put(&J, 1, 0, 1, one(N));
    return size(sum(times(times(turned(P), J), P), -1, J)) / (1 + size(P) * size(P));
}

static quad less(quad a, quad b) { return a < b ? a : b; }

/* ---- claims ---- */

static matrix column(const quad *r) /* a row of states as (p, q) */
{
    matrix y = zero(2 * N, 1);
    for (int i = 0; i < 2 * N; i++) y.a[i][0] = r[i];
    return y;
}

static matrix half(matrix y, int which)
{
    matrix x = zero(N, 1);
    for (int i = 0; i < N; i++) x.a[i][0] = y.a[which * N + i][0];
    return x;
}

static void propositions(void)
{
    quad newmark = 0, first = 0, second = 0, D = 0, sn = 0, ss = 0, any = 0, sym = 0, Ypos = 1e9Q, Xpos = 1e9Q, conserved = 0;
    quad zeta = 0, H1 = 0, H2 = 0, nine = 0, both = 0, right27 = 0, wrong27 = 0, right7 = 0, wrong7 = 0, bounds = 0, bounds_printed = 0;
    quad sums = 0, sums_printed = 0;
    for (int i = 0; i < PAIRS; i++) {
        pair();
        set_step((NUM(0.5) + NUM(0.45) * some()) * sqrtq(8 / w2));
        matrix A, B;
        const matrix Pn = step_matrix("newmark"), Ps = step_matrix("simpson");
        newmark = largest(newmark, apart(Pn, scheme(Xn, Yn)));
        second = largest(second, apart(Ps, scheme(X, Y)));
        first_variant(&A, &B);
        matrix V = solve(A, B), W = zero(2 * N, 2 * N);
        for (int r = 0; r < 2 * N; r++)
            for (int c = 0; c < 2 * N; c++) W.a[r][c] = V.a[N + r][c];
        first = largest(first, apart(Ps, W));
        both = largest(both, apart(scheme(X, Y), W));
        sn = largest(sn, symplectic(Pn)), ss = largest(ss, symplectic(Ps));
        /* Proposition 1 with indefinite X, Y */
        matrix x = definite(), y = definite();
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
        int    rows;
        quad  *r = states("simpson", y0, 50, &rows);
        const matrix xi = inverse(sum(X, 1, Y)), ze = inverse(sum(inverse(X), 1, inverse(Y)));
        const matrix C = solve(M, K), I = one(N), F = inverse(sum(I, h * h / 24, C)), G = sum(I, -h * h / 12, C), E = sum(I, -h * h / 24, C),
                     S = sum(I, -h * h / 8, C), Mi = inverse(M);
        zeta = largest(zeta, apart(ze, times(times(X, xi), Y)));
        quad f0 = 0, g0 = 0, e0 = 0;
        for (int j = 0; j < rows; j++) {
            const matrix s = column(r + 2 * N * j), p = half(s, 0), q = half(s, 1);
            const quad f = (form(p, xi) + form(q, ze)) / 2;
            const quad g = (form(p, times(times(S, F), Mi)) + form(q, times(K, times(times(G, E), F)))) / 2;
            const quad e = (form(p, times(S, Mi)) + form(q, times(K, times(G, E)))) / 2;
            if (j == 0) f0 = f, g0 = g, e0 = e;
            conserved = largest(conserved, (f - f0) / f0), H1 = largest(H1, (g - g0) / g0), H2 = largest(H2, (e - e0) / e0);
            nine = largest(nine, fabsq(g - 2 / h * f) / fabsq(g));
        }
        for (int j = 0; j + 1 < rows; j++) {
            const matrix a = column(r + 2 * N * j), b = column(r + 2 * N * (j + 1));
            D = largest(D, apart(b, by_D(a)));
            const matrix pa = half(a, 0), qa = half(a, 1), pb = half(b, 0), qb = half(b, 1);
            matrix       full = zero(3 * N, 1);
            put(&full, 0, 0, 1, solve(L, scaled(0.5Q, sum(qa, 1, qb)))), put(&full, 1, 0, 1, pb), put(&full, 2, 0, 1, qb);
            right27 = largest(right27, size(sum(times(A, full), -1, times(B, a))));
            wrong27 = largest(wrong27, size(sum(times(A, full), -1, times(B, b))));
            const matrix left7 = sum(sum(pb, -1, pa), 1, times(Y, qa));
            right7 = largest(right7, size(sum(left7, 1, times(Y, qb))));
            wrong7 = largest(wrong7, size(sum(left7, 1, times(X, qb))));
            if (j) continue;
            const matrix c = column(r + 4 * N), qc = half(c, 1), qm = solve(L, scaled(0.5Q, sum(qa, 1, qb))), qn = solve(L, scaled(0.5Q, sum(qb, 1, qc)));
            const matrix in = sum(scaled(1 / h, times(M, sum(qb, -1, qa))), -h / 6, times(K, sum(scaled(2, qm), 1, qb)));
            const matrix out = sum(scaled(1 / h, times(M, sum(qc, -1, qb))), h / 6, times(K, sum(scaled(2, qn), 1, qb)));
            sums = largest(sums, apart(in, out)), sums_printed = largest(sums_printed, size(out));
        }
        /* after (38): 1/m and 1/mu bound psi' M^-1 psi, not psi' M psi */
        for (int t = 0; t < 20; t++) {
            matrix z = zero(N, 1);
            quad   m;
            for (int j = 0; j < N; j++) z.a[j][0] = some();
            eigenvalues(M, &low, &m);
            const quad n2 = times(turned(z), z).a[0][0], inv = form(z, Mi) / n2, straight = form(z, M) / n2;
            bounds = largest(bounds, fmaxq(0, fmaxq(inv - 1 / mu, 1 / m - inv)));
            bounds_printed = largest(bounds_printed, fmaxq(0, fmaxq(straight - 1 / mu, 1 / m - straight)));
        }
        free(r);
    }
    const char *pairs = "5 random pairs of 3 x 3, noether's steps in binary128";
    claim("(12) Newmark's scheme Phi_n is noether's newmark", pairs, newmark, 1e-31Q);
    claim("(29) first variant, with the middle, is noether's simpson", pairs, first, 1e-31Q);
    claim("(32) second variant Phi_s is noether's simpson", pairs, second, 1e-31Q);
    claim("both variants are equivalent", "entries of their matrices", both, 1e-31Q);
    claim("the form with D = M + h^2 K/24 and M alone, both definite", "50 steps of each pair", D, 3e-32Q);
    claim("Proposition 1: symplectic for symmetric X, Y with X + Y invertible; definite they need not be", "X indefinite, 5 random pairs", any, 2e-32Q);
    claim("Proposition 2: Newmark's scheme is symplectic", "Phi' J Phi - J of noether's step", sn, 1e-31Q);
    claim("Proposition 3: Y_s is symmetric", "random pairs, step up to 0.95 of the limit", sym, 2e-32Q);
    claim("Proposition 4: Y_s is positive definite under (40)", "-(least eigenvalue)/(largest) at 0.9995 of the bound", -Ypos, 0);
    claim("Proposition 5: X_s is positive definite under (40)", "the same", -Xpos, 0);
    claim("Proposition 6: Simpson's scheme is symplectic", "Phi' J Phi - J of noether's step", ss, 1e-31Q);
    claim("Proposition 7: phi of (42) is conserved", "50 steps of noether, relative", conserved, 2e-31Q);
    claim("zeta = X xi Y", "(X^-1 + Y^-1)^-1 of the same pairs", zeta, 2e-32Q);
    claim("2 phi/h in closed form, with (1 - x/8)(1 + x/24)^-1, x = h^2 M^-1 K", "along the same states", largest(nine, H1), 2e-31Q);
    claim("a conserved form without a solve: p'(1 - x/8) M^-1 p/2 + q' K (1 - x/12)(1 - x/24) q/2", "along the same states", H2, 2e-31Q);
    erratum("right-side-27", "A_sigma (q_m, eta_1) - B_sigma eta at noether's states", wrong27, right27);
    erratum("proof-7", "second line of the expanded (41) at noether's states", wrong7, right7);
    erratum("inequalities-38", "violation of the bounds 1/m, 1/mu by psi' M psi (printed), psi' M^-1 psi", bounds_printed, bounds);
    erratum("sums", "d(discrete action)/dq_1 on noether's trajectory; as printed the first interval is missing", sums_printed, sums);
}

/* Largest |q| of so many steps from q = 1. */
static quad growth(quad step, int steps)
{
    matrix y = zero(2 * N, 1);
    quad   most = 0;
    int    rows;
    for (int i = 0; i < N; i++) y.a[N + i][0] = 1;
    set_step(step);
    quad *r = states("simpson", y, steps, &rows);
    for (int i = 0; i < rows; i++)
        for (int j = N; j < 2 * N; j++) most = largest(most, r[2 * N * i + j]);
    free(r);
    return most;
}

static void limit(void)
{
    quad below = 0, above = 1e30Q, gap = 1e9Q;
    for (int i = 0; i < PAIRS; i++) {
        pair();
        below = largest(below, growth(NUM(0.9999) * sqrtq(8 / w2), 3000));
        above = less(above, growth(NUM(1.0001) * sqrtq(8 / w2), 3000));
        gap = less(gap, sqrtq(1 / w2) / sqrtq(mu / k));
    }
    claim("stable for omega_max h < 2 sqrt 2", "largest |q| of 3000 steps of noether at 0.9999 of it, |q(0)| = 1, 5 random pairs", below, 100);
    claim("and not beyond: the limit is sharp", "1/(least growth of 3000 steps at 1.0001 of it)", 1 / above, 1e-15Q);
    /* the paper's own system: k/mu = 5.236, omega_max^2 = 3.414, in units of omega_0^2 */
    matrix m = zero(2, 2), s = zero(2, 2);
    quad   low, high, kk, mm;
    m.a[0][0] = 2, m.a[0][1] = m.a[1][0] = m.a[1][1] = 1, s.a[0][0] = 2, s.a[1][1] = 1;
    eigenvalues(m, &mm, &high);
    eigenvalues(s, &low, &kk);
    const matrix C = inverse(cholesky(m));
    eigenvalues(times(times(C, s), turned(C)), &low, &high);
    char printed[80], right[120];
    snprintf(printed, sizeof printed, "k/mu = omega_max^2");
    snprintf(right, sizeof right, "k/mu = %.4f, omega_max^2 = %.4f omega_0^2: only >=; (40) allows %.1f %% of the step", (double)(kk / mm), (double)high,
             100 * (double)sqrtq(high * mm / kk));
    erratum_shown("k-over-mu", "eigenvalues of M, K and of the pair, the linearised double pendulum", printed, right, kk / mm > 1.5Q * high && gap >= 1);
}

/* (47)-(51): frequencies, eigenvectors, the exact solution, for any ratio of the masses. */
static void modes(void)
{
    quad pencil = 0, vectors = 0, matrix22 = 0, matrix22_printed = 0;
    for (int i = 0; i < 5; i++) {
        const quad r = 1 + NUM(0.9) * some(), g = NUM(9.81), l = 1 + some() / 2, w0 = sqrtq(g / l);
        for (int sign = -1; sign <= 1; sign += 2) {
            const quad w = w0 * sqrtq(1 + r + sign * sqrtq(r * (1 + r))), x1 = 1, x2 = -sign * sqrtq((1 + r) / r);
            const quad M2[2][2] = { { (1 + r) * l * l, r * l * l }, { r * l * l, r * l * l } }, K2[2] = { (1 + r) * g * l, r * g * l };
            const quad a = K2[0] - w * w * M2[0][0], b = -w * w * M2[0][1], d = K2[1] - w * w * M2[1][1];
            pencil = largest(pencil, a * d - b * b);
            vectors = largest(vectors, largest(fabsq(a * x1 + b * x2), b * x1 + d * x2));
            matrix22 = largest(matrix22, l * r * (g - w * w * l) - d);
            matrix22_printed = largest(matrix22_printed, l * r * (g - w * w * r * l) - d);
        }
    }
    claim("(49) frequencies, omega_1 with the plus", "det(K - omega^2 M) for 5 random mass ratios, scale 100", pencil, 1e-29Q);
    claim("(50) eigenvectors", "(K - omega_i^2 M) x_i", vectors, 1e-30Q);
    erratum("entry-22", "entry (2,2) of K - omega^2 M for 5 random mass ratios", matrix22_printed, matrix22);
    /* q_ex against a run of order 16 */
    int        rows;
    quad      *y = noether(3, &rows, "systems/linear_double_pendulum.lag --digits 33 --method 'gauss 8' --step 1/40 --until 1 --columns t,q1,q2");
    const quad w0 = 2 * M_PIq, w1 = w0 * sqrtq(2 + sqrtq(2)), w2_ = w0 * sqrtq(2 - sqrtq(2));
    quad       worst = 0;
    for (int i = 0; i < rows; i++) {
        const quad t = (quad)i / 40;
        worst = largest(worst, M_PIq / 12 * (cosq(w2_ * t) - cosq(w1 * t)) / sqrtq(2) - y[3 * i + 1]);
        worst = largest(worst, M_PIq / 12 * (cosq(w2_ * t) + cosq(w1 * t)) - y[3 * i + 2]);
    }
    free(y);
    claim("q_ex = pi/12 ((cos w2 t - cos w1 t)/sqrt 2, cos w1 t + cos w2 t)", "noether's gauss 8, 40 steps a second, binary128", worst, 5e-26Q);
    /* the unit of time: Newmark over T = 1 s in steps of 0.1 s, or over 1/omega_0 */
    quad error[2] = { 0, 0 };
    for (int unit = 0; unit < 2; unit++) {
        y = noether(2, &rows, "systems/linear_double_pendulum.lag --method newmark --step '%s' --until '%s' --columns q1,q2",
                    unit ? "0.1" : "0.1/(2*pi)", unit ? "1" : "1/(2*pi)");
        for (int i = 0; i < rows; i++) {
            const quad t = NUM(0.1) * i / (unit ? 1 : w0);
            const quad a = M_PIq / 12 * (cosq(w2_ * t) - cosq(w1 * t)) / sqrtq(2) - y[2 * i], b = M_PIq / 12 * (cosq(w2_ * t) + cosq(w1 * t)) - y[2 * i + 1];
            error[unit] = largest(error[unit], sqrtq(a * a + b * b));
        }
        free(y);
    }
    char printed[80], right[80];
    snprintf(printed, sizeof printed, "1/omega_0: %.3g", (double)error[0]);
    snprintf(right, sizeof right, "2 pi/omega_0 = 1 s: %.4g", (double)error[1]);
    erratum_shown("unit-of-time", "error of q of noether's newmark, T = 1, 10 meshes; Table 2 has 0.342", printed, right,
                  fabsq(error[1] - NUM(0.3425)) < 1e-3Q && error[0] < 0.01Q);
}

int main(void)
{
    const int f = mkstemp(model);
    if (f < 0) return 2;
    close(f);
    propositions();
    limit();
    modes();
    remove(model);
    return failures != 0;
}
