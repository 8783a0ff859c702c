/* body: 20 digits of a free one, order, Euler's equations, a top against angles.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The digits were computed by another program: Newton on the equations of the step in 40 digits,
 * and the exact ones by Taylor series. */
#include "integrate/integrator.h"
#include "laws.h"

#define FREE                                  \
    "body b: mass = 1, inertia = (1, 2, 3)\n" \
    "start b.omega = (0.8, 0.6, -0.5), b.r' = (0.1, 0.2, 0.3)\n"

/* The run of `count` steps, from the start of the model; the caller frees it and the system. */
static noe_integrator *after(const noe_system *s, const char *name, quad h, int count, int digits)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_make(s, m, h, digits);
    noe_method_free(m);
    if (!g || noe_integrator_start_ready(g)) fail_msg("%s: %s", name, noe_error());
    for (int k = 0; k < count; k++)
        if (noe_smooth_step(g)) fail_msg("%s, step %d: %s", name, k, noe_error());
    return g;
}

/* ---- digits ---- */

static const char *const exact[7] = { "-0.259224270478357015723951", "0.0910367500061914674512234",
                                      "-0.236332200029474632297919", "-0.932020482056323798593816",
                                      "0.287319126803811435955535",  "-1.91566982475863551391924",
                                      "-0.760037395054949928102297" };

static const struct {
    const char *method,
        *digits[7]; /* Q, then the angular momentum in body axes, after 2 steps of 0.2 */
} known[] = {
    { "lobatto 1",
      { "0.97464713066242879660768312", "0.16838687460579310881654435",
        "0.10176323779488655492059929", "-0.1065508075309086015308811",
        "0.90852765708597086036367266", "0.83845425089167275776745215",
        "-1.6737897016864336098978938" } },
    { "simpson",
      { "0.97456005301823724285747635", "0.16898173806733035131867086",
        "0.10160763790153146630194278", "-0.10655403878270422901338953",
        "0.90838435590210197089464213", "0.83627197128614775160937193",
        "-1.6749588209844156675187289" } },
    { "lobatto 3",
      { "0.97456004112947073005030427", "0.16898173960859410490502655",
        "0.10160769613158576310426461", "-0.10655408954802696266354153",
        "0.90838442080378525937941414", "0.836272072806344983482922",
        "-1.6749587350992115773628055" } },
};

static const char *const pi_name[] = { "b.L_body.x", "b.L_body.y", "b.L_body.z" };

static void test_digits(void **state)
{
    (void)state;
    noe_system *s = parse(FREE);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        quad            q[7];
        noe_integrator *g = after(s, known[k].method, (quad)2 / 10, 2, 33);
        noe_integrator_state_get(g, NOE_AT_Q, q);
        for (int i = 0; i < 4; i++)
            close_to(q[3 + i], strtoflt128(known[k].digits[i], NULL), 1e-23);
        for (int i = 0; i < 3; i++)
            close_to(noe_get(g, pi_name[i]), strtoflt128(known[k].digits[4 + i], NULL), 2e-15);
        noe_integrator_free(g);
        g = after(s, known[k].method, (quad)2 / 10, 2, 15);
        for (int i = 0; i < 4; i++)
            close_to(noe_q(g)[3 + i], strtoflt128(known[k].digits[i], NULL), 2e-15);
        noe_integrator_free(g);
    }
    noe_system_free(s);
}

/* Distance from the exact attitude and momentum at t = 4. */
static void errors(const noe_system *s, const char *name, int count, double *attitude,
                   double *momentum)
{
    noe_integrator *g = after(s, name, (quad)4 / count, count, 15);
    *attitude = *momentum = 0;
    for (int i = 0; i < 4; i++) {
        const double d = noe_q(g)[3 + i] - (double)strtoflt128(exact[i], NULL);
        *attitude += d * d;
    }
    for (int i = 0; i < 3; i++) {
        const double d = noe_get(g, pi_name[i]) - (double)strtoflt128(exact[4 + i], NULL);
        *momentum += d * d;
    }
    *attitude = sqrt(*attitude), *momentum = sqrt(*momentum);
    noe_integrator_free(g);
}

static void test_order(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        int         order, steps;
    } table[] = {
        { "lobatto 1", 2, 40 }, { "simpson", 4, 40 }, { "gauss 2", 4, 40 }, { "lobatto 3", 6, 20 }
    };
    noe_system *s = parse(FREE);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        double a[2], m[2];
        for (int i = 0; i < 2; i++) errors(s, table[k].method, table[k].steps << i, &a[i], &m[i]);
        if (fabs(log2(a[0] / a[1]) - table[k].order) > 0.1
            || fabs(log2(m[0] / m[1]) - table[k].order) > 0.1)
            fail_msg("%s: orders %g of the attitude, %g of the momentum", table[k].method,
                     log2(a[0] / a[1]), log2(m[0] / m[1]));
    }
    noe_system_free(s);
}

/* ---- laws on random bodies ---- */

/* Principal moments of four masses at random places have all that those of bodies have. */
static void random_inertia(double *I)
{
    double x[3] = { 0 };
    for (int i = 0; i < 3; i++) x[i] = 1.5 + random_number();
    for (int i = 0; i < 3; i++) I[i] = x[(i + 1) % 3] + x[(i + 2) % 3];
}

static void euler(const double *I, const double *L, double *rate)
{
    double w[3];
    for (int i = 0; i < 3; i++) w[i] = L[i] / I[i];
    for (int i = 0; i < 3; i++)
        rate[i] = L[(i + 1) % 3] * w[(i + 2) % 3] - L[(i + 2) % 3] * w[(i + 1) % 3];
}

/* L' = L x Omega by 2000 steps of RK4. */
static void euler_equations(const double *I, double *L, double t)
{
    const int steps = 2000;
    for (int k = 0; k < steps; k++) {
        static const double to[] = { 0, 0.5, 0.5, 1 }, weight[] = { 1, 2, 2, 1 };
        double              r[3] = { 0 }, sum[3] = { 0 };
        for (int i = 0; i < 4; i++) {
            double y[3];
            for (int c = 0; c < 3; c++) y[c] = L[c] + to[i] * t / steps * r[c];
            euler(I, y, r);
            for (int c = 0; c < 3; c++) sum[c] += weight[i] * r[c];
        }
        for (int c = 0; c < 3; c++) L[c] += t / steps * sum[c] / 6;
    }
}

static void test_euler(void **state)
{
    (void)state;
    static const char *const axis[] = { "b.e1", "b.e2", "b.e3" };
    for (int k = 0; k < 20; k++) {
        char   text[600];
        double I[3], w[3], L[3], space[3];
        random_inertia(I);
        for (int i = 0; i < 3; i++) w[i] = 2 * random_number(), L[i] = I[i] * w[i];
        snprintf(text, sizeof text,
                 "body b: mass = 2, inertia = (%.17g, %.17g, %.17g)\n"
                 "start b.omega = (%.17g, %.17g, %.17g)\n"
                 "start b.attitude = rotation((1, %.17g, 2), %.17g)*rotation((0, 0, 1), %.17g)\n",
                 I[0], I[1], I[2], w[0], w[1], w[2], random_number(), 3 * random_number(),
                 random_number());
        noe_system              *s = parse(text);
        noe_integrator          *g = after(s, "gauss 4", (quad)1 / 100, 0, 15);
        static const char *const l[] = { "b.L.x", "b.L.y", "b.L.z" }, *const omega[] = {
            "b.omega.x", "b.omega.y", "b.omega.z"
        };
        for (int i = 0; i < 3; i++) {
            space[i] = noe_get(g, l[i]);
            close_to(noe_get(g, omega[i]), w[i], 1e-14);
            close_to(noe_get(g, pi_name[i]), L[i], 1e-13);
        }
        const double energy = noe_get(g, "energy");
        close_to(energy, (L[0] * w[0] + L[1] * w[1] + L[2] * w[2]) / 2, 1e-12);
        for (int j = 0; j < 100; j++)
            if (noe_smooth_step(g)) fail_msg("%s", noe_error());
        euler_equations(I, L, 1);
        for (int i = 0; i < 3; i++) {
            double turned = 0; /* the axes take the momentum from the body to space */
            for (int c = 0; c < 3; c++) {
                char name[12];
                snprintf(name, sizeof name, "%s.%c", axis[c], "xyz"[i]);
                turned += noe_get(g, name) * noe_get(g, pi_name[c]);
            }
            close_to(noe_get(g, pi_name[i]), L[i], 2e-10);
            close_to(noe_get(g, l[i]), space[i], 2e-13);
            close_to(turned, space[i], 2e-13);
        }
        close_to(noe_get(g, "energy"), energy, 1e-11);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* L grows by the torque times t, exactly where the nodes of the forces are on the constraint. */
static void test_torque(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++) {
        char   text[600];
        double I[3], T[3], before[3];
        random_inertia(I);
        for (int i = 0; i < 3; i++) T[i] = random_number();
        const bool space = k % 2;
        snprintf(
            text, sizeof text,
            "body b: mass = 2, inertia = (%.17g, %.17g, %.17g)\nstart b.omega = (1, %.17g, 2)\n"
            "force b.%s = (%.17g, %.17g, %.17g)\n",
            I[0], I[1], I[2], random_number(), space ? "torque" : "body_torque", T[0], T[1], T[2]);
        noe_system              *s = parse(text);
        noe_integrator          *g = after(s, space ? "simpson" : "gauss 4", (quad)1 / 100, 0, 15);
        static const char *const l[] = { "b.L.x", "b.L.y", "b.L.z" };
        for (int i = 0; i < 3; i++) before[i] = noe_get(g, space ? l[i] : pi_name[i]);
        for (int j = 0; j < 100; j++)
            if (noe_smooth_step(g)) fail_msg("%s", noe_error());
        if (space)
            for (int i = 0; i < 3; i++) close_to(noe_get(g, l[i]), before[i] + T[i], 1e-12);
        else { /* a small step of Euler's equations with the torque, from the end */
            double rate[3], now[3];
            for (int i = 0; i < 3; i++) now[i] = noe_get(g, pi_name[i]);
            euler(I, now, rate);
            const double h = 0.01;
            double       there[3], later[3];
            if (noe_smooth_step(g)) fail_msg("%s", noe_error());
            for (int i = 0; i < 3; i++) there[i] = noe_get(g, pi_name[i]);
            euler(I, there, later);
            for (int i = 0; i < 3; i++) /* the trapezoidal rule, h^3/12 L''' */
                close_to((there[i] - now[i]) / h, T[i] + (rate[i] + later[i]) / 2, 1e-3);
        }
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* ---- a heavy top, its tip held ---- */

static const char top[] =
    "parameter m = 0.02, l = 0.02, g = 9.81\n"
    "parameter tilt = pi/3, precession = 25, spin = 100 + precession*cos(tilt)\n"
    "parameter slow = precession*sin(tilt)\n"
    "body top: mass = m, inertia = (3.125e-6, 3.125e-6, 6.25e-6)\n"
    "point tip on top = (0, 0, -l)\n"
    "constraint held: tip = (0, 0, 0)\n"
    "potential m*g*top.r.z\n"
    "observe J = cross(top.r, p(top.r)).z + top.L.z\n"
    "start top.attitude = rotation((1, 0, 0), tilt), top.omega = (0, slow, spin)\n"
    "start top.r = l*(0, -sin(tilt), cos(tilt)), top.r' = (l*slow, 0, 0)\n";

static void test_top(void **state)
{
    (void)state;
    noe_error_clear();
    noe_system *angles = noe_system_load("systems/lagrange_top.lag"), *body = parse(top);
    if (!angles) fail_msg("%s", noe_error());
    noe_integrator *a = after(angles, "gauss 6", (quad)1 / 2000, 100, 15),
                   *b = after(body, "gauss 6", (quad)1 / 2000, 100, 15);
    close_to(noe_get(b, "top.e3.x"), noe_get(a, "x"), 1e-10);
    close_to(noe_get(b, "top.e3.y"), noe_get(a, "y"), 1e-10);
    close_to(noe_get(b, "top.e3.z"), noe_get(a, "z"), 1e-10);
    close_to(noe_get(b, "top.omega.z"), noe_get(a, "spin"), 1e-9);
    close_to(noe_get(b, "J"), noe_get(a, "p(phi)"), 1e-16);
    close_to(noe_get(b, "energy"), noe_get(a, "energy"), 1e-15);
    noe_integrator_free(a), noe_integrator_free(b);
    noe_system_free(angles), noe_system_free(body);
}

/* ---- refusals ---- */

#define BODY "body b: mass = 1, inertia = (1, 2, 2)\n"
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *words;
    } table[] = {
        { "body b: inertia = (1, 1, 1)", "1:9:", "mass = m, inertia = (A, B, C)" },
        { "body b: mass = 0, inertia = (1, 1, 1)", "1:16:", "mass must be greater than 0" },
        { "body b: mass = 1, inertia = 1", "1:29:", "a number where a vector is wanted" },
        { "body b: mass = (1, 2, 3), inertia = (1, 1, 1)",
          "1:16:", "a vector where a number is wanted" },
        { "body b: mass = 1, inertia = (1, 1, 0)", "1:29:", "inertia must be greater than 0" },
        { "body b: mass = 1, inertia = (1, 2, 4)", "1:29:", "no body has these principal moments" },
        { "coordinate q\nbody b: mass = q, inertia = (1, 1, 1)",
          "2:16:", "numbers and parameters only" },
        { BODY "body b: mass = 1, inertia = (1, 1, 1)",
          "2:6:", "'b' is declared already, in line 1" },
        { BODY "point P on c = (1, 0, 0)", "2:12:", "the name of a body above" },
        { BODY "point P of b = (1, 0, 0)", "2:9:", "'on' and the name of a body" },
        { BODY "point P on b = 1", "2:16:", "a number where a vector is wanted" },
        { BODY "start b.attitude = 1", "2:20:", "rotation((0, 0, 1), pi/4)" },
        { BODY "start b.attitude = rotation((0, 0, 0), 1)",
          "2:29:", "the axis of a rotation has no direction" },
        { BODY "start b.omega = 1", "2:17:", "a number where a vector is wanted" },
        { BODY "start b.omega = (1, 0, 0), b.omega = (0, 0, 1)", "2:28:", "given twice" },
        { BODY "start b.omega = (1, 0, 0), b.attitude.x' = 1",
          "2:7:", "both an angular velocity and a velocity" },
        { BODY "start b = 1", "2:7:", "is no coordinate" },
        { BODY "potential b", "2:11:", "'b' is a rigid body: its quantities are 'b.r'" },
        { BODY "potential b.w", "2:11:", "'b' is a rigid body" },
        { BODY "force b.torque = 1", "2:18:", "a number where a vector is wanted" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        noe_error_clear();
        noe_system *s = noe_system_parse(table[i].text);
        if (s || !noe_error() || !strstr(noe_error(), table[i].place)
            || !strstr(noe_error(), table[i].words))
            fail_msg("%s: %s\n%s: %s", table[i].place, table[i].words, table[i].text,
                     s ? "is accepted" : noe_error());
    }
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits), cmocka_unit_test(test_order), cmocka_unit_test(test_euler),
        cmocka_unit_test(test_torque), cmocka_unit_test(test_top),   cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
