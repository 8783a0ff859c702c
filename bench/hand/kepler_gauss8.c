/* Gauss 8 of a planet, GM = 1 as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
enum { N = 2 };
#include "gauss8.h"

static void accelerations(const v8 *q, const v8 *v, v8 *a)
{
    (void)v;
    const v8 r2 = q[0] * q[0] + q[1] * q[1], k = -1 / (r2 * sqrt8(r2));
    a[0] = k * q[0], a[1] = k * q[1];
}
