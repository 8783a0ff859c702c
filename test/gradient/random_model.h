/* Random systems with parameters that follow others, and columns of integrators by name.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RANDOM_MODEL_H
#define RANDOM_MODEL_H

#include "integrator.h"

static UNUSED quad value(noe_integrator *g, const char *name)
{
    noe_column c;
    if (!noe_column_name_find(g->system, name, &c)) {
        noe_column_name_refuse(g->system, name);
        fail_msg("%s: %s", name, noe_error());
    }
    return noe_column_value(g, &c);
}

static UNUSED quad slope(noe_integrator *g, const char *what, const char *c)
{
    char name[80];
    snprintf(name, sizeof name, "d(%s)/d(%s)", what, c);
    return value(g, name);
}

/* Numbers in sixty-fourths, which texts and perturbations keep exactly. */
static UNUSED double sixty_fourths(double from, double to)
{
    return floor(64 * (from + (to - from) * (random_number() + 1) / 2)) / 64;
}

/* A random system with two coordinates: masses that move, a gyroscopic term, parameters that follow
 * others, starts by parameters, and where `forced` forces and damping. */
static UNUSED noe_system *random_system(bool natural, bool forced)
{
    char      text[2000];
    const int used = snprintf(
        text, sizeof text,
        "parameter a = %.9g, b = %.9g, c = a*b + %.9g, d = c^2/4\ncoordinate x, y\n"
        "kinetic %s\npotential d/2*(x - y)^2 + c*cos(x - %.9g*y) + a/4*y^4 + %.9g*sin(b*x)%s\n"
        "start x = %.9g, y = a/3, x' = b*%.9g, p(y) = %.9g\n"
        "observe o = a*x*p(y) + b*energy + x'^2*y'\n",
        sixty_fourths(0.5, 2), sixty_fourths(0.5, 2), sixty_fourths(0, 1),
        natural ? "a/2*x'^2 + c/2*y'^2"
                : "a/2*x'^2*(2 + sin(y)) + c/2*y'^2 + b/4*x'*y'*cos(x - y) + d*sin(x)*y'",
        sixty_fourths(0.5, 2), sixty_fourths(-1, 1), forced ? " + b*x*sin(a*t)" : "",
        sixty_fourths(-1, 1), sixty_fourths(-1, 1), sixty_fourths(-1, 1));
    if (forced)
        snprintf(text + used, sizeof text - (size_t)used,
                 "force x = a*cos(2*t) - b*x*y'\ndissipation c/5*x'^2 + a*x^2*y'^2/8\n");
    return parse(text);
}

#endif
