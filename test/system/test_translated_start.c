/* Starts of mechanisms that are translated as a whole: the same verdict wherever they are.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"

/* Does the model start? */
static bool starts(const char *text)
{
    noe_error_clear();
    noe_system     *s = parse(text);
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(s, m, 1e-6);
    const bool      ok = g && !noe_step(g);
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    return ok;
}

/* Two rods in any unit of length, which begin off by 2e-7 or 2e-5 of it, beside a surface and a
 * rail that are as far away as they are. */
static void test_rods(void **unused)
{
    (void)unused;
    for (int k = 0; k < 60; k++) {
        char         text[900];
        const bool   near = k % 2;
        const double L = pow(10, 3 * random_number()),
                     X = k % 3 ? L * pow(10, 6 * random_number()) : 0,
                     off = (near ? 2e-7 : 2e-5) * L, angle = 3 * random_number();
        snprintf(text, sizeof text,
                 "parameter L = %.17g, X = %.17g, Y = %.17g, d = %.17g, c = %.17g\n"
                 "coordinate x, y, a, b, u\nkinetic (x'^2 + y'^2 + a'^2 + b'^2 + u'^2)/2\n"
                 "constraint one: %s\nconstraint two: (a - x)^2 + (b - y)^2 = 4*L^2\n"
                 "constraint rail: u = %s\n"
                 "start x = X + (L + d)*cos(c), y = Y + (L + d)*sin(c)\n"
                 "start a = X + L*cos(c) + 2*L, b = Y + L*sin(c), u = 2*X + L*cos(c) + 2*L\n",
                 L, X, -2 * X, off, angle,
                 k / 2 % 2 ? "(x - X)^2 + (y - Y)^2 = L^2" : "sqrt((x - X)^2 + (y - Y)^2) = L",
                 "X + a");
        if (starts(text) != near) fail_msg("%s%s", text, noe_error());
        if (!near && !strstr(noe_error(), "the nearest start that satisfies all constraints is"))
            fail_msg("%s", noe_error());
    }
}

/* Bennett's linkage, of which three constraints follow from the others. */
static void test_bennett(void **unused)
{
    (void)unused;
    for (int k = 0; k < 12; k++) {
        char   text[2400];
        double O[3];
        for (int i = 0; i < 3; i++) O[i] = (k % 2 ? 1 : -1) * pow(10, 3 + 3 * random_number());
        snprintf(text, sizeof text,
                 "parameter L = %.17g, alpha = 0.6, a = L, b = 1.4*L, angle = 1.5\n"
                 "parameter beta = asin(b*sin(alpha)/a)\n"
                 "parameter K = sin((beta + alpha)/2)/sin((beta - alpha)/2)\n"
                 "parameter turn = 2*atan(K/tan(angle/2))\n"
                 "O = L*(%.17g, %.17g, %.17g)\nu1 = (0, 0, 1)\nu4 = (0, sin(beta), cos(beta))\n"
                 "P4 = O + (-b, 0, 0)\nd1 = (cos(angle), sin(angle), 0)\n"
                 "w2 = cos(alpha)*u1 + sin(alpha)*cross(d1, u1)\n"
                 "d2 = cos(turn)*d1 + sin(turn)*cross(w2, d1)\n"
                 "w3 = cos(beta)*w2 + sin(beta)*cross(d2, w2)\ncoordinate vector P2, u2, P3, u3\n"
                 "kinetic (dot(P2', P2') + dot(u2', u2') + dot(P3', P3') + dot(u3', u3'))/2\n"
                 "constraint unit2: norm(u2) = 1\nconstraint unit3: norm(u3) = 1\n"
                 "constraint l12: norm(P2 - O) = a\nconstraint l23: norm(P3 - P2) = b\n"
                 "constraint l34: norm(P4 - P3) = a\nconstraint n1: dot(u1, P2 - O) = 0\n"
                 "constraint m1: dot(u2, P2 - O) = 0\nconstraint n2: dot(u2, P3 - P2) = 0\n"
                 "constraint m2: dot(u3, P3 - P2) = 0\nconstraint n3: dot(u3, P4 - P3) = 0\n"
                 "constraint m3: dot(u4, P4 - P3) = 0\nconstraint t1: dot(u1, u2) = cos(alpha)\n"
                 "constraint t2: dot(u2, u3) = cos(beta)\nconstraint t3: dot(u3, u4) = cos(alpha)\n"
                 "start P2 = O + a*d1, u2 = w2, P3 = O + a*d1 + b*d2, u3 = w3\n",
                 pow(10, random_number()), O[0], O[1], O[2]);
        if (!starts(text)) fail_msg("%s%s", text, noe_error());
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rods),
                                        cmocka_unit_test(test_bennett) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
