/* Simpson's step of the pendulum as one writes it by hand: the mass is constant, so the middle alone is implicit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * m = 1:  d = h/2 (p + h/6 F(q) + h/12 F(q + d)),  q <- q + 2 d + h^2/4 F(q + d),  p <- p + h/6 (F_0 + 4 F_m + F_1).
 * Newton's method with its slope kept through the step, predicted by the differences of six steps; sums compensated. */
#include <float.h>
#include <math.h>
#include <string.h>

static const double K = 39.478417604357434475; /* omega^2 */

typedef struct {
    double q, p, dq, dp, F, past[6];
    int    known;
} state;

static void add(double *sum, double *rest, double what)
{
    const double a = *sum, y = what + *rest, s = a + y, c = s - a;
    *rest = (a - (s - c)) + (y - c);
    *sum = s;
}

int hand_step(state *x, double h);
int hand_step(state *x, double h)
{
    static const double binomial[7][6] = { { 0 }, { 1 }, { 2, -1 }, { 3, -3, 1 }, { 4, -6, 4, -1 }, { 5, -10, 10, -5, 1 }, { 6, -15, 20, -15, 6, -1 } };
    const double        start = h / 2 * (x->p + x->dp + h / 6 * x->F);
    double              d = 0, F, change = HUGE_VAL;
    for (int k = 0; k < x->known; k++) d += binomial[x->known][k] * x->past[k];
    const double slope = -K * cos(x->q + d), gain = 1 / (1 - h * h / 24 * slope);
    for (int it = 0;; it++) {
        F = -K * sin(x->q + (d + x->dq));
        const double last = change, next = d + gain * (start + h * h / 24 * F - d);
        change = fabs(next - d);
        F += slope * (next - d);
        d = next;
        if (change <= 4 * DBL_EPSILON * fabs(d) || (it && change * change < last * DBL_EPSILON * fabs(d) / 256) || (it && change >= last / 4)) break;
        if (it == 30 || !(change < HUGE_VAL)) return 1;
    }
    add(&x->q, &x->dq, 2 * d + h * h / 4 * F);
    const double end = -K * sin(x->q);
    add(&x->p, &x->dp, h / 6 * (x->F + 4 * F + end));
    x->F = end;
    memmove(x->past + 1, x->past, 5 * sizeof *x->past);
    x->past[0] = d;
    if (x->known < 6) x->known++;
    return 0;
}

/* From (q, v), `steps` steps; leaves q. */
int hand_go(const double *q, const double *v, double h, int steps, double *to);
int hand_go(const double *q, const double *v, double h, int steps, double *to)
{
    static state x;
    x = (state){ .q = q[0], .p = v[0], .F = -K * sin(q[0]), .past = { h / 2 * v[0] }, .known = 1 };
    for (int i = 0; i < steps; i++)
        if (hand_step(&x, h)) return 1;
    to[0] = x.q;
    return 0;
}
