/* Where nothing moves but by rounding, or all velocities are constant, nothing is told.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "accuracy/coarse_run.h"

static double between(double a, double b) { return (a + b + (b - a) * random_number()) / 2; }

/* Equilibria and steady motions whose states are no exact numbers; x, a: lengths, f: an angle. */
static const char *const model[] = {
    "coordinate x\nkinetic m*x'^2/2\npotential E*((x/X)^2 - 2)^2\nstart x = X*sqrt(2)\n",
    "coordinate x\nkinetic m*x'^2/2\npotential E*((x/X)^3/3 - 0.7*x/X)\nstart x = X*sqrt(0.7)\n",
    "coordinate x\nkinetic m*x'^2/2\npotential E*(X/x + x/X/3)\nstart x = X*sqrt(3)\n",
    "coordinate a, b\nkinetic m*(a'^2 + 2*b'^2)/2\n"
    "potential E*(9.81*(a + 2*b)/X + 50*(a/X + 1)^2 + 30*(b/X - a/X + 1)^2)\n"
    "start a = X*(-1 - 3*9.81/100), b = X*(-2 - 3*9.81/100 - 2*9.81/60)\n",
    "coordinate r, f\nkinetic m*(r'^2 + r^2*f'^2)/2\npotential -E*X/r\n"
    "start r = 1.3*X, f' = 1.3^-1.5/T\n",
    "coordinate u, f\nkinetic m*X^2*(u'^2 + sin(u)^2*f'^2)/2\npotential -E*cos(u)\n"
    "start u = 0.8, f' = sqrt(1/cos(0.8))/T\n",
    "coordinate x, y\nkinetic m*(x'^2 + y'^2)/2\npotential E*cos(y/X)\nstart x' = 0.3*X/T\n",
};
enum { MODELS = sizeof model / sizeof *model };
static const char *const name[] = { "simpson",   "midpoint", "gauss 2", "gauss 3",
                                    "lobatto 3", "gauss 8",  "rk4",     "gauss 4" };

static void test_silence(void **unused)
{
    (void)unused;
    for (int k = 0; k < 24 * MODELS; k++) {
        const double X = pow(10, between(-6, 6)), T = pow(10, between(-6, 6)),
                     m = pow(10, between(-10, 10)), h = pow(10, between(-2, -0.7));
        char text[900];
        snprintf(text, sizeof text, "parameter X = %.17g, T = %.17g, m = %.17g, E = m*X^2/T^2\n%s",
                 X, T, m, model[k % MODELS]);
        noe_system     *s = parse(text);
        noe_method     *f = method(name[k / MODELS % 8]);
        noe_integrator *g = noe_integrator_new(s, f, h * T);
        noe_coarse_run  c;
        const int       steps = (int)between(10, 40 / h);
        for (int i = 0; i < steps; i++)
            if (noe_step(g)) fail_msg("%s: %s\n%s", name[k / MODELS % 8], noe_error(), text);
        noe_coarse_run_find(&c, g, f), noe_coarse_run_note(&c, g, f);
        if (*c.warning || *c.note)
            fail_msg("%s, %d steps of %.17g: %s%s\n%s", name[k / MODELS % 8], steps, h * T,
                     c.warning, c.note, text);
        noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_silence) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
