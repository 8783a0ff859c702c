/* Functions in C that noether calls back, each of which looks at the upper halves of the registers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TEST_UPPER_FUNCTIONS_H
#define NOE_TEST_UPPER_FUNCTIONS_H

#include "noether.h"
#include "upper_calls.h"

#include <math.h>

static int observe(void *ctx, const noe_integrator *g)
{
    (void)g;
    called_back("an observer");
    return ++*(int *)ctx > 3;
}

static double anharmonic(double t, const double *z, const double *c, double *grad, double *hess,
                         void *ctx)
{
    (void)t, (void)ctx;
    called_back("a Lagrangian");
    if (grad) grad[0] = -c[0] * sin(z[0]), grad[1] = z[1];
    if (hess) hess[0] = -c[0] * cos(z[0]), hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 + c[0] * cos(z[0]);
}

static void drag(double t, const double *z, const double *c, double *f, double *dfdz, void *ctx)
{
    (void)t, (void)c, (void)ctx;
    called_back("a force");
    f[0] = -0.1 * z[1];
    if (dfdz) dfdz[0] = 0, dfdz[1] = -0.1;
}

static void load(double t, double *f, void *ctx)
{
    (void)ctx;
    called_back("a load");
    f[0] = sin(t);
}

/* A bead that falls on the parabola q_1 = q_0^2. */
static double bead(double t, const double *z, const double *c, double *grad, double *hess,
                   void *ctx)
{
    (void)t, (void)ctx;
    called_back("a Lagrangian");
    if (grad) grad[0] = 0, grad[1] = -c[0], grad[2] = z[2], grad[3] = z[3];
    if (hess)
        for (int i = 0; i < 16; i++) hess[i] = i == 10 || i == 15;
    return (z[2] * z[2] + z[3] * z[3]) / 2 - c[0] * z[1];
}

static void parabola(double t, const double *q, const double *c, double *g, double *dg, double *d2g,
                     void *ctx)
{
    (void)t, (void)c, (void)ctx;
    called_back("a constraint");
    g[0] = q[1] - q[0] * q[0];
    if (dg) dg[0] = -2 * q[0], dg[1] = 1;
    if (d2g) d2g[0] = -2;
}

#endif
