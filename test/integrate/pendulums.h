/* A pendulum of period about 1 and a double pendulum, as points with rods.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TEST_PENDULUMS_H
#define NOE_TEST_PENDULUMS_H

#define PENDULUM                                                \
    "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"                \
    "potential 4*pi^2*y\nconstraint rod: (x^2 + y^2 - 1)/2 = 0" \
    "\nstart x = 1, y = 0\n"
#define DOUBLE_PENDULUM                                            \
    "parameter g = 9.81, l = g/(2*pi)^2\ncoordinate x, y, u, w\n"  \
    "kinetic (x'^2 + y'^2 + u'^2 + w'^2)/2\npotential g*(y + w)\n" \
    "constraint upper: (x^2 + y^2 - l^2)/2 = 0\n"                  \
    "constraint lower: ((u - x)^2 + (w - y)^2 - l^2)/2 = 0\n"      \
    "start x = l, u = 2*l\n"

#endif
