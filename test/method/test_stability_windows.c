/* Windows of stability: published numbers, closed forms, the trace of a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tableau_step.h"
#include "method/stability.h"

#include <math.h>

/* ---- the step, written plainly: the formula of method.h, Newton, elimination ---- */

/* L = v^2/2 - q^2/2 */
static void oscillator(quad q, quad v, quad *f)
{
    f[0] = -q, f[1] = v, f[2] = -1, f[3] = 0, f[4] = 1;
}

static quad trace(const noe_method *t, quad mu)
{
    quad q = 1, p = 0, q2 = 0, p2 = 1;
    step(t, oscillator, mu, &q, &p);
    step(t, oscillator, mu, &q2, &p2);
    close_to(q * p2 - q2 * p, 1, 5e-28 * (1 + (double)fabsq(q * p2)));
    return q + p2;
}

/* ---- stability ---- */

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
        cmocka_unit_test(test_published_windows),
        cmocka_unit_test(test_windows_in_closed_form),
        cmocka_unit_test(test_windows_agree_with_trace),
        cmocka_unit_test(test_windows_of_high_degree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
