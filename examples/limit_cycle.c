/* x'' + mu (x^2 - 1) x' + x = 0:  period and amplitude of the limit cycle.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * From one maximum of x to the next. Every motion runs into the cycle, the faster the larger mu,
 * so a few rounds are enough.  A maximum is where the velocity is 0: steps of the usual length
 * until it changes sign, then Newton's method on the length of one more step. */
#include "noether.h"

#include <math.h>
#include <stdio.h>

/* Goes on to the next maximum of x and returns when that is. */
static double maximum(noe_integrator *g, double mu, double step)
{
    for (int sign = 1; sign >= -1;
         sign -= 2) /* the velocity is to become positive, then negative */
        do
            if (noe_step(g)) return NAN;
        while (!(sign * noe_v(g)[0] > 0));
    for (int i = 0; i < 4 && noe_v(g)[0] != 0; i++) {
        const double x = noe_q(g)[0], v = noe_v(g)[0], a = mu * (1 - x * x) * v - x;
        if (noe_set(g, "step", -v / a) || noe_step(g)) return NAN;
    }
    noe_set(g, "step", step);
    return noe_time(g);
}

int main(void)
{
    noe_system *model = noe_system_load("systems/van_der_pol.lag");
    noe_method *gauss = noe_method_parse("gauss 6");
    printf("   mu       period    amplitude\n");
    for (double mu = 1; mu <= 10; mu += 9) {
        const double    step = 0.005;
        noe_system     *s = noe_system_with(model, "mu", mu);
        noe_integrator *g = noe_integrator_new(s, gauss, step);
        double          t = 0, period = 0;
        for (int i = 0; i < 12; i++) {
            const double next = maximum(g, mu, step);
            period = next - t;
            t = next;
        }
        printf("%5g %12.10f %12.10f\n", mu, period, noe_get(g, "x"));
        noe_integrator_free(g);
        noe_system_free(s);
    }
    noe_method_free(gauss);
    noe_system_free(model);
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    return noe_error() != NULL;
}
