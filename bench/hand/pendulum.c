/* Simpson's step of the pendulum as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The mass is constant, so the middle alone is implicit. m = 1:  d = h/2 (p + h/6 F(q) + h/12
 * F(q + d)),  q <- q + 2 d + h^2/4 F(q + d),  p <- p + h/6 (F_0 + 4 F_m + F_1). Newton's method
 * with its slope kept through the step, predicted by the differences of ten steps; sums
 * compensated, h in two halves so that products round up as often as down, as the emitted step
 * has it.  One evaluation is the step where the bend of the equations, measured every 16th step,
 * tells that the correction suffices. */
#include <float.h>
#include <math.h>
#include <string.h>

enum { PAST = 10 };
static const double K = 39.478417604357434475; /* omega^2 */

typedef struct {
    double q, p, dq, dp, F, past[PAST], bend;
    int    known, look;
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
    static const double binomial[PAST + 1][PAST] = { { 0 },
                                                     { 1 },
                                                     { 2, -1 },
                                                     { 3, -3, 1 },
                                                     { 4, -6, 4, -1 },
                                                     { 5, -10, 10, -5, 1 },
                                                     { 6, -15, 20, -15, 6, -1 },
                                                     { 7, -21, 35, -35, 21, -7, 1 },
                                                     { 8, -28, 56, -70, 56, -28, 8, -1 },
                                                     { 9, -36, 84, -126, 126, -84, 36, -9, 1 },
                                                     { 10, -45, 120, -210, 252, -210, 120, -45, 10,
                                                       -1 } };
    const double big = h * 134217729.0, upper = big - (big - h), rest = h - upper, b = 1. / 6,
                 b24 = b - 1. / 8, h24 = h * h * b24;
    const double F0 = b * x->F, P = x->p + (x->dp + (rest * F0 + upper * F0)),
                 start = 0.5 * (rest * P + upper * P);
    const double *c = binomial[x->known], *o = x->past;
    double        d =
        (((c[9] * o[9] + c[8] * o[8]) + (c[7] * o[7] + c[6] * o[6]) + (c[5] * o[5] + c[4] * o[4])))
        + ((c[3] * o[3] + c[2] * o[2]) + c[1] * o[1]) + c[0] * o[0];
    double       last = HUGE_VAL;
    const double q = x->q + (d + x->dq), slope = -K * cos(q), gain = 1 / (1 - h24 * slope);
    double       F = -K * sin(q), late = 0;
    for (int it = 0;; it++) {
        const double f = b24 * F, hf = rest * f + upper * f,
                     r = start + (rest * hf + upper * hf) - d,
                     left = fabs(r) / (fabs(start) + fabs(d) + 1e-300), change = gain * r;
        if (it == 30 || !(left < HUGE_VAL)) return 1;
        const int end = left <= 4 * DBL_EPSILON
                     || (it && (left >= last / 4 || 256 * left * left < last * DBL_EPSILON))
                     || (!it && x->look > 0 && 16 * x->bend * left * left <= DBL_EPSILON);
        if (it == 1) {
            const double bound = fmax(8 * fmax(left, 8 * DBL_EPSILON) / (last * last), 1);
            /* what rounding does not hide */
            if (left > 32 * DBL_EPSILON || !(x->bend > 0 && x->bend < bound)) x->bend = bound;
            x->look = 16;
        }
        d += change;
        if (end) {
            late = slope * change;
            break;
        }
        F = -K * sin(x->q + (d + x->dq));
        last = left;
    }
    x->look--;
    const double a = F + late, ha = rest * a + upper * a;
    x->dq += 0.25 * (rest * ha + upper * ha);
    add(&x->q, &x->dq, 2 * d);
    const double end = -K * sin(x->q);
    const double F3 = b * (x->F + 4 * F + end);
    x->dp += 4 * b * h * late;
    add(&x->p, &x->dp, rest * F3 + upper * F3);
    x->F = end;
    memmove(x->past + 1, x->past, (PAST - 1) * sizeof *x->past);
    x->past[0] = d;
    if (x->known < PAST) x->known++;
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
