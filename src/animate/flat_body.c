/* The faces of a body in its own axes: a brick, or a cylinder about the third axis.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Corners run so that the area on the sheet is negative where the outside is seen. */
#include "animate/flat_sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SIDES = 24,
    SECTORS = 4
}; /* of a cylinder; sectors of its ends, so that it is seen to turn */

static bool face(noe_flat_picture *x, int of, double (*corner)[3], int points, int colour,
                 char tone)
{
    char      style[16];
    double   *copy = noe_arena_take(x->arena, (size_t)points * sizeof *corner);
    noe_mark *m;
    snprintf(style, sizeof style, "c%d %c", colour, tone);
    m = noe_flat_picture_add(x, NOE_MARK_FACE, NOE_MARK_SOLID, of, points, style);
    if (!copy || !m) return false;
    memcpy(copy, corner, (size_t)points * sizeof *corner);
    m->corner = copy;
    return true;
}

static bool add_brick(noe_flat_picture *x, const noe_shape *s, int colour)
{
    static const int round[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    for (int n = 0; n < 3; n++)
        for (int side = -1; side <= 1; side += 2) {
            double corner[4][3];
            for (int i = 0; i < 4; i++) {
                corner[i][n] = side * s->size[n] / 2;
                corner[i][(n + 1) % 3] = round[i][0] * side * s->size[(n + 1) % 3] / 2;
                corner[i][(n + 2) % 3] = round[i][1] * s->size[(n + 2) % 3] / 2;
            }
            if (!face(x, s->first, corner, 4, colour, (char)('a' + n))) return false;
        }
    return true;
}

/* A corner of the rim at height z. */
static void rim(const noe_shape *s, int i, double z, double to[3])
{
    to[0] = s->size[0] * cos(2 * M_PI * i / SIDES);
    to[1] = s->size[0] * sin(2 * M_PI * i / SIDES);
    to[2] = z;
}

static bool add_cylinder(noe_flat_picture *x, const noe_shape *s, int colour)
{
    enum { EACH = SIDES / SECTORS };
    double corner[EACH + 2][3];
    for (int i = 0; i < SIDES; i++) {
        rim(s, i, -s->size[2], corner[0]), rim(s, i + 1, -s->size[2], corner[1]);
        rim(s, i + 1, s->size[2], corner[2]), rim(s, i, s->size[2], corner[3]);
        if (!face(x, s->first, corner, 4, colour, i / EACH % 2 ? 'c' : 'b')) return false;
    }
    for (int side = -1; side <= 1; side += 2)
        for (int q = 0; q < SECTORS; q++) {
            corner[0][0] = corner[0][1] = 0, corner[0][2] = side * s->size[2];
            for (int i = 0; i <= EACH; i++)
                rim(s, q * EACH + (side > 0 ? i : EACH - i), side * s->size[2], corner[i + 1]);
            if (!face(x, s->first, corner, EACH + 2, colour, q % 2 ? 'c' : 'a')) return false;
        }
    return true;
}

bool noe_flat_body_add(noe_flat_picture *x, const noe_shape *s, int colour)
{
    return s->round ? add_cylinder(x, s, colour) : add_brick(x, s, colour);
}
