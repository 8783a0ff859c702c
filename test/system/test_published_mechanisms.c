/* Mechanisms of the literature: Andrews' squeezer, N four-bar linkages, degrees of freedom.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/properties.h"
#include "integrate/integrator.h"
#include "laws.h"

static noe_integrator *start(const noe_system *s, const char *name, double h)
{
    noe_method     *m = method(name);
    noe_integrator *g = s ? noe_integrator_new(s, m, h) : NULL;
    noe_method_free(m);
    if (!g) fail_msg("%s: %s", name, noe_error());
    return g;
}

/* E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section VII.7; the angles at
 * t = 0.03 are those of F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers. */
static const char squeezer[] =
    "parameter m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706\n"
    "parameter m7 = 0.05498, I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7\n"
    "parameter I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5, xa = -0.06934, ya = -0.00227\n"
    "parameter xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072, d = 0.028, da = 0.0115\n"
    "parameter e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874\n"
    "parameter sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04\n"
    "parameter ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421, c0 = 4530\n"
    "parameter l0 = 0.07785, torque = 0.033\n"
    "coordinate beta, theta, gamma, phi, delta, omega, eps\n"
    "a2 = beta' + theta'\na4 = phi' + delta'\na6 = omega' + eps'\n"
    "kinetic (m1*ra^2 + I1)/2*beta'^2 + I2/2*a2^2\n"
    "kinetic m2/2*(rr^2*beta'^2 + da^2*a2^2 - 2*da*rr*cos(theta)*beta'*a2)\n"
    "kinetic (m3*(sa^2 + sb^2) + I3)/2*gamma'^2 + (m5*(ta^2 + tb^2) + I5)/2*delta'^2\n"
    "kinetic (m7*(ua^2 + ub^2) + I7)/2*eps'^2 + I4/2*a4^2 + I6/2*a6^2\n"
    "kinetic m4/2*(zt^2*delta'^2 + (e - ea)^2*a4^2 + 2*zt*(e - ea)*sin(phi)*delta'*a4)\n"
    "kinetic m6/2*(u^2*eps'^2 + (zf - fa)^2*a6^2 - 2*u*(zf - fa)*sin(omega)*eps'*a6)\n"
    "xd = sd*cos(gamma) + sc*sin(gamma) + xb\nyd = sd*sin(gamma) - sc*cos(gamma) + yb\n"
    "potential c0/2*(sqrt((xd - xc)^2 + (yd - yc)^2) - l0)^2\nforce beta = torque\n"
    "px = rr*cos(beta) - d*cos(beta + theta)\npy = rr*sin(beta) - d*sin(beta + theta)\n"
    "constraint K3x: px - ss*sin(gamma) = xb\nconstraint K3y: py + ss*cos(gamma) = yb\n"
    "constraint K4x: px - e*sin(phi + delta) - zt*cos(delta) = xa\n"
    "constraint K4y: py + e*cos(phi + delta) - zt*sin(delta) = ya\n"
    "constraint K6x: px - zf*cos(omega + eps) - u*sin(eps) = xa\n"
    "constraint K6y: py - zf*sin(omega + eps) + u*cos(eps) = ya\n"
    "start beta = -0.0617138900142764496, gamma = 0.455279819163070380\n"
    "start phi = 0.222668390165885885, delta = 0.487364979543842550\n"
    "start omega = -0.222668390165885885, eps = 1.23054744454982119\n";

static void test_squeezer(void **unused)
{
    (void)unused;
    static const double published[] = { 15.81077119629904,   -15.75637105984298,
                                        0.04082224013073101, -0.5347301163226948,
                                        0.5244099658805304,  0.5347301163226948,
                                        1.048080741042263 };
    noe_system         *s = noe_system_parse(squeezer);
    noe_integrator     *g = start(s, "gauss 3", 1e-4);
    assert_int_equal(noe_run(g, 0.03, NULL, NULL), NOE_OK);
    for (int j = 0; j < 7; j++) small(noe_q(g)[j] - published[j], 1, 3e-9, noe_system_name(s, j));
    noe_integrator_free(g), noe_system_free(s);
}

/* Uniform rods, two four-bar linkages side by side; the same as one angle.  The linkages can bend
 * where all rods are in a line. */
static void test_four_bars(void **unused)
{
    (void)unused;
    noe_system *s = noe_system_parse(
        "parameter N = 2, g = 9.81\ncoordinate vector B[0..N]\n"
        "kinetic sum(i in 0..N) dot(B[i]', B[i]')/6\n"
        "kinetic sum(i in 1..N) (dot(B[i]', B[i]') + dot(B[i]', B[i-1]') + dot(B[i-1]', "
        "B[i-1]'))/6\n"
        "potential sum(i in 0..N) g*B[i].y/2\npotential sum(i in 1..N) g*(B[i].y + B[i-1].y)/2\n"
        "constraint crank[i in 0..N]: (B[i].x - i)^2 + B[i].y^2 = 1\n"
        "constraint bar[i in 1..N]: norm(B[i] - B[i-1]) = 1\nconstraint plane[i in 0..N]: B[i].z = "
        "0\nstart B[i] = (i, 1, 0), B[i]' = (1, 0, 0)\n");
    noe_system *angle = noe_system_parse(
        "parameter N = 2, g = 9.81\ncoordinate a\nkinetic ((N + 1)/3 + N)/2*a'^2\n"
        "potential g*((N + 1)/2 + N)*cos(a)\nstart a' = 1\n");
    noe_integrator *g = start(s, "gauss 3", 0.01), *exact = start(angle, "gauss 6", 0.01);
    for (int second = 1; second <= 10; second++) { /* it lies flat twice in most seconds */
        assert_int_equal(noe_run(g, second, NULL, NULL), NOE_OK);
        assert_int_equal(noe_run(exact, second, NULL, NULL), NOE_OK);
        small(noe_get(g, "B[0].x") - sin(*noe_q(exact)), 1, 2e-9, "x");
        small(noe_get(g, "B[0].y") - cos(*noe_q(exact)), 1, 2e-9, "y");
    }
    noe_integrator_free(g), noe_integrator_free(exact);
    noe_system_free(s), noe_system_free(angle);
    s = noe_system_parse(
        "coordinate x, y, u, w\nkinetic (x'^2 + y'^2 + u'^2 + w'^2)/2\n"
        "constraint left: x^2 + y^2 = 1\nconstraint right: (u - 1)^2 + w^2 = 1\n"
        "constraint bar: (u - x)^2 + (w - y)^2 = 1\nstart x = 1, u = 2, y' = 1, w' = 1");
    g = start(s, "simpson", 0.01);
    assert_int_equal(noe_step(g), NOE_SINGULAR);
    assert_non_null(strstr(noe_error(), "dead point"));
    noe_integrator_free(g), noe_system_free(s);
}

/* What follows from other constraints takes no degree of freedom. */
static void test_degrees_of_freedom(void **unused)
{
    (void)unused;
    static const struct {
        const char *path;
        int         freedom, redundant;
    } known[] = { { "systems/bennett_linkage.lag", 1, 3 },
                  { "systems/four_bar_linkage.lag", 1, 0 },
                  { "systems/heavy_top_body.lag", 3, 0 } };
    noe_method *m = method("simpson");
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        noe_system     *s = noe_system_load(known[k].path);
        noe_properties *x = noe_properties_find(s, m, 0.001);
        if (!x) fail_msg("%s: %s", known[k].path, noe_error());
        assert_int_equal(x->freedom, known[k].freedom);
        assert_int_equal(x->redundant, known[k].redundant);
        noe_properties_free(x), noe_system_free(s);
    }
    noe_method_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_squeezer),
                                        cmocka_unit_test(test_four_bars),
                                        cmocka_unit_test(test_degrees_of_freedom) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
