/* Systems with a monitor, and the motion of a planet against which they are measured.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MONITORED_H
#define MONITORED_H

#include "between/fractional_step.h"
#include "integrator.h"

static UNUSED noe_system *monitored(const noe_system *s, const char *G)
{
    char text[600];
    snprintf(text, sizeof text, "monitor = %s", G);
    noe_system *more = noe_system_let(s, text);
    if (!more) fail_msg("%s: %s", G, noe_error());
    return more;
}

static UNUSED noe_system *kepler(double e)
{
    char text[400];
    snprintf(text, sizeof text,
             "parameter e = %.17g\ncoordinate x, y\nr = sqrt(x^2 + y^2)\n"
             "kinetic (x'^2 + y'^2)/2\npotential -1/r\n"
             "start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\n",
             e);
    return parse(text);
}

/* The integral of dt/r^power over a period, by the trapezoidal rule in the eccentric anomaly. */
static UNUSED double fictitious_period(double e, double power)
{
    enum { POINTS = 4096 };
    double sum = 0;
    for (int k = 0; k < POINTS; k++)
        sum += pow(1 - e * cos(2 * M_PI * (k + 0.5) / POINTS), 1 - power);
    return 2 * M_PI * sum / POINTS;
}

/* A Lagrangian of u = x', w = y' with a moving mass and a magnetic field, with random
 * coefficients. */
typedef struct {
    char L[400], G[160], start[160];
} choice;

static UNUSED choice random_choice(void)
{
    choice       c;
    const double a = 0.3 * random_number(), b = 0.5 * random_number(), d = 0.3 * random_number();
    snprintf(
        c.L, sizeof c.L,
        "(1 + %.17g*x^2)*u^2/2 + w^2*(1.2 + %.17g*sin(y))/2 + %.17g*u*w*cos(x) + %.17g*(x*w - y*u)"
        " - x^2/2 - 0.7*y^2 - %.17g*x^2*y - x^4/4 - y^4/4",
        fabs(a), b, d / 2, 0.7 + a, d);
    snprintf(c.G, sizeof c.G, "1/(1 + %.17g*x^2 + %.17g*(y - %.17g*x)^2)", 1 + fabs(b), 0.8 + a, d);
    snprintf(c.start, sizeof c.start, "start x = %.17g, y = %.17g, x' = %.17g, y' = %.17g\n",
             0.6 + 0.3 * a, d, b, 0.8 + 0.1 * a);
    return c;
}

static UNUSED noe_system *as_written(const choice *c)
{
    char text[1200];
    snprintf(text, sizeof text, "coordinate x, y\nu = x'\nw = y'\nlagrangian %s\n%s", c->L,
             c->start);
    return parse(text);
}

#endif
