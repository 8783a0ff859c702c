/* min over c of sum (y_i - theta(t_i; c))^2, by Gauss and Newton: theta <- theta + S dc.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Length, friction and start of a pendulum from 200 angles with errors of 0.01: S = d(theta)/dc is
 * exact, and 0.01 sqrt of the diagonal of (S^T S)^-1 are the standard errors.  Repeated with other
 * errors of measurement, an interval of 1.96 standard errors holds the truth in 95 % of all
 * cases. */
#include "noether.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { DATA = 200, C = 3, MOST = 20, REPEATED = 400 };

static const double      spread = 0.01, step = 0.05;
static const char *const name[C] = { "l", "c", "theta" };
static const double      truth[C] = { 0.8, 0.15, 1.2 };
static const char        model[] = "parameter   g = 9.81, l = 1, c = 0.3\n"
                                   "coordinate  theta\n"
                                   "kinetic     l^2/2*theta'^2\n"
                                   "potential   -g*l*cos(theta)\n"
                                   "dissipation c*l^2/2*theta'^2\n"
                                   "start       theta = 1\n";

/* A normal random number, from twelve uniform ones. */
static double normal(void)
{
    static uint64_t state = 1;
    double          sum = -6;
    for (int i = 0; i < 12; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(state >> 11) * 0x1p-53;
    }
    return sum;
}

/* The angles, and their derivatives [DATA][C], of the motion with these values. */
static void angles(const noe_system *s, const noe_method *f, const double c[C], double *theta,
                   double (*S)[C])
{
    noe_system *with[C];
    for (int j = 0; j < C; j++) with[j] = noe_system_with(j ? with[j - 1] : s, name[j], c[j]);
    noe_integrator *g = noe_integrator_new(with[C - 1], f, step);
    for (int i = 0; i < DATA && !noe_step(g); i++) {
        double all[2][C];
        theta[i] = noe_q(g)[0];
        if (S && !noe_sensitivity(g, all[0]))
            for (int j = 0; j < C; j++) S[i][j] = all[0][j];
    }
    noe_integrator_free(g);
    for (int j = 0; j < C; j++) noe_system_free(with[j]);
}

/* A <- A^-1 by Gauss and Jordan; A is positive definite. */
static void invert(double A[C][C])
{
    for (int k = 0; k < C; k++) {
        const double pivot = A[k][k];
        A[k][k] = 1;
        for (int j = 0; j < C; j++) A[k][j] /= pivot;
        for (int i = 0; i < C; i++) {
            const double factor = i == k ? 0 : A[i][k];
            if (i != k) A[i][k] = 0;
            for (int j = 0; j < C; j++) A[i][j] -= factor * A[k][j];
        }
    }
}

/* Corrects c until it moves no more; returns the number of corrections. */
static int fit(const noe_system *s, const noe_method *f, const double *data, double c[C],
               double error[C])
{
    int    k = 0;
    double moved = 1;
    for (; k < MOST && moved > 1e-9; k++) {
        double theta[DATA], S[DATA][C], A[C][C] = { { 0 } }, right[C] = { 0 };
        angles(s, f, c, theta, S);
        for (int i = 0; i < DATA; i++)
            for (int a = 0; a < C; a++) {
                right[a] += S[i][a] * (data[i] - theta[i]);
                for (int b = 0; b < C; b++) A[a][b] += S[i][a] * S[i][b];
            }
        invert(A);
        moved = 0;
        for (int a = 0; a < C; a++) {
            double by = 0;
            for (int b = 0; b < C; b++) by += A[a][b] * right[b];
            c[a] += by;
            moved = fmax(moved, fabs(by));
            error[a] = spread * sqrt(A[a][a]);
        }
    }
    return k;
}

int main(void)
{
    noe_system *plain = noe_system_parse(model),
               *s = noe_system_differentiated(plain, "l, c, theta");
    noe_method *f = noe_method_parse("simpson");
    double      exact[DATA], data[DATA];
    int         inside[C] = { 0 };
    angles(s, f, truth, exact, NULL);
    for (int k = 0; k < REPEATED; k++) {
        double c[C] = { 0.75, 0.2, 1 }, error[C];
        for (int i = 0; i < DATA; i++) data[i] = exact[i] + spread * normal();
        const int corrections = fit(s, f, data, c, error);
        for (int a = 0; a < C; a++) inside[a] += fabs(c[a] - truth[a]) <= 1.96 * error[a];
        for (int a = 0; a < C && !k; a++)
            printf("%-6s%8.5f +- %.5f  (%g)\n", name[a], c[a], error[a], truth[a]);
        if (!k) printf("%d corrections\n", corrections);
    }
    printf("of %d, within 1.96 standard errors: %d, %d, %d\n", REPEATED, inside[0], inside[1],
           inside[2]);
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    noe_method_free(f);
    noe_system_free(s);
    noe_system_free(plain);
    return noe_error() != NULL;
}
