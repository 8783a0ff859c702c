/* Errors of rigid bodies as another program had them: a free body, a top, three directors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Computed by a generic Newton method in high precision, to two to four digits. */
#include "integrator.h"

/* ---- a free body, by its quaternion ---- */

#define FREE "body b: mass = 1, inertia = (1, 2, 3)\nstart b.omega = (0.8, 0.6, -0.5)\n"
static const char *const at_four[] = { "-0.259224270478357015723951", "0.0910367500061914674512234",
                                       "-0.236332200029474632297919",
                                       "-0.932020482056323798593816" },
                         *const early[] = { "0.974560041070659774723437",
                                            "0.168981739860498162478956",
                                            "0.101607696096362259146921",
                                            "-0.106554089720020363335116" },
                         *const early_momentum[] = { "0.908384420463299725000225",
                                                     "0.836272072138141166621682",
                                                     "-1.67495873561748819356603" };

/* Errors of the attitude at t = 4 with 20, 40 and 80 steps, the largest of four numbers. */
static const struct {
    const char *method;
    double      error[3], order;
} attitude[] = {
    { "lobatto 1", { 2.2e-3, 5.6e-4, 1.4e-4 }, 2.00 },
    { "simpson", { 4.2e-7, 2.7e-8, 1.7e-9 }, 4.00 },
    { "gauss 2", { 3.8e-6, 2.4e-7, 1.5e-8 }, 4.00 },
    { "lobatto 3", { 2.2e-9, 3.5e-11, 5.4e-13 }, 6.00 },
};

static quad column(const noe_system *s, noe_integrator *g, const char *name)
{
    noe_column c;
    if (!noe_column_name_find(s, name, &c)) fail_msg("%s", name);
    return noe_column_value(g, &c);
}

static void test_free_body(void **unused)
{
    (void)unused;
    noe_system *s = parse(FREE);
    for (size_t k = 0; k < sizeof attitude / sizeof *attitude; k++) {
        double error[3] = { 0 };
        for (int i = 0; i < 3; i++) {
            const int       count = 20 << i;
            noe_integrator *g = integrator(s, attitude[k].method, (quad)4 / count, 33);
            quad            q[7];
            steps(g, count);
            noe_integrator_state_get(g, NOE_AT_Q, q);
            for (int j = 0; j < 4; j++)
                error[i] = fmax(error[i], (double)fabsq(q[3 + j] - number(at_four[j])));
            noe_integrator_free(g);
        }
        printf("%-10s %.3g %.3g %.3g\n", attitude[k].method, error[0], error[1], error[2]);
        for (int i = 0; i < 3; i++)
            digits(error[i], attitude[k].error[i], 0.03, attitude[k].method);
        if (!(fabs(log2(error[1] / error[2]) - attitude[k].order) < 0.03))
            fail_msg("%s: order %.3f", attitude[k].method, log2(error[1] / error[2]));
    }
    noe_integrator *g = integrator(s, "gauss 8", (quad)1 / 50, 33);
    quad            q[7];
    steps(g, 20);
    noe_integrator_state_get(g, NOE_AT_Q, q);
    for (int j = 0; j < 4; j++) small(q[3 + j] - number(early[j]), 1, 2e-24, "Q at t = 0.4");
    static const char *const body[] = { "b.L_body.x", "b.L_body.y", "b.L_body.z" };
    for (int j = 0; j < 3; j++)
        small(column(s, g, body[j]) - number(early_momentum[j]), 1, 2e-23, body[j]);
    noe_integrator_free(g), noe_system_free(s);
}

/* 5000 steps of 0.2: the angular momentum in space to rounding; the energy is bounded. */
static void test_long_run(void **unused)
{
    (void)unused;
    static const char *const L[] = { "b.L.x", "b.L.y", "b.L.z" };
    noe_system              *s = parse(FREE);
    noe_integrator          *g = integrator(s, "simpson", (quad)1 / 5, 15),
                   *midpoint = integrator(s, "midpoint", (quad)1 / 5, 15);
    const double H = noe_get(g, "energy");
    double       before[3], most[2] = { 0 };
    for (int j = 0; j < 3; j++) before[j] = noe_get(g, L[j]);
    for (int k = 0; k < 5000; k++) {
        steps(g, 1);
        most[k >= 500] = fmax(most[k >= 500], fabs(noe_get(g, "energy") - H) / H);
    }
    for (int j = 0; j < 3; j++)
        small(noe_get(g, L[j]) - before[j], 2, 1e-13, L[j]); /* measured: 5e-15 */
    printf("energy %.3g in 500 steps, %.3g later\n", most[0], most[1]);
    assert_true(most[1] < 1.01 * most[0]);
    steps(midpoint, 1000); /* keeps the energy of a free body: one node, a quadratic H */
    small(noe_get(midpoint, "energy") - H, H, 2e-13, "energy by the midpoint rule");
    noe_integrator_free(g), noe_integrator_free(midpoint), noe_system_free(s);
}

/* ---- the top of lagrange_top.lag, by a quaternion about its tip, with I0 as it is given ---- */

static const char top[] =
    "parameter I1 = 1.1125e-5, I3 = 6.25e-6, a = 0.003924, I0 = I1\n"
    "coordinate w, x, y, z\n"
    "o1 = 2*(w*x' - x*w' - y*z' + z*y')\no2 = 2*(w*y' - y*w' - z*x' + x*z')\n"
    "o3 = 2*(w*z' - z*w' - x*y' + y*x')\n"
    "kinetic (I1*(o1^2 + o2^2) + I3*o3^2)/2 + 2*I0*(w*w' + x*x' + y*y' + z*z')^2\n"
    "u = w^2 - x^2 - y^2 + z^2\npotential a*u\n"
    "constraint unit: I0*(w^2 + x^2 + y^2 + z^2 - 1)/2 = 0\n"
    "observe theta = acos(u), p_psi = I3*o3\n"
    "observe p_phi = I1*(o1*2*(x*z - w*y) + o2*2*(y*z + w*x)) + I3*o3*u\n"
    "start w = cos(pi/6), x = sin(pi/6)\n" /* theta = pi/3 */
    /* omega in body axes: (0, 25 sin theta, 100 + 25 cos theta) */
    "parameter s2 = 25*sin(pi/3)/2, s3 = (100 + 25*cos(pi/3))/2\n"
    "start w' = 0, x' = 0, y' = cos(pi/6)*s2 - sin(pi/6)*s3, z' = cos(pi/6)*s3 + sin(pi/6)*s2\n";

/* sup |theta - exact|/exact and sup |H - H0|/H0 of one nutation with 10, 20 and 40 steps. */
static const struct {
    const char *method, *I0;
    double      angle[3], energy[3];
} nutation[] = {
    { "simpson", "I1", { 5.999e-4, 4.207e-5, 2.719e-6 }, { 9.3e-6, 6.9e-7, 4.5e-8 } },
    { "simpson", "I3", { 6.941e-4, 4.369e-5, 2.752e-6 }, { 1.1e-5, 7.2e-7, 4.5e-8 } },
    { "lobatto 3", "I1", { 4.185e-6, 7.450e-8, 1.204e-9 }, { 1.2e-7, 2.1e-9, 3.4e-11 } },
};

static void test_nutation(void **unused)
{
    (void)unused;
    const quad  period = number("0.10874600547956244621582628987883");
    noe_system *angles = noe_system_load("systems/lagrange_top.lag");
    quad        exact[41];
    assert_non_null(angles);
    noe_integrator *e = integrator(angles, "gauss 8", period / 400, 33);
    for (int k = 1; k <= 40; k++) {
        steps(e, 10);
        exact[k] = column(angles, e, "theta");
    }
    noe_integrator_free(e), noe_system_free(angles);
    for (size_t k = 0; k < sizeof nutation / sizeof *nutation; k++) {
        char text[1500];
        snprintf(text, sizeof text, "%s", top);
        memcpy(strstr(text, "I0 = I1") + 5, nutation[k].I0, 2);
        noe_system *s = parse(text);
        for (int i = 0; i < 3; i++) {
            const int       count = 10 << i;
            noe_integrator *g = integrator(s, nutation[k].method, period / count, 33);
            const quad      H = column(s, g, "energy"), phi = column(s, g, "p_phi"),
                       psi = column(s, g, "p_psi");
            quad angle = 0, energy = 0;
            small(H - number("0.044120203125"), 0.044, 1e-30, "H");
            small(phi - number("5.6015625e-4"), 5.6e-4, 1e-30, "p_phi");
            small(psi - number("7.03125e-4"), 7.03e-4, 1e-30, "p_psi");
            for (int n = 1; n <= count; n++) {
                const quad theta = exact[n * 40 / count];
                steps(g, 1);
                angle = fmaxq(angle, fabsq(column(s, g, "theta") - theta) / theta);
                energy = fmaxq(energy, fabsq(column(s, g, "energy") - H) / H);
            }
            small(column(s, g, "p_phi") - phi, phi, 1e-30, "p_phi");
            small(column(s, g, "p_psi") - psi, psi, 1e-30, "p_psi");
            digits((double)angle, nutation[k].angle[i], 5e-4, nutation[k].method);
            digits((double)energy, nutation[k].energy[i], 0.05, nutation[k].method);
            noe_integrator_free(g);
        }
        noe_system_free(s);
    }
}

/* ---- three directors d1, d2, d3 of constant mass in the place of a quaternion ---- */

static const char directors[] = /* I = (2, 3, 4): masses tr/2 - I */
    "coordinate vector d1, d2, d3\n"
    "kinetic (2.5*dot(d1', d1') + 1.5*dot(d2', d2') + 0.5*dot(d3', d3'))/2\n"
    "constraint l1: dot(d1, d1) = 1\nconstraint l2: dot(d2, d2) = 1\n"
    "constraint l3: dot(d3, d3) = 1\nconstraint c12: dot(d1, d2) = 0\n"
    "constraint c13: dot(d1, d3) = 0\nconstraint c23: dot(d2, d3) = 0\n"
    "parameter O = (0.8, 0.6, -0.5)\n"
    "observe L = cross(d1, p(d1)) + cross(d2, p(d2)) + cross(d3, p(d3))\n"
    "start d1 = (1, 0, 0), d2 = (0, 1, 0), d3 = (0, 0, 1)\n"
    "start d1' = cross(O, (1, 0, 0)), d2' = cross(O, (0, 1, 0)), d3' = cross(O, (0, 0, 1))\n";

static const char *const axis[] = { "d1.x", "d1.y", "d1.z", "d2.x", "d2.y",
                                    "d2.z", "d3.x", "d3.y", "d3.z" };
static const char *const of_body[] = { "b.e1.x", "b.e1.y", "b.e1.z", "b.e2.x", "b.e2.y",
                                       "b.e2.z", "b.e3.x", "b.e3.y", "b.e3.z" };

static void axes(const noe_system *s, const char *name, int count, const char *const *what,
                 quad *to, bool momenta)
{
    noe_integrator *g = integrator(s, name, (quad)4 / count, 33);
    steps(g, count);
    for (int j = 0; j < 9; j++) to[j] = column(s, g, what[j]);
    if (momenta) {
        small(column(s, g, "L.x") - (quad)16 / 10, 2, 1e-31, "L.x");
        small(column(s, g, "L.y") - (quad)18 / 10, 2, 1e-31, "L.y");
        small(column(s, g, "L.z") + 2, 2, 1e-31, "L.z");
    }
    noe_integrator_free(g);
}

static void test_directors(void **unused)
{
    (void)unused;
    static const struct {
        const char *method;
        double      order;
    } table[] = { { "lobatto 1", 2 }, { "simpson", 4 }, { "lobatto 3", 6 } };
    noe_system *s = parse(directors), *body = parse("body b: mass = 1, inertia = (2, 3, 4)\n"
                                                    "start b.omega = (0.8, 0.6, -0.5)\n");
    quad        exact[9], R[9];
    axes(body, "gauss 8", 100, of_body, exact, false);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        quad error[3] = { 0 };
        for (int i = 0; i < 3; i++) {
            axes(i < 2 ? s : body, table[k].method, i ? 80 : 40, i < 2 ? axis : of_body, R, i < 2);
            for (int j = 0; j < 9; j++) error[i] = fmaxq(error[i], fabsq(R[j] - exact[j]));
        }
        const double order = (double)log2q(error[0] / error[1]),
                     more = (double)(error[1] / error[2]);
        printf("directors by %s: order %.2f, %.3g times the quaternion's error\n", table[k].method,
               order, more);
        assert_true(fabs(order - table[k].order) < 0.05);
        assert_true(more > 3); /* that is what a quaternion is for */
    }
    noe_system_free(s), noe_system_free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_free_body),
                                        cmocka_unit_test(test_long_run),
                                        cmocka_unit_test(test_nutation),
                                        cmocka_unit_test(test_directors) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g\n", tightest);
    return failed;
}
