/* (18ar), (18as):  the schemes of paper 002 solved as printed, against the states of noether.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, F. Jourdan, Simpson variational integrator for nonlinear
 * systems: a tutorial on the Lagrange top, arXiv:2512.03330.  Binary128; a Newton step is solved
 * by elimination with pivots. */
#include "systems.h"

/* ---- dense equations ---- */

static void solve(int n, quad A[SIZE][SIZE], quad *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++)
            if (fabsq(A[i][k]) > fabsq(A[p][k])) p = i;
        for (int j = 0; j < n; j++) {
            quad t = A[k][j];
            A[k][j] = A[p][j];
            A[p][j] = t;
        }
        quad t = b[k];
        b[k] = b[p];
        b[p] = t;
        for (int i = k + 1; i < n; i++) {
            const quad f = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
}

static quad mv(const point *x, int i, int n, const quad *v)
{
    quad s = 0;
    for (int j = 0; j < n; j++) s += x->M[i][j] * v[j];
    return s;
}

/* ---- (18ar): unknowns (q_m, q, p); J may be NULL ---- */

static void simpson(const thing *x, quad h, const quad *ql, const quad *pl, const quad *u, quad *R,
                    quad J[SIZE][SIZE])
{
    const int   n = x->n;
    const quad *qm = u, *q = u + n, *p = u + 2 * n;
    quad        gl[MOST] = { 0 }, gm[MOST] = { 0 }, g[MOST] = { 0 };
    point       l, m, r;
    for (int i = 0; i < n; i++) {
        gl[i] = (-3 * ql[i] + 4 * qm[i] - q[i]) / h, gm[i] = (q[i] - ql[i]) / h,
        g[i] = (ql[i] - 4 * qm[i] + 3 * q[i]) / h;
    }
    x->at(ql, gl, &l), x->at(qm, gm, &m), x->at(q, g, &r);
    for (int i = 0; i < n; i++) {
        R[i] = mv(&r, i, n, g) - mv(&l, i, n, gl) - h * m.F[i];
        R[n + i] = p[i] - pl[i] - h / 6 * (l.F[i] + 4 * m.F[i] + r.F[i]);
        R[2 * n + i] = (mv(&l, i, n, gl) + 4 * mv(&m, i, n, gm) + mv(&r, i, n, g)) / 6
                     + h / 12 * (r.F[i] - l.F[i]) - (p[i] + pl[i]) / 2;
    }
    for (int i = 0; i < n && J; i++)
        for (int j = 0; j < n; j++) {
            J[i][j] = -4 / h * (r.M[i][j] + l.M[i][j]) - h * m.H[i][j];
            J[i][n + j] = (3 * r.M[i][j] + l.M[i][j]) / h + r.G[i][j] - m.G[j][i];
            J[i][2 * n + j] = 0;
            J[n + i][j] = -2 * (l.G[j][i] - r.G[j][i]) / 3 - 2 * h / 3 * m.H[i][j];
            J[n + i][n + j] = l.G[j][i] / 6 - 2 * m.G[j][i] / 3 - r.G[j][i] / 2 - h / 6 * r.H[i][j];
            J[n + i][2 * n + j] = i == j;
            J[2 * n + i][j] = 2 / (3 * h) * (l.M[i][j] - r.M[i][j]) + 2 * m.G[i][j] / 3
                            - (r.G[j][i] + l.G[j][i]) / 3;
            J[2 * n + i][n + j] = (-l.M[i][j] + 4 * m.M[i][j] + 3 * r.M[i][j]) / (6 * h)
                                + r.G[i][j] / 6 + h / 12 * r.H[i][j] + r.G[j][i] / 4
                                + l.G[j][i] / 12;
            J[2 * n + i][2 * n + j] = i == j ? -0.5Q : 0;
        }
}

/* ---- (18as): unknowns (q, p) ---- */

static void midpoint(const thing *x, quad h, const quad *ql, const quad *pl, const quad *u, quad *R,
                     quad J[SIZE][SIZE])
{
    const int n = x->n;
    quad      qm[MOST] = { 0 }, g[MOST] = { 0 };
    point     m;
    for (int i = 0; i < n; i++) qm[i] = (u[i] + ql[i]) / 2, g[i] = (u[i] - ql[i]) / h;
    x->at(qm, g, &m);
    for (int i = 0; i < n; i++) {
        R[i] = u[n + i] - pl[i] - h * m.F[i];
        R[n + i] = (u[n + i] + pl[i]) / 2 - mv(&m, i, n, g);
    }
    for (int i = 0; i < n && J; i++)
        for (int j = 0; j < n; j++) {
            J[i][j] = -h / 2 * m.H[i][j] - m.G[j][i];
            J[i][n + j] = i == j;
            J[n + i][j] = -m.M[i][j] / h - m.G[i][j] / 2;
            J[n + i][n + j] = i == j ? 0.5Q : 0;
        }
}

typedef void scheme(const thing *, quad, const quad *, const quad *, const quad *, quad *,
                    quad[SIZE][SIZE]);

/* Newton's algorithm from (q_l, .., p_l); returns how many iterations. */
static int newton(scheme *F, const thing *x, int blocks, quad h, const quad *ql, const quad *pl,
                  quad *u)
{
    const int n = x->n, N = blocks * n;
    for (int i = 0; i < n; i++) {
        for (int b = 0; b + 1 < blocks; b++) u[b * n + i] = ql[i];
        u[N - n + i] = pl[i];
    }
    quad before = 1e300Q;
    for (int it = 1; it < 60; it++) {
        quad R[SIZE], J[SIZE][SIZE], size = 0;
        F(x, h, ql, pl, u, R, J);
        solve(N, J, R);
        for (int i = 0; i < N; i++) u[i] -= R[i], size = largest(size, R[i]);
        if (it > 6 && size >= before) return it;
        before = size;
    }
    return 60;
}

/* ---- claims ---- */

static void as_printed(scheme *F, int blocks, const char *method, const char *equation)
{
    char what[120];
    for (int t = 0; t < 3; t++) {
        const thing *x = &things[t];
        const int    n = x->n, steps = 20, N = blocks * n;
        const quad   h = x->length / (t ? 20 : 40);
        int          rows;
        quad        *y = states(x, method, 33, h, steps, &rows), u[SIZE], worst = 0, jacobian = 0,
             scale[2 * MOST] = { 0 };
        for (int k = 0; k < rows; k++)
            for (int i = 0; i < 2 * n; i++) scale[i] = largest(scale[i], y[2 * n * k + i]);
        quad q[MOST], p[MOST];
        for (int i = 0; i < n; i++) q[i] = y[i], p[i] = y[n + i];
        for (int k = 1; k <= steps; k++) { /* its own trajectory: errors add up */
            newton(F, x, blocks, h, q, p, u);
            if (k == 7) { /* blocks of the Jacobian */
                quad J[SIZE][SIZE], R[2][SIZE], most = 0;
                F(x, h, q, p, u, R[0], J);
                for (int c = 0; c < N; c++) {
                    const quad was = u[c], e = 1e-11Q;
                    u[c] = was + e, F(x, h, q, p, u, R[1], NULL);
                    u[c] = was - e, F(x, h, q, p, u, R[0], NULL);
                    u[c] = was;
                    for (int r = 0; r < N; r++) {
                        most = largest(most, J[r][c]);
                        jacobian = largest(jacobian, (R[1][r] - R[0][r]) / (2 * e) - J[r][c]);
                    }
                }
                jacobian /= most;
            }
            for (int i = 0; i < n; i++) {
                q[i] = u[N - 2 * n + i], p[i] = u[N - n + i];
                worst = largest(worst, (q[i] - y[2 * n * k + i]) / scale[i]);
                worst = largest(worst, (p[i] - y[2 * n * k + n + i]) / scale[n + i]);
            }
        }
        free(y);
        snprintf(what, sizeof what,
                 "%s with all %d unknowns gives the states of the reduced equations: %s", equation,
                 N, x->file + 8);
        claim(what,
              "20 steps by Newton's algorithm from (q_l, p_l); states of noether in binary128",
              worst, 3e-31Q);
        snprintf(what, sizeof what, "blocks of its Jacobian: %s", x->file + 8);
        claim(what, "central differences of width 1e-11 at step 7, relative to the largest",
              jacobian, 1e-20Q);
    }
}

/* (8), (10), (11), (13) along noether's trajectory of the double pendulum. */
static void momenta(void)
{
    const thing *x = &things[0];
    const quad   h = (quad)1 / 40;
    int          rows;
    quad *y = states(x, "simpson", 33, h, 20, &rows), u[SIZE], eight = 0, ten = 0, eleven = 0,
         thirteen = 0;
    for (int k = 0; k + 1 < rows; k++) {
        const quad *ql = y + 4 * k, *pl = ql + 2, *q = ql + 4, *p = ql + 6;
        newton(simpson, x, 3, h, ql, pl, u);
        quad  gl[2], gm[2], g[2];
        point l, m, r;
        for (int i = 0; i < 2; i++)
            gl[i] = (-3 * ql[i] + 4 * u[i] - q[i]) / h, gm[i] = (q[i] - ql[i]) / h,
            g[i] = (ql[i] - 4 * u[i] + 3 * q[i]) / h;
        x->at(ql, gl, &l), x->at(u, gm, &m), x->at(q, g, &r);
        for (int i = 0; i < 2; i++) {
            const quad a = mv(&l, i, 2, gl), b = mv(&m, i, 2, gm), c = mv(&r, i, 2, g);
            eight = largest(eight, 2 * (a - c) / 3 + 2 * h / 3 * m.F[i]);
            ten = largest(ten, (-a + 4 * b + 3 * c) / 6 + h / 6 * r.F[i] - p[i]);
            eleven = largest(eleven, (a + 4 * b + c) / 6 + h / 6 * (2 * m.F[i] + r.F[i]) - p[i]);
            thirteen = largest(thirteen,
                               (a + 4 * b + c) / 6 - h / 6 * (l.F[i] + 2 * m.F[i]) - pl[i]);
        }
    }
    free(y);
    claim("(8) discrete Euler-Lagrange equation of the middle",
          "20 steps of noether, double pendulum, binary128", eight, 1e-31Q);
    claim("(10), (11), (14) momentum at the right end", "the same states", largest(ten, eleven),
          1e-31Q);
    claim("(12), (13) momentum at the left end: the matching of two steps", "the same states",
          thirteen, 1e-31Q);
}

int main(void)
{
    begin();
    as_printed(simpson, 3, "simpson", "(18ar)");
    as_printed(midpoint, 2, "midpoint", "(18as)");
    momenta();
    return failures != 0;
}
