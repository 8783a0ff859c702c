/* Tableaux: orders on nonlinear systems, symmetry, the continuation E, changes of the basis.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tableau_step.h"
#include "lagrange.h"
#include "method/stability.h"

/* ---- the step, written plainly: the formula of method.h, Newton, elimination ---- */

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

/* ---- the numbers ---- */

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

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_what_a_nonlinear_system_shows),
        cmocka_unit_test(test_symmetric_is_that_minus_h_undoes_h),
        cmocka_unit_test(test_tableau),
        cmocka_unit_test(test_E_continues_the_polynomial),
        cmocka_unit_test(test_basis_change_leaves_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
