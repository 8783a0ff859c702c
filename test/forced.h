/* forced systems twice: as text, and as y' = g(t, y) by hand with y = (q, v, work, dissipated).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FORCED_H
#define FORCED_H

#include "laws.h"

enum { SEVEN = 7, NUMBERS = 2 * SEVEN + 2 };

typedef struct {
    const char *text;
    int         n;
    quad        until, q[SEVEN], v[SEVEN];
    void (*slope)(quad t, const quad *y, quad *dy); /* of q, v, work and dissipated */
} forced;

static void pendulum_slope(quad t, const quad *y, quad *dy)
{
    const quad push = (quad)3 / 2 * cosq(2 * t / 3);
    dy[0] = y[1];
    dy[1] = push - y[1] / 2 - sinq(y[0]);
    dy[2] = push * y[1];
    dy[3] = y[1] * y[1] / 2;
}

static void van_der_pol_slope(quad t, const quad *y, quad *dy)
{
    (void)t;
    const quad drag = 2 * (y[0] * y[0] - 1) * y[1];
    dy[0] = y[1];
    dy[1] = -drag - y[0];
    dy[2] = 0;
    dy[3] = drag * y[1];
}

/* m = l = 1, g = 10: 2 a'' + cos(a-b) b'' = ..., with friction c a' and c (b' - a'). */
static void double_pendulum_slope(quad t, const quad *y, quad *dy)
{
    (void)t;
    const quad c = (quad)1 / 5, s = sinq(y[0] - y[1]), k = cosq(y[0] - y[1]), va = y[2], vb = y[3];
    const quad fa = -s * vb * vb - 20 * sinq(y[0]) - c * va + c * (vb - va);
    const quad fb = s * va * va - 10 * sinq(y[1]) - c * (vb - va), det = 2 - k * k;
    dy[0] = va, dy[1] = vb;
    dy[2] = (fa - k * fb) / det;
    dy[3] = (2 * fb - k * fa) / det;
    dy[4] = 0;
    dy[5] = c * va * va + c * (vb - va) * (vb - va);
}

/* Seven masses 1 .. 7 between hardening springs, dashpots that depend on the position, one end
 * driven. */
static void seven_slope(quad t, const quad *y, quad *dy)
{
    const quad *q = y, *v = y + SEVEN;
    const quad  push = 2 * sinq(3 * t);
    quad        f[SEVEN] = { push };
    dy[2 * SEVEN] = push * v[0], dy[2 * SEVEN + 1] = 0;
    for (int i = 0; i <= SEVEN; i++) { /* spring i between masses i - 1 and i; walls at both ends */
        const quad d = (i < SEVEN ? q[i] : 0) - (i ? q[i - 1] : 0),
                   u = (i < SEVEN ? v[i] : 0) - (i ? v[i - 1] : 0);
        const quad pull = 4 * d + d * d * d, drag = (1 + d * d) / 10 * u;
        if (i < SEVEN) f[i] -= pull + drag;
        if (i) f[i - 1] += pull + drag;
        dy[2 * SEVEN + 1] += drag * u;
    }
    for (int i = 0; i < SEVEN; i++) dy[i] = v[i], dy[SEVEN + i] = f[i] / (i + 1);
}

static UNUSED const forced driven_pendulum = {
    "coordinate q\nkinetic q'^2/2\npotential 1 - cos(q)\ndissipation q'^2/4\n"
    "force q = 3/2*cos(2*t/3)\n"
    "start q = 1/5",
    1,
    4,
    { (quad)1 / 5 },
    { 0 },
    pendulum_slope
};
static UNUSED const forced van_der_pol = {
    "coordinate x\nkinetic x'^2/2\npotential x^2/2\ndissipation (x^2 - 1)*x'^2\nstart x = 1",
    1,
    2,
    { 1 },
    { 0 },
    van_der_pol_slope
};
static UNUSED const forced damped_double_pendulum = {
    "coordinate a, b\nx1 = sin(a)\ny1 = -cos(a)\nx2 = x1 + sin(b)\ny2 = y1 - cos(b)\n"
    "kinetic (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2\npotential 10*(y1 + y2)\n"
    "dissipation 1/10*a'^2\ndissipation 1/10*(b' - a')^2\nstart a = 1, b = 2",
    2,
    1,
    { 1, 2 },
    { 0 },
    double_pendulum_slope
};
static UNUSED const forced seven_masses = {
    "coordinate a, b, c, d, e, f, g\n"
    "kinetic a'^2/2 + b'^2 + 3*c'^2/2 + 2*d'^2 + 5*e'^2/2 + 3*f'^2 + 7*g'^2/2\n"
    "ab = b - a\nbc = c - b\ncd = d - c\nde = e - d\nef = f - e\nfg = g - f\n"
    "potential 2*a^2 + a^4/4 + 2*ab^2 + ab^4/4 + 2*bc^2 + bc^4/4 + 2*cd^2 + cd^4/4\n"
    "potential 2*de^2 + de^4/4 + 2*ef^2 + ef^4/4 + 2*fg^2 + fg^4/4 + 2*g^2 + g^4/4\n"
    "dissipation ((1 + a^2)*a'^2 + (1 + ab^2)*ab'^2 + (1 + bc^2)*bc'^2 + (1 + cd^2)*cd'^2)/20\n"
    "dissipation ((1 + de^2)*de'^2 + (1 + ef^2)*ef'^2 + (1 + fg^2)*fg'^2 + (1 + g^2)*g'^2)/20\n"
    "force a = sin(3*t)\nforce a = sin(3*t)\nstart a = 1, d = -1, g' = 1/2",
    7,
    2,
    { 1, 0, 0, -1 },
    { 0, 0, 0, 0, 0, 0, (quad)1 / 2 },
    seven_slope
};

/* By extrapolation of the modified midpoint rule in binary128 (W. Gragg 1965; E. Hairer, S.
 * Norsett, G. Wanner, Solving Ordinary Differential Equations I, II.9): y = (q, v, work,
 * dissipated), nothing of ours is in it. */
static UNUSED void reference(const forced *x, int pieces, quad *y)
{
    enum { COLUMNS = 12 };
    const int  z = 2 * x->n + 2;
    const quad H = x->until / pieces;
    for (int i = 0; i < x->n; i++) y[i] = x->q[i], y[x->n + i] = x->v[i];
    y[2 * x->n] = y[2 * x->n + 1] = 0;
    for (int piece = 0; piece < pieces; piece++) {
        quad T[COLUMNS][NUMBERS], last[NUMBERS];
        for (int k = 0; k < COLUMNS; k++) {
            const int  steps = 2 * (k + 1);
            const quad h = H / steps;
            quad       a[NUMBERS], b[NUMBERS], dy[NUMBERS];
            memcpy(a, y, sizeof a);
            x->slope(piece * H, a, dy);
            for (int i = 0; i < z; i++) b[i] = a[i] + h * dy[i];
            for (int s = 1; s < steps; s++) {
                x->slope(piece * H + s * h, b, dy);
                for (int i = 0; i < z; i++) {
                    const quad next = a[i] + 2 * h * dy[i];
                    a[i] = b[i], b[i] = next;
                }
            }
            x->slope(piece * H + H, b, dy);
            for (int i = 0; i < z; i++) { /* row k of the tableau of Aitken and Neville */
                quad now = (a[i] + b[i] + h * dy[i]) / 2;
                for (int c = 1; c <= k; c++) {
                    const quad ratio = (quad)(k + 1) / (k + 1 - c), old = T[c - 1][i];
                    T[c - 1][i] = now;
                    now += (now - old) / (ratio * ratio - 1);
                }
                T[k][i] = last[i] = now;
            }
        }
        memcpy(y, last, (size_t)z * sizeof *y);
    }
}

#endif
