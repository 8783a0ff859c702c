/* M, F = L_q, G = d(M v)/dq, H = L_qq of L = v'M(q)v/2 - V(q):  double pendulum and tops, by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, F. Jourdan, Simpson variational integrator for nonlinear
 * systems: a tutorial on the Lagrange top, arXiv:2512.03330. */
#ifndef SYSTEMS_H
#define SYSTEMS_H

#include "../claim.h"

enum { MOST = 3, SIZE = 3 * MOST };

/* ---- two systems: M, F = L_q, G = d(M v)/dq, H = L_qq at (q, v) ---- */

typedef struct {
    quad M[MOST][MOST], F[MOST], G[MOST][MOST], H[MOST][MOST];
} point;
typedef struct {
    const char *file, *name[MOST];
    int         n;
    void (*at)(const quad *q, const quad *v, point *);
    quad length; /* a nutation period, or a second */
} thing;

SOME void double_pendulum(const quad *q, const quad *v,
                          point *x) /* m1 = m2 = 1, l1 = l2 = g/(2 pi)^2 */
{
    const quad g = NUM(9.81), l = g / (4 * M_PIq * M_PIq), b = l * l, s = sinq(q[0] - q[1]),
               k = cosq(q[0] - q[1]), w = b * v[0] * v[1];
    *x = (point){ .M = { { 2 * b, b * k }, { b * k, b } },
                  .F = { -w * s - 2 * g * l * sinq(q[0]), w * s - g * l * sinq(q[1]) },
                  .G = { { -b * s * v[1], b * s * v[1] }, { -b * s * v[0], b * s * v[0] } },
                  .H = { { -w * k - 2 * g * l * cosq(q[0]), w * k },
                         { w * k, -w * k - g * l * cosq(q[1]) } } };
}

SOME void top(const quad *q, const quad *v, point *x, quad I1, quad I3, quad a)
{
    const quad s = sinq(q[1]), c = cosq(q[1]), f = v[0], w = v[2] + f * c;
    *x = (point){ .M = { { I1 * s * s + I3 * c * c, 0, I3 * c }, { 0, I1, 0 }, { I3 * c, 0, I3 } },
                  .F = { 0, I1 * s * c * f * f - I3 * w * f * s + a * s, 0 } };
    x->G[0][1] = 2 * (I1 - I3) * s * c * f - I3 * s * v[2];
    x->G[2][1] = -I3 * s * f;
    x->H[1][1] = (I1 - I3) * (c * c - s * s) * f * f - I3 * v[2] * f * c + a * c;
}
SOME void loops(const quad *q, const quad *v, point *x)
{
    top(q, v, x, NUM(1.1125e-5), NUM(6.25e-6), NUM(0.003924));
}
SOME void cusps(const quad *q, const quad *v, point *x) { top(q, v, x, 1, 2, 4 * M_PIq * M_PIq); }

static thing things[3] = {
    { "systems/double_pendulum.lag", { "q1", "q2" }, 2, double_pendulum, 1 },
    { "systems/lagrange_top.lag", { "phi", "theta", "psi" }, 3, loops, 0 },
    { "systems/lagrange_top_cusps.lag", { "phi", "theta", "psi" }, 3, cusps, 0 },
};

/* Rows (q, p) of a run. */
SOME quad *states(const thing *x, const char *method, int digits, quad h, int steps, int *rows)
{
    char columns[64] = "";
    for (int i = 0; i < 2 * x->n; i++)
        sprintf(columns + strlen(columns), "%s%s%s", i ? "," : "", x->name[i % x->n],
                i < x->n ? "" : ".p");
    quad *y = noether(2 * x->n, rows,
                      "%s --method '%s' --digits %d --step %s --until '%d*%s' --columns %s",
                      x->file, method, digits, text(h), steps, text(h), columns);
    if (*rows != steps + 1) exit(fprintf(stderr, "%d rows instead of %d\n", *rows, steps + 1));
    return y;
}

SOME void begin(void)
{
    things[1].length = NUM(0.10874600547956244621582628987883);
    things[2].length = NUM(0.2642917851144578933332735940488218);
}

#endif
