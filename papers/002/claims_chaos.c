/* sup |H - H0|/H0 beyond 40 s:  the double pendulum of paper 002 is chaotic.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, F. Jourdan, Simpson variational integrator for nonlinear
 * systems: a tutorial on the Lagrange top, arXiv:2512.03330. */
#include "../claim.h"

/* sup |H - H0|/H0 of the double pendulum over `until` seconds in N steps a second, begun `aside`
 * of the start. */
static quad error_beside(double aside, const char *method, int digits, int N, int until)
{
    int rows;
    quad *
        y = noether_or_stop(
           1, &rows,
           "systems/double_pendulum.lag \"q1=pi/2+%g\" --method %s --digits %d --step 1/%d --until "
           "%d --columns energy",
           aside, method, digits, N, until),
       e = 0;
    /* a step had no solution near the motion: of nine starts that may be one */
    if (!y) return HUGE_VALQ;
    for (int k = 1; k < rows; k++) e = largest(e, (y[k] - y[0]) / y[0]);
    free(y);
    return rows == N * until + 1 ? e : 0;
}

static quad energy_error(const char *method, int digits, int N, int until)
{
    return error_beside(0, method, digits, N, until);
}

/* The median of nine starts within 1e-12: of coarse steps a single chaotic run says little. */
static quad usual_error(const char *method, int N, int until)
{
    enum { STARTS = 9 };
    quad e[STARTS];
    for (int i = 0; i < STARTS; i++) {
        const quad one = error_beside((i - STARTS / 2) * 2.5e-13, method, 15, N, until);
        int        at = i;
        for (; at && e[at - 1] > one; at--) e[at] = e[at - 1];
        e[at] = one;
    }
    return e[STARTS / 2];
}

/* Beyond some 40 s the trajectory is that of the rounding: the largest error has a size, and no
 * digits. */
static void chaos(void)
{
    static const struct {
        int         until;
        const char *method, *other[4];
    } rows[] = {
        /* N = 40, 80, 160, 320 */
        { 100, "midpoint", { "2.4638e-01", "1.7912e-02", "4.2834e-03", "1.0619e-03" } },
        { 100, "rk4", { "4.0938e-01", "3.2430e-02", "1.0060e-03", "3.7045e-05" } },
        { 100, "rk4-v", { "3.6425e-01", "2.9964e-02", "1.1202e-03", "3.0700e-05" } },
        { 100, "simpson", { "1.1717e-02", "1.3440e-04", "8.1405e-06", "5.1151e-07" } },
        { 1000, "midpoint", { NULL, "1.862e-2", "4.297e-3", NULL } },
        { 1000, "rk4", { "8.227e-1", "2.355e-1", "1.196e-2", NULL } },
        { 1000, "simpson", { "1.884e-2", "2.440e-4", "8.261e-6", NULL } },
    };
    char row[80], seen[120];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 4; k++) {
            if (!rows[i].other[k]) continue;
            snprintf(row, sizeof row, "until %d s, %s, N = %d", rows[i].until, rows[i].method,
                     40 << k);
            same_size(
                "Table 2 (analogue), beyond 40 s, from (pi/2, pi/2) at rest: chaotic, relative "
                "energy error",
                row, rows[i].other[k],
                k ? energy_error(rows[i].method, 15, 40 << k, rows[i].until)
                  : usual_error(rows[i].method, 40, rows[i].until),
                k ? 2 : 4);
        }
    const quad one = energy_error("simpson", 15, 80, 100),
               other = energy_error("simpson", 33, 80, 100);
    snprintf(seen, sizeof seen,
             "%.3e in double, %.3e in binary128: the same size, no common digits", (double)one,
             (double)other);
    remark("chaos", "energy error of noether's simpson, 80 steps a second, until 100 s", seen,
           fabsq(one / other - 1) > 1e-3Q && one < 2 * other && other < 2 * one);
    /* until 10 s the two arithmetics agree to more digits than are printed */
    claim("up to 10 s the digits are those of the method",
          "double and binary128, simpson, N = 80, relative",
          fabsq(energy_error("simpson", 15, 80, 10) / energy_error("simpson", 33, 80, 10) - 1),
          2e-9Q);
}

/* Where Newton's algorithm jumps to a far root, noether ends the run. */
static void far_root(void)
{
    char        command[300], seen[120];
    const char *program = getenv("NOETHER");
    snprintf(
        command, sizeof command,
        "%s run systems/double_pendulum.lag --method midpoint --step 1/20 --until 10 --columns "
        "energy --quiet 2>&1 >/dev/null",
        program ? program : "build/noether");
    FILE *from = popen(command, "r");
    char  line[1000];
    bool  named = false; /* the reason, below a warning */
    while (from && fgets(line, sizeof line, from)) named |= strstr(line, "near the motion") != NULL;
    const int status = from ? pclose(from) : 0;
    snprintf(seen, sizeof seen, "exit status %d, no solution near the motion", status / 256);
    remark("far-root", "noether's midpoint on the double pendulum, 20 steps a second", seen,
           status == 3 * 256 && named);
}

int main(void)
{
    chaos();
    far_root();
    return failures != 0;
}
