/* Random systems with constraints.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RANDOM_CHAIN_H
#define RANDOM_CHAIN_H

#include "random_model.h"

enum { CHAINS = 4 };

/* Two masses on rods, the first from a pivot that moves in some kinds; velocities at the start that
 * are projected; masses that move, and a constraint that follows from the others; kind CHAINS
 * gives momenta at the start. */
static UNUSED noe_system *random_chain(int kind)
{
    char text[2000];
    snprintf(text, sizeof text,
             "parameter l = %.9g, m = %.9g, w = %.9g, a = %.9g, b = %.9g, c = l/2 + m/8, d = 0\n"
             "coordinate x, y, u, v\n"
             "kinetic m/2*(x'^2 + y'^2) + (u'^2 + v'^2)%s\n"
             "potential m*9*y + 5*v + c*x*u/4%s\n%s"
             "constraint first: (x - %s)^2 + y^2 = l^2\n"
             "constraint second: (u - x)^2 + (v - y)^2 = c^2\n%s"
             "start x = l*sin(a), y = -l*cos(a)\n"
             "start u = l*sin(a) + c*cos(b) + d, v = -l*cos(a) + c*sin(b)%s\n"
             "observe o = x*v + y'*u + w*x'\n",
             sixty_fourths(1, 1.5), sixty_fourths(0.5, 2), kind == 3 ? 0.0 : sixty_fourths(0.2, 1),
             sixty_fourths(0.3, 1), sixty_fourths(-0.5, 0.5),
             kind == 1 ? "*(2 + sin(x)) + w/4*x'*v'*cos(y) + l*y*u'/4" : "/2",
             kind == 2 ? " + w*x*cos(t)" : "", kind == 2 ? "dissipation c/8*(x'^2 + v'^2)\n" : "",
             kind == 1 ? "w/8*sin(t)" : "0",
             kind == 3 ? "constraint again: (x^2 + y^2)*m = l^2*m\n" : "",
             kind == CHAINS ? ", p(x) = a, p(y) = 1/2, p(u) = m*b, p(v) = w"
             : kind % 2     ? ", y' = 1/2, v' = -1/4"
                            : ", y' = a, u' = b/2, v' = w");
    return parse(text);
}

#endif
