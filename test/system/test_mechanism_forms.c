/* Mechanisms as points and bodies against their own angles.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Watt's six bars and governor, Sarrus' linkage, a double pendulum with crossed hinges; gimbals at
 * lock. */
#include "inspect/properties.h"
#include "integrator.h"

static void to(noe_integrator *g, double t)
{
    const noe_status s = noe_run(g, t, NULL, NULL);
    if (s) fail_msg("%s", noe_error());
}

/* The same names in both until t = 2, to `bound` of `size`. */
static void same(const char *tied, const char *free, const char *const *name, double h, double size,
                 double bound)
{
    noe_system     *s[2] = { parse(tied), parse(free) };
    noe_integrator *g = integrator(s[0], "gauss 4", h, 15),
                   *exact = integrator(s[1], "gauss 6", h, 15);
    for (int k = 1; k <= 8; k++) {
        to(g, k / 4.), to(exact, k / 4.);
        for (int i = 0; name[i]; i++)
            small(noe_get(g, name[i]) - noe_get(exact, name[i]), size, bound, name[i]);
    }
    noe_integrator_free(g), noe_integrator_free(exact);
    noe_system_free(s[0]), noe_system_free(s[1]);
}

/* Two balls on arms and a sleeve on links.  In steady rotation omega^2 = g (m + M)/(m l cos a):
 * J. P. Den Hartog, Mechanics, section on governors; also J. C. Maxwell, On governors (1868). */
static void test_governor(void **unused)
{
    (void)unused;
    static const char *const name[] = { "sleeve", "turn", NULL };
    char                     text[2][1200], common[200];
    const double             m = 1 + 0.3 * random_number(), M = 3 + random_number(),
                 a = 0.8 + 0.2 * random_number(),
                 steady = sqrt(9.81 * (m + M) / (m * 0.3 * cos(a)));
    for (int rest = 0; rest < 2; rest++) {
        snprintf(common, sizeof common,
                 "parameter m = %.17g, M = %.17g, a0 = %.17g, w = %.17g, l = 0.3, g = 9.81\n", m, M,
                 a, steady * (rest ? 1 : 0.7 + 0.2 * random_number()));
        snprintf(text[0], sizeof text[0],
                 "%scoordinate phi, z\ncoordinate vector A, B\nn = (-sin(phi), cos(phi), 0)\n"
                 "kinetic 0.05*phi'^2/2 + m*(dot(A', A') + dot(B', B'))/2 + M*z'^2/2\n"
                 "potential g*(m*(A.z + B.z) + M*z)\n"
                 "constraint arm1: norm(A) = l\nconstraint arm2: norm(B) = l\n"
                 "constraint link1: norm(A - (0, 0, z)) = l\n"
                 "constraint link2: norm(B - (0, 0, z)) = l\n"
                 "constraint side1: dot(A, n) = 0\nconstraint side2: dot(B, n) = 0\n"
                 "observe sleeve = z, turn = phi\n"
                 "start phi' = w, z = -2*l*cos(a0), A = l*(sin(a0), 0, -cos(a0))\n"
                 "start B = l*(-sin(a0), 0, -cos(a0)), A' = (0, w*l*sin(a0), 0)\n"
                 "start B' = (0, -w*l*sin(a0), 0)\n",
                 common);
        snprintf(text[1], sizeof text[1],
                 "%scoordinate phi, a\nz = -2*l*cos(a)\n"
                 "kinetic 0.05*phi'^2/2 + m*l^2*(a'^2 + sin(a)^2*phi'^2) + M*z'^2/2\n"
                 "potential -2*g*m*l*cos(a) + g*M*z\nobserve sleeve = z, turn = phi\n"
                 "start phi' = w, a = a0\n",
                 common);
        same(text[0], text[1], name, 0.005, 1, 3e-10);
        if (!rest) continue;
        noe_system     *s = parse(text[0]);
        noe_integrator *g = integrator(s, "gauss 4", 0.005, 15);
        to(g, 2);
        small(noe_get(g, "sleeve") + 0.6 * cos(a), 0.6, 1e-11, "the sleeve in steady rotation");
        small(noe_get(g, "turn") - 2 * steady, 2 * steady, 1e-11, "steady rotation");
        noe_integrator_free(g), noe_system_free(s);
    }
}

/* Two pairs of bars in planes at right angles guide a plate along a line: P. T. Sarrus (1853).  One
 * of fifteen constraints follows from the others. */
static void test_sarrus(void **unused)
{
    (void)unused;
    static const char *const name[] = { "height", "knee", NULL };
    static const char        tied[] =
        "parameter a0 = 0.7\ncoordinate vector A, B, T, u, v\n"
        "kinetic (dot(A', A') + dot(B', B') + 2*dot(T', T'))/2 + (dot(u', u') + dot(v', v'))/20\n"
        "potential 9.81*(A.z + B.z + 2*T.z)\nlength1 = A - T - u\nlength2 = B - T - v\n"
        "constraint l1: norm(A - (1, 0, 0)) = 1\nconstraint l2: norm(length1) = 1\n"
        "constraint l3: norm(B - (0, 1, 0)) = 1\nconstraint l4: norm(length2) = 1\n"
        "constraint p1: A.y = 0\nconstraint p2: dot(length1, cross((0, 0, 1), u)) = 0\n"
        "constraint p3: B.x = 0\nconstraint p4: dot(length2, cross(v, (0, 0, 1))) = 0\n"
        "constraint o1: norm(u) = 1\nconstraint o2: norm(v) = 1\nconstraint o3: dot(u, v) = 0\n"
        "constraint h1: u.y = 0\nconstraint h2: v.x = 0\nconstraint h3: cross(u, v).x = 0\n"
        "constraint h4: cross(u, v).y = 0\nobserve height = T.z, knee = A.x\n"
        "start A = (1 + cos(a0), 0, sin(a0)), B = (0, 1 + cos(a0), sin(a0))\n"
        "start T = (0, 0, 2*sin(a0)), T' = (0, 0, 2), u = (1, 0, 0), v = (0, 1, 0)\n"
        "start A' = (-sin(a0)/cos(a0), 0, 1), B' = (0, -sin(a0)/cos(a0), 1)\n";
    noe_system     *s = parse(tied);
    noe_method     *m = method("gauss 4");
    noe_properties *x = noe_properties_find(s, m, 0.005);
    if (!x) fail_msg("%s", noe_error());
    assert_int_equal(x->redundant, 1);
    noe_properties_free(x), noe_method_free(m);
    noe_integrator *g = integrator(s, "gauss 4", 0.005, 15);
    to(g, 0.2);
    small(noe_get(g, "T.x"), 1, 1e-14, "the plate stays on its line");
    small(noe_get(g, "u.z"), 1, 1e-14, "the plate stays level");
    noe_integrator_free(g), noe_system_free(s);
    noe_system     *angle = parse("coordinate a\nkinetic a'^2 + 4*cos(a)^2*a'^2\n"
                                      "potential 9.81*6*sin(a)\nobserve height = 2*sin(a)\n"
                                      "observe knee = 1 + cos(a)\n"
                                      "start a = 0.7, a' = 1/cos(0.7)\n");
    noe_integrator *exact = integrator(angle, "gauss 6", 0.005, 15);
    s = parse(tied), g = integrator(s, "gauss 4", 0.005, 15);
    for (int k = 1; k <= 4; k++) { /* before the knees are stretched */
        to(g, 0.1 * k), to(exact, 0.1 * k);
        for (int i = 0; name[i]; i++)
            small(noe_get(g, name[i]) - noe_get(exact, name[i]), 1, 1e-10, name[i]);
    }
    noe_integrator_free(g), noe_integrator_free(exact), noe_system_free(s), noe_system_free(angle);
}

/* Two bars, the hinge at the ground across that between them. */
static void test_crossed_hinges(void **unused)
{
    (void)unused;
    static const char *const name[] = { "x", "z", NULL };
    char                     text[2][1600], common[200];
    snprintf(common, sizeof common, "parameter q1 = %.17g, q2 = %.17g, J = 1/12, g = 9.81\n",
             1 + 0.3 * random_number(), 0.7 + 0.3 * random_number());
    snprintf(
        text[0], sizeof text[0],
        "%sbody A: mass = 1, inertia = (J, J, 0.01)\nbody B: mass = 1, inertia = (J, J, 0.01)\n"
        "point a0 on A = (0, 0, 1/2)\npoint a1 on A = (0, 0, -1/2)\n"
        "point b0 on B = (0, 0, 1/2)\nconstraint ground: a0 = (0, 0, 0)\n"
        "constraint gx: A.e2.x = 0\nconstraint gz: A.e2.z = 0\nconstraint joint: a1 = b0\n"
        "constraint jx: dot(B.e1, A.e2) = 0\nconstraint jz: dot(B.e1, A.e3) = 0\n"
        "potential g*(A.r.z + B.r.z)\nobserve x = B.r.x, z = B.r.z\n"
        "parameter u = (sin(q1)*cos(q2), -sin(q2), cos(q1)*cos(q2))\n"
        "start A.attitude = rotation((0, 1, 0), q1), A.r = -(sin(q1), 0, cos(q1))/2\n"
        "start B.attitude = rotation((0, 1, 0), q1)*rotation((1, 0, 0), q2)\n"
        "start B.r = -(sin(q1), 0, cos(q1)) - u/2\n",
        common);
    snprintf(text[1], sizeof text[1],
             "%scoordinate a, b\nd = (sin(a), 0, cos(a))\n"
             "e = (sin(a)*cos(b), -sin(b), cos(a)*cos(b))\nrA = -d/2\nrB = -d - e/2\n"
             "kinetic (dot(rA', rA') + dot(rB', rB'))/2 + J/2*a'^2\n"
             "kinetic (J*b'^2 + J*(a'*cos(b))^2 + 0.01*(a'*sin(b))^2)/2\n"
             "potential g*(rA.z + rB.z)\nobserve x = rB.x, z = rB.z\nstart a = q1, b = q2\n",
             common);
    same(text[0], text[1], name, 0.01, 1, 2e-10);
}

/* Where two circles meet, to the left of the way from p to q. */
static void meet(const double *p, double r, const double *q, double s, double *to_point)
{
    const double dx = q[0] - p[0], dy = q[1] - p[1], d = hypot(dx, dy),
                 along = (r * r - s * s + d * d) / (2 * d), off = sqrt(r * r - along * along);
    to_point[0] = p[0] + (along * dx - off * dy) / d;
    to_point[1] = p[1] + (along * dy + off * dx) / d;
}

/* Watt's six bars: a four-bar linkage whose coupler is a triangle, and a pair of bars at its tip.
 * All joints follow from the crank by circles; it turns the full circle. */
static void test_six_bars(void **unused)
{
    (void)unused;
    static const double ground[2] = { 3, 0 }, last[2] = { 5, 0 };
    double              crank[2] = { 0, 1 }, B[2], C[2], D[2];
    char                text[1500];
    meet(crank, 2.5, ground, 2, B), meet(crank, 2, B, 2, C), meet(C, 4, last, 2.5, D);
    snprintf(text, sizeof text,
             "coordinate ax, ay, bx, by, cx, cy, dx, dy\n"
             "kinetic 10*(ax'^2 + ay'^2) + (bx'^2 + by'^2 + cx'^2 + cy'^2 + dx'^2 + dy'^2)/2\n"
             "constraint crank: sqrt(ax^2 + ay^2) = 1\n"
             "constraint AB: sqrt((ax - bx)^2 + (ay - by)^2) = 2.5\n"
             "constraint rocker: sqrt((bx - 3)^2 + by^2) = 2\n"
             "constraint AC: sqrt((ax - cx)^2 + (ay - cy)^2) = 2\n"
             "constraint BC: sqrt((bx - cx)^2 + (by - cy)^2) = 2\n"
             "constraint CD: sqrt((cx - dx)^2 + (cy - dy)^2) = 4\n"
             "constraint arm: sqrt((dx - 5)^2 + dy^2) = 2.5\n"
             "start ax = 0, ay = 1, ax' = -3, bx = %.17g, by = %.17g, cx = %.17g, cy = %.17g\n"
             "start dx = %.17g, dy = %.17g\n",
             B[0], B[1], C[0], C[1], D[0], D[1]);
    noe_system     *s = parse(text);
    noe_integrator *g = integrator(s, "simpson", 0.005, 15);
    double          turned = 0, before = atan2(1, 0);
    for (int k = 0; k < 1000; k++) {
        steps(g, 1);
        crank[0] = noe_get(g, "ax"), crank[1] = noe_get(g, "ay");
        meet(crank, 2.5, ground, 2, B), meet(crank, 2, B, 2, C), meet(C, 4, last, 2.5, D);
        small(noe_get(g, "bx") - B[0], 1, 1e-13, "B"),
            small(noe_get(g, "by") - B[1], 1, 1e-13, "B");
        small(noe_get(g, "cx") - C[0], 1, 1e-13, "C"),
            small(noe_get(g, "cy") - C[1], 1, 1e-13, "C");
        small(noe_get(g, "dx") - D[0], 1, 1e-13, "D"),
            small(noe_get(g, "dy") - D[1], 1, 1e-13, "D");
        const double now = atan2(crank[1], crank[0]);
        turned += remainder(now - before, 2 * M_PI), before = now;
    }
    assert_true(fabs(turned) > 2 * M_PI);
    noe_integrator_free(g), noe_system_free(s);
}

/* The axis of the rotor on that of the outer gimbal, above or below: nothing is singular there for
 * hinges, and the rotor sleeps. */
static void test_gimbal_lock(void **unused)
{
    (void)unused;
    static const char *const tilt[] = { "tilt = 0", "tilt = 1e-9", "tilt = pi" };
    for (int k = 0; k < 3; k++) {
        noe_system *model = load("systems/gimbal_gyroscope.lag"),
                   *s = noe_system_let(model, tilt[k]);
        if (!s) fail_msg("%s", noe_error());
        noe_integrator *g = integrator(s, "simpson", 0.0005, 15);
        const double    J = noe_get(g, "J"), H = noe_get(g, "energy");
        to(g, 0.2);
        small(hypot(noe_get(g, "tip.x"), noe_get(g, "tip.y")), 0.05, k == 1 ? 1e-8 : 1e-14, "tip");
        small(noe_get(g, "J") - J, fabs(J), 1e-14, "J");
        small(noe_get(g, "energy") - H, H, 1e-14, "energy");
        noe_integrator_free(g), noe_system_free(s), noe_system_free(model);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_governor),       cmocka_unit_test(test_sarrus),
        cmocka_unit_test(test_crossed_hinges), cmocka_unit_test(test_six_bars),
        cmocka_unit_test(test_gimbal_lock),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g\n", tightest);
    return failed;
}
