/* M = product of the steps over a period: its eigenvalues, the Floquet multipliers, tell whether an orbit is stable.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * M is symplectic: multipliers come in pairs 1/x, x; a sum x + 1/x between -2 and 2 is a pair on the unit circle.
 * With the multipliers that are 1 known, traces of powers of M give the other sums: no eigenvalue solver. */
#include "noether.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 12 }; /* 2n */

static const char kepler[] = "coordinate x, y\n"
                             "kinetic    (x'^2 + y'^2)/2\n"
                             "potential  -1/sqrt(x^2 + y^2)\n"
                             "start      x = 0.5, y' = sqrt(3)\n";

/* Three unit masses on one curve: A. Chenciner, R. Montgomery, Annals of Mathematics 152 (2000) 881-901. */
static const char eight[] = "coordinate x1, x2, x3, y1, y2, y3\n"
                            "kinetic    (x1'^2 + x2'^2 + x3'^2 + y1'^2 + y2'^2 + y3'^2)/2\n"
                            "potential  -1/sqrt((x1 - x2)^2 + (y1 - y2)^2) - 1/sqrt((x1 - x3)^2 + (y1 - y3)^2)\n"
                            "potential  -1/sqrt((x2 - x3)^2 + (y2 - y3)^2)\n"
                            "start      x1 = 0.97000436, y1 = -0.24308753, x2 = -0.97000436, y2 = 0.24308753\n"
                            "start      x1' = 0.466203685, y1' = 0.43236573, x2' = 0.466203685, y2' = 0.43236573\n"
                            "start      x3' = -0.93240737, y3' = -0.86473146\n";

/* A <- B A */
static void multiply(int z, const double *B, double *A)
{
    double P[MOST * MOST] = { 0 };
    for (int i = 0; i < z; i++)
        for (int j = 0; j < z; j++)
            for (int k = 0; k < z; k++) P[i * z + k] += B[i * z + j] * A[j * z + k];
    memcpy(A, P, sizeof *P * z * z);
}

/* The sums of the multipliers and of their squares, over a period in so many steps. */
static void traces(const char *model, double period, int steps, double *sum, double *squares)
{
    noe_system     *s = noe_system_parse(model);
    noe_method     *m = noe_method_parse("gauss 8");
    noe_integrator *g = noe_integrator_new(s, m, period / steps);
    const int       z = 2 * noe_system_dim(s);
    double          M[MOST * MOST] = { 0 }, step[MOST * MOST];
    for (int i = 0; i < z; i++) M[i * z + i] = 1;
    for (int k = 0; k < steps && !noe_step_jacobian(g, step); k++) multiply(z, step, M);
    *sum = *squares = 0;
    for (int i = 0; i < z; i++) *sum += M[i * z + i];
    for (int i = 0; i < z * z; i++) *squares += M[i] * M[i % z * z + i / z];
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    const double pi = 4 * atan(1);
    double       sum, squares;
    traces(kepler, 2 * pi, 100, &sum, &squares); /* all four are 1 */
    printf("Kepler: the multipliers' sum is %.14f, that of their squares %.14f\n", sum, squares);
    traces(eight, 6.32591398, 200, &sum, &squares);
    sum -= 8;         /* translations 4, energy 2, rotation 2; left: a + b, */
    squares -= 8 - 4; /* a^2 - 2 + b^2 - 2 of the sums a, b of two pairs */
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double a = (sum + sign * sqrt(2 * squares - sum * sum)) / 2;
        printf("figure eight: a pair exp(+-2 pi i nu) of sum %.14f, nu = %.14f\n", a, acos(a / 2) / (2 * pi));
    }
    return 0;
}
