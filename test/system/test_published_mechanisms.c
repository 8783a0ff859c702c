/* Mechanisms of the literature: Andrews' squeezer, four-bars, Bricard, Hooke's joint, a bifilar.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "app/certificate.h"
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

/* Bricard's linkage of the IFToMM's library of benchmarks: five uniform rods of 1 m and 1 kg and
 * six hinges along edges of a cube.  Hinges are perpendicular to the rods beside them, u = d x d',
 * and their twist along each rod is a right angle, u . u' = 0: twelve constraints of twelve
 * coordinates, of which one follows from the others.  Angles between rods in turn satisfy cos a +
 * cos b + cos a cos b = 0, and every other angle is the same: Y. Chen, Z. You, T. Tarnai,
 * Threefold-symmetric Bricard linkages for deployable structures, International Journal of Solids
 * and Structures 42 (2005) 2287, for twists of a right angle. */
static void test_bricard(void **unused)
{
    (void)unused;
    noe_system *s = noe_system_parse(
        "coordinate vector A, B, C, D\nE = (0, 0, 1)\n"
        "a = A\nb = B - A\nc = C - B\nd = D - C\ne = E - D\n"
        "kinetic (dot(A', A') + dot(A', A') + dot(A', B') + dot(B', B'))/6\n"
        "kinetic (dot(B', B') + dot(B', C') + dot(C', C'))/6\n"
        "kinetic (dot(C', C') + dot(C', D') + dot(D', D'))/6 + dot(D', D')/6\n"
        "potential 9.81*(A.y + B.y + C.y + D.y)\n"
        "constraint r1: norm(a) = 1\nconstraint r2: norm(b) = 1\nconstraint r3: norm(c) = 1\n"
        "constraint r4: norm(d) = 1\nconstraint r5: norm(e) = 1\n"
        "constraint first: a.y = 0\nconstraint last: e.x = 0\n"
        "constraint t1: dot((0, 1, 0), cross(a, b)) = 0\n"
        "constraint t2: dot(cross(a, b), cross(b, c)) = 0\n"
        "constraint t3: dot(cross(b, c), cross(c, d)) = 0\n"
        "constraint t4: dot(cross(c, d), cross(d, e)) = 0\n"
        "constraint t5: dot((1, 0, 0), cross(d, e)) = 0\n"
        "observe a1 = -a.z\nobserve a2 = dot(a, b)\nobserve a3 = dot(b, c)\n"
        "observe a4 = dot(c, d)\nobserve a5 = dot(d, e)\nobserve a6 = -e.z\n"
        "start A = (1, 0, 0), B = (1, -1, 0), C = (1, -1, 1), D = (0, -1, 1)\n");
    if (!s) fail_msg("%s", noe_error());
    noe_method     *m = method("gauss 3");
    noe_properties *x = noe_properties_find(s, m, 0.01);
    if (!x) fail_msg("%s", noe_error());
    assert_int_equal(x->freedom, 1);
    assert_int_equal(x->redundant, 1);
    noe_properties_free(x), noe_method_free(m);
    noe_integrator *g = start(s, "gauss 3", 0.01);
    double          moved = 0;
    small(noe_get(g, "energy") + 29.43, 29.43, 2e-15, "the benchmark's energy");
    for (int k = 1; k <= 100; k++) {
        assert_int_equal(noe_run(g, k / 10., NULL, NULL), NOE_OK);
        const double p = noe_get(g, "a1"), q = noe_get(g, "a2");
        small(noe_get(g, "energy") + 29.43, 29.43, 1e-11, "energy");
        small(p + q + p * q, 1, 1e-12, "neighbouring angles");
        small(noe_get(g, "a3") - p, 1, 1e-12, "third angle");
        small(noe_get(g, "a5") - p, 1, 1e-12, "fifth angle");
        small(noe_get(g, "a4") - q, 1, 1e-12, "fourth angle");
        small(noe_get(g, "a6") - q, 1, 1e-12, "sixth angle");
        moved = fmax(moved, fabs(p));
    }
    assert_true(moved > 0.3);
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

/* Hooke's joint: shafts of two bodies at an angle beta, and the cross between their forks.  With
 * hinges of bodies three of 23 constraints follow from the others.  omega_2/omega_1 = cos(beta) /
 * (1 - sin(beta)^2 cos(theta)^2): S. D. Poisson, Traite de mecanique (1833); J. E. Shigley, J. J.
 * Uicker, Theory of Machines and Mechanisms, section 3.  The bodies have no potential energy. */
static void test_universal_joint(void **unused)
{
    (void)unused;
    char         text[2000];
    const double beta = 0.6 + 0.3 * random_number(), c = cos(beta), d = sin(beta);
    snprintf(text, sizeof text,
             "parameter beta = %.17g\nbody s1: mass = 1, inertia = (0.3, 0.3, 0.2)\n"
             "body s2: mass = 2, inertia = (0.4, 0.5, 0.3)\n"
             "body x: mass = 0.5, inertia = (0.05, 0.06, 0.08)\n"
             "constraint bearing1: s1.r = (0, 0, 0)\nconstraint shaft1a: s1.e3.x = 0\n"
             "constraint shaft1b: s1.e3.y = 0\nconstraint bearing2: s2.r = (0, 0, 0)\n"
             "constraint shaft2a: dot(s2.e3, (cos(beta), 0, -sin(beta))) = 0\n"
             "constraint shaft2b: s2.e3.y = 0\nconstraint fork1: x.r = s1.r\n"
             "constraint fork1a: dot(s1.e1, x.e2) = 0\nconstraint fork1b: dot(s1.e1, x.e3) = 0\n"
             "constraint fork2: x.r = s2.r\nconstraint fork2a: dot(s2.e2, x.e1) = 0\n"
             "constraint fork2b: dot(s2.e2, x.e3) = 0\n"
             "start s2.attitude = rotation((0, 1, 0), beta), s1.omega = (0, 0, 3)\n",
             beta);
    noe_system     *s = noe_system_parse(text);
    noe_integrator *g = start(s, "gauss 3", 0.02);
    noe_method     *m = method("gauss 3");
    noe_properties *x = noe_properties_find(s, m, 0.02);
    assert_int_equal(x->freedom, 1);
    assert_int_equal(x->redundant, 3);
    double turned = 0;
    for (int k = 1; k <= 100; k++) { /* more than one turn */
        assert_int_equal(noe_run(g, 0.1 * k, NULL, NULL), NOE_OK);
        const double angle = atan2(noe_get(g, "s1.e1.y"), noe_get(g, "s1.e1.x")),
                     ratio = noe_get(g, "s2.omega.z") / noe_get(g, "s1.omega.z");
        turned += 0.1 * noe_get(g, "s1.omega.z");
        small(ratio - c / (1 - pow(d * cos(angle), 2)), 1 / c, 2e-14, "Hooke's joint");
    }
    assert_true(turned > 6.3);
    noe_properties_free(x), noe_method_free(m);
    noe_integrator_free(g), noe_system_free(s);
}

/* A rod that hangs by two parallel strings of length l at a distance b from its middle turns with
 * the frequency b sqrt(m g/(I l)) and swings with sqrt(g/l): the bifilar pendulum (J. P. Den
 * Hartog, Mechanical Vibrations, chapter 2).  At rest nothing moves but rounding: the certificate
 * holds. */
static void test_bifilar(void **unused)
{
    (void)unused;
    char         text[1000];
    const double M = 2 + 0.5 * random_number(), l = 1.3 + 0.2 * random_number(),
                 b = 0.3 + 0.05 * random_number(), I = 0.35 + 0.1 * random_number(), gravity = 9.81,
                 turn = b * sqrt(M * gravity / (I * l)), swing = sqrt(gravity / l);
    snprintf(text, sizeof text,
             "parameter m = %.17g, l = %.17g, b = %.17g, I = %.17g\n"
             "body bar: mass = m, inertia = (0.02, I, I)\npoint P on bar = (b, 0, 0)\n"
             "point Q on bar = (-b, 0, 0)\nconstraint left: norm(P - (b, 0, 0)) = l\n"
             "constraint right: norm(Q + (b, 0, 0)) = l\npotential m*9.81*bar.r.z\n"
             "start bar.r = (0, 0, -l)\n",
             M, l, b, I);
    noe_system     *s = noe_system_parse(text);
    noe_method     *m = method("simpson");
    noe_certificate x;
    if (!noe_certificate_make(&x, s, m, 0.01, 0)) fail_msg("%s", noe_error());
    assert_int_equal(x.properties->freedom, 4);
    assert_true(x.properties->equilibrium);
    small(x.properties->start.fastest - fmax(turn, swing), swing, 1e-14, "fastest");
    small(x.properties->start.slowest - fmin(turn, swing), swing, 1e-14, "slowest");
    for (int i = 0; i < x.laws.count; i++)
        if (x.laws.law[i].verdict == NOE_FAILS)
            fail_msg("%s: %g > %g\n%s", x.laws.law[i].name, x.laws.law[i].value,
                     x.laws.law[i].bound, text);
    noe_certificate_drop(&x), noe_method_free(m), noe_system_free(s);
}

/* ---- a heavy top whose axis passes the vertical: p_phi = p_psi ---- */

enum { TOP = 7 }; /* omega in body axes; the quaternion */
static const double top_m = 0.02, top_l = 0.02, top_g = 9.81, top_I = 3.125e-6, top_C = 6.25e-6;

/* Euler's equations about the tip, and the attitude. */
static void euler(const double *y, double *f)
{
    const double A = top_I + top_m * top_l * top_l, k = top_m * top_g * top_l, *w = y, a = y[3],
                 b = y[4], c = y[5], d = y[6];
    const double up[] = { 2 * (b * d - a * c), 2 * (c * d + a * b) }; /* the vertical, body axes */
    f[0] = ((A - top_C) * w[1] * w[2] + k * up[1]) / A;
    f[1] = ((top_C - A) * w[2] * w[0] - k * up[0]) / A;
    f[2] = 0;
    f[3] = (-b * w[0] - c * w[1] - d * w[2]) / 2, f[4] = (a * w[0] + c * w[2] - d * w[1]) / 2;
    f[5] = (a * w[1] + d * w[0] - b * w[2]) / 2, f[6] = (a * w[2] + b * w[1] - c * w[0]) / 2;
}

static void runge_kutta(double *y, double h)
{
    double k[4][TOP], at[TOP];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < TOP; j++) at[j] = y[j] + (i ? h / (i < 3 ? 2 : 1) * k[i - 1][j] : 0);
        euler(at, k[i]);
    }
    for (int j = 0; j < TOP; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
}

static void test_pole(void **unused)
{
    (void)unused;
    enum { STEPS = 40000 };
    const double tilt = 1 + 0.2 * random_number(), spin = 40 + 5 * random_number(),
                 A = top_I + top_m * top_l * top_l,
                 precession = top_C * spin / (A * (1 + cos(tilt))), fall = -30,
                 side = precession * sin(tilt);
    double y[TOP] = { fall, side, spin, cos(tilt / 2), sin(tilt / 2), 0, 0 }, least = 4;
    char   text[1000];
    snprintf(text, sizeof text,
             "parameter m = 0.02, l = 0.02, tilt = %.17g, fall = %.17g, side = %.17g\n"
             "body top: mass = m, inertia = (3.125e-6, 3.125e-6, 6.25e-6)\n"
             "point tip on top = (0, 0, -l)\nconstraint held: tip = (0, 0, 0)\n"
             "potential m*9.81*top.r.z\n"
             "start top.attitude = rotation((1, 0, 0), tilt), top.omega = (fall, side, %.17g)\n"
             "start top.r = l*(0, -sin(tilt), cos(tilt))\n"
             "start top.r' = (l*side, -l*fall*cos(tilt), -l*fall*sin(tilt))\n",
             tilt, fall, side, spin);
    for (int k = 0; k < STEPS; k++) {
        runge_kutta(y, 0.4 / STEPS);
        least = fmin(least,
                     hypot(2 * (y[4] * y[6] + y[3] * y[5]), 2 * (y[5] * y[6] - y[3] * y[4])));
    }
    assert_true(least < 1e-3); /* the axis passed the vertical */
    noe_system     *s = noe_system_parse(text);
    noe_integrator *g = start(s, "gauss 4", 0.0005);
    assert_int_equal(noe_run(g, 0.4, NULL, NULL), NOE_OK);
    small(noe_get(g, "top.e3.x") - 2 * (y[4] * y[6] + y[3] * y[5]), 1, 5e-13, "x of the axis");
    small(noe_get(g, "top.e3.y") - 2 * (y[5] * y[6] - y[3] * y[4]), 1, 5e-13, "y of the axis");
    noe_integrator_free(g), noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_squeezer),
                                        cmocka_unit_test(test_four_bars),
                                        cmocka_unit_test(test_bricard),
                                        cmocka_unit_test(test_degrees_of_freedom),
                                        cmocka_unit_test(test_universal_joint),
                                        cmocka_unit_test(test_bifilar),
                                        cmocka_unit_test(test_pole) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g\n", tightest);
    return failed;
}
