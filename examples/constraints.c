/* Constraints as functions in C: a slider-crank, x^2 + y^2 = r^2 and (x - s)^2 + y^2 = l^2.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "noether.h"

#include <stdio.h>

enum { X, Y, S, T }; /* the crank's pin and the piston; then the time */

/* L = m (x'^2 + y'^2)/2 + M s'^2/2 of the free masses; param = m, M, r, l. */
static double free_masses(double t, const double *z, const double *param, double *grad,
                          double *hess, void *ctx)
{
    const double mass[] = { param[0], param[0], param[1] }, *v = z + 3;
    double       L = 0;
    (void)t, (void)ctx;
    for (int i = 0; i < 3; i++) L += mass[i] * v[i] * v[i] / 2;
    for (int i = 0; i < 3 && grad; i++) grad[i] = 0, grad[3 + i] = mass[i] * v[i];
    for (int i = 0; i < 36 && hess; i++) hess[i] = 0;
    for (int i = 0; i < 3 && hess; i++) hess[7 * (3 + i)] = mass[i];
    return L;
}

/* Derivatives by x, y, s and t; what is not written is 0. */
static void crank_and_rod(double t, const double *q, const double *param, double *g, double *dg,
                          double *d2g, void *ctx)
{
    const double x = q[X], y = q[Y], d = x - q[S], r = param[2], l = param[3];
    double(*G)[4] = (double(*)[4])dg, (*H)[4][4] = (double(*)[4][4])d2g;
    (void)t, (void)ctx;
    g[0] = x * x + y * y - r * r;
    g[1] = d * d + y * y - l * l;
    if (dg) {
        G[0][X] = 2 * x, G[0][Y] = 2 * y;
        G[1][X] = 2 * d, G[1][Y] = 2 * y, G[1][S] = -2 * d;
    }
    if (d2g) {
        H[0][X][X] = H[0][Y][Y] = 2;
        H[1][X][X] = H[1][Y][Y] = H[1][S][S] = 2;
        H[1][X][S] = H[1][S][X] = -2;
    }
}

int main(void)
{
    const double    q[] = { 0.1, 0, 0.35 }, v[] = { 0, 3, 0 };
    noe_system     *system = noe_system_constrained(3, 4, 2, free_masses, NULL, NULL, crank_and_rod,
                                                    NULL);
    noe_method     *simpson = noe_method_parse("simpson");
    noe_integrator *run = noe_integrator_new(system, simpson, 0.001);
    noe_set(run, "c.1", 0.4), noe_set(run, "c.2", 0.9);
    noe_set(run, "c.3", 0.1), noe_set(run, "c.4", 0.25);
    noe_start(run, 0, q, v);
    for (int i = 1; i <= 4; i++) {
        noe_run(run, i, NULL, NULL);
        /* the gradient of g.2 has the length 2 l for the pin */
        printf("t = %g  piston at %.7f  in the rod %9.5f N  energy = %.9f\n", noe_time(run),
               noe_q(run)[S], noe_get(run, "g.2.force") * 2 * 0.25, noe_get(run, "energy"));
    }
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    noe_integrator_free(run);
    noe_method_free(simpson);
    noe_system_free(system);
    return 0;
}
