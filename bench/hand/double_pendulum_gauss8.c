/* Gauss 8 of the double pendulum as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
enum { N = 2 };
#include "gauss8.h"

static const double K = 39.478417604357434475; /* g/l */

/* 2 a1 + c a2 = -s w2^2 - 2 g/l sin q1,  c a1 + a2 = s w1^2 - g/l sin q2. */
static void accelerations(const v8 *q, const v8 *v, v8 *a)
{
    const v8 s1 = sin8(q[0]), c1 = cos8(q[0]), s2 = sin8(q[1]), c2 = cos8(q[1]);
    const v8 s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2, d = 1 / (2 - c * c);
    const v8 r1 = -s * v[1] * v[1] - 2 * K * s1, r2 = s * v[0] * v[0] - K * s2;
    a[0] = (r1 - c * r2) * d;
    a[1] = (2 * r2 - c * r1) * d;
}
