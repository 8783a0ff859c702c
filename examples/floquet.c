/* M = M_k .. M_2 M_1 over a period.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Its eigenvalues, the Floquet multipliers, tell if an orbit is stable. M is symplectic:
 * multipliers come in pairs x, 1/x, and a sum x + 1/x between -2 and 2 is a pair on the unit
 * circle.  Conserved quantities make ones; where two other pairs are left, the traces of M and
 * M^2 give their sums.  The figure eight is stable: C. Simo, Contemporary Mathematics 292 (2002)
 * 209-228. */
#include "noether.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 12 }; /* 2n */

static const char kepler[] = "coordinate x, y\n"
                             "kinetic    (x'^2 + y'^2)/2\n"
                             "potential  -1/sqrt(x^2 + y^2)\n"
                             "start      x = 0.5, y' = sqrt(3)\n";

/* Three unit masses on one curve (A. Chenciner, R. Montgomery, Annals of Mathematics 152 (2000)
 * 881-901): the start that they print, corrected until the orbit of period 6.32591398 closes to
 * rounding. */
static const char eight[] = "parameter  a = 0.97000435676430444, b = -0.24308753\n"
                            "parameter  u = 0.93240737028248447, w = 0.86473146245860179\n"
                            "coordinate x1, x2, x3, y1, y2, y3\n"
                            "kinetic    (x1'^2 + x2'^2 + x3'^2 + y1'^2 + y2'^2 + y3'^2)/2\n"
                            "potential  -1/sqrt((x1 - x2)^2 + (y1 - y2)^2)\n"
                            "potential  -1/sqrt((x2 - x3)^2 + (y2 - y3)^2)\n"
                            "potential  -1/sqrt((x3 - x1)^2 + (y3 - y1)^2)\n"
                            "start      x1 = a, y1 = b, x2 = -a, y2 = -b, x3' = -u, y3' = -w\n"
                            "start      x1' = u/2, y1' = w/2, x2' = u/2, y2' = w/2\n";

/* The sums of the multipliers and of their squares, over a period in so many steps. */
static void traces(const char *model, double period, int steps, double *sum, double *squares)
{
    noe_system     *s = noe_system_parse(model);
    noe_method     *m = noe_method_parse("gauss 8");
    noe_integrator *g = noe_integrator_new(s, m, period / steps);
    const int       z = 2 * noe_system_dim(s);
    double          M[MOST * MOST] = { 0 }, step[MOST * MOST];
    for (int i = 0; i < z; i++) M[i * z + i] = 1;
    for (int k = 0; k < steps && !noe_step_jacobian(g, step); k++) {
        double P[MOST * MOST] = { 0 };
        for (int i = 0; i < z * z; i++)
            for (int j = 0; j < z; j++) P[i] += step[i / z * z + j] * M[j * z + i % z];
        memcpy(M, P, sizeof M);
    }
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
    double sum, squares;
    traces(kepler, 8 * atan(1), 100, &sum, &squares); /* all four are 1 */
    printf("Kepler: the sum of the multipliers is %.9f, that of their squares %.9f\n", sum,
           squares);
    traces(eight, 6.32591398, 200, &sum, &squares);
    sum -= 8;     /* pairs of ones: two momenta, the angular momentum, the energy */
    squares -= 4; /* as many ones, less 2 for each pair: x^2 + 1/x^2 = a^2 - 2 for the sum a */
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double a = (sum + sign * sqrt(2 * squares - sum * sum)) / 2;
        printf("figure eight: exp(+-2 pi i nu), nu = %.9f, of sum %.9f\n",
               acos(a / 2) / (8 * atan(1)), a);
    }
    return 0;
}
