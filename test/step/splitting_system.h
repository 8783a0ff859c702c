/* Splittings, and a driven system with a full mass matrix on which they are measured.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPLITTING_SYSTEM_H
#define SPLITTING_SYSTEM_H

#include "laws.h"

static UNUSED const struct set {
    const char *name;
    int         order, damped; /* with forces that depend on velocities */
    double      h;             /* where the order shows on the system below, 4 steps of it */
} sets[] = {
    { "euler", 1, 1, 1. / 1024 },
    { "verlet", 2, 2, 1. / 128 },
    { "verlet-drift", 2, 2, 1. / 128 },
    { "ruth3", 3, 3, 1. / 128 },
    { "yoshida4", 4, 4, 1. / 128 },
    { "suzuki4", 4, 4, 1. / 64 },
    { "mclachlan4", 4, 4, 1. / 64 },
    { "blanes-moan4", 4, 4, 1. / 64 },
    { "blanes-moan6", 6, 6, 1. / 64 },
    { "sb3a-4", 4, 4, 1. / 64 },
    { "srkn6-4", 4, 4, 1. / 64 },
    { "srkn11-6", 6, 4, 1. / 64 },
    { "srkn14-6", 6, 4, 1. / 64 },
    { "yoshida6", 6, 6, 1. / 128 },
    { "kahan-li6", 6, 6, 1. / 128 },
    { "kahan-li8", 8, 8, 1. / 64 },
    { "suzuki-umeno8", 8, 8, 1. / 128 },
    { "sofroniou-spaletta8", 8, 8, 1. / 64 },
    { "sofroniou-spaletta10", 10, 10, 1. / 16 },
};

enum { SETS = sizeof sets / sizeof *sets };

/* Three coordinates, a full constant mass matrix, a potential with t in it. */
static UNUSED const char driven[] =
    "coordinate x, y, z\n"
    "kinetic x'^2/2 + y'^2 + 3/4*z'^2 + x'*y'/2 - y'*z'/3\n"
    "potential x^2/2 + y^2 + z^2/3 + x^2*y - y^3/3 + x*z^2/2 + cos(x - z) + sin(t)*x*y + "
    "cos(2*t)*z\n";

/* The same with forces that depend on velocities, through a full matrix that depends on q and t. */
static UNUSED const char rubbed[] = "force x = -(1/2 + x^2)*x' + y*y'/3 + sin(t)\n"
                                    "force y = -x'/5 - (1/3 + z^2 + sin(t)/4)*y'\n"
                                    "force z = x*y'/4 - z'/2\n";

static UNUSED const char begin[] =
    "start x = 0.3, y = 0.2, z = -0.4, x' = 0.5, y' = -0.3, z' = 0.2\n";

static UNUSED noe_system *system_of(const char *a, const char *b)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s%s", a, b, begin);
    return parse(text);
}

#endif
