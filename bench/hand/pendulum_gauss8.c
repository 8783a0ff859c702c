/* Gauss 8 of the pendulum as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
enum { N = 1 };
#include "gauss8.h"

static void accelerations(const v8 *q, const v8 *v, v8 *a)
{
    (void)v;
    a[0] = -39.478417604357434475 * sin8(q[0]);
}
