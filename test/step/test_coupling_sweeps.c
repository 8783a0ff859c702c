/* Sweeps for couplings give corrections of the whole matrix: Newton's method needs few iterations.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With a wrong sweep it converges all the same, to the same motion, in more of them. */
#include "integrator.h"

#include <math.h>

enum { RODS = 60, SIZE = 12000, STEPS = 50 };

/* A parameter of each rod. */
static char *list(char *to, char name, const double *x)
{
    to += sprintf(to, "parameter %c[1..n] = (%.17g", name, x[0]);
    for (int i = 1; i < RODS; i++) to += sprintf(to, ", %.17g", x[i]);
    return to + sprintf(to, ")\n");
}

/* A random chain, straight, that begins to swing; forces vary within the step where springs (400
 * beside masses of 1) hold it. */
static noe_system *random_chain(bool held)
{
    static char  text[SIZE];
    double       mass[RODS], length[RODS], x[RODS], y[RODS];
    char        *to = text + sprintf(text, "parameter n = %d\n", RODS);
    const double angle = 0.5 + 0.2 * (double)random_number();
    for (int i = 0; i < RODS; i++) {
        mass[i] = 1 + 0.3 * (double)random_number(), length[i] = 1 + 0.3 * (double)random_number();
        x[i] = (i ? x[i - 1] : 0) + length[i] * sin(angle);
        y[i] = (i ? y[i - 1] : 0) - length[i] * cos(angle);
    }
    to = list(list(list(list(to, 'm', mass), 'l', length), 'X', x), 'Y', y);
    sprintf(to,
            "coordinate x[1..n], y[1..n]\n"
            "kinetic sum(i in 1..n) m[i]*(x[i]'^2 + y[i]'^2)/2\n"
            "potential sum(i in 1..n) 9.81*m[i]*y[i]\n%s"
            "constraint first: sqrt(x[1]^2 + y[1]^2) = l[1]\n"
            "constraint rod[i in 2..n]: sqrt((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2) = l[i]\n"
            "start x[i] = X[i], y[i] = Y[i]\n",
            held ? "potential sum(i in 1..n) 200*(x[i] - X[i])^2\n" : "");
    noe_system *s = noe_system_parse(text);
    if (!s) fail_msg("%s", noe_error());
    return s;
}

/* Iterations a step. */
static double iterations(const noe_system *s, const char *method)
{
    noe_integrator *g = integrator(s, method, (quad)1 / 100, 0);
    steps(g, 5);
    const double before = noe_get(g, "iterations");
    steps(g, STEPS);
    const double made = noe_get(g, "iterations") - before;
    noe_integrator_free(g);
    return made / STEPS;
}

static void test_iterations(void **unused)
{
    (void)unused;
    static const char *const method[] = { "simpson", "gauss 2", "gauss 3", "lobatto 4", "gauss 6" };
    for (int held = 0; held < 2; held++) {
        noe_system *s = random_chain(held);
        for (unsigned k = 0; k < sizeof method / sizeof *method; k++) {
            const double made = iterations(s, method[k]);
            printf("%s, %s: %.2f iterations a step\n", held ? "held" : "free", method[k], made);
            assert_true(made <= 2.8);
        }
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_iterations) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
