/* error(tau)/error(tau/2) = 2^order:  the schemes of paper 004 on Van der Pol's oscillator.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * T. Luo, Y. Guo, Application of explicit symplectic algorithms to integration of damping
 * oscillators. */
#include "../claim.h"

#include <math.h>

static quad at_end(const char *start, const char *method, quad T, int N, quad *y)
{
    int   rows;
    quad *x = noether(
        2, &rows,
        "systems/van_der_pol.lag %s --method '%s' --step %s --until %s --every %d --columns x,x.v",
        start, method, text(T / N), text(T), N);
    const quad q = x[2 * rows - 2], v = x[2 * rows - 1], off = largest(fabsq(q - y[0]), v - y[1]);
    y[2] = q, y[3] = v;
    free(x);
    return off;
}

static void orders(void)
{
    static const char *const method[] = { "luo-guo4-printed", "luo-guo4", "luo-guo4-frozen",
                                          "yoshida4", "rk4" };
    static const struct {
        const char *name, *start, *x, *v, *T, *error[5][4];
    } window[] = { { "mu = 0.5, t = 2",
                     "mu=0.5 x=1 x.v=0.5",
                     "1",
                     "0.5",
                     "2",
                     { { "3.685e-01", "3.685e-01", "3.685e-01", "3.685e-01" },
                       { "2.494e-03", "1.249e-03", "6.252e-04", "3.127e-04" },
                       { "1.931e-02", "3.523e-02", "3.171e-03", "3.120e-02" },
                       { "1.891e-08", "1.182e-09", "7.4e-11", "4.6e-12" },
                       { "2.116e-09", "1.324e-10", "8.3e-12", "5e-13" } } },
                   { "mu = 1, t = 1",
                     "mu=1 x=1 x.v=0",
                     "1",
                     "0",
                     "1",
                     { { "1.727e-01", "1.731e-01", "1.733e-01", "1.734e-01" },
                       { "1.746e-03", "8.742e-04", "4.374e-04", "2.188e-04" },
                       { "5.926e-03", "2.990e-03", "1.502e-03", "7.525e-04" },
                       { "4.79e-10", "3.00e-11", "1.9e-12", "2e-13" },
                       { "1.299e-10", "8.1e-12", "5e-13", "1e-13" } } },
                   { "mu = 10, t = 0.5",
                     "mu=10 x=2 x.v=0",
                     "2",
                     "0",
                     "0.5",
                     { { "1.146e-02", "1.134e-02", "1.128e-02", "1.126e-02" },
                       { "1.689e-04", "8.471e-05", "4.244e-05", "2.125e-05" },
                       { "1.706e-04", "8.529e-05", "4.265e-05", "2.132e-05" },
                       { "2.349e-11", "1.47e-12", "9e-14", "1e-14" },
                       { "3.94e-11", "2.3e-12", "1.4e-13", "1e-14" } } } };
    for (int w = 0; w < 3; w++) {
        char       table[120], row[100];
        const quad T = strtoflt128(window[w].T, NULL);
        quad       exact[4] = { 0 }, y[4];
        at_end(window[w].start, "gauss 8", T, 400, exact);
        exact[0] = exact[2], exact[1] = exact[3];
        snprintf(table, sizeof table,
                 "Orders: Van der Pol, %s, from x = %s, x' = %s: largest error at the end",
                 window[w].name, window[w].x, window[w].v);
        for (int m = 0; m < 5; m++) {
            quad e[4];
            for (int k = 0; k < 4; k++) {
                memcpy(y, exact, sizeof y);
                e[k] = at_end(window[w].start, method[m], T, 100 << k, y);
                snprintf(row, sizeof row, "%s, %d steps", method[m], 100 << k);
                recomputed(table, row, window[w].error[m][k], e[k]);
            }
            if (w || m == 2) continue;
            char       what[120];
            const quad order = log2q(e[0] / e[1]), should = m == 0 ? 0 : m == 1 ? 1 : 4;
            snprintf(what, sizeof what, "%s has order %g on a damped oscillator", method[m],
                     (double)should);
            claim(what, "|log2 of the errors at 100 and 200 steps - order|, mu = 0.5",
                  fabsq(order - should), 0.05Q);
        }
    }
}

int main(void)
{
    orders();
    return failures != 0;
}
