/* Constraints that jump or bend at a time: impacts are refused, bends are not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrator.h"
#include "laws.h"

/* How a support moves, # being the time, and what of it jumps at T; NULL: nothing does. */
static const struct {
    const char *text, *jumps;
} MOTIONS[] = {
    { "if(# < T, 0, 1e-3*L)", "the value of" },
    { "if(# <= T, 0.01*(# - T), 0.01*(# - T) - 1e-7*L)", "the value of" },
    { "0.3*L*atan2(-sin((# - T)/L), -cos((# - T)/L))", "the value of" },
    { "0.1*L*floor((# - T)/T)", "the value of" },
    { "0.1*abs(# - T)", "the first derivative by t of" },
    { "0.2*#^2/L + 1e-5*max(#, T)", "the first derivative by t of" },
    { "max(# - T, 0)^2/L", NULL },
    { "if(# < T, L*sin((# - T)/L), # - T)", NULL },
    { "abs(# - T)^3/L^2 + if(# < T, L, L)", NULL },
};
enum { COUNT = sizeof MOTIONS / sizeof *MOTIONS };

/* The motion with a name of the time. */
static void write_motion(char *to, const char *text, const char *time)
{
    *to = 0;
    for (; *text; text++) {
        const char one[] = { *text, 0 };
        strcat(to, *text == '#' ? time : one);
    }
}

/* A pendulum below a support: steps whose ends are at T or are not, in units of L for lengths and
 * times, far from the origin, and back in time. */
static void test_moved_support(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "simpson", "lobatto 1", "gauss 3" };
    for (int k = 0; k < 24 * COUNT; k++) {
        char         text[900], move[200], first[200];
        const int    kind = k % COUNT, whole = 3 + (int)(4 * (1 + random_number()));
        const bool   within = k / COUNT % 2;
        const double L = pow(10, 6 * random_number()), h = 0.1 * L * (1.5 + random_number()),
                     way = k / COUNT % 4 < 2 ? 1 : -1,
                     T = way * (h * whole - (within ? h * 0.4 * (1.1 + random_number()) : 0)),
                     far = k / COUNT % 3 ? 0 : 1e3 * L * random_number();
        write_motion(move, MOTIONS[kind].text, "t"), write_motion(first, MOTIONS[kind].text, "0");
        snprintf(text, sizeof text,
                 "parameter T = %.17g, L = %.17g, X = %.17g\ncoordinate x, y, u\n"
                 "kinetic (x'^2 + y'^2 + u'^2)/2\npotential y/L\n"
                 "constraint rod: ((x - X)/L)^2 + ((y - u)/L)^2 = 1\nconstraint cart: u = X + %s\n"
                 "start u = X + %s, x = X + 0.6*L, y = X - 0.8*L + %s\n",
                 T, L, far, move, first, first);
        noe_error_clear();
        noe_system     *s = parse(text);
        noe_integrator *g = integrator(s, methods[k % 3], way * h, k / COUNT % 5 ? 15 : 33);
        int             steps = 0;
        while (steps < whole + 3 && !noe_step(g)) steps++;
        if (!MOTIONS[kind].jumps && steps < whole + 3)
            fail_msg("%s%d steps of %g\n%s", text, steps, way * h, noe_error());
        if (MOTIONS[kind].jumps
            && (steps != whole - 1 || !strstr(noe_error(), MOTIONS[kind].jumps)
                || !strstr(noe_error(), "the constraint 'cart' jumps by")))
            fail_msg("%s%d steps of %g: %s", text, steps, way * h, noe_error());
        noe_integrator_free(g), noe_system_free(s);
    }
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_moved_support) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
