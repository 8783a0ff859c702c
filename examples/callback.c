/* A Lagrangian as a function in C: a bead on the parabola y = x^2/2, L = (1 + x^2) v^2/2 - g x^2/2.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "noether.h"

#include <stdio.h>

static double bead(double t, const double *z, const double *param, double *grad, double *hess,
                   void *ctx)
{
    const double x = z[0], v = z[1], g = param[0], m = 1 + x * x;
    (void)t, (void)ctx;
    if (grad) {
        grad[0] = x * v * v - g * x; /* L_q */
        grad[1] = m * v;             /* L_v */
    }
    if (hess) {
        hess[0] = v * v - g;
        hess[1] = hess[2] = 2 * x * v;
        hess[3] = m;
    }
    return m * v * v / 2 - g * x * x / 2;
}

int main(void)
{
    const double    q[] = { 1 }, v[] = { 0 };
    noe_system     *system = noe_system_new(1, 1, bead, NULL, NULL);
    noe_method     *gauss = noe_method_parse("gauss 4");
    noe_integrator *run = noe_integrator_new(system, gauss, 0.05);
    noe_set(run, "c.1", 9.81);
    noe_start(run, 0, q, v);
    for (int i = 1; i <= 4; i++) {
        noe_run(run, 5 * i, NULL, NULL);
        printf("t = %4.1f  x = %10.7f  energy = %.9f\n", noe_time(run), noe_q(run)[0],
               noe_get(run, "energy"));
    }
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    noe_integrator_free(run);
    noe_method_free(gauss);
    noe_system_free(system);
    return 0;
}
