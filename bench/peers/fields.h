/* the equations of motion q'' = a(q, q') and the energies as one writes them by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIELDS_H
#define FIELDS_H

#include <math.h>

/* name, coordinates, how many times its fastest part swings in a period */
#define PROBLEMS(X)          \
    X(pendulum, 1, 1)        \
    X(double_pendulum, 2, 1) \
    X(lagrange_top, 3, 1)    \
    X(solar_system, 18, 1) X(henon_heiles, 2, 1) X(fput, 32, 21) X(kepler, 2, 1)

#define OMEGA2 39.478417604357434475 /* (2 pi)^2 */

static inline void pendulum(const double *q, const double *v, double *a)
{
    (void)v;
    a[0] = -OMEGA2 * sin(q[0]);
}
static inline double pendulum_energy(const double *q, const double *v)
{
    return v[0] * v[0] / 2 + OMEGA2 * (1 - cos(q[0]));
}

/* Equal masses and lengths:
 *     2 a1 + c a2 = -s w2^2 - 2 g/l sin q1,   c a1 + a2 = s w1^2 - g/l sin q2. */
static inline void double_pendulum(const double *q, const double *v, double *a)
{
    const double s1 = sin(q[0]), c1 = cos(q[0]), s2 = sin(q[1]), c2 = cos(q[1]);
    const double s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2, d = 1 / (2 - c * c);
    const double r1 = -s * v[1] * v[1] - 2 * OMEGA2 * s1, r2 = s * v[0] * v[0] - OMEGA2 * s2;
    a[0] = (r1 - c * r2) * d;
    a[1] = (2 * r2 - c * r1) * d;
}
static inline double double_pendulum_energy(const double *q, const double *v) /* per m l^2 */
{
    return v[0] * v[0] + v[1] * v[1] / 2 + cos(q[0] - q[1]) * v[0] * v[1]
         + OMEGA2 * (2 * (1 - cos(q[0])) + 1 - cos(q[1]));
}

static const double I1 = 1.1125e-5, I3 = 6.25e-6, m_g_l = 0.02 * 0.02 * 9.81;
/* phi, theta, psi; the spin n = psi' + phi' cos theta is conserved: one sine and one cosine an
 * evaluation. */
static inline void lagrange_top(const double *q, const double *v, double *a)
{
    const double s = sin(q[1]), c = cos(q[1]), n = v[2] + v[0] * c;
    a[0] = (I3 / I1 * n * v[1] - 2 * v[0] * c * v[1]) / s;
    a[1] = s * (v[0] * v[0] * c - I3 / I1 * n * v[0] + m_g_l / I1);
    a[2] = v[0] * s * v[1] - a[0] * c;
}
static inline double lagrange_top_energy(const double *q, const double *v)
{
    const double s = sin(q[1]), c = cos(q[1]), n = v[2] + v[0] * c;
    return I1 / 2 * (v[1] * v[1] + v[0] * v[0] * s * s) + I3 / 2 * n * n + m_g_l * c;
}

/* GM = 1 */
static inline void kepler(const double *q, const double *v, double *a)
{
    const double r2 = q[0] * q[0] + q[1] * q[1], k = -1 / (r2 * sqrt(r2));
    (void)v;
    a[0] = k * q[0], a[1] = k * q[1];
}
static inline double kepler_energy(const double *q, const double *v)
{
    return (v[0] * v[0] + v[1] * v[1]) / 2 - 1 / sqrt(q[0] * q[0] + q[1] * q[1]);
}

static const double sun_and_planets[6] = { 1.00000597682,      0.000954786104043,
                                           0.000285583733151,  0.0000437273164546,
                                           0.0000517759138449, 1 / 1.3e8 };
static inline void  solar_system(const double *q, const double *v, double *a)
{
    const double *m = sun_and_planets;
    (void)v;
    for (int k = 0; k < 18; k++) a[k] = 0;
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++) {
            const double x = q[j] - q[i], y = q[6 + j] - q[6 + i], z = q[12 + j] - q[12 + i];
            const double r2 = x * x + y * y + z * z, k = 2.95912208286e-4 / (r2 * sqrt(r2));
            const double ki = k * m[j], kj = k * m[i];
            a[i] += ki * x, a[6 + i] += ki * y, a[12 + i] += ki * z;
            a[j] -= kj * x, a[6 + j] -= kj * y, a[12 + j] -= kj * z;
        }
}

static inline double solar_system_energy(const double *q, const double *v)
{
    const double *m = sun_and_planets;
    double        H = 0;
    for (int i = 0; i < 6; i++) {
        H += m[i] / 2 * (v[i] * v[i] + v[6 + i] * v[6 + i] + v[12 + i] * v[12 + i]);
        for (int j = i + 1; j < 6; j++) {
            const double x = q[j] - q[i], y = q[6 + j] - q[6 + i], z = q[12 + j] - q[12 + i];
            H -= 2.95912208286e-4 * m[i] * m[j] / sqrt(x * x + y * y + z * z);
        }
    }
    return H;
}

static inline void henon_heiles(const double *q, const double *v, double *a)
{
    (void)v;
    a[0] = -q[0] - 2 * q[0] * q[1];
    a[1] = -q[1] - q[0] * q[0] + q[1] * q[1];
}
static inline double henon_heiles_energy(const double *q, const double *v)
{
    return (v[0] * v[0] + v[1] * v[1] + q[0] * q[0] + q[1] * q[1]) / 2 + q[0] * q[0] * q[1]
         - q[1] * q[1] * q[1] / 3;
}

/* 32 sites between two that stand still, alpha = 1/4: a spring pulls with r + r^2/4. */
static inline void fput(const double *q, const double *v, double *a)
{
    double left = q[0] + 0.25 * q[0] * q[0];
    (void)v;
    for (int i = 0; i < 32; i++) {
        const double r = (i < 31 ? q[i + 1] : 0) - q[i], right = r + 0.25 * r * r;
        a[i] = right - left;
        left = right;
    }
}
static inline double fput_energy(const double *q, const double *v)
{
    double H = 0;
    for (int i = 0; i <= 32; i++) {
        const double r = (i < 32 ? q[i] : 0) - (i ? q[i - 1] : 0);
        H += r * r * (0.5 + 0.25 / 3 * r) + (i < 32 ? v[i] * v[i] / 2 : 0);
    }
    return H;
}

#endif
