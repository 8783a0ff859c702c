/* L(eps q, eps v) - L_L(eps q, eps v) = O(eps^4):  the linearised double pendulum of paper 003.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * From (44) to (46).  J. A. Rojas-Quintero, F. Dubois, J. G. Cabrera-Diaz, Simpson's variational
 * integrator for systems with quadratic Lagrangians, Axioms 13 (2024) 255. */
#include "../claim.h"

static quad       m1, m2, l1, l2;
static const quad g = 9.81Q;

static quad full(const quad *q, const quad *v) /* (44) */
{
    return (m1 + m2) * l1 * l1 * v[0] * v[0] / 2 + m2 * l2 * l2 * v[1] * v[1] / 2
         + m2 * l1 * l2 * v[0] * v[1] * cosq(q[0] - q[1]) + (m1 + m2) * g * l1 * cosq(q[0])
         + m2 * g * l2 * cosq(q[1]);
}

static quad linear(const quad *q, const quad *v) /* (46) */
{
    return (m1 + m2) * l1 * (l1 * v[0] * v[0] + 2 * g - g * q[0] * q[0]) / 2
         + m2 * l2 * (l2 * v[1] * v[1] + 2 * l1 * v[0] * v[1] + 2 * g - g * q[1] * q[1]) / 2;
}

static void lagrangian(void)
{
    quad worst = 0, kinetic = 0, momenta = 0, frequencies = 0;
    for (int i = 0; i < 10; i++) {
        const quad q[2] = { some(), some() }, v[2] = { 6 * some(), 6 * some() }, e = 1e-5Q,
                   f = 2e-5Q;
        m1 = 1 + some() / 2, m2 = 1 + some() / 2, l1 = 1 + some() / 2, l2 = 1 + some() / 2;
        const quad small[2] = { e * q[0], e * q[1] }, slow[2] = { e * v[0], e * v[1] };
        const quad twice[2] = { f * q[0], f * q[1] }, fast[2] = { f * v[0], f * v[1] };
        const quad one = full(small, slow) - linear(small, slow),
                   two = full(twice, fast) - linear(twice, fast);
        worst = largest(worst, log2q(two / one) - 4);
        /* the coordinates of the masses give T and V of (44) */
        const quad X[2] = { l1 * cosq(q[0]) * v[0],
                            l1 * cosq(q[0]) * v[0] + l2 * cosq(q[1]) * v[1] };
        const quad Y[2] = { l1 * sinq(q[0]) * v[0],
                            l1 * sinq(q[0]) * v[0] + l2 * sinq(q[1]) * v[1] };
        const quad T = m1 / 2 * (X[0] * X[0] + Y[0] * Y[0]) + m2 / 2 * (X[1] * X[1] + Y[1] * Y[1]);
        const quad V = -m1 * g * l1 * cosq(q[0]) - m2 * g * (l1 * cosq(q[0]) + l2 * cosq(q[1]));
        kinetic = largest(kinetic, T - V - full(q, v));
        /* p = dL_L/dq', by differences that a quadratic function has exactly */
        const quad p[2] = { (m1 + m2) * l1 * l1 * v[0] + m2 * l1 * l2 * v[1],
                            m2 * l2 * (l1 * v[0] + l2 * v[1]) };
        for (int k = 0; k < 2; k++) {
            quad up[2] = { v[0], v[1] }, down[2] = { v[0], v[1] };
            up[k] += 1, down[k] -= 1;
            momenta = largest(momenta, (linear(q, up) - linear(q, down)) / 2 - p[k]);
        }
        /* det(K - omega^2 M) over m2 l1 l2 is the auxiliary equation */
        const quad w = 4 + 2 * some();
        const quad a = (m1 + m2) * g * l1 - w * (m1 + m2) * l1 * l1, b = -w * m2 * l1 * l2,
                   d = m2 * g * l2 - w * m2 * l2 * l2;
        frequencies = largest(frequencies, (a * d - b * b) / (m2 * l1 * l2)
                                               - ((m1 + m2) * g * g - (m1 + m2) * g * (l1 + l2) * w
                                                  + m1 * l1 * l2 * w * w));
    }
    claim("(44) is T - V of the two masses", "10 random masses, lengths and states", kinetic,
          4e-31Q);
    claim("(45), (46): the linear form is (44) to fourth order",
          "10 random states of size 1e-5: |log2 of the difference at twice the size - 4|", worst,
          3e-9Q);
    claim("the momenta after (46)", "differences of (46), which is quadratic", momenta, 2e-31Q);
    claim("the auxiliary equation before (49) is det(K - omega^2 M) = 0",
          "10 random omega^2, scale 500", frequencies, 1e-30Q);
}

/* Largest distance over a second of the two pendulums started at (0, angle). */
static quad apart(const char *angle)
{
    static const char run[] =
        "systems/%s.lag q1=0 q2=%s --digits 33 --method 'gauss 8' --step 1/40 --until 1 --columns "
        "q1,q2";
    int   rows;
    quad *a = noether(2, &rows, run, "double_pendulum", angle),
         *b = noether(2, &rows, run, "linear_double_pendulum", angle), most = 0;
    for (int i = 0; i < 2 * rows; i++) most = largest(most, a[i] - b[i]);
    free(a), free(b);
    return most;
}

static void motions(void)
{
    const quad one = apart("1e-4"), two = apart("2e-4");
    claim("(47): small oscillations of the double pendulum are those of the linear one",
          "noether on both from (0, 1e-4), at rest: |log2 of their "
          "distances from twice the start - 3|",
          fabsq(log2q(two / one) - 3), 5e-7Q);
}

int main(void)
{
    lagrangian();
    motions();
    return failures != 0;
}
