/* Random systems with a monitor, and parameters that follow others.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TEST_RANDOM_MONITORED_H
#define NOE_TEST_RANDOM_MONITORED_H

#include "random_model.h"

/* What depends on t: nothing, L, G, both. */
typedef enum { NOTHING, LAGRANGIAN, MONITOR, BOTH, DEPENDENCES } dependence;

/* more: the end of the statement, and statements behind it. */
static UNUSED noe_system *random_monitored(bool natural, dependence on, const char *more)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "parameter a = %.9g, b = %.9g, c = a*b + %.9g, d = c^2/4\ncoordinate x, y\n"
        "kinetic %s%s\npotential d/2*(x - y)^2 + c*cos(x - %.9g*y) + a/4*y^4 + %.9g*sin(b*x)%s\n"
        "monitor (1 + %s)/(1 + a*x^2 + %.9g*(y - b*x)^2)%s\n"
        "start x = %.9g, y = a/3, x' = b*%.9g, p(y) = %.9g\n"
        "observe o = a*x*p(y) + b*energy + x'^2*y' + x*sin(t)\n",
        sixty_fourths(0.5, 2), sixty_fourths(0.5, 2), sixty_fourths(0, 1),
        natural ? "a/2*x'^2 + c/2*y'^2"
                : "a/2*x'^2*(2 + sin(y)) + c/2*y'^2 + b/4*x'*y'*cos(x - y) + d*sin(x)*y'",
        !natural && (on == LAGRANGIAN || on == BOTH) ? " + b/3*x'*y*cos(t) + a/5*sin(t)*x'^2" : "",
        sixty_fourths(0.5, 2), sixty_fourths(-1, 1),
        on == LAGRANGIAN || on == BOTH ? " + b*x*sin(2*a*t) + y^2*cos(t)/2" : "",
        on == MONITOR || on == BOTH ? "b/4*sin(a*t + x)" : "b/4", sixty_fourths(0.1, 1), more,
        sixty_fourths(-1, 1), sixty_fourths(-1, 1), sixty_fourths(-1, 1));
    return parse(text);
}

#endif
