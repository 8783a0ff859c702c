/* (18aq):  RK4 on the reduced top less Simpson on the complete one, paper 002, section 4.3.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, F. Jourdan, Simpson variational integrator for nonlinear
 * systems: a tutorial on the Lagrange top, arXiv:2512.03330. */
#include "systems.h"

/* (18aq): RK4 on (theta, xi, phi), as the paper's section 4.3. */
static void reduced_slope(const quad *y, quad *f)
{
    const quad w = 2 * M_PIq, c0 = 0.5Q, s = sinq(y[0]), c = cosq(y[0]);
    f[0] = w * y[1];
    f[1] = w * (s - 16 * (c0 - c) * (1 - c0 * c) / (s * s * s));
    f[2] = 8 * M_PIq * (c0 - c) / (s * s);
}
static void reduced_step(quad *y, quad h)
{
    quad k[4][3], z[3];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 3; i++)
            z[i] = y[i] + (s == 0 ? 0 : s == 3 ? h : h / 2) * (s ? k[s - 1][i] : 0);
        reduced_slope(z, k[s]);
    }
    for (int i = 0; i < 3; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* The numbers of section 4.3: RK4 on the reduced system less Simpson on the complete one. */
static void reduced(quad end, const char *window, const char *const other[6][2])
{
    const thing *x = &things[2];
    quad         before[2] = { 0, 0 }, lowest = 9, highest = 0;
    char         row[64];
    for (int k = 0; k < 6; k++) {
        const int  N = 20 << k;
        const quad h = end / N;
        int        rows;
        quad      *y = states(x, "simpson", 33, h, N, &rows), z[3] = { M_PIq / 3, 0, 0 },
             d[2] = { 0, 0 };
        for (int j = 1; j < rows; j++) {
            reduced_step(z, h);
            d[0] = largest(d[0], z[0] - y[6 * j + 1]), d[1] = largest(d[1], z[2] - y[6 * j]);
        }
        free(y);
        for (int i = 0; i < 2; i++) {
            snprintf(row, sizeof row, "%s, until %s, N = %d", i ? "phi" : "theta", window, N);
            recomputed(
                "RK4 (reduced) less Simpson (complete), top with cusps from theta = pi/3 at rest, "
                "psi' = 4 pi",
                row, other[k][i], d[i]);
            if (k > 1) {
                const quad order = log2q(before[i] / d[i]);
                lowest = order < lowest ? order : lowest,
                highest = order > highest ? order : highest;
            }
            printf("data\t%s until %s\t%.6g\t%.6g\n", i ? "phi" : "theta", window, (double)h,
                   (double)d[i]);
            before[i] = d[i];
        }
    }
    snprintf(row, sizeof row, "|order - 4| from N = 40 on, until %s: %.3f .. %.3f", window,
             (double)lowest, (double)highest);
    claim("the difference of RK4 (reduced) and Simpson (complete) is of fourth order", row,
          largest(fabsq(lowest - 4), highest - 4), 0.1Q);
}

/* RK4 of (18aq), of noether on the reduced Lagrangian, and of noether on the complete top in (q,
 * p): p(phi) and p(psi) are constant there, so that the stages are the same. */
static void three_ways(void)
{
    const quad h = things[2].length / 20;
    int        rows, n;
    quad *y = states(&things[2], "rk4", 33, h, 40, &rows), z[3] = { M_PIq / 3, 0, 0 }, complete = 0,
         own = 0;
    quad *x = noether(
        2, &n,
        "papers/002/reduced_top.lag --method rk4 --digits 33 --step %s --until '40*%s' --columns "
        "theta,xi",
        text(h), text(h));
    for (int j = 1; j < rows && n == rows; j++) {
        reduced_step(z, h);
        complete = largest(complete, largest(fabsq(z[0] - y[6 * j + 1]), z[2] - y[6 * j]));
        own = largest(own, largest(fabsq(z[0] - x[2 * j]), z[1] - x[2 * j + 1]));
    }
    free(x);
    free(y);
    claim("(18aq) RK4 of the reduced system is RK4 in (q, p) of the complete top",
          "theta, phi of 40 steps of noether; (18aq) computed here", complete, 2e-31Q);
    claim("(18aq) theta, xi are those of a Lagrangian of theta alone, papers/002/reduced_top.lag",
          "40 steps of noether's rk4 on it", n == rows ? own : 1, 2e-31Q);
}

int main(void)
{
    begin();
    three_ways();
    reduced(things[2].length, "T_nut",
            (const char *const[6][2]){ { "1.98554e-05", "2.79766e-05" },
                                       { "1.20117e-06", "1.79621e-06" },
                                       { "7.40791e-08", "1.12850e-07" },
                                       { "4.59520e-09", "7.05738e-09" },
                                       { "2.86148e-10", "4.40998e-10" },
                                       { "1.78524e-11", "2.75562e-11" } });
    reduced(1, "1 s",
            (const char *const[6][2]){ { "1.65623e-02", "1.88963e-02" },
                                       { "1.13997e-03", "1.23974e-03" },
                                       { "7.57458e-05", "7.62100e-05" },
                                       { "4.71914e-06", "4.73588e-06" },
                                       { "2.93135e-07", "2.95866e-07" },
                                       { "1.82704e-08", "1.84871e-08" } });
    return failures != 0;
}
