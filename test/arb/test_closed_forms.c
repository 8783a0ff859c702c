/* q(t) in closed form = q(t) by Gauss's method of order 16 in binary128:  two computations.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Thirty digits.
 * Needs: flint. */
#include "exact_solution.h"
#include "rows/column_list.h"
#include "arb/closed_form.h"
#include "arb/weierstrass_cubic.h"
#include "laws.h"
#include "integrate/integrator.h"

/* max |q - q.exact| / max |q| and the same of p, at seven steps of a run in binary128.  own: the
 * same of two runs, at h and at h/2: what the run itself knows of q, where a pole of the angles
 * or a separatrix is near. */
static double difference(const noe_system *s, quad h, int steps, bool own)
{
    noe_error_clear();
    noe_method     *m = method("gauss 8");
    noe_integrator *g = noe_integrator_make(s, m, h, 33),
                   *half = noe_integrator_make(s, m, h / 2, 33);
    const int n = s->dyn.n;
    quad      worst[2] = { 0 }, size[2] = { 0 };
    for (int k = 0; k <= steps; k++) {
        for (int i = 0; i < 2 * n && (k == 1 || k % (steps / 6) == 0); i++) {
            noe_column c = { .kind = NOE_COL_AT,
                             .at = i < n ? NOE_AT_Q : NOE_AT_P,
                             .index = i % n };
            const quad x = noe_column_value(g, &c);
            c.exact = !own;
            const quad y = noe_column_value(own ? half : g, &c);
            if (noe_error()) fail_msg("%s", noe_error());
            worst[i / n] = fmaxq(worst[i / n], fabsq(x - y));
            size[i / n] = fmaxq(size[i / n], fabsq(x));
            if (!(fabsq(x - y) < 1))
                fail_msg("off at step %d: %g against %g", k, (double)x, (double)y);
        }
        if (k < steps && (noe_step(g) || (own && (noe_step(half) || noe_step(half)))))
            fail_msg("%s", noe_error());
    }
    noe_integrator_free(g), noe_integrator_free(half);
    noe_method_free(m);
    return (double)fmaxq(worst[0] / (size[0] > 0 ? size[0] : 1),
                         worst[1] / (size[1] > 0 ? size[1] : 1)); /* at rest: 0 */
}

/* The closed form is the run, to the bound, or to ten times what the run differs from itself. */
static void same(const noe_system *s, quad h, int steps, double bound, const char *what)
{
    double error = difference(s, h, steps, false), own;
    if (error <= bound || error > 10 * (own = difference(s, h, steps, true)))
        small(error, 1, bound, what);
}

static void test_pendulum(void **unused)
{
    (void)unused;
    for (int i = 0; i < 12; i++) {
        /* Swings of every size, turns to both sides, any phase and any number of whole turns
         * before. */
        noe_system *s = with(load("systems/pendulum.lag"), "q = %.17g", 12 * random_number());
        s = with(s, "q' = %.17g", 20 * random_number());
        s = with(s, "m = %.17g", 1.5 + random_number());
        same(s, (quad)1 / 200, 200, 3e-31, "pendulum"); /* measured: 7e-33 */
        noe_system_free(s);
    }
}

/* Random M > 0 and K of n coordinates, n_free of them without a force; turn: coupling of x_i' to
 * x_j. */
static noe_system *random_linear(int n, int free, double sign, double turn)
{
    char text[4000] = "coordinate x1", *at = text + strlen(text);
    for (int i = 2; i <= n; i++) at += sprintf(at, ", x%d", i);
    at += sprintf(at, "\nkinetic");
    for (int i = 1; i <= n; i++) /* a sum of squares: G G^T is positive definite */
        for (int j = 1; j <= i; j++)
            at += sprintf(at, "%s%.17g*x%d'", j == 1 ? i == 1 ? " (" : " + (" : " + ",
                          i == j ? 1.5 + random_number() : random_number(), j),
                at += sprintf(at, "%s", j == i ? ")^2/2" : "");
    at += sprintf(at, "\npotential 0.3*x1");
    for (int i = free + 1; i <= n; i++)
        at += sprintf(at, " + %.17g*(x%d + %.17g*x%d)^2", sign * (2 + random_number()), i,
                      random_number(), n);
    at += sprintf(at, "\nlagrangian %.17g*x1*x%d'\nexact linear\nstart",
                  turn * (2 + random_number()), n);
    for (int i = 1; i <= n; i++)
        at += sprintf(at, "%s x%d = %.17g, x%d' = %.17g", i > 1 ? "," : "", i, random_number(), i,
                      random_number());
    return parse(text);
}

static void test_linear(void **unused)
{
    (void)unused;
    static const struct {
        int    n, free;
        double sign, turn;
    } kinds[] = { { 1, 0, 1, 0 },  { 3, 0, 1, 0 }, { 4, 2, 1, 0 }, { 3, 0, -1, 0 },
                  { 2, 1, -1, 0 }, { 3, 1, 1, 1 }, { 2, 2, 1, 1 } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        noe_system *s = random_linear(kinds[i].n, kinds[i].free, kinds[i].sign, kinds[i].turn);
        same(s, (quad)1 / 200, 400, 5e-32, "linear"); /* measured: 1e-33 */
        noe_system_free(s);
    }
    noe_system *s = with(load("systems/harmonic_oscillator.lag"), "q' = %.17g",
                         9 * random_number());
    same(s, (quad)1 / 100, 200, 5e-32, "harmonic"); /* measured: 1e-33 */
    noe_system_free(s);
    s = load("systems/linear_double_pendulum.lag");
    same(s, (quad)1 / 200, 400, 5e-32, "linear double pendulum"); /* measured: 1e-33 */
    noe_system_free(s);
}

static void test_duffing(void **unused)
{
    (void)unused;
    static const struct {
        const char *system, *alpha, *beta, *x, *v;
    } kinds[] = {
        { "hard", "1.3", "0.8", "-1.2", "0.7" },
        { "cn over the hill", "-1", "0.6", "0.3", "1" },
        { "right well", "-1.1", "0.7", "1.4", "0.2" },
        { "left well", "-1.1", "0.7", "-1.4", "0.2" },
        { "well, inner edge", "-1", "1", "0.6", "0" },
        { "well, outer edge", "-1", "1", "1.3", "0" },
        { "soft", "1.2", "-0.4", "0.9", "-0.6" },
        { "soft, from the edge", "1", "-0.5", "-1.1", "0" },
        { "nearly linear", "2", "1e-40", "1", "1" },
        { "linear", "2", "0", "1", "1" },
        { "separatrix of the wells", "-1", "1", "-sqrt(2)", "0" },
        { "between the hills", "1", "-1", "0", "-sqrt(1/2)" },
        { "at rest", "-1", "1", "-1", "0" },
        { "in the middle", "1", "1", "0", "0" },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        noe_system *s = load("systems/duffing.lag");
        s = with(s, "alpha = %s", kinds[i].alpha), s = with(s, "beta = %s", kinds[i].beta);
        s = with(s, "x = %s", kinds[i].x), s = with(s, "x' = %s", kinds[i].v);
        same(s, (quad)1 / 50, 200, 9e-32, kinds[i].system); /* measured: 2e-33 */
        noe_system_free(s);
    }
    noe_system *s = load("systems/double_well.lag");
    same(s, (quad)1 / 50, 300, 5e-32,
         "double well"); /* starts next to the separatrix; measured: 1e-33 */
    noe_system_free(s);
}

static void test_kepler(void **unused)
{
    (void)unused;
    char text[600];
    for (int i = 0; i < 8;
         /* ellipses and hyperbolas, to the sun and away from it, any orientation, from anywhere */
         i++) {
        snprintf(text, sizeof text,
                 "parameter mu = %s%.17g\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                 "potential -mu/sqrt(x^2 + y^2)\n"
                 "exact kepler\nstart x = %.17g, y = %.17g, x' = %.17g, y' = %.17g",
                 i == 6 ? "-" : "", 1 + 0.2 * random_number(), 1.5 + 0.4 * random_number(),
                 random_number(), 0.4 * random_number(),
                 (i % 2 ? 0.9 : -1.6) + 0.2 * random_number());
        noe_system *s = parse(text);
        if (i == 7)
            s = with(s, "x = 1"), s = with(s, "y = 0"), s = with(s, "x' = 0"),
            s = with(s, "y' = sqrt(2*mu)");           /* a parabola */
        same(s, (quad)1 / 200, 600, 5e-32, "kepler"); /* measured: 5e-34 */
        noe_system_free(s);
    }
    snprintf(
        text, sizeof text,
        "coordinate x, y, z\nkinetic 3*(x'^2 + y'^2 + z'^2)/2\npotential -4/sqrt(x^2 + y^2 + z^2)\n"
        "exact kepler\nstart x = %.17g, y = 0.2, z = %.17g, x' = 0.3, y' = %.17g, p(z) = 1",
        1.1 + 0.2 * random_number(), random_number(), 0.9 + 0.2 * random_number());
    noe_system *s = parse(text);
    same(s, (quad)1 / 200, 600, 5e-32, "kepler in space");
    noe_system_free(s);
}

static void test_top(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/lagrange_top.lag");
    same(s, (quad)1 / 2000, 400, 1e-32, "loops");
    noe_system_free(s);
    s = load("systems/lagrange_top_cusps.lag");
    same(s, (quad)1 / 400, 300, 1e-32, "cusps");
    noe_system_free(s);
    for (int i = 0; i < 4;
         i++) { /* any start, Euler's angles in another order, hanging tops, equal moments */
        char text[600];
        snprintf(
            text, sizeof text,
            "parameter A = %.17g, C = %s, a = %.17g\ncoordinate spin, turn, tilt\n"
            "lagrangian A/2*(tilt'^2 + turn'^2*sin(tilt)^2) + C/2*(spin' + turn'*cos(tilt))^2 - "
            "a*cos(tilt)\n"
            "exact top\nstart tilt = %.17g, tilt' = %.17g, turn' = %.17g, p(spin) = %.17g, "
            "turn = 7",
            1.5 + 0.5 * random_number(), i == 3 ? "A" : "1.2", i % 2 ? -2.0 : 1.5,
            1.4 + 0.3 * random_number(), 0.3 * random_number(), 1 + 0.5 * random_number(),
            4 + random_number()); /* not close by a pole of the angles */
        s = parse(text);
        same(s, (quad)1 / 600, 600, 3e-32, text); /* measured: 5e-34 */
        noe_system_free(s);
    }
}

/* Jacobi's and Weierstrass' nutation: 60 digits, from balls that are not wide. */
static void test_both_forms(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20; i++) {
        noe_weierstrass_cubic y;
        const slong           prec = 260;
        arb_ptr               c = _arb_vec_init(4), root = _arb_vec_init(6);
        const double          u1 = -0.5 + 0.3 * random_number(), u2 = 0.3 + 0.4 * random_number(),
                     u3 = 2 + random_number(), A = 2 + random_number();
        const double u[3] = { u1, u2, u3 };
        /* A (w - u1)(w - u2)(w - u3), from a height between the first two, up or down; every
         * fourth from a root */
        const double w0 = i % 4 ? u1 + (u2 - u1) * (0.5 + 0.45 * random_number()) : i % 8 ? u1 : u2;
        for (int k = 0; k < 3; k++) arb_set_d(root + k, u[k]);
        arb_set_d(c + 3, A);
        arb_add(c + 2, root, root + 1, prec), arb_add(c + 2, c + 2, root + 2, prec),
            arb_mul(c + 2, c + 2, c + 3, prec), arb_neg(c + 2, c + 2);
        for (int k = 0; k < 3; k++) arb_addmul(c + 1, root + k, root + (k + 1) % 3, prec);
        arb_mul(c + 1, c + 1, c + 3, prec);
        arb_mul(c, root, root + 1, prec), arb_mul(c, c, root + 2, prec), arb_mul(c, c, c + 3, prec),
            arb_neg(c, c);
        arb_ptr w = root + 3, rate = root + 4, t = root + 5;
        arb_set_d(w, w0);
        if (i % 4) {
            arb_one(rate), arb_mul(rate, rate, c + 3, prec);
            for (int k = 0; k < 3; k++) arb_sub(t, w, root + k, prec), arb_mul(rate, rate, t, prec);
            arb_sqrt(rate, rate, prec);
            if (i % 3) arb_neg(rate, rate);
        }
        noe_weierstrass_cubic_init(&y, c + 3, c, w, rate, prec);
        for (int k = 0; k < 3; k++)
            assert_true(arb_overlaps(k == 0 ? y.u1 : k == 1 ? y.u2 : y.u3, root + k));
        acb_t s, jacobi;
        acb_init(s), acb_init(jacobi);
        arb_set_d(acb_realref(s), 0.3 + 0.2 * random_number());
        noe_weierstrass_cubic_jacobi(&y, s, jacobi, NULL);
        noe_weierstrass_cubic_at_pole(&y, acb_realref(s), t);
        arb_sub(t, t, acb_realref(jacobi), prec);
        assert_true(arb_contains_zero(t) && mag_cmp_2exp_si(arb_radref(t), -200) < 0);
        acb_clear(s), acb_clear(jacobi);
        noe_weierstrass_cubic_clear(&y);
        _arb_vec_clear(c, 4), _arb_vec_clear(root, 6);
    }
}

/* Sixty digits: the Galerkin step of order 24 in Arb, R_k of src/arb against the closed forms. */
static void test_sixty_digits(void **unused)
{
    (void)unused;
    static const struct {
        const char *system, *step, *change, *column;
    } run[] = {
        { "systems/pendulum.lag", "1/800", "q' = 13", "q" },
        { "systems/duffing.lag", "1/200", "alpha = -1/3", "x" },
        { "systems/kepler.lag", "1/800", "e = 0.1", "p(y)" },
        { "systems/lagrange_top.lag", "1/40000", "I3 = 7e-6", "psi" },
        { "systems/linear_double_pendulum.lag", "1/800", "mu = 0.3", "q2" },
    };
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        noe_system     *s = with(load(run[i].system), "%s", run[i].change);
        noe_method     *m = method("gauss 12");
        noe_integrator *g = noe_integrator_make(s, m, 1, 64);
        noe_column      c;
        if (!g || noe_exact_column_set_step(g, run[i].step)) fail_msg("%s", noe_error());
        for (int k = 0; k < 20; k++)
            if (noe_step(g)) fail_msg("%s", noe_error());
        assert_true(noe_column_name_find(s, run[i].column, &c));
        char *x = noe_column_text(g, &c);
        c.exact = true;
        char *y = noe_column_text(g, &c);
        if (strncmp(x, y, 60)) fail_msg("%s: %s, closed form %s", run[i].system, x, y);
        free(x), free(y);
        noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),     cmocka_unit_test(test_linear),
        cmocka_unit_test(test_duffing),      cmocka_unit_test(test_kepler),
        cmocka_unit_test(test_top),          cmocka_unit_test(test_both_forms),
        cmocka_unit_test(test_sixty_digits),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("the tightest at %.2g of its bound\n", tightest);
    return failed;
}
