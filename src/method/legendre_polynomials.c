/* Integrals of Legendre polynomials by their recurrence.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * m P_m = (2m-1) x P_m-1 - (m-1) P_m-2,   int_0^c P_m(2t-1) dt = ( P_m+1 - P_m-1 ) / (4m+2),
 * x = 2c-1.
 *
 * Abramowitz & Stegun 22.7 (recurrences), 22.8 (derivatives), 22.16 (asymptotic roots). */
#include "method/legendre_polynomials.h"

void noe_legendre_polynomials_values(int n, quad c, quad *l)
{
    quad x = 2 * c - 1, p = 1, older = 0;
    for (int m = 0; m < n; m++) {
        l[m] = sqrtq(2 * m + 1) * p;
        quad next = ((2 * m + 1) * x * p - m * older) / (m + 1);
        older = p;
        p = next;
    }
}

/* Integrals by differences of the unscaled P_m: P_m(+-1) is exact, so the integrals vanish
 * exactly at the ends. A node at c = 0 then has exactly the old position, and one at c = 1 the
 * new one. */
void noe_legendre_polynomials_integrals(int n, quad c, quad *I, quad *X)
{
    quad x = 2 * c - 1, older = 1, p = x;
    for (int m = 0; m < n; m++) {
        if (m == 0) {
            I[0] = c;
            X[0] = 1 - c;
            continue;
        }
        quad next = ((2 * m + 1) * x * p - m * older) / (m + 1);
        I[m] = sqrtq(2 * m + 1) * (next - older) / (4 * m + 2);
        X[m] = -I[m];
        older = p;
        p = next;
    }
}

static quad jacobi(int n, int alpha, int beta, quad x)
{
    quad older = 1, p = (alpha - beta + (alpha + beta + 2) * x) / 2;
    if (n == 0) return 1;
    for (int k = 2; k <= n; k++) {
        int  a = k + alpha, b = k + beta, t = a + b;
        quad next = (t - 1) * (t * (t - 2) * x + alpha * alpha - beta * beta) * p
                  - 2 * (a - 1) * (b - 1) * t * older;
        older = p;
        p = next / (2 * k * (t - k) * (t - 2));
    }
    return p;
}

/* Newton's method from asymptotic approximations of the roots: 5 corrections at most for 32
 * of them.  After one below LAST_CORRECTION the error is of the order of its square, below the
 * rounding of binary128. */
enum { CORRECTIONS_MOST = 20 };
static const double LAST_CORRECTION = 1e-20;

void noe_legendre_polynomials_jacobi_roots(int n, int alpha, int beta, quad *c)
{
    const quad pi = acosq(-1);
    int        t = n + alpha + beta + 1;
    for (int k = 0; k < n; k++) {
        quad root = (1 - cosq(pi * (4 * k + 3 + 2 * beta) / (2 * (t + n)))) / 2, d = 1;
        for (int i = 0; i < CORRECTIONS_MOST && fabsq(d) > LAST_CORRECTION; i++) {
            quad x = 2 * root - 1;
            d = jacobi(n, alpha, beta, x) / (t * jacobi(n - 1, alpha + 1, beta + 1, x));
            root -= d;
        }
        c[k] = root;
    }
}

quad noe_legendre_polynomials_lagrange(int n, const quad *d, int k, quad c)
{
    quad above = 1, below = 1;
    for (int i = 0; i < n; i++)
        if (i != k) {
            above *= c - d[i];
            below *= d[k] - d[i];
        }
    return above / below;
}
