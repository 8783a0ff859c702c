/* "gauss 3" -> numbers -> (q, p) -> (q, p):  names, orders, symmetry, bases, stability.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "lagrange.h"
#include "method/stability.h"
#include "random.h"

enum { S = NOE_MAX_DEGREE };

static noe_method *parse(const char *name)
{
    noe_method *m = noe_method_parse(name);
    if (!m) fail_msg("%s", noe_error());
    return m;
}

/* ---- the step, written plainly: the formula of method.h, Newton, elimination
 * -------------------------- */

/* L, and its derivatives: f[0] = L_q, f[1] = L_v, f[2] = L_qq, f[3] = L_qv, f[4] = L_vv. */
typedef void lagrangian(quad q, quad v, quad *f);

/* L = v^2/2 - q^2/2 */
static void oscillator(quad q, quad v, quad *f)
{
    f[0] = -q, f[1] = v, f[2] = -1, f[3] = 0, f[4] = 1;
}

/* L = (2 + sin q) v^2/2 + cos q: nonlinear with a mass that moves, so that no order shows by
 * chance. */
static void pendulum(quad q, quad v, quad *f)
{
    f[0] = cosq(q) * v * v / 2 - sinq(q);
    f[1] = (2 + sinq(q)) * v;
    f[2] = -sinq(q) * v * v / 2 - cosq(q);
    f[3] = cosq(q) * v;
    f[4] = 2 + sinq(q);
}

static void eliminate(int n, quad A[S][S], quad *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabsq(A[i][k]) > fabsq(A[best][k])) best = i;
        for (int j = 0; j < n; j++) {
            quad swap = A[k][j];
            A[k][j] = A[best][j], A[best][j] = swap;
        }
        quad swap = x[k];
        x[k] = x[best], x[best] = swap;
        for (int i = k + 1; i < n; i++) {
            quad f = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
            x[i] -= f * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) x[k] -= A[k][j] * x[j];
        x[k] /= A[k][k];
    }
}

static void step(const noe_method *t, lagrangian *L, quad h, quad *q, quad *p)
{
    quad a[S] = { 0 }, kick = 0, moved = HUGE_VAL, before = HUGE_VAL;
    for (int it = 0; it < 20 && (it < 2 || moved < before); it++) { /* until round-off stops it */
        quad A[S][S] = { { 0 } }, rest[S];
        for (int m = 0; m < t->s; m++) rest[m] = t->w[m] * *p;
        kick = 0;
        for (int i = 0; i < t->r; i++) {
            quad V = 0, Q = *q, f[5];
            for (int m = 0; m < t->s; m++) V += t->l[i][m] * a[m], Q += h * t->I[i][m] * a[m];
            L(Q, V, f);
            kick += h * t->b[i] * f[0];
            for (int m = 0; m < t->s; m++) {
                quad l = t->b[i] * t->l[i][m], X = t->b[i] * h * t->X[i][m];
                rest[m] -= l * f[1] - X * f[0];
                for (int k = 0; k < t->s; k++)
                    A[m][k] += (l * f[4] - X * f[3]) * t->l[i][k]
                             + (l * f[3] - X * f[2]) * h * t->I[i][k];
            }
        }
        eliminate(t->s, A, rest);
        before = moved;
        moved = 0;
        for (int m = 0; m < t->s; m++) a[m] += rest[m], moved = fmaxq(moved, fabsq(rest[m]));
    }
    for (int m = 0; m < t->s; m++) *q += h * t->w[m] * a[m];
    *p += kick;
}

static quad trace(const noe_method *t, quad mu)
{
    quad q = 1, p = 0, q2 = 0, p2 = 1;
    step(t, oscillator, mu, &q, &p);
    step(t, oscillator, mu, &q2, &p2);
    close_to(q * p2 - q2 * p, 1, 5e-28 * (1 + (double)fabsq(q * p2)));
    return q + p2;
}

/* ---- names
 * -------------------------------------------------------------------------------------------- */

static void test_names(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *canonical;
        int         s, r;
    } rows[] = {
        { "simpson", "simpson", 2, 3 },
        { "Simpson ", "simpson", 2, 3 },
        { "lobatto 2", "simpson", 2, 3 },
        { "P2 lobatto 3", "simpson", 2, 3 },
        { "midpoint", "midpoint", 1, 1 },
        { "newmark", "midpoint", 1, 1 },
        { "gauss 1", "midpoint", 1, 1 },
        { "\tGAUSS\n3", "gauss 3", 3, 3 },
        { "gauss3", "gauss 3", 3, 3 },
        { "p 3 gauss 003", "gauss 3", 3, 3 },
        { "lobatto 1", "lobatto 1", 1, 2 },
        { "lobatto3", "lobatto 3", 3, 4 },
        { "P4 gauss 6", "P4 gauss 6", 4, 6 },
        { "p4gauss6", "P4 gauss 6", 4, 6 },
        { "gauss 12", "gauss 12", 12, 12 },
        { "P12 gauss 32", "P12 gauss 32", 12, 32 },
        { "P2 lobatto 2", "P2 lobatto 2", 2, 2 },
        { "P4 clenshaw 5", "P4 clenshaw 5", 4, 5 },
        { "P3 Radau-Left 3", "P3 radau-left 3", 3, 3 },
        { "P3radau-right4", "P3 radau-right 4", 3, 4 },
        { "P12 radau-right 32", "P12 radau-right 32", 12, 32 },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        noe_method *m = parse(rows[k].name), *again = parse(noe_method_name(m));
        assert_string_equal(noe_method_name(m), rows[k].canonical);
        assert_int_equal(m->s, rows[k].s);
        assert_int_equal(m->r, rows[k].r);
        assert_memory_equal(m->name, again->name, sizeof m->name);
        assert_memory_equal(m->X, again->X, sizeof m->X);
        noe_method_free(m);
        noe_method_free(again);
    }
}

static void test_errors_say_what_to_do(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *says;
    } rows[] = {
        { "", "expected a name" },
        { "  ", "expected a name" },
        { "42", "expected a name" },
        { "-gauss 3", "expected a name" },
        { "gaus 3", "did you mean 'gauss'" },
        { "sympson", "did you mean 'simpson'" },
        { "qqq", "known are simpson, midpoint, newmark, gauss, lobatto" },
        { "P4 labatto 5", "did you mean 'lobatto'" },
        { "P4 qqq 5", "known are gauss, lobatto, radau-left, radau-right, clenshaw" },
        { "P4 5", "unknown quadrature ''" },
        { "radau- 3", "unknown name 'radau'" },
        { "gauss", "degree must be" },
        { "gauss 0", "degree must be a number from 1 to 12" },
        { "gauss 13", "degree must be" },
        { "gauss -1", "degree must be" },
        { "P gauss 3", "degree must be" },
        { "gauss 99999999999999999999", "degree must be" },
        { "P4 gauss", "points must be from 1 to 32" },
        { "P4 gauss 33", "points must be from 1 to 32" },
        { "P1 lobatto 1", "points must be from 2 to 32" },
        { "P4 clenshaw 99999999999999999999", "points must be from 2 to 32" },
        { "P4 gauss 3", "singular; take at least 4 points" },
        { "P12 radau-left 11", "singular; take at least 12 points" },
        { "gauss 3x", "'x' is left over" },
        { "gauss 3 4", "'4' is left over" },
        { "gauss 3.5", "'.5' is left over" },
        { "simpson 2", "'2' is left over" },
        { "P4 gauss 6;", "';' is left over" },
        { "midpoint\xc3\xa9", "is left over" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        noe_error_clear();
        assert_null(noe_method_parse(rows[k].name));
        if (!noe_error() || !strstr(noe_error(), rows[k].says))
            fail_msg("'%s' gives: %s", rows[k].name, noe_error() ? noe_error() : "no message");
    }
    noe_error_clear();
}

static void test_null_passes_through(void **unused)
{
    (void)unused;
    noe_error_clear();
    assert_null(noe_method_parse(NULL));
    assert_null(noe_method_name(NULL));
    assert_int_equal(noe_method_order(NULL), 0);
    assert_int_equal(noe_stability_windows(NULL, 1, NULL, 0), 0);
    noe_method_free(NULL);
    assert_null(noe_error());
}

/* Any bytes at all: a method or a message, never both, never neither. */
static void test_random_text(void **unused)
{
    (void)unused;
    static const char *pieces[] = { "p",    "P",        "gauss",   "lobatto", "radau-",
                                    "left", "clenshaw", "simpson", " ",       "1",
                                    "2",    "3",        "7",       "0",       "-",
                                    "\xff", "\n",       "gauzz",   "%s%n",    "midpoint" };
    for (int n = 0; n < 2000; n++) {
        char text[100] = "";
        int  count = (int)(4 + 4 * random_number());
        for (int k = 0; k < count; k++) strcat(text, pieces[(int)(10 + 10 * random_number()) % 20]);
        noe_error_clear();
        noe_method *m = noe_method_parse(text);
        assert_true(!m == !!noe_error());
        noe_method_free(m);
    }
    char text[5000];
    memset(text, 'g', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_null(noe_method_parse(text));
    noe_error_clear();
}

/* ---- the numbers
 * -------------------------------------------------------------------------------------- */

static const struct method_row {
    const char *name;
    int         order;
    bool        symmetric;
} methods[] = {
    { "midpoint", 2, true },          { "lobatto 1", 2, true },
    { "simpson", 4, true },           { "gauss 2", 4, true },
    { "gauss 3", 6, true },           { "lobatto 3", 6, true },
    { "gauss 4", 8, true },           { "lobatto 4", 8, true },
    { "P4 gauss 6", 8, true },        { "P2 lobatto 2", 2, true },
    { "P3 lobatto 3", 4, true },      { "P2 gauss 3", 4, true },
    { "P1 gauss 4", 2, true },        { "P2 clenshaw 2", 2, true },
    { "P4 clenshaw 5", 6, true },     { "P3 clenshaw 6", 6, true },
    { "P1 radau-left 1", 1, false },  { "P1 radau-right 1", 1, false },
    { "P2 radau-left 2", 3, false },  { "P3 radau-left 3", 5, false },
    { "P3 radau-right 4", 6, false },
};
enum { METHODS = sizeof methods / sizeof *methods };

static quad error_after(const noe_method *t, int n, quad q1, quad p1)
{
    quad q = 1, p = 1;
    for (int k = 0; k < n; k++) step(t, pendulum, (quad)1 / n, &q, &p);
    return sqrtq((q - q1) * (q - q1) + (p - p1) * (p - p1));
}

static void test_order_is_what_a_nonlinear_system_shows(void **unused)
{
    (void)unused;
    noe_method *fine = parse("gauss 12");
    quad        q = 1, p = 1;
    for (int k = 0; k < 16; k++) step(fine, pendulum, (quad)1 / 16, &q, &p);
    noe_method_free(fine);
    for (int k = 0; k < METHODS; k++) {
        noe_method *m = parse(methods[k].name);
        double      measured = (double)log2q(error_after(m, 64, q, p) / error_after(m, 128, q, p));
        assert_int_equal(noe_method_order(m), methods[k].order);
        if (fabsq(measured - m->order) > 0.05) fail_msg("%s: order %g measured", m->name, measured);
        noe_method_free(m);
    }
}

static void test_symmetric_is_that_minus_h_undoes_h(void **unused)
{
    (void)unused;
    for (int k = 0; k < METHODS; k++) {
        noe_method *m = parse(methods[k].name);
        quad        q0 = random_number(), p0 = 2 + random_number(), q = q0, p = p0;
        step(m, pendulum, (quad)1 / 8, &q, &p);
        step(m, pendulum, -(quad)1 / 8, &q, &p);
        assert_int_equal(m->symmetric, methods[k].symmetric);
        assert_int_equal(fabsq(q - q0) + fabsq(p - p0) < 1e-31, methods[k].symmetric);
        noe_method_free(m);
    }
}

static void test_tableau(void **unused)
{
    (void)unused;
    for (int k = 0; k < METHODS; k++) {
        noe_method *m = parse(methods[k].name);
        for (int j = 0; j < m->s; j++) {
            assert_true(m->w[j] == (j == 0));
            for (int i = 0; i < m->r; i++) close_to(m->I[i][j] + m->X[i][j], m->w[j], 1e-34);
        }
        noe_method_free(m);
    }
}

static void random_nodes(int n, quad *d)
{
    for (int k = 0; k < n; k++) d[k] = (k + (quad)1 / 2 + random_number() / 4) / n;
}

/* v(1+c) = sum_k a_k l_k(1+c) = sum_m (E a)_m l_m(c), with the values of l taken afresh. */
static void test_E_continues_the_polynomial(void **unused)
{
    (void)unused;
    for (int s = 1; s <= S; s++) {
        char name[40];
        quad l[S], next[S], d[S], c = (1 + (quad)random_number()) / 2;
        snprintf(name, sizeof name, "gauss %d", s);
        noe_method *m = parse(name);
        for (int lagrange = 0; lagrange < 2; lagrange++) {
            if (lagrange) {
                random_nodes(s, d);
                lagrange_basis(m, d);
            }
            noe_legendre_polynomials_values(s, c, l);
            noe_legendre_polynomials_values(s, 1 + c, next);
            for (int k = 0; lagrange && k < s; k++) {
                l[k] = noe_legendre_polynomials_lagrange(s, d, k, c);
                next[k] = noe_legendre_polynomials_lagrange(s, d, k, 1 + c);
            }
            for (int k = 0; k < s; k++) {
                quad sum = 0, size = fabsq(next[k]);
                for (int j = 0; j < s; j++) {
                    sum += m->E[j][k] * l[j];
                    size = fmaxq(size, fabsq(m->E[j][k] * l[j]));
                }
                close_to(sum, next[k], 1e-31 * (double)size);
            }
        }
        noe_method_free(m);
    }
}

static void test_basis_change_leaves_the_step(void **unused)
{
    (void)unused;
    for (int k = 0; k < METHODS; k++) {
        noe_method *m = parse(methods[k].name);
        quad d[S], q0 = random_number(), p0 = 1 + random_number(), q = q0, p = p0, q2 = q0, p2 = p0;
        double edge[2 * S], edge2[2 * S];
        int    n = noe_stability_windows(m, 1e9, edge, 2 * S);
        step(m, pendulum, (quad)1 / 2, &q, &p);
        random_nodes(m->s, d);
        lagrange_basis(m, d);
        step(m, pendulum, (quad)1 / 2, &q2, &p2);
        close_to(q, q2, 1e-32);
        close_to(p, p2, 1e-32);
        assert_int_equal(noe_stability_windows(m, 1e9, edge2, 2 * S), n);
        for (int i = 0; i < n; i++) close_to(edge[i], edge2[i], 1e-15 * edge[i]);
        noe_method_free(m);
    }
}

/* ---- stability
 * ---------------------------------------------------------------------------------------- */

/* Recomputed with 40 digits from sampled and bisected traces; simpson and lobatto 3 partly in
 * closed form. */
static void test_published_windows(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int         n;
        double      edge[7];
    } rows[] = {
        { "lobatto 1", 1, { 2.000000 } },
        { "simpson", 3, { 2.828427, 3.464102, 4.898979 } },
        { "lobatto 3", 5, { 3.112718, 3.162278, 5.477226, 7.745967, 8.620382 } },
        { "lobatto 4", 5, { 3.140445, 3.142467, 6.054050, 6.480741, 8.254551 } },
        { "lobatto 5",
          7,
          { 3.141564, 3.141616, 6.253008, 6.305939, 8.841474, 10.105951, 11.353409 } },
        { "gauss 1", 0, { 0 } },
        { "gauss 2", 0, { 0 } },
        { "gauss 3", 0, { 0 } },
        { "gauss 4", 0, { 0 } },
        { "gauss 5", 0, { 0 } },
    };
    double edge[7];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        noe_method *m = parse(rows[k].name);
        assert_int_equal(noe_stability_windows(m, 12, edge, 7), rows[k].n);
        for (int i = 0; i < rows[k].n; i++) close_to(edge[i], rows[k].edge[i], 5.1e-7);
        noe_method_free(m);
    }
}

static void test_windows_in_closed_form(void **unused)
{
    (void)unused;
    noe_method *m = parse("simpson");
    double      edge[4];
    assert_int_equal(noe_stability_windows(m, HUGE_VAL, edge, 4), 3);
    close_to(edge[0], sqrtq(8), 2.3e-16);
    close_to(edge[1], sqrtq(12), 2.3e-16);
    close_to(edge[2], sqrtq(24), 4.5e-16);
    assert_int_equal(noe_stability_windows(m, 3, edge, 4), 1);
    assert_int_equal(noe_stability_windows(m, 4, NULL, 0), 2);
    assert_int_equal(noe_stability_windows(m, 0, edge, 4), 0);
    assert_int_equal(noe_stability_windows(m, NAN, edge, 4), 0);
    noe_method_free(m);
}

/* In the middle of a window, and a quarter from its ends, |trace| is on the side that its place
 * tells. Windows narrower than 1e-8 are left out: there |trace| - 2 is below what this
 * computation resolves. */
static void windows_agree_with_trace(const char *name)
{
    noe_method *m = parse(name);
    double      edge[2 * S];
    int         n = noe_stability_windows(m, HUGE_VAL, edge, 2 * S);
    for (int i = 0; i <= n; i++) {
        double a = i ? edge[i - 1] : 0, b = i < n ? edge[i] : a > 0 ? 2 * a : 60;
        if (b - a < 1e-8 * b) continue;
        for (int k = 1; k < 4; k++) {
            quad x = a + (b - a) * (quad)k / 4, t = fabsq(trace(m, x));
            if (i % 2 ? t > 2 : t < 2) continue;
            fail_msg("%s: |trace| - 2 = %g at %g", name, (double)(t - 2), (double)x);
        }
    }
    noe_method_free(m);
}

static void test_windows_agree_with_trace(void **unused)
{
    (void)unused;
    char name[40];
    for (int k = 0; k < METHODS; k++) windows_agree_with_trace(methods[k].name);
    for (int s = 1; s <= S; s++) {
        snprintf(name, sizeof name, "gauss %d", s);
        windows_agree_with_trace(name);
        snprintf(name, sizeof name, "lobatto %d", s);
        windows_agree_with_trace(name);
        snprintf(name, sizeof name, "P%d radau-left %d", s, s);
        windows_agree_with_trace(name);
        snprintf(name, sizeof name, "P%d clenshaw %d", s, s + 1);
        windows_agree_with_trace(name);
    }
}

/* Every window there is: 2s-1 edges when the nodes see every path; lobatto 12 has its first pair
 * 1e-19 apart around pi, 3.141592653589793238399773 and ..520565 (found with 90 digits). */
static void test_windows_of_high_degree(void **unused)
{
    (void)unused;
    double edge[2 * S];
    for (int s = 1; s <= S; s++) {
        char name[40];
        snprintf(name, sizeof name, "lobatto %d", s);
        noe_method *m = parse(name);
        assert_int_equal(noe_stability_windows(m, HUGE_VAL, edge, 2 * S), 2 * s - 1);
        noe_method_free(m);
        snprintf(name, sizeof name, "gauss %d", s);
        m = parse(name);
        assert_int_equal(noe_stability_windows(m, HUGE_VAL, edge, 2 * S), 0);
        noe_method_free(m);
    }
    noe_method *m = parse("lobatto 12");
    assert_int_equal(noe_stability_windows(m, 4, edge, 2 * S), 2);
    assert_true(edge[0] == edge[1] && edge[0] == (double)acosq(-1));
    noe_method_free(m);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_errors_say_what_to_do),
        cmocka_unit_test(test_null_passes_through),
        cmocka_unit_test(test_random_text),
        cmocka_unit_test(test_order_is_what_a_nonlinear_system_shows),
        cmocka_unit_test(test_symmetric_is_that_minus_h_undoes_h),
        cmocka_unit_test(test_tableau),
        cmocka_unit_test(test_E_continues_the_polynomial),
        cmocka_unit_test(test_basis_change_leaves_the_step),
        cmocka_unit_test(test_published_windows),
        cmocka_unit_test(test_windows_in_closed_form),
        cmocka_unit_test(test_windows_agree_with_trace),
        cmocka_unit_test(test_windows_of_high_degree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
