/* Random mechanisms: trees and loops of rods in the plane or in space, none of them redundant.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MECHANISM_H
#define MECHANISM_H

#include "laws.h"

enum { POINTS = 6 };

/* A rod to an earlier point for every point, some to the fixed point (0, 0), and rods that close
 * loops; `held`: one point at least is fixed and there is gravity. */
static UNUSED noe_system *random_mechanism(char *text, bool held, int *rods)
{
    const int   space = 2 + (random_number() > 0), n = 2 + (int)(2 + 2 * random_number());
    const char *axis[] = { "x", "y", "z" };
    double      at[POINTS][3];
    char       *to = text;
    *rods = 0;
    to += sprintf(to, "coordinate ");
    for (int i = 0; i < n; i++)
        for (int d = 0; d < space; d++) {
            at[i][d] = i + random_number();
            to += sprintf(to, "%s%s%d", i + d ? ", " : "", axis[d], i);
        }
    to += sprintf(to, "\n");
    for (int i = 0; i < n; i++) {
        to += sprintf(to, "kinetic %.3f/2*(", 1 + 0.5 * random_number());
        for (int d = 0; d < space; d++) to += sprintf(to, "%s%s%d'^2", d ? " + " : "", axis[d], i);
        to += sprintf(to, ")\n");
        if (held) to += sprintf(to, "potential 3*y%d\n", i);
    }
    for (int i = 0; i < n; i++)
        for (int j = i - 1; j >= -1; j--) {
            const bool tree = j == (i ? (int)((i - 1) * (1 + random_number()) / 2) : -1),
                       loop = j >= 0 && i - j == 2 && random_number() > 0.6;
            if ((!tree && !loop) || (j < 0 && !held)) continue;
            double length = 0;
            to += sprintf(to, "constraint rod%d: sqrt(", (*rods)++);
            for (int d = 0; d < space; d++) {
                const double other = j < 0 ? 0 : at[j][d];
                length += (at[i][d] - other) * (at[i][d] - other);
                to += j < 0
                        ? sprintf(to, "%s%s%d^2", d ? " + " : "", axis[d], i)
                        : sprintf(to, "%s(%s%d - %s%d)^2", d ? " + " : "", axis[d], i, axis[d], j);
            }
            to += sprintf(to, ") = %.17g\n", sqrt(length));
        }
    for (int i = 0; i < n; i++)
        for (int d = 0; d < space; d++)
            to += sprintf(to, "start %s%d = %.17g, %s%d' = %.17g\n", axis[d], i, at[i][d], axis[d],
                          i, random_number());
    return parse(text);
}

#endif
