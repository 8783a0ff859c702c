/* The nutation of a top, by the arithmetic-geometric mean.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * u'^2 = 2a/I1 (u - u1)(u - u2)(u - u3),   u = cos theta = u1 + (u2 - u1) sn^2(kappa t | k^2).
 * E. T. Whittaker, Analytical Dynamics, section 71; M. Abramowitz, I. A. Stegun, Handbook of
 * Mathematical Functions, 16.4 and 17.6. */
#ifndef EXACT_H
#define EXACT_H

#include "laws.h"

/* sn(u | k2); *K is a quarter of its period. */
static inline quad elliptic_sn(quad u, quad k2, quad *K)
{
    quad a[16] = { 1 }, b = sqrtq(1 - k2), c[16] = { sqrtq(k2) };
    int  N = 0;
    for (; fabsq(c[N]) > (quad)0x1p-114; N++) {
        a[N + 1] = (a[N] + b) / 2;
        c[N + 1] = (a[N] - b) / 2;
        b = sqrtq(a[N] * b);
    }
    quad phi = ldexpq(a[N] * u, N);
    for (int i = N; i > 0; i--) phi = (phi + asinq(c[i] * sinq(phi) / a[i])) / 2;
    *K = acosq(0) / a[N];
    return sinq(phi);
}

/* A heavy top that starts without nutation at its largest angle theta0. */
typedef struct {
    quad u1, u2, kappa, k2, period;
} nutation;

static inline nutation top_nutation(quad I1, quad I3, quad a, quad theta0, quad phi_v, quad psi_v)
{
    const quad c = cosq(theta0), s2 = 1 - c * c;
    const quad p_psi = I3 * (psi_v + phi_v * c), p_phi = I1 * s2 * phi_v + p_psi * c;
    const quad E = I1 / 2 * s2 * phi_v * phi_v + a * c; /* H - p_psi^2 / (2 I3) */
    const quad sum = (2 * E / I1 + p_psi * p_psi / (I1 * I1)) * I1 / (2 * a) - c;
    const quad product = (2 * p_phi * p_psi / (I1 * I1) - 2 * a / I1) * I1 / (2 * a) - c * sum;
    const quad root = sqrtq(sum * sum / 4 - product), u3 = sum / 2 + root;
    nutation   x = { .u1 = c, .u2 = sum / 2 - root };
    x.kappa = sqrtq(a * (u3 - c) / (2 * I1));
    x.k2 = (x.u2 - c) / (u3 - c);
    elliptic_sn(0, x.k2, &x.period);
    x.period *= 2 / x.kappa;
    return x;
}

/* The motion of systems/lagrange_top.lag. */
static inline nutation loops(void)
{
    return top_nutation(number("1.1125e-5"), number("6.25e-6"), number("0.003924"), acosq(-1) / 3,
                        25, 100);
}

static inline quad top_theta(const nutation *x, quad t)
{
    quad       K;
    const quad sn = elliptic_sn(x->kappa * t, x->k2, &K);
    return acosq(x->u1 + (x->u2 - x->u1) * sn * sn);
}

/* sup |theta - exact| / exact of so many steps in double. */
static inline double nutation_error(const noe_system *s, const noe_method *m, const nutation *exact,
                                    quad h, int steps)
{
    run         r = make_run(noe_engine_double(), s, m, h);
    const point x = model_start(s);
    quad        worst = 0;
    start_run(r, &x, false);
    for (int k = 1; k <= steps; k++) {
        step_run(r);
        const quad theta = top_theta(exact, k * h);
        worst = fmaxq(worst, fabsq(get_point(r, 0).q[1] - theta) / theta);
    }
    r.engine->drop(r.work);
    return (double)worst;
}

#endif
