/* A chain of 1000 rods: the constraints, the energy and the angular momentum.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * 3000 coordinates: a start or a step whose cost grows with the cube of the links does not end. */
#include "integrate/integrator.h"
#include "laws.h"

#include <stdio.h>

enum { RODS = 1000, STEPS = 20 };

/* max_i | |r_i - r_(i-1)| - l | / l, and the largest |(r_i - r_(i-1)).(v_i - v_(i-1))| / (l v). */
static void lengths(noe_integrator *g, double l, double *length, double *rate)
{
    static quad q[3 * RODS], v[3 * RODS];
    quad        fastest = 0;
    *length = *rate = 0;
    noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_V, v);
    for (int j = 0; j < 3 * RODS; j++) fastest = fmaxq(fastest, fabsq(v[j]));
    for (int i = 0; i < RODS; i++) {
        quad square = 0, turn = 0;
        for (int k = 0; k < 3; k++) {
            const int  j = k * RODS + i;
            const quad d = q[j] - (i ? q[j - 1] : 0), dv = v[j] - (i ? v[j - 1] : 0);
            square += d * d, turn += d * dv;
        }
        *length = fmax(*length, (double)fabsq(sqrtq(square) - l) / l);
        *rate = fmax(*rate, (double)(fabsq(turn) / (l * fastest)));
    }
}

static void test_thousand_rods(void **unused)
{
    (void)unused;
    noe_system *file = noe_system_load("systems/chain_of_rods.lag"),
               *many = file ? noe_system_with(file, "n", RODS) : NULL,
               *s = many ? noe_system_with(many, "speed", 0.4 + 0.1 * random_number()) : NULL;
    noe_method     *m = method("simpson");
    noe_integrator *g = s ? noe_integrator_new(s, m, 2e-4) : NULL;
    if (!g) fail_msg("%s", noe_error());
    const double J = noe_get(g, "J"), H = noe_get(g, "energy"), l = 1.0 / RODS;
    double       worst = 0, worst_rate = 0, energy = 0, length, rate;
    for (int k = 0; k < STEPS; k++) {
        if (noe_step(g)) fail_msg("step %d: %s", k, noe_error());
        lengths(g, l, &length, &rate);
        worst = fmax(worst, length), worst_rate = fmax(worst_rate, rate);
        energy = fmax(energy, fabs(noe_get(g, "energy") / H - 1));
    }
    printf("lengths %.2g, their rates %.2g, energy %.2g, J %.2g\n", worst, worst_rate, energy,
           noe_get(g, "J") / J - 1);
    small(worst, 1 / l, 8 * 0x1p-53, "lengths"); /* positions are of the size 1 */
    small(worst_rate, 1, 4e-15, "rates of the lengths");
    small(energy, 1, 1e-10, "energy");
    small(noe_get(g, "J") / J - 1, 1, 1e-14, "angular momentum");
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    noe_system_free(many), noe_system_free(file);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_thousand_rods) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
