/* omega h = 10, 20, 40:  Gaussian quadratures on a stiff system, the outlook of paper 002.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, F. Jourdan, Simpson variational integrator for nonlinear
 * systems: a tutorial on the Lagrange top, arXiv:2512.03330.  A pendulum on a spring whose
 * frequency is 1000, over two seconds. */
#include "../claim.h"

enum { METHODS = 3, COUNTS = 8 };
static const char *const method[METHODS] = { "simpson", "gauss 2", "gauss 3" };
static const int         counts[COUNTS] = { 50, 100, 200, 400, 800, 1600, 3200, 6400 };
static quad             *exact; /* the angle at 6400 nodes */

/* The largest error of the angle; infinite where the run could not go on. */
static quad error(const char *by, int N)
{
    int   rows;
    quad *y = noether_or_stop(
             1, &rows,
             "papers/002/stiff_pendulum.lag --method '%s' --step 2/%d --until 2 --columns angle "
             "2>/dev/null",
             by, N),
         e = 0;
    if (!y) return HUGE_VALQ;
    for (int k = 0; k < rows; k++) e = largest(e, y[k] - exact[k * (counts[COUNTS - 1] / N)]);
    free(y);
    return rows == N + 1 ? e : HUGE_VALQ;
}

int main(void)
{
    static const char table[] =
        "The outlook: a pendulum on a stiff spring, omega = 1000, from 1 rad at rest: largest "
        "error of the angle over 2 s";
    quad e[METHODS][COUNTS];
    int  rows;
    exact = noether(
        1, &rows,
        "papers/002/stiff_pendulum.lag --method 'gauss 8' --step 2/%d --until 2 --columns angle",
        counts[COUNTS - 1]);
    if (rows != counts[COUNTS - 1] + 1) exit(2);
    cells(table, "steps", "omega h", method[0], method[1], method[2], NULL);
    for (int k = 0; k < COUNTS; k++) {
        char cell[2 + METHODS][24];
        snprintf(cell[0], sizeof cell[0], "%d", counts[k]);
        snprintf(cell[1], sizeof cell[1], "%.3g", 2000.0 / counts[k]);
        for (int m = 0; m < METHODS; m++) {
            e[m][k] = error(method[m], counts[k]);
            snprintf(cell[2 + m], sizeof cell[2 + m], e[m][k] < 1 ? "%.2e" : "cannot step",
                     (double)e[m][k]);
            if (e[m][k] < 1)
                printf("data\t%s\t%.6g\t%.6g\n", method[m], 2.0 / counts[k], (double)e[m][k]);
        }
        cells(table, cell[0], cell[1], cell[2], cell[3], cell[4], NULL);
    }
    int beyond = 0; /* Simpson's steps beyond its limit that went on all the same */
    for (int k = 0; 2000.0 / counts[k] > 2.83; k++) beyond += e[0][k] < 1;
    claim("beyond omega h = 2 sqrt 2 Simpson's scheme cannot step: four counts of steps",
          "how many went on", beyond, 0);
    claim("Gauss 2, of the same order, has the slow swing there, with an eighth of the steps that "
          "Simpson needs at least",
          "error of the angle in 100 steps, omega h = 20", e[1][1], 5e-6Q);
    claim("where the spring is resolved, both have it",
          "error of Simpson and Gauss 2 in 6400 steps", largest(e[0][7], e[1][7]), 1e-9Q);
    free(exact);
    return failures != 0;
}
