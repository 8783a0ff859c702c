/* Simpson's step of the pendulum as one writes it by hand: the mass is constant, so the middle alone is implicit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * m = 1:  d = h/2 (p + h/6 F(q) + h/12 F(q + d)),  q <- q + 2 d + h^2/4 F(q + d),  p <- p + h/6 (F_0 + 4 F_m + F_1).
 * Newton's method with its slope kept through the step, predicted by the differences of six steps; sums compensated. */
#include <float.h>
#include <math.h>
#include <string.h>

static const double K = 39.478417604357434475; /* omega^2 */

static void add(double *sum, double *rest, double what)
{
    const double a = *sum, y = what + *rest, s = a + y, c = s - a;
    *rest = (a - (s - c)) + (y - c);
    *sum = s;
}

int hand_go(const double *start, const double *v, double h, int steps, double *to)
{
    static const double binomial[7][6] = { { 0 }, { 1 }, { 2, -1 }, { 3, -3, 1 }, { 4, -6, 4, -1 }, { 5, -10, 10, -5, 1 }, { 6, -15, 20, -15, 6, -1 } };
    double              q = start[0], p = v[0], dq = 0, dp = 0, F0 = -K * sin(q), past[6] = { h / 2 * p };
    int                 known = 1;
    for (int n = 0; n < steps; n++) {
        double       d = 0, Fm, change = HUGE_VAL;
        const double known_part = h / 2 * (p + dp + h / 6 * F0);
        for (int k = 0; k < known; k++) d += binomial[known][k] * past[k];
        const double slope = -K * cos(q + d), gain = 1 / (1 - h * h / 24 * slope);
        for (int it = 0;; it++) {
            Fm = -K * sin(q + (d + dq));
            const double last = change, next = d + gain * (known_part + h * h / 24 * Fm - d);
            change = fabs(next - d);
            Fm += slope * (next - d);
            d = next;
            if (change <= 4 * DBL_EPSILON * fabs(d) || (it && change * change < last * DBL_EPSILON * fabs(d) / 256) || (it && change >= last / 4)) break;
            if (it == 30 || !(change < HUGE_VAL)) return 1;
        }
        add(&q, &dq, 2 * d + h * h / 4 * Fm);
        const double F1 = -K * sin(q + dq);
        add(&p, &dp, h / 6 * (F0 + 4 * Fm + F1));
        F0 = F1;
        for (int k = 5; k > 0; k--) past[k] = past[k - 1];
        past[0] = d;
        if (known < 6) known++;
    }
    to[0] = q;
    return 0;
}
