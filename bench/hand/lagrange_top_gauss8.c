/* Gauss 8 of the heavy top: phi, theta, psi as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
enum { N = 3 };
#include "gauss8.h"

static const double I1 = 1.1125e-5, I3 = 6.25e-6, m_g_l = 0.02 * 0.02 * 9.81;

/* The spin n = psi' + phi' cos theta is conserved. */
static void accelerations(const v8 *q, const v8 *v, v8 *a)
{
    const v8 s = sin8(q[1]), c = cos8(q[1]), n = v[2] + v[0] * c;
    a[0] = (I3 / I1 * n * v[1] - 2 * v[0] * c * v[1]) / s;
    a[1] = s * (v[0] * v[0] * c - I3 / I1 * n * v[0] + m_g_l / I1);
    a[2] = v[0] * s * v[1] - a[0] * c;
}
