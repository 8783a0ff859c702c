/* x'' + delta x' + alpha x + beta x^3 = gamma cos(Omega t):  amplitudes of its periodic motions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A periodic motion is a fixed point of the map P over one period of the driving, z = (x, p).
 * Newton's method, z <- z + (1 - M)^-1 (P(z) - z), takes M = dP/dz from noe_step_jacobian; the
 * motion is stable when the eigenvalues of M lie inside the unit circle.  Driven faster and
 * faster the motion follows the upper branch until that ends, slower and slower the lower one:
 * between the two jumps there are two amplitudes.  The column beside each is the first
 * harmonic's, ((Omega^2 - alpha - 3/4 beta A^2)^2 + delta^2 Omega^2) A^2 = gamma^2. */
#include "noether.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 200 };

/* One period from z: the new z, M [2][2], the largest |x| of the parabolas through three points. */
static double period(noe_integrator *g, double z[2], double M[4])
{
    double x[3] = { 0 }, most = 0;
    if (noe_start_momentum(g, 0, z, z + 1)) return NAN;
    M[0] = M[3] = 1, M[1] = M[2] = 0;
    for (int k = 0; k < STEPS; k++) {
        double J[4], N[4];
        if (noe_step_jacobian(g, J)) return NAN;
        for (int i = 0; i < 4; i++)
            N[i] = J[i / 2 * 2] * M[i % 2] + J[i / 2 * 2 + 1] * M[2 + i % 2];
        for (int i = 0; i < 4; i++) M[i] = N[i];
        x[0] = x[1], x[1] = x[2], x[2] = noe_q(g)[0];
        const double slope = (x[2] - x[0]) / 2, bend = x[2] - 2 * x[1] + x[0];
        if (k >= 2 && fabs(slope) <= fabs(bend))
            most = fmax(most, fabs(x[1] - slope * slope / bend / 2));
    }
    z[0] = noe_q(g)[0], z[1] = noe_p(g)[0];
    return most;
}

/* The amplitude of the stable periodic motion that z runs into at this frequency; z becomes a
 * point of it. */
static double amplitude(const noe_system *model, double Omega, double z[2])
{
    noe_system     *s = noe_system_with(model, "Omega", Omega);
    noe_method     *gauss = noe_method_parse("gauss 3");
    noe_integrator *g = noe_integrator_new(s, gauss, 8 * atan(1) / Omega / STEPS);
    double          M[4], A = NAN;
    for (int i = 0; i < 60; i++) period(g, z, M); /* let it settle */
    for (int i = 0; i < 8; i++) {
        const double x = z[0], p = z[1];
        A = period(g, z, M);
        const double a = 1 - M[0], b = -M[1], c = -M[2], d = 1 - M[3], det = a * d - b * c,
                     r = z[0] - x, u = z[1] - p;
        z[0] = x + (d * r - b * u) / det;
        z[1] = p + (a * u - c * r) / det;
    }
    /* exp(-delta period) < 1, so stable unless a real one leaves the circle */
    const double det = M[0] * M[3] - M[1] * M[2];
    if (fabs(M[0] + M[3]) >= 1 + det) A = NAN;
    noe_integrator_free(g);
    noe_method_free(gauss);
    noe_system_free(s);
    return A;
}

/* The root A of the first harmonic's equation that lies nearest to `near`. */
static double harmonic(const noe_system *s, double w, double near)
{
    const double alpha = noe_system_get(s, "alpha"), beta = noe_system_get(s, "beta");
    const double delta = noe_system_get(s, "delta"), gamma = noe_system_get(s, "gamma");
    double       A = near;
    for (int i = 0; i < 30; i++) {
        const double k = w * w - alpha - 0.75 * beta * A * A,
                     f = (k * k + delta * delta * w * w) * A * A - gamma * gamma;
        A -= f / (2 * A * (k * k + delta * delta * w * w) - 3 * beta * A * A * A * k);
    }
    return A;
}

int main(void)
{
    enum { FIRST = 8, LAST = 40, ALL = LAST + 1 }; /* frequencies in units of 0.05 */
    noe_system *model = noe_system_load("systems/duffing_driven.lag");
    double      up[ALL], down[ALL], z[2] = { 0, 0 };
    for (int k = FIRST; k <= LAST; k++) up[k] = amplitude(model, k * 0.05, z);
    for (int k = LAST; k >= FIRST; k--) down[k] = amplitude(model, k * 0.05, z);
    printf("Omega     faster  harmonic     slower  harmonic\n");
    for (int k = FIRST; k <= LAST && !noe_error(); k++) {
        printf("%5.2f %10.5f %9.3f", k * 0.05, up[k], harmonic(model, k * 0.05, up[k]));
        if (fabs(up[k] - down[k]) > 1e-6)
            printf(" %10.5f %9.3f", down[k], harmonic(model, k * 0.05, down[k]));
        printf("\n");
    }
    noe_system_free(model);
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    return noe_error() != NULL;
}
