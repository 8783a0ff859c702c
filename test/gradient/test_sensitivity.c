/* d(q, p)/d(parameters, starts) of computed motions: against published digits and differences.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Differences are central, in binary128, of runs whose parameters and starts are changed by 2^-12
 * to 2^-15, extrapolated three times (Richardson): their error is O(2^-96) of the ninth derivative
 * and 2^15 units of rounding.  NOE_LONG=1: 300 systems by Galerkin methods, not 40. */
#include "differences.h"

enum { STEPS = 3, FOLLOWED = 8, BY = 5 };

static const char        list[] = "a, b, x, x', p(y)";
static const char *const by[BY] = { "a", "b", "x", "x'", "p(y)" };
static const char *const columns[FOLLOWED] = {
    "x", "y", "p(x)", "p(y)", "x'", "y'", "energy", "o"
};

static differenced runs(const char *scheme, quad h)
{
    return (differenced){ scheme, h, STEPS, FOLLOWED, columns, (quad)0x1p-12 };
}

/* All derivatives of one system by one method, in binary128 and in double. */
static void agree(const noe_system *plain, const char *scheme, bool also_differences)
{
    noe_system *s = noe_system_differentiated(plain, list);
    if (!s) fail_msg("%s", noe_error());
    const quad        h = (quad)1 / 20;
    const differenced x = runs(scheme, h);
    noe_integrator   *start = integrator(plain, scheme, h, 33), *g = after(s, &x, 33),
                   *fast = after(s, &x, 15);
    for (int c = 0; c < BY; c++) {
        quad       by_difference[FOLLOWED];
        const quad from = value(start, by[c]);
        if (also_differences) differences(plain, &x, by[c], from, by_difference);
        for (int i = 0; i < FOLLOWED; i++) {
            const quad exact = slope(g, columns[i], by[c]), size = 1 + fabsq(exact);
            if (also_differences) {
                char w[99];
                snprintf(w, 99, "%s %s by %s", scheme, columns[i], by[c]);
                small(exact - by_difference[i], size, 1e-20, w);
            }
            {
                char w[99];
                snprintf(w, 99, "%s %s by %s", scheme, columns[i], by[c]);
                small(slope(fast, columns[i], by[c]) - exact, size, 1e-12, w);
            }
        }
    }
    noe_integrator_free(start);
    noe_integrator_free(g);
    noe_integrator_free(fast);
    noe_system_free(s);
}

static void galerkin_methods(void **state)
{
    static const char *const of[] = { "simpson", "gauss 2", "lobatto 3", "P3 radau-left 3",
                                      "gauss 6" };
    (void)state;
    tightest = 0;
    const int systems = getenv("NOE_LONG") ? 300 : 40;
    for (int k = 0; k < systems; k++) {
        noe_system *s = random_system(k % 3 == 0, k % 2);
        agree(s, of[k % 5], true);
        noe_system_free(s);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

static void explicit_methods(void **state)
{
    static const char *const of[] = { "verlet", "mclachlan4", "rk4", "compose 6 simpson" };
    (void)state;
    tightest = 0;
    for (int k = 0; k < 40; k++) {
        noe_system *s = random_system(k % 4 < 2, false);
        agree(s, of[k % 4], true);
        noe_system_free(s);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* 20 digits of 8 steps of 0.05, from a computation of its own in multiple precision (mpmath), whose
 * forward derivatives agree with differences to 1e-25. */
static const char *const pendulum =
    "parameter g = 9.81, m = 0.7, l = 0.9\ncoordinate a, b\n"
    "lagrangian (1 + m)/2*l^2*a'^2 + m/2*l^2*b'^2 + m*l^2*a'*b'*cos(a - b)"
    " + (1 + m)*g*l*cos(a) + m*g*l*cos(b)\n"
    "start a = 1, b = -0.4, p(a) = 0.2, p(b) = -0.1\n";

static void published_digits(void **state)
{
    static const struct {
        const char *column, *digits;
    } known[] = { { "a", "0.2421160170360232789997" },
                  { "b", "0.2231031884400813464284" },
                  { "p(a)", "-3.359744999294617447961" },
                  { "p(b)", "-0.0349444018535472282349" },
                  { "d(a)/d(m)", "-0.2207768664564558110888" },
                  { "d(b)/d(m)", "0.2600139025839106276165" },
                  { "d(p(a))/d(m)", "-1.305795369732271307585" },
                  { "d(p(b))/d(m)", "-0.1842272867486674693745" },
                  { "d(a)/d(l)", "0.7825480648041302391395" },
                  { "d(b)/d(l)", "-0.7086924398532180288178" },
                  { "d(a.p)/d(l)", "-4.890756528995574498551" },
                  { "d(b.p)/d(l)", "0.249070671332757792628" } };
    static const char *const gradient[4] = { "-0.1263879026166273878608",
                                             "-2.963323089308112480649", "0.623506192584796369538",
                                             "0.03487735865675657352139" };
    static const char *const starts[4] = { "a(0)", "b", "p(a)", "p(b)" };
    (void)state;
    noe_system *plain = parse(pendulum),
               *s = noe_system_differentiated(plain, "m, l, a, b, p(a), p(b)");
    const differenced x = runs("simpson", number("0.05"));
    noe_integrator   *g = after(s, &x, 33);
    steps(g, 8 - STEPS);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        small(value(g, known[i].column) - number(known[i].digits), 1, 2e-21, known[i].column);
    for (int i = 0; i < 4; i++)
        small(slope(g, "a", starts[i]) + 2 * slope(g, "p(b)", starts[i]) - number(gradient[i]), 1,
              2e-21, starts[i]);
    double S[4 * 6];
    assert_int_equal(noe_sensitivity(g, S), NOE_OK);
    assert_true(S[0 * 6 + 1] == (double)value(g, "d(a)/d(l)"));
    noe_integrator_free(g);
    noe_system_free(s);
    noe_system_free(plain);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(published_digits),
                                        cmocka_unit_test(galerkin_methods),
                                        cmocka_unit_test(explicit_methods) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
