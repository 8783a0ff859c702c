/* lambda = lim 1/t log |M(t) u|.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The largest Lyapunov exponent of a double pendulum that starts horizontal. The derivative of
 * each step moves a small deviation u along; its length is put back to 1 and the logarithms are
 * added up (G. Benettin, L. Galgani, A. Giorgilli, J.-M. Strelcyn, Meccanica 15 (1980) 9-20,
 * 21-30).  The mean over a finite time is that of the piece of the motion that is seen: all
 * digits are the same on every x86-64 machine, two of them at most are the system's. */
#include "noether.h"

#include <math.h>
#include <stdio.h>

static const char model[] = "parameter  g = 9.81, l = g/(2*pi)^2\n"
                            "coordinate q1, q2\n"
                            "x1 = l*sin(q1)\n"
                            "y1 = -l*cos(q1)\n"
                            "x2 = x1 + l*sin(q2)\n"
                            "y2 = y1 - l*cos(q2)\n"
                            "kinetic    (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2\n"
                            "potential  g*(y1 + y2 + 3*l)\n"
                            "start      q1 = pi/2, q2 = pi/2\n";

/* u <- M u, of length 1 again; the length that it had. */
static double grow(double M[4][4], double *u)
{
    double w[4] = { 0 }, square = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) w[i] += M[i][k] * u[k];
    for (int i = 0; i < 4; i++) square += w[i] * w[i];
    for (int i = 0; i < 4; i++) u[i] = w[i] / sqrt(square);
    return sqrt(square);
}

int main(void)
{
    noe_system     *pendulum = noe_system_parse(model);
    noe_method     *gauss = noe_method_parse("gauss 4");
    noe_integrator *run = noe_integrator_new(pendulum, gauss, 1.0 / 64);
    double          M[4][4], u[4] = { 1, 0, 0, 0 }, logarithm = 0;
    for (int k = 1; k <= 500 * 64 && !noe_step_jacobian(run, M[0]); k++) {
        logarithm += log(grow(M, u));
        if (k % 6400 == 0)
            printf("t = %3.0f  exponent %.6f\n", noe_time(run), logarithm / noe_time(run));
    }
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    noe_integrator_free(run);
    noe_method_free(gauss);
    noe_system_free(pendulum);
    return 0;
}
