/* M(q) q'' + C(q, q') q' + dV/dq = 0:  the equations of motion (2) and (18) of paper 002.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, F. Jourdan, Simpson variational integrator for nonlinear
 * systems: a tutorial on the Lagrange top, arXiv:2512.03330.  The equations are tested along
 * motions of noether.  The formulas are lost in the text at hand; these follow from its
 * Lagrangians.  Velocities are those of the momenta, accelerations their central differences over
 * ten nodes, of order 10. */
#include "systems.h"

enum { STEPS = 40, SIDE = 5 };

/* v = M^-1 p, by elimination: M is definite. */
static void velocity(const thing *x, const quad *q, const quad *p, quad *v)
{
    const int n = x->n;
    quad      A[MOST][MOST + 1], none[MOST] = { 0 };
    point     at;
    x->at(q, none, &at);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) A[i][j] = at.M[i][j];
        A[i][n] = p[i];
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const quad f = A[i][k] / A[k][k];
            for (int j = k; j <= n; j++) A[i][j] -= f * A[k][j];
        }
    for (int i = 0; i < n; i++) v[i] = A[i][n] / A[i][i];
}

/* d/dt at row k of y[rows][n], order 10. */
static void slope(const quad *y, int n, int k, quad h, quad *to)
{
    static const int over[SIDE] = { 5, -5, 5, -5, 1 }, under[SIDE] = { 6, 21, 84, 504, 1260 };
    for (int i = 0; i < n; i++) {
        to[i] = 0;
        for (int s = 1; s <= SIDE; s++)
            to[i] += (quad)over[s - 1] / under[s - 1] * (y[(k + s) * n + i] - y[(k - s) * n + i]);
        to[i] /= h;
    }
}

/* C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) q'_k / 2, times q'. */
static void coriolis(const thing *x, const quad *q, const quad *v, quad *to)
{
    const int n = x->n;
    quad      D[MOST][MOST][MOST]; /* dM_ik/dq_j: column j of G with v the k-th unit vector */
    for (int k = 0; k < n; k++) {
        quad  e[MOST] = { 0 };
        point at;
        e[k] = 1;
        x->at(q, e, &at);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) D[i][k][j] = at.G[i][j];
    }
    for (int i = 0; i < n; i++) {
        to[i] = 0;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                to[i] += (D[i][j][k] + D[i][k][j] - D[j][k][i]) / 2 * v[k] * v[j];
    }
}

static void equation_2(const thing *x, quad bound)
{
    const int  n = x->n;
    const quad h = x->length / 2000;
    int        rows;
    quad      *y = states(x, "gauss 8", 33, h, STEPS, &rows), v[(STEPS + 1) * MOST], worst = 0,
         scale = 0;
    char what[120];
    for (int k = 0; k < rows; k++) velocity(x, y + 2 * n * k, y + 2 * n * k + n, v + n * k);
    for (int k = SIDE; k + SIDE < rows; k++) {
        quad        a[MOST], C[MOST], none[MOST] = { 0 };
        const quad *q = y + 2 * n * k;
        point       at;
        slope(v, n, k, h, a);
        coriolis(x, q, v + n * k, C);
        x->at(q, none, &at); /* at rest F = -dV/dq */
        for (int i = 0; i < n; i++) {
            quad sum = C[i] - at.F[i];
            for (int j = 0; j < n; j++)
                sum += at.M[i][j] * a[j], scale = largest(scale, at.M[i][j] * a[j]);
            worst = largest(worst, sum);
        }
    }
    free(y);
    snprintf(what, sizeof what, "(2) M q'' + C(q, q') q' + dV/dq = 0: %s", x->file + 8);
    claim(
        what,
        "31 states of noether's gauss 8, accelerations by differences of order 10, relative to the "
        "largest M q''",
        worst / scale, bound);
}

/* The three equations (18) of a top, by hand. */
static void equation_18(const thing *x, quad I1, quad I3, quad a, const quad bound[3])
{
    const quad h = x->length / 2000;
    int        rows;
    quad      *y = states(x, "gauss 8", 33, h, STEPS, &rows), v[(STEPS + 1) * 3], worst[3] = { 0 },
         scale[3] = { 0 };
    static const char *const name[3] = { "precession", "nutation", "spin" };
    for (int k = 0; k < rows; k++) velocity(x, y + 6 * k, y + 6 * k + 3, v + 3 * k);
    for (int k = SIDE; k + SIDE < rows; k++) {
        quad       A[3];
        const quad s = sinq(y[6 * k + 1]), c = cosq(y[6 * k + 1]), f = v[3 * k], t = v[3 * k + 1],
                   u = v[3 * k + 2];
        slope(v, 3, k, h, A);
        const quad left[3][4] = { { (I1 * s * s + I3 * c * c) * A[0], I3 * c * A[2],
                                    2 * (I1 - I3) * s * c * f * t, -I3 * s * t * u },
                                  { I1 * A[1], -(I1 - I3) * s * c * f * f, I3 * s * f * u, -a * s },
                                  { I3 * A[2], I3 * c * A[0], -I3 * s * f * t, 0 } };
        for (int e = 0; e < 3; e++) {
            worst[e] = largest(worst[e], left[e][0] + left[e][1] + left[e][2] + left[e][3]);
            for (int i = 0; i < 4; i++) scale[e] = largest(scale[e], left[e][i]);
        }
    }
    free(y);
    for (int e = 0; e < 3; e++) {
        char what[120];
        snprintf(what, sizeof what, "(18) the equation of the %s: %s", name[e], x->file + 8);
        claim(what, "the same states, relative to the largest term", worst[e] / scale[e], bound[e]);
    }
}

int main(void)
{
    begin();
    /* what the differences leave: h^10/2772 times the eleventh derivative */
    equation_2(&things[0], 3e-22Q);
    equation_2(&things[1], 5e-25Q);
    equation_2(&things[2], 3e-25Q);
    equation_18(&things[1], NUM(1.1125e-5), NUM(6.25e-6), NUM(0.003924),
                (const quad[3]){ 5e-24Q, 3e-25Q, 1e-23Q });
    equation_18(&things[2], 1, 2, 4 * M_PIq * M_PIq, (const quad[3]){ 4e-25Q, 2e-25Q, 2e-24Q });
    return failures != 0;
}
