/* int_0^1 T_k(2c-1) dc = 1/(1-k^2) for even k.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * 0 for odd k:  quadratures and orthogonal polynomials. */
#include <string.h>

#include "method/legendre_polynomials.h"
#include "method/quadrature.h"
#include "random.h"

enum { MOST = 32 };

/* P_n(x), |x| <= 1, by Laplace's integral, 1/pi int_0^pi (x + i sqrt(1-x^2) cos t)^n dt, with a
 * sum that is exact for it.  No recurrence, no cancellation: independent of the library's way. */
static quad legendre(int n, quad x)
{
    const quad pi = acosq(-1);
    quad       sum = 0;
    for (int k = 0; k <= n; k++) {
        quad y = sqrtq(1 - x * x) * cosq(pi * (2 * k + 1) / (2 * n + 2)), re = 1, im = 0;
        for (int i = 0; i < n; i++) {
            quad old = re;
            re = old * x - im * y;
            im = im * x + old * y;
        }
        sum += re;
    }
    return sum / (n + 1);
}

static quad chebyshev(int k, quad c) { return cosq(k * acosq(1 - 2 * c)) * (k % 2 ? -1 : 1); }
static quad chebyshev_integral(int k) { return k % 2 ? 0 : (quad)1 / (1 - k * k); }

static const noe_quadrature *rule(const char *name)
{
    for (const noe_quadrature *q = noe_quadrature_rules; q->name; q++)
        if (!strcmp(q->name, name)) return q;
    fail_msg("no quadrature '%s'", name);
    return NULL;
}

static int expected_exactness(const char *name, int r)
{
    if (!strcmp(name, "gauss")) return 2 * r - 1;
    if (!strcmp(name, "lobatto")) return 2 * r - 3;
    if (!strcmp(name, "clenshaw")) return r - 1 + r % 2;
    return 2 * r - 2;
}

static void test_exact_up_to_its_degree_and_not_beyond(void **unused)
{
    (void)unused;
    quad c[MOST], b[MOST];
    for (const noe_quadrature *q = noe_quadrature_rules; q->name; q++)
        for (int r = q->least; r <= MOST; r++) {
            quad sum = 0, want = 0, missed = 0;
            q->fill(r, c, b);
            int d = noe_quadrature_exact(r, c, b);
            assert_int_equal(d, expected_exactness(q->name, r));
            for (int k = 0; k <= d; k++) {
                quad a = random_number();
                want += a * chebyshev_integral(k);
                for (int i = 0; i < r; i++) sum += a * b[i] * chebyshev(k, c[i]);
            }
            close_to(sum, want, 5e-32);
            for (int i = 0; i < r; i++) missed += b[i] * chebyshev(d + 1, c[i]);
            assert_true(fabsq(missed - chebyshev_integral(d + 1)) > 1e-3 / (r * r));
        }
}

static void test_nodes_ascend_and_weights_are_positive(void **unused)
{
    (void)unused;
    quad c[MOST], b[MOST];
    for (const noe_quadrature *q = noe_quadrature_rules; q->name; q++)
        for (int r = q->least; r <= MOST; r++) {
            q->fill(r, c, b);
            for (int i = 0; i < r; i++) {
                assert_true(b[i] > 0 && c[i] >= 0 && c[i] <= 1 && (i == 0 || c[i] > c[i - 1]));
                if (!strncmp(q->name, "radau", 5)) continue;
                assert_true(b[i] == b[r - 1 - i]);
                assert_true(i < r - 1 - i ? c[r - 1 - i] == 1 - c[i] : 1);
            }
            if (!strcmp(q->name, "radau-left") || q->least == 2) assert_true(c[0] == 0);
            if (!strcmp(q->name, "radau-right") || q->least == 2) assert_true(c[r - 1] == 1);
        }
}

/* Digits of Abramowitz & Stegun 25.4.30 and DLMF 3.5(v), on [-1, 1]. */
static void test_published_gauss(void **unused)
{
    (void)unused;
    static const struct {
        int         r, i;
        const char *x, *w;
    } rows[] = {
        { 2, 1, "0.57735026918962576451", "1.00000000000000000000" },
        { 3, 2, "0.77459666924148337704", "0.55555555555555555556" },
        { 3, 1, "0.00000000000000000000", "0.88888888888888888889" },
        { 5, 4, "0.90617984593866399280", "0.23692688505618908751" },
        { 5, 3, "0.53846931010568309104", "0.47862867049936646804" },
        { 5, 2, "0.00000000000000000000", "0.56888888888888888889" },
    };
    quad c[MOST], b[MOST];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        noe_quadrature_gauss(rows[k].r, c, b);
        close_to(2 * c[rows[k].i] - 1, strtoflt128(rows[k].x, NULL), 5.1e-21);
        close_to(2 * b[rows[k].i], strtoflt128(rows[k].w, NULL), 5.1e-21);
    }
}

/* Davis & Rabinowitz 2.7: the nodes' equations, and the weights in closed form. */
static void test_nodes_and_weights_by_formula(void **unused)
{
    (void)unused;
    quad c[MOST], b[MOST];
    for (int r = 2; r <= MOST; r++) {
        rule("gauss")->fill(r, c, b);
        for (int i = 0; i < r; i++) {
            quad x = 2 * c[i] - 1, p = legendre(r - 1, x);
            close_to(legendre(r, x), 0, 1e-31);
            close_to(b[i] * r * r * p * p, 1 - x * x, 1e-31);
        }
        rule("lobatto")->fill(r, c, b);
        for (int i = 0; i < r; i++) {
            quad x = 2 * c[i] - 1, p = legendre(r - 1, x);
            /* (1-x^2) P'_r-1 = (r-1)(P_r-2 - x P_r-1) = 0 */
            close_to(legendre(r - 2, x), x * p, 1e-31);
            close_to(b[i] * r * (r - 1) * p * p, 1, 1e-30);
        }
        rule("radau-left")->fill(r, c, b);
        for (int i = 0; i < r; i++) {
            quad x = 2 * c[i] - 1, p = legendre(r - 1, x);
            close_to(legendre(r, x) + p, 0, 1e-31);
            close_to(2 * b[i] * r * r * p * p, 1 - x, 1e-30);
        }
        quad right[MOST], w[MOST];
        rule("radau-right")->fill(r, right, w);
        for (int i = 0; i < r; i++) {
            close_to(right[i], 1 - c[r - 1 - i], 1e-33);
            close_to(w[i], b[r - 1 - i], 1e-33);
        }
    }
}

/* Waldvogel, Fast construction of the Fejer and Clenshaw-Curtis quadrature rules, BIT 46 (2006),
 * (2.3). */
static void test_clenshaw_curtis_weights(void **unused)
{
    (void)unused;
    const quad pi = acosq(-1);
    quad       c[MOST], b[MOST];
    for (int r = 2; r <= MOST; r++) {
        int n = r - 1;
        rule("clenshaw")->fill(r, c, b);
        for (int k = 0; k <= n; k++) {
            quad sum = 1;
            for (int j = 1; j <= n / 2; j++)
                sum -= (2 * j == n ? 1 : 2) * cosq(2 * j * k * pi / n) / (4 * j * j - 1);
            close_to(b[k], sum / (k == 0 || k == n ? 2 * n : n), 1e-32);
            close_to(c[k], (1 - cosq(k * pi / n)) / 2, 1e-33);
        }
    }
}

static void test_simpson(void **unused)
{
    (void)unused;
    quad c[3], b[3];
    rule("lobatto")->fill(3, c, b);
    assert_true(c[0] == 0 && 2 * c[1] == 1 && c[2] == 1);
    close_to(b[0], (quad)1 / 6, 1e-34);
    close_to(b[1], (quad)4 / 6, 2e-34);
    close_to(b[2], (quad)1 / 6, 1e-34);
}

static void test_legendre_is_orthonormal(void **unused)
{
    (void)unused;
    quad c[24], b[24], l[24][24];
    noe_quadrature_gauss(24, c, b);
    for (int i = 0; i < 24; i++) noe_legendre_polynomials_values(24, c[i], l[i]);
    for (int m = 0; m < 24; m++)
        for (int n = 0; n < 24; n++) {
            quad sum = 0;
            for (int i = 0; i < 24; i++) sum += b[i] * l[i][m] * l[i][n];
            close_to(sum, m == n, 1e-31);
        }
}

static void test_legendre_and_its_integrals(void **unused)
{
    (void)unused;
    quad x[8], g[8], l[13], part[13], I[13], X[13];
    noe_quadrature_gauss(8, x, g);
    for (int k = 0; k < 20; k++) {
        quad c = k < 2 ? k : (1 + (quad)random_number()) / 2, left[13] = { 0 }, right[13] = { 0 };
        noe_legendre_polynomials_values(13, c, l);
        noe_legendre_polynomials_integrals(13, c, I, X);
        for (int i = 0; i < 8; i++) {
            noe_legendre_polynomials_values(13, c * x[i], part);
            for (int m = 0; m < 13; m++) left[m] += c * g[i] * part[m];
            noe_legendre_polynomials_values(13, c + (1 - c) * x[i], part);
            for (int m = 0; m < 13; m++) right[m] += (1 - c) * g[i] * part[m];
        }
        for (int m = 0; m < 13; m++) {
            close_to(l[m], sqrtq(2 * m + 1) * legendre(m, 2 * c - 1), 1e-31);
            close_to(I[m], left[m], 1e-32);
            close_to(X[m], right[m], 1e-32);
            assert_true(k != 0 || (I[m] == 0 && X[m] == (m == 0)));
            assert_true(k != 1 || (X[m] == 0 && I[m] == (m == 0)));
        }
    }
}

/* p(c) = sum_k p(d_k) L_k(c) for a cubic and four nodes. */
static void test_lagrange_interpolates(void **unused)
{
    (void)unused;
    const quad d[4] = { 0, (quad)1 / 3, (quad)1 / 2, 1 };
    for (int n = 0; n < 20; n++) {
        quad a = random_number(), b = random_number(), c = 2 * (quad)random_number(), sum = 0;
        for (int k = 0; k < 4; k++)
            sum += ((d[k] + a) * d[k] * d[k] + b) * noe_legendre_polynomials_lagrange(4, d, k, c);
        close_to(sum, (c + a) * c * c + b, 1e-30);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_up_to_its_degree_and_not_beyond),
        cmocka_unit_test(test_nodes_ascend_and_weights_are_positive),
        cmocka_unit_test(test_published_gauss),
        cmocka_unit_test(test_nodes_and_weights_by_formula),
        cmocka_unit_test(test_clenshaw_curtis_weights),
        cmocka_unit_test(test_simpson),
        cmocka_unit_test(test_legendre_is_orthonormal),
        cmocka_unit_test(test_legendre_and_its_integrals),
        cmocka_unit_test(test_lagrange_interpolates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
