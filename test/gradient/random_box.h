/* Random systems with two events that change the motion.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RANDOM_BOX_H
#define RANDOM_BOX_H

#include "random_model.h"

enum { KINDS = 5 };

/* A body between a curved floor that moves, and a ceiling that assigns velocities or momenta; even
 * kinds have a constant mass. */
static UNUSED noe_system *random_box(int kind)
{
    static const char *const ceiling[KINDS] = {
        "then bounce 1 - e/4", "then y' = -e*y' + a/8*x - x'^2/16, x' = x' + e/8*sin(t)",
        "then p(y) = -p(y) + a/16*energy, p(x) = p(x)*e", "then bounce 1", "then bounce 1 - a/16"
    };
    char text[2000];
    snprintf(text, sizeof text,
             "parameter a = %.9g, e = %.9g, w = %.9g, c = a*w + %.9g\ncoordinate x, y\n"
             "kinetic %s\npotential 9*c*y/4 + a/2*x^2 + c/8*y^2%s\n%s"
             "start x = %.9g, y = 1, x' = %.9g, p(y) = %.9g\n"
             "event floor: y = w*(x^2 - 1)/4 + a/16*sin(3*t) falling then bounce e\n"
             "event ceiling: y + x/8 = 1.5 + c/64 rising %s\n",
             sixty_fourths(0.75, 1.5), sixty_fourths(0.6, 0.9), sixty_fourths(0.3, 0.7),
             sixty_fourths(0.2, 1),
             kind % 2 ? "a/2*x'^2*(2 + sin(y)) + c*y'^2 + w/4*x'*y'*cos(x)" : "a/2*x'^2 + c*y'^2",
             kind == 4 ? " + w*x*cos(2*t + y)/2" : "",
             kind == 3 ? "force x = a*cos(2*t) - w*y'/8\ndissipation c/20*x'^2\n" : "",
             sixty_fourths(-0.5, 0.5), sixty_fourths(-1, 1), sixty_fourths(2, 4), ceiling[kind]);
    return parse(text);
}

#endif
