/* systems/ with constraints: g = 0 and G v = 0, what is conserved, and the same motions in angles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/integrator.h"
#include "laws.h"
#include "constraint/constraint_point.h"

static noe_integrator *start(const noe_system *s, const char *name, quad h)
{
    noe_method *m = method(name);
    noe_error_clear();
    noe_integrator *g = noe_integrator_make(s, m, h, 15);
    noe_method_free(m);
    if (!g || noe_integrator_start_ready(g)) fail_msg("%s: %s", name, noe_error());
    return g;
}

static void steps(noe_integrator *g, int count)
{
    for (int k = 0; k < count; k++)
        if (noe_smooth_step(g)) fail_msg("step %d: %s", k, noe_error());
}

/* ---- the constraints, and their derivatives by t ---- */

static double worst_g, worst_rate; /* |g|/|G| of the lengths, |G v|/|G| of the velocities */

/* Redundant constraints are left out of the steps and follow from the others up to their
 * condition; `rounding` is in units of 2^-53. */
static void satisfied(const noe_system *s, noe_integrator *g, const char *path)
{
    enum { MOST = 40 };
    quad                  q[MOST], v[MOST], length = 0, speed = 0;
    const double          rounding = strstr(path, "bennett") ? 100 : 20;
    noe_constraint_point *x = noe_constraint_point_new(&s->dyn);
    assert_true(x && s->dyn.n <= MOST);
    noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_V, v);
    noe_constraint_point_at(x, noe_time(g), q, v, 1e-20);
    for (int j = 0; j < s->dyn.n; j++)
        length = fmaxq(length, fabsq(q[j])), speed = fmaxq(speed, fabsq(v[j]));
    for (int a = 0; a < x->m; a++) {
        const quad scale = x->size[a] * fmaxq(length, 1e-3);
        small(x->g[a], scale, rounding * 0x1p-53, path);
        small(x->hidden[a], x->size[a] * speed, rounding * 0x1p-53, path);
        worst_g = fmax(worst_g, (double)(fabsq(x->g[a]) / scale));
        worst_rate = fmax(worst_rate, (double)(fabsq(x->hidden[a]) / (x->size[a] * speed)));
    }
    noe_constraint_point_free(x);
}

static void constraint_law(const noe_system *s, const char *path)
{
    noe_integrator *g = start(s, noe_system_suggest(s, "method"), suggested_step(s));
    worst_g = worst_rate = 0;
    for (int i = 0; i < 10; i++) {
        satisfied(s, g, path);
        steps(g, 50);
    }
    printf("%-40s |g| %.2g  |G v| %.2g\n", path, worst_g, worst_rate);
    noe_integrator_free(g);
}

static void test_constraints_hold(void **unused)
{
    (void)unused;
    every_mechanism(constraint_law);
}

/* ---- what the heads of the files call conserved ---- */

static const struct {
    const char *file, *name, *size; /* a momentum, and one that is as large; NULL: itself */
} conserved[] = {
    { "spherical_pendulum_rod", "J", NULL },
    { "chain_of_rods", "J", NULL },
    { "furuta_pendulum", "J", NULL },
    { "ring_of_rods", "J", NULL },
    { "heavy_top_body", "J", NULL },
    { "heavy_top_body", "top.L_body.z", NULL },
    { "tumbling_body", "wing.L.x", "wing.L.y" },
    { "tumbling_body", "wing.L.y", NULL },
    { "tumbling_body", "wing.L.z", "wing.L.y" },
    { "tumbling_body", "length", NULL },
    { "satellite", "J.x", "J.z" },
    { "satellite", "J.y", "J.z" },
    { "satellite", "J.z", NULL },
    { "gimbal_gyroscope", "J", "rotor.L_body.z" },
    { "gimbal_gyroscope", "rotor.L_body.z", NULL },
};

static void test_momenta(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof conserved / sizeof *conserved; k++) {
        char path[80];
        snprintf(path, sizeof path, "systems/%s.lag", conserved[k].file);
        noe_system     *s = load(path);
        noe_integrator *g = start(s, "simpson", suggested_step(s));
        const char     *name = conserved[k].name;
        const double    size = noe_get(g, conserved[k].size ? conserved[k].size : name),
                     first = noe_get(g, name);
        assert_true(size != 0);
        steps(g, 500);
        small(noe_get(g, name) - first, fabs(size), 1e-13, name);
        noe_integrator_free(g), noe_system_free(s);
    }
}

/* The energy error stays bounded: Simpson's is of fourth order, at half the step a sixteenth. */
static double energy_error(const noe_system *s, quad h, int count)
{
    noe_integrator *g = start(s, "simpson", h);
    const double    first = noe_get(g, "energy");
    double          worst = 0;
    for (int k = 0; k < count; k++) {
        steps(g, 1);
        worst = fmax(worst, fabs(noe_get(g, "energy") - first));
    }
    noe_integrator_free(g);
    return worst;
}

static void energy_law(const noe_system *s, const char *path)
{
    if (s->dyn.forced || strstr(path, "ring_of_rods")) return; /* the ring turns as a rigid body */
    const quad   h = suggested_step(s) * 2;
    const double coarse = energy_error(s, h, 100), fine = energy_error(s, h / 2, 200);
    if (!(coarse / fine > 12 && coarse / fine < 20))
        fail_msg("%s: energy errors %.3g, %.3g at half the step", path, coarse, fine);
}

static void test_energies(void **unused)
{
    (void)unused;
    every_mechanism(energy_law);
}

/* ---- the same motions in angles ---- */

#define FURUTA                                                                        \
    "parameter R = 0.3, l = 0.2, arm = 0.5, m = 0.1, g = 9.81, theta = 3, turn = 1\n" \
    "coordinate a, b\n"                                                               \
    "x = R*cos(a) - l*sin(b)*sin(a)\ny = R*sin(a) + l*sin(b)*cos(a)\nz = -l*cos(b)\n" \
    "kinetic arm/2*R^2*a'^2 + m/2*(x'^2 + y'^2 + z'^2)\npotential m*g*z\n"            \
    "observe X = x\nobserve Y = y\nobserve Z = z\nstart a' = turn, b = theta\n"
#define LINKAGE /* the crank's angle alone: the hinge B by the two circles */                 \
    "parameter ground = 1, crank = 0.35, coupler = 0.9, rocker = 0.75, g = 9.81, out = 0.6\n" \
    "coordinate a\n"                                                                          \
    "ax = crank*cos(a)\nay = crank*sin(a)\nd = sqrt((ground - ax)^2 + ay^2)\n"                \
    "along = (d^2 + coupler^2 - rocker^2)/(2*d)\nup = sqrt(coupler^2 - along^2)\n"            \
    "bx = ax + (along*(ground - ax) + up*ay)/d\nby = ay + (-along*ay + up*(ground - ax))/d\n" \
    "cx = ax + out*(bx - ax) - out*(by - ay)\ncy = ay + out*(by - ay) + out*(bx - ax)\n"      \
    "kinetic (ax'^2 + ay'^2)/2 + (bx'^2 + by'^2)/2 + 0.5/2*(cx'^2 + cy'^2)\n"                 \
    "potential g*(ay + by) + 0.5*g*cy\n"                                                      \
    "observe AX = ax\nobserve AY = ay\nobserve BX = bx\nobserve BY = by\nstart a = 1, a' = 12\n"
#define SLIDER                                                                                 \
    "parameter r = 0.1, l = 0.25, pin = 0.4, piston = 0.9, torque = 2, c = 20\ncoordinate a\n" \
    "x = r*cos(a)\ny = r*sin(a)\ns = x + sqrt(l^2 - y^2)\n"                                    \
    "kinetic pin/2*(x'^2 + y'^2) + piston/2*s'^2\nforce a = torque\ndissipation c/2*s'^2\n"    \
    "observe X = x\nobserve Y = y\nobserve S = s\nstart a' = 30\n"
#define PENDULUM                                                                        \
    "parameter m1 = 1, m2 = 1, g = 9.81, l1 = g/(2*pi)^2, l2 = l1\ncoordinate q1, q2\n" \
    "x1 = l1*sin(q1)\ny1 = -l1*cos(q1)\nx2 = x1 + l2*sin(q2)\ny2 = y1 - l2*cos(q2)\n"   \
    "kinetic m1/2*(x1'^2 + y1'^2) + m2/2*(x2'^2 + y2'^2)\n"                             \
    "potential m1*g*y1 + m2*g*y2\n"                                                     \
    "observe X = x1\nobserve Y = y1\nobserve U = x2\nobserve W = y2\n"                  \
    "start q1 = pi/2, q2 = pi/2\n"

static const struct {
    const char *file, *angles;     /* the same in angles: a file of systems/, or its text */
    double      until, step;       /* of the coarser of two runs by Simpson */
    double      apart;             /* how far it is then from the motion in angles */
    const char *tied[4], *same[4]; /* columns that have the same values */
} pair[] = {
    { "spherical_pendulum_rod",
      "systems/spherical_pendulum.lag",
      1,
      0.05,
      9.90e-7,
      { "r.x", "r.y", "r.z" },
      { "x", "y", "z" } },
    { "double_pendulum_rods",
      PENDULUM,
      1,
      0.02,
      9.85e-6,
      { "x1", "y1", "x2", "y2" },
      { "X", "Y", "U", "W" } },
    { "heavy_top_body",
      "systems/lagrange_top.lag",
      0.05,
      0.001,
      2.48e-8,
      { "top.e3.x", "top.e3.y", "top.e3.z", "top.omega.z" },
      { "x", "y", "z", "spin" } },
    { "furuta_pendulum", FURUTA, 1, 0.01, 4.61e-8, { "b.x", "b.y", "b.z" }, { "X", "Y", "Z" } },
    { "four_bar_linkage",
      LINKAGE,
      1,
      0.01,
      1.31e-5,
      { "x[1]", "y[1]", "x[2]", "y[2]" },
      { "AX", "AY", "BX", "BY" } },
    { "slider_crank", SLIDER, 0.5, 0.005, 7.79e-6, { "x", "y", "s" }, { "X", "Y", "S" } },
};

/* The largest difference of the columns at the end. */
static double apart(const noe_system *tied, const noe_integrator *exact, size_t k, int count)
{
    noe_integrator *g = start(tied, "simpson", (quad)pair[k].until / count);
    double          worst = 0;
    steps(g, count);
    for (int i = 0; i < 4 && pair[k].tied[i]; i++)
        worst = fmax(worst, fabs(noe_get(g, pair[k].tied[i]) - noe_get(exact, pair[k].same[i])));
    noe_integrator_free(g);
    return worst;
}

static void test_angles(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        char path[80];
        snprintf(path, sizeof path, "systems/%s.lag", pair[k].file);
        const bool  is_file = strchr(pair[k].angles, '/') && !strchr(pair[k].angles, '\n');
        noe_system *tied = load(path),
                   *free = is_file ? load(pair[k].angles) : parse(pair[k].angles);
        const int       count = (int)lround(pair[k].until / pair[k].step);
        noe_integrator *exact = start(free, "gauss 6", (quad)pair[k].until / (8 * count));
        steps(exact, 8 * count);
        const double coarse = apart(tied, exact, k, count), fine = apart(tied, exact, k, 2 * count);
        printf("%-24s %.2e %.2e  order %.2f\n", pair[k].file, coarse, fine, log2(coarse / fine));
        if (!(fabs(log2(coarse / fine) - 4) < 0.35))
            fail_msg("%s: errors %.3g, %.3g at half the step, order %.2f", pair[k].file, coarse,
                     fine, log2(coarse / fine));
        if (!(fabs(coarse / pair[k].apart - 1) < 0.05)) /* doc/mechanisms.md says how far */
            fail_msg("%s: %.3g from the motion in angles, not %.3g", pair[k].file, coarse,
                     pair[k].apart);
        noe_integrator_free(exact), noe_system_free(tied), noe_system_free(free);
    }
}

/* ---- a free body: Jacobi's elliptic functions ---- */

/* Carlson's R_F(x, y, 1). */
static double carlson(double x, double y)
{
    double z = 1;
    for (int k = 0; k < 40; k++) {
        const double root = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        x = (x + root) / 4, y = (y + root) / 4, z = (z + root) / 4;
    }
    return 1 / sqrt((x + y + z) / 3);
}

/* sn, cn, dn of u by descending means. */
static void jacobi(double u, double k, double *sn, double *cn, double *dn)
{
    double a[20] = { 1 }, c[20] = { k }, b = sqrt(1 - k * k);
    int    n = 0;
    while (fabs(c[n]) > 1e-16 && n < 19) {
        a[n + 1] = (a[n] + b) / 2, c[n + 1] = (a[n] - b) / 2;
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n), before = phi;
    for (; n; n--) {
        before = phi;
        phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
    }
    *sn = sin(phi), *cn = cos(phi), *dn = *cn / cos(before - phi);
    if (fabs(cos(before - phi)) < 0.1) *dn = sqrt(1 - k * k * *sn * *sn);
}

/* Landau and Lifshitz, Mechanics, (37.8) - (37.10), for L^2 > 2 E B. */
static void test_flips(void **unused)
{
    (void)unused;
    noe_system  *s = load("systems/tumbling_body.lag");
    const double A = 1e-4, B = 2e-4, C = 2.8e-4, x = 0.01, y = 10, z = 0.01;
    const double E2 = A * x * x + B * y * y + C * z * z,
                 L2 = A * A * x * x + B * B * y * y + C * C * z * z;
    assert_true(L2 > E2 * B);
    const double a1 = sqrt((E2 * C - L2) / (A * (C - A))), a2 = sqrt((E2 * C - L2) / (B * (C - B))),
                 a3 = sqrt((L2 - E2 * A) / (C * (C - A)));
    const double rate = sqrt((C - B) * (L2 - E2 * A) / (A * B * C)),
                 k = sqrt((B - A) * (E2 * C - L2) / ((C - B) * (L2 - E2 * A)));
    const double sine = y / a2, cosine = x / a1,
                 phase = sine * carlson(cosine * cosine, 1 - k * k * sine * sine);
    double error[2];
    for (int i = 0; i < 2; i++) {
        const int       count = 1000 << i;
        noe_integrator *g = start(s, "simpson", (quad)5 / count);
        double          sn, cn, dn;
        int             flips = 0;
        error[i] = 0;
        for (int n = 1; n <= count; n++) {
            const double sign = noe_get(g, "wing.omega.y");
            steps(g, 1);
            flips += noe_get(g, "wing.omega.y") * sign < 0;
            jacobi(rate * noe_time(g) + phase, k, &sn, &cn, &dn);
            error[i] = fmax(error[i], fabs(noe_get(g, "wing.omega.x") - a1 * cn));
            error[i] = fmax(error[i], fabs(noe_get(g, "wing.omega.y") - a2 * sn));
            error[i] = fmax(error[i], fabs(noe_get(g, "wing.omega.z") - a3 * dn));
        }
        assert_int_equal(flips, 2);
        noe_integrator_free(g);
    }
    printf("flips: %.2e %.2e  order %.2f\n", error[0], error[1], log2(error[0] / error[1]));
    if (!(fabs(log2(error[0] / error[1]) - 4) < 0.35))
        fail_msg("flips: errors %.3g, %.3g at half the step", error[0], error[1]);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constraints_hold),
        cmocka_unit_test(test_momenta),
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_flips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
