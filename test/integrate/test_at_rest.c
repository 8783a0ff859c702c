/* Bodies and mechanisms at rest in equilibrium, or nearly, stay there, whatever the origin is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/energy_error.h"
#include "integrate/integrator.h"
#include "laws.h"
#include "mechanism.h"
#include "constraint/constraint_point.h"

/* A velocity that is 0, or 1e-12 of a random size. */
static double slow(void)
{
    static bool still;
    still = random_number() > 0.2 ? still : !still;
    return still ? 0 : 1e-12 * random_number();
}

/* A free body, held in nothing; or hanging from one of its points. */
static void body(char *to, bool hangs)
{
    const double l = 0.6 + 0.5 * random_number(), x = 3 * random_number(), y = 3 * random_number();
    to += sprintf(to, "body b: mass = %.3f, inertia = (%.3f, %.3f, 1)\n", 2 + random_number(),
                  0.9 + 0.1 * random_number(), 0.8 + 0.1 * random_number());
    if (hangs) {
        to += sprintf(to, "point tip on b = (0, 0, %.17g)\n", l);
        to += sprintf(to, "constraint held: tip = (%.17g, %.17g, 0)\npotential 9*b.r.z\n", x, y);
        to += sprintf(to, "start b.attitude = rotation((0, 0, 1), %.17g)\n", 3 * random_number());
        to += sprintf(to, "start b.r = (%.17g, %.17g, %.17g), b.omega = (0, 0, %.17g)\n", x, y, -l,
                      slow());
        return;
    }
    to += sprintf(to, "start b.attitude = rotation((%.17g, %.17g, 1), %.17g)\n", random_number(),
                  random_number(), 3 * random_number());
    to += sprintf(to, "start b.omega = (%.17g, %.17g, %.17g)\n", slow(), slow(), slow());
    to += sprintf(to, "start b.r = (%.17g, %.17g, 1), b.r' = (%.17g, 0, %.17g)\n", x, y, slow(),
                  slow());
}

/* Rods and masses that hang straight down. */
static void hanging(char *to)
{
    const int count = 1 + (int)(2 + 2 * random_number());
    double    x = 3 * random_number(), y = 3 * random_number(), length[8] = { 0 };
    for (int i = 0; i < count; i++) length[i] = 0.6 + 0.5 * random_number();
    to += sprintf(to, "coordinate ");
    for (int i = 0; i < count; i++) to += sprintf(to, "%sx%d, y%d", i ? ", " : "", i, i);
    for (int i = 0; i < count; i++)
        to += sprintf(to, "\nkinetic %.3f*(x%d'^2 + y%d'^2)\npotential 9.81*y%d",
                      1 + 0.5 * random_number(), i, i, i);
    to += sprintf(to, "\nconstraint rod0: sqrt((x0 - (%.17g))^2 + (y0 - (%.17g))^2) = %.17g\n", x,
                  y, length[0]);
    for (int i = 1; i < count; i++)
        to += sprintf(to, "constraint rod%d: sqrt((x%d - x%d)^2 + (y%d - y%d)^2) = %.17g\n", i, i,
                      i - 1, i, i - 1, length[i]);
    for (int i = 0; i < count; i++)
        to += sprintf(to, "start x%d = %.17g, y%d = %.17g, x%d' = %.17g\n", i, x, i, y -= length[i],
                      i, slow());
}

/* A mechanism without forces, its velocities in the last lines replaced. */
static void loose(char *text)
{
    int rods;
    noe_system_free(random_mechanism(text, false, &rods));
    char *from = strstr(text, "start "), lines[4000], *to = lines;
    for (char *line = strtok(from, "\n"); line; line = strtok(NULL, "\n")) {
        char *velocity = strchr(line, ',');
        *velocity = 0;
        to += sprintf(to, "%s", line);
        *strchr(velocity + 1, '=') = 0;
        to += sprintf(to, ", %s= %.17g\n", velocity + 1, slow());
    }
    strcpy(from, lines);
}

static void stays(const char *text, const char *name)
{
    enum { STEPS = 1000 };
    noe_system     *s = parse(text);
    noe_method     *f = method(name);
    const int       n = s->dyn.n;
    noe_integrator *g = noe_integrator_new(s, f, 0.01);
    double          q[n], most = 0;
    if (!g) fail_msg("%s: %s\n%s", name, noe_error(), text);
    for (int j = 0; j < n; j++) q[j] = noe_q(g)[j], most = fmax(most, fabs(q[j]));
    for (int i = 0; i < STEPS; i++)
        if (noe_step(g)) fail_msg("%s: step %d: %s\n%s", name, i, noe_error(), text);
    for (int j = 0; j < n; j++) small(noe_q(g)[j] - q[j], most, 1e-10, text);
    noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
}

static void test_at_rest(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "lobatto 1", "gauss 3", "lobatto 3", "gauss 2" };
    for (int k = 0; k < 20; k++) {
        char text[8000];
        if (k % 4 < 2) body(text, k % 4);
        else if (k % 4 == 2) hanging(text);
        else loose(text);
        stays(text, name[k % 5]);
    }
}

/* A pendulum on an inclined bearing, in a frame whose origin is the bearing or the place where its
 * mass begins. */
static noe_integrator *pendulum(double up, double velocity, double off, bool at_mass,
                                noe_system **s)
{
    char text[600];
    snprintf(text, sizeof text,
             "parameter c = %.17g, v = %.17g, off = %.17g\ncoordinate x, y\n"
             "kinetic (x'^2 + y'^2)/2\npotential 9.81*y\nparameter X = %s, Y = %s\n"
             "constraint rod: sqrt((x - X)^2 + (y - Y)^2) = 1\n"
             "start x = X - sin(c) + off*sin(c), y = Y - cos(c) + off*cos(c)\n"
             "start x' = v*cos(c), y' = -v*sin(c)\n",
             up, velocity, off, at_mass ? "sin(c)" : "0", at_mass ? "cos(c)" : "0");
    *s = parse(text);
    noe_method     *f = method("simpson");
    noe_integrator *g = noe_integrator_new(*s, f, 0.01);
    noe_method_free(f);
    if (!g) fail_msg("%s\n%s", noe_error(), text);
    return g;
}

/* What is judged does not depend on the origin: neither where a step ends, nor what is a jump or an
 * error of the energy, nor how far off a start may be. */
static void test_frames(void **unused)
{
    (void)unused;
    for (int k = 0; k < 16; k++) {
        const double up = k % 2 ? 0.3 * random_number() : 0,
                     speed = k % 4 < 2 ? pow(10, -7 + 5 * random_number()) : 0,
                     off = k % 8 < 6 ? 0
                         : k < 8     ? 1e-9
                                     : 1e-4;
        noe_system     *s[2];
        noe_integrator *g[2];
        for (int i = 0; i < 2; i++) g[i] = pendulum(up, speed, off, i, &s[i]);
        for (int step = 0; step < 500 && off < 1e-6; step++)
            for (int i = 0; i < 2; i++)
                if (noe_step(g[i]))
                    fail_msg("origin at the %s, v = %g: %s", i ? "mass" : "bearing", speed,
                             noe_error());
        for (int i = 0; i < 2 && off > 1e-6; i++) {
            assert_int_equal(noe_step(g[i]), NOE_INVALID);
            assert_non_null(strstr(noe_error(), "does not hold at the start"));
        }
        const double size = fmax(speed, up != 0);
        if (off < 1e-6) {
            small(noe_q(g[0])[0] - noe_q(g[1])[0] + sin(up), fmax(size, 1e-3), 1e-11, "x");
            for (int i = 0; i < 2; i++) assert_false(noe_energy_error_look(g[i]).large);
        }
        for (int i = 0; i < 2; i++) noe_integrator_free(g[i]), noe_system_free(s[i]);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_at_rest),
                                        cmocka_unit_test(test_frames) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g\n", tightest);
    return failed;
}
