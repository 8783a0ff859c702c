/* Terms of L that are nothing but in a small region break symmetries all the same.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "generators.h"
#include "symmetry/symmetry.h"

#include <math.h>

/* A term that is nothing around the start breaks a symmetry all the same; where it has it, it
 * stays. */
static void test_local(void **state)
{
    (void)state;
    static const struct {
        const char *potential;
        int         strict, gauge, energy;
    } known[] = {
        { "-1/sqrt(x^2 + y^2) + 0.5*exp(-((x - 0.6)^2 + (y - 0.8)^2)/1e-3)", 0, 0, 1 },
        { "-1/sqrt(x^2 + y^2) + 0.5*exp(-(x^2 + y^2 - 400)^2/1e-3)", 1, 1, 1 },
        { "max(x - 1e4, 0) + y^2", 0, 0, 1 },
        { "max(y - 1e4, 0) + y^4", 1, 2, 1 },
        { "abs(x + 3e5) - (x + 3e5) + y^4", 0, 0, 1 },
        { "if(x > 50, 3, 0) + y^4", 0, 0, 1 },
        { "if(x > 50, (x - 50)^2, 0) + y^4", 0, 0, 1 },
        { "if(y > 50, 3, 0) + y^4", 1, 2, 1 },
        { "floor(x/50) + y^4", 0, 0, 1 },
        { "sign(y - 70) + y^4", 1, 2, 1 },
        { "tanh(40*(x + 20)) + y^4", 0, 0, 1 },
        { "min((x - 7e3)^2 + (y + 9)^2, 1)", 1, 1, 1 },
        { "min(x^2 + y^2, 1e8)", 1, 1, 1 },
        { "(x^2 + y^2)/2 + if(t > 100, x, 0)", 0, 0, 0 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential %s\n"
                 "start x = 1, y' = 1, x' = 0.3\n",
                 known[i].potential);
        const counts c = count(text);
        if (c.strict != known[i].strict || c.gauge != known[i].gauge || c.energy != known[i].energy)
            fail_msg("%s: %d strict, %d gauge, %d energy", known[i].potential, c.strict, c.gauge,
                     c.energy);
    }
}

/* A narrow term about a place at random: a round one leaves the rotation about it, one with other
 * widths or a slope nothing but the energy. */
static void test_narrow(void **state)
{
    (void)state;
    static const struct {
        const char *potential; /* R: squared distance, over the width; X, Y: parts of it */
        int         strict;
    } known[] = {
        { "exp(-R)", 1 },
        { "1/(1 + R)^4", 1 },
        { "0.3/sqrt(4 + R^2)^9", 1 },
        { "max(0, 1 - R)", 1 },
        { "max(0, 1 - R)^2", 1 },
        { "if(R < 1, 1 - R, 0)", 1 },
        { "exp(-X^2)*exp(-Y^2)*y", 0 },
        { "exp(-X^2 - 3*Y^2)", 0 },
        { "1/(1 + X^2 + 2*Y^2)^5", 0 },
        { "0.3*cos(x - P)^200000*cos(y - Q)^200000", 0 },
        { "if(X > 0 and X < 1 and Y > 0 and Y < 1, X*(1 - X)*Y, 0)", 0 },
        { "if(abs(X) < 1 and abs(Y) < 1, 0.3, 0)", 0 },
        { "max(0, 1 - X^2)*max(0, 1 - Y^2)", 0 },
    };
    enum { KINDS = sizeof known / sizeof *known };
    for (int k = 0; k < 4 * KINDS; k++) {
        const double p = 0.125 * floor(480 * random_number()),
                     q = 0.125 * floor(480 * random_number());
        const double width = pow(2, -floor(8 + 4 * random_number()));
        char         text[900];
        snprintf(text, sizeof text,
                 "parameter P = %.17g, Q = %.17g\ncoordinate x, y\nX = (x - P)/%.17g\n"
                 "Y = (y - Q)/%.17g\nR = X^2 + Y^2\nkinetic (x'^2 + y'^2)/2\n"
                 "potential %s%s\nstart x = %.6g, x' = %.6g, y' = %.6g\n",
                 p, q, width, width, k % 2 ? "((x - P)^2 + (y - Q)^2)/2 + " : "",
                 known[k % KINDS].potential, random_number(), random_number(),
                 k % 3 ? random_number() : 0);
        const counts c = count(text);
        if (c.strict + c.rounding != known[k % KINDS].strict || c.energy != 1
            || c.gauge > known[k % KINDS].strict)
            fail_msg("%s%d strict, %d gauge, %d energy, %d to rounding", text, c.strict, c.gauge,
                     c.energy, c.rounding);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local),
        cmocka_unit_test(test_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
