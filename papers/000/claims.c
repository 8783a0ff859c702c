/* m q'^2/2 - m omega^2 (1 - cos q):  the formulas of paper 000, against the states of noether.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * F. Dubois, J. A. Rojas-Quintero, Simpson's quadrature for a nonlinear variational symplectic
 * scheme, 2023. */
#include "../claim.h"

#include <float.h>
#include <math.h>

static const quad m = 1;
static quad       w; /* omega */

static quad V1(quad q) { return m * w * w * sinq(q); }
static quad V2(quad q) { return m * w * w * cosq(q); }

/* Three nodes of a method from (q, p): x[0..2] = (q, p). */
typedef struct {
    quad q, p;
} node;
static void nodes(const char *method, quad h, quad q, quad p, node x[3])
{
    int   rows;
    quad *y = noether(
        3, &rows,
        "systems/pendulum.lag q=%s q.p=%s --digits 33 --method '%s' --step %s --until '2*%s' "
        "--columns t,q,q.p",
        text(q), text(p), method, text(h), text(h));
    if (rows != 3) exit(fprintf(stderr, "%d rows instead of 3\n", rows));
    for (int i = 0; i < 3; i++) x[i] = (node){ y[3 * i + 1], y[3 * i + 2] };
    free(y);
}

/* (17): q_m - h^2/(8m) V'(q_m) = (q_l + q_r)/2. */
static quad middle(quad h, quad l, quad r)
{
    quad x = (l + r) / 2;
    for (int i = 0; i < 60; i++)
        x -= (x - h * h / (8 * m) * V1(x) - (l + r) / 2) / (1 - h * h / (8 * m) * V2(x));
    return x;
}

/* ---- Newmark, section 3 ---- */

static void newmark(void)
{
    quad three = 0, p = 0, q = 0, det = 0, inverse = 0, symplectic = 0;
    for (int i = 0; i < 10; i++) {
        const quad h = NUM(0.05) * (1 + some() / 2);
        node       x[3];
        nodes("newmark", h, 3 * some(), 6 * some(), x);
        const quad a = (x[0].q + x[1].q) / 2, b = (x[1].q + x[2].q) / 2;
        three = largest(three,
                        (x[2].q - 2 * x[1].q + x[0].q) / (h * h) + (V1(b) + V1(a)) / (2 * m));
        p = largest(p, x[1].p - x[0].p + h * V1(a));
        q = largest(q, x[1].q - x[0].q - h / (2 * m) * (x[1].p + x[0].p));
        const quad A[2][2] = { { 1, h / 2 * V2(a) }, { -h / (2 * m), 1 } }; /* dF_N; A of (10) */
        const quad B[2][2] = { { 1, -h / 2 * V2(a) }, { h / (2 * m), 1 } };
        const quad dA = A[0][0] * A[1][1] - A[0][1] * A[1][0],
                   dB = B[0][0] * B[1][1] - B[0][1] * B[1][0];
        const quad d = 1 + h * h / (4 * m) * V2(a);
        det = largest(largest(det, dA - d), dB - d);
        const quad I[2][2] = { { 1 / d, -h / 2 * V2(a) / d }, { h / (2 * m) / d, 1 / d } };
        for (int r = 0; r < 2; r++)
            for (int c = 0; c < 2; c++)
                inverse = largest(inverse, A[r][0] * I[0][c] + A[r][1] * I[1][c] - (r == c));
        symplectic = largest(symplectic, dB / dA - 1);
    }
    claim("(7) three-level form of Newmark's scheme",
          "10 random starts, noether's newmark, binary128", three, 1e-29Q);
    claim("(9) Hamiltonian form of Newmark's scheme", "the same states", largest(p, q), 3e-32Q);
    claim("inverse of dF_N", "|dF_N times the printed inverse - 1|", inverse, 1e-32Q);
    claim("det A = 1 + h^2 V''/(4m) = det B for Newmark, so J = 1",
          "determinants at the same states", largest(det, symplectic), 1e-32Q);
}

/* ---- Simpson, section 4 ---- */

static void simpson(void)
{
    quad three = 0, right = 0, left = 0, p = 0, q = 0, det = 0, jacobian = 0, adjugate = 0,
         no_det = 0, no_half = 0;
    quad slip = 0, slipped = 0, bar = 0, plain = 0;
    for (int i = 0; i < 10; i++) {
        const quad h = NUM(0.05) * (1 + some() / 2);
        node       x[3];
        nodes("simpson", h, 3 * some(), 6 * some(), x);
        const quad a = middle(h, x[0].q, x[1].q), b = middle(h, x[1].q, x[2].q), q0 = x[0].q,
                   q1 = x[1].q;
        three = largest(three,
                        (q0 - 2 * q1 + x[2].q) / (h * h) + (V1(a) + V1(q1) + V1(b)) / (3 * m));
        right = largest(right, m / h * (q1 - q0) - h / 6 * (2 * V1(a) + V1(q1)) - x[1].p);
        left = largest(left, m / h * (x[2].q - q1) + h / 6 * (V1(q1) + 2 * V1(b)) - x[1].p);
        p = largest(p, x[1].p - x[0].p + h / 6 * (V1(q0) + 4 * V1(a) + V1(q1)));
        q = largest(q, q1 - q0 - h * h / (12 * m) * (V1(q1) - V1(q0))
                           - h / (2 * m) * (x[1].p + x[0].p));
        /* dL_S/dq_m: g_l 4/h - g_r 4/h, or g_l 4/h + g_l 4/h as printed */
        const quad gl = (-3 * q0 + 4 * a - q1) / h, gr = (q0 - 4 * a + 3 * q1) / h;
        slip = largest(slip, m * h / 6 * (gl * 4 / h - gr * 4 / h) - 2 * h / 3 * V1(a));
        slipped = largest(slipped, m * h / 6 * (gl * 4 / h + gl * 4 / h) - 2 * h / 3 * V1(a));
        const quad hbar = h / (2 * M_PIq);
        plain = largest(plain, a - h * h / (8 * m) * V1(a) - (q0 + q1) / 2);
        bar = largest(bar, a - hbar * hbar / (8 * m) * V1(a) - (q0 + q1) / 2);
        /* A, B of (10), V~'' = 2 V''/(1 - h^2 V''/(8m)) */
        const quad tilde = 2 * V2(a) / (1 - h * h / (8 * m) * V2(a)), s = h * h / (12 * m);
        const quad dA = (1 - s * V2(q1)) + h / 6 * (V2(q1) + tilde) * h / (2 * m);
        const quad dB = (1 - s * V2(q0)) + h / 6 * (V2(q0) + tilde) * h / (2 * m);
        det = largest(largest(det, dA - 1 - s * tilde), dB - 1 - s * tilde);
        /* dF_S at any (q_m, p, q), its adjugate as printed, with 1/2 for the lost entry (1,3) */
        const quad t = h / m * V2(a), f = h / m * V2(q1);
        const quad J[3][3] = { { 1 - h * t / 8, 0, -0.5Q },
                               { 2 * m * t / 3, 1, m * f / 6 },
                               { 0, -h / (2 * m), 1 - h * f / 12 } };
        const quad X[3][3] = { { 1, h / (4 * m), 0.5Q },
                               { -2 * m * t / 3 + h * m * t * f / 18,
                                 1 - h * t / 8 - h * f / 12 + h * h * t * f / 96,
                                 -m * t / 3 - m * f / 6 + h * m * t * f / 48 },
                               { -h * t / 3, h / (2 * m) - h * h * t / (16 * m), 1 - h * t / 8 } };
        const quad d = 1 + h * t / 24;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                quad one = 0, without = 0;
                for (int k = 0; k < 3; k++) {
                    one += X[r][k] * J[k][c];
                    without += (r == 0 && k == 2 ? 0 : X[r][k]) * J[k][c];
                }
                adjugate = largest(adjugate, one / d - (r == c));
                no_det = largest(no_det, one - (r == c));
                no_half = largest(no_half, without / d - (r == c));
            }
        /* dF_S by central differences of F_S = (17), (21) */
        for (int c = 0; c < 3; c++) {
            quad F[2][3];
            for (int sign = 0; sign < 2; sign++) {
                quad y[3] = { a, x[1].p, q1 };
                y[c] += sign ? 1e-11Q : -1e-11Q;
                F[sign][0] = y[0] - h * h / (8 * m) * V1(y[0]) - (q0 + y[2]) / 2;
                F[sign][1] = y[1] - x[0].p + h / 6 * (V1(q0) + 4 * V1(y[0]) + V1(y[2]));
                F[sign][2] = y[2] - q0 - h * h / (12 * m) * (V1(y[2]) - V1(q0))
                           - h / (2 * m) * (y[1] + x[0].p);
            }
            for (int r = 0; r < 3; r++)
                jacobian = largest(jacobian, (F[1][r] - F[0][r]) / 2e-11Q - J[r][c]);
        }
    }
    claim("(18) three-level form of Simpson's scheme, with q_m from (17)",
          "10 random starts, noether's simpson, binary128", three, 1e-29Q);
    claim("(19) right momentum", "the same states", right, 2e-31Q);
    claim("(20) left momentum", "the same states", left, 2e-31Q);
    claim("(21) discrete Hamiltonian dynamics", "the same states", largest(p, q), 3e-32Q);
    claim("det A = 1 + h^2 V~''/(12m) = det B for Simpson, so the scheme is symplectic",
          "the same states", det, 1e-32Q);
    claim("matrix dF_S", "central differences of (17)(21), width 1e-11", jacobian, 2e-21Q);
    claim("inverse of dF_S, with the two corrections of the errata", "|inverse times dF_S - 1|",
          adjugate, 1e-32Q);
    erratum("inverse-determinant", "largest entry of |inverse times dF_S - 1|", no_det, adjugate);
    erratum("inverse-entry", "the same, with the factor 1/det, without the entry (1,3)", no_half,
            adjugate);
    erratum("hbar", "(17) at the middle that makes dL_S/dq_m = 0; hbar read as h/2 pi", bar, plain);
    erratum("variation-of-the-middle", "dL_S/dq_m at noether's states", slipped, slip);
}

/* det d(q, p)_1/d(q, p)_0 of the program's own step, by central differences. */
static void area(const char *method)
{
    const quad e = 1e-10Q, h = NUM(0.1), q = NUM(1.1), p = -2;
    quad       D[2][2];
    node       x[3], y[3];
    for (int c = 0; c < 2; c++) {
        nodes(method, h, q + (c ? 0 : e), p + (c ? e : 0), x);
        nodes(method, h, q - (c ? 0 : e), p - (c ? e : 0), y);
        D[0][c] = (x[1].q - y[1].q) / (2 * e);
        D[1][c] = (x[1].p - y[1].p) / (2 * e);
    }
    if (!strcmp(method,
                "newmark")) { /* A D = B with the second derivative of V, or the first as printed */
        quad error[2] = { 0, 0 };
        nodes(method, h, q, p, x);
        const quad a = (x[0].q + x[1].q) / 2, slope[2] = { V1(a), V2(a) };
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < 2; c++) {
                error[k] = largest(error[k], D[1][c] + h / 2 * slope[k] * D[0][c]
                                                 - (c ? 1 : -h / 2 * slope[k]));
                error[k] = largest(error[k],
                                   D[0][c] - h / (2 * m) * D[1][c] - (c ? h / (2 * m) : 1));
            }
        erratum("second-derivative",
                "(10) A d(p, q)_1 = B d(p, q)_0 with the derivative of noether's step", error[0],
                error[1]);
    }
    char what[80];
    snprintf(what, sizeof what, "the scheme is area preserving: %s", method);
    claim(what, "det of the step's derivative - 1, differences of width 1e-10",
          fabsq(D[0][0] * D[1][1] - D[0][1] * D[1][0] - 1), 1e-20Q);
}

/* ---- sums that start at j = 1 ---- */

/* d/dq_1 of sum_j L_S(q_j, q_j+1/2, q_j+1): with the first interval it is 0 on a trajectory,
 * without it -p_1. */
static void first_interval(void)
{
    const quad h = NUM(0.05);
    node       x[3];
    nodes("simpson", h, 1, 2, x);
    const quad a = middle(h, x[0].q, x[1].q), b = middle(h, x[1].q, x[2].q);
    const quad right = m / h * (x[1].q - x[0].q) - h / 6 * (2 * V1(a) + V1(x[1].q));
    const quad left = -m / h * (x[2].q - x[1].q) - h / 6 * (V1(x[1].q) + 2 * V1(b));
    erratum(
        "sums",
        "d(discrete action)/dq_1 on noether's trajectory; as printed the first interval is missing",
        fabsq(left), fabsq(right + left));
}

/* ---- Newton's iterations, in double as in the paper ---- */

/* Of N steps over one period the largest count until the update is below 1e-13 of each unknown's
 * scale: three unknowns (q_m, p, q) from (q_j, p_j, q_j). */
static int iterations(int N, double T, int unknowns)
{
    const double h = T / N, W = (double)(w * w), scale = sqrt(2 * W);
    double       q0 = M_PI / 2, p0 = 0;
    int          most = 0;
    for (int j = 0; j < N; j++) {
        double a = q0, p = p0, q = q0, update = 1;
        int    it = 0;
        while (update > 1e-13 && it < 50) {
            double da = 0, dp, dq;
            if (unknowns == 3) {
                const double t = h * W * cos(a), f = h * W * cos(q), d = 1 + h * t / 24;
                const double F[3] = { a - h * h / 8 * W * sin(a) - (q0 + q) / 2,
                                      p - p0 + h / 6 * W * (sin(q0) + 4 * sin(a) + sin(q)),
                                      q - q0 - h * h / 12 * W * (sin(q) - sin(q0))
                                          - h / 2 * (p + p0) };
                da = -(F[0] + h / 4 * F[1] + F[2] / 2) / d;
                dp = -((-2 * t / 3 + h * t * f / 18) * F[0]
                       + (1 - h * t / 8 - h * f / 12 + h * h * t * f / 96) * F[1]
                       + (-t / 3 - f / 6 + h * t * f / 48) * F[2])
                   / d;
                dq = -(-h * t / 3 * F[0] + (h / 2 - h * h * t / 16) * F[1] + (1 - h * t / 8) * F[2])
                   / d;
            } else {
                const double c = W * cos((q0 + q) / 2), d = 1 + h * h / 4 * c;
                const double F[2] = { p - p0 + h * W * sin((q0 + q) / 2),
                                      q - q0 - h / 2 * (p + p0) };
                dp = -(F[0] - h / 2 * c * F[1]) / d;
                dq = -(h / 2 * F[0] + F[1]) / d;
            }
            a += da, p += dp, q += dq, it++;
            update = fmax(fmax(fabs(da), fabs(dq)), fabs(dp) / scale);
        }
        if (it > most) most = it;
        q0 = q, p0 = p;
    }
    return most;
}

/* ---- the exact solution, annex ---- */

/* F(phi, m) of (24), by Landen's descending transformation (Abramowitz, Stegun 17.6.8). */
static quad elliptic_F(quad phi, quad k2)
{
    quad a = 1, b = sqrtq(1 - k2), two = 1;
    for (int n = 0; a - b > 1e-34Q && n < 20; n++, two *= 2) {
        const quad t = atanq(b / a * tanq(phi)), g = sqrtq(a * b);
        phi += t + M_PIq * rintq((phi - t) / M_PIq); /* the branch next to phi */
        a = (a + b) / 2;
        b = g;
    }
    return phi / (two * a);
}

static void exact(quad K)
{
    static const char run[] = "systems/pendulum.lag --digits 33 --method 'gauss 8' "
                              "--step '%s/40' --until %s --columns t,q,q.p";
    int               rows;
    const quad        T = 4 * K / w, k2 = 0.5Q, k = sqrtq(k2);
    quad             *x = noether(3, &rows, run, text(T), text(T));
    quad              law = 0, slope = 0, energy = 0;
    for (int i = 1; i < 20; i++) { /* the first half period: phi falls from pi/2 to -pi/2 */
        const quad t = x[3 * i], q = x[3 * i + 1], v = x[3 * i + 2], phi = asinq(sinq(q / 2) / k);
        law = largest(law, w * t - (K - elliptic_F(phi, k2)));
        slope = largest(slope, v + 2 * w * k * cosq(phi));
        energy = largest(energy, v * v / 2 + w * w * (1 - cosq(q)) - w * w);
    }
    claim("(24) omega t = K(k^2) - F(phi, k^2)",
          "19 states of gauss 8, 40 steps a period, binary128", law, 2e-23Q);
    claim("dq/dt = -2 omega k cos phi", "the same states", slope, 5e-23Q);
    claim("the energy of (22) is conserved", "the same states", energy, 5e-22Q);
    claim("(25) omega T/4 = K(k^2)", "q and p at t = T less those at 0",
          largest(fabsq(x[3 * rows - 2] - M_PIq / 2), x[3 * rows - 1]), 1e-22Q);
    free(x);
}

/* Newmark's error of p over T, N = 50, with two meanings of T. */
static void period(double T)
{
    char   seen[120];
    double error[2];
    for (int i = 0; i < 2; i++) {
        int          rows;
        const double end = i ? T : 1;
        quad
            *x = noether(
                1, &rows,
                "systems/pendulum.lag --method newmark --step %.17g/50 --until %.17g --columns q.p",
                end, end),
            e = 0;
        quad *y = noether(
            1, &rows,
            "systems/pendulum.lag --method 'gauss 8' --step %.17g/50 --until %.17g --columns q.p",
            end, end);
        for (int j = 0; j < rows; j++) e = largest(e, x[j] - y[j]);
        error[i] = (double)e;
        free(x);
        free(y);
    }
    snprintf(seen, sizeof seen, "%.3g with the T of (25), %.3g with T = 2 pi/omega", error[1],
             error[0]);
    remark("meaning-of-T", "Table 1, first cell, 2.93e-2: noether's newmark, 50 steps, error of p",
           seen, fabs(error[1] - 2.93e-2) < 1e-4 && fabs(error[0] - 2.93e-2) > 1e-2);
}

/* Caption of table 1: Simpson is more precise by about three orders of magnitude.  Errors of p,
 * q, H over a period. */
static void precision(double T)
{
    quad least = 9;
    for (int N = 50; N <= 200; N *= 2) {
        quad e[2][3] = { { 0 } };
        for (int which = 0; which < 2; which++) {
            int   rows;
            quad *x = noether(
                6, &rows,
                "systems/pendulum.lag --method %s --step %.17g/%d --until %.17g --columns "
                "q,q.p,energy,q.exact,q.p.exact,t",
                which ? "simpson" : "newmark", T, N, T);
            for (int k = 0; k < rows; k++) {
                const quad *y = x + 6 * k;
                e[which][0] = largest(e[which][0], y[1] - y[4]);
                e[which][1] = largest(e[which][1], y[0] - y[3]);
                e[which][2] = largest(e[which][2], y[2] - x[2]);
            }
            free(x);
        }
        for (int i = 0; i < 3; i++) {
            const quad decades = log10q(e[0][i] / e[1][i]);
            if (decades < least) least = decades;
        }
    }
    claim("Table 1: Simpson is more precise than Newmark by about three orders of magnitude",
          "3 less the fewest decades of p, q, H at N = 50, 100, 200", 3 - least, 0.2Q);
}

int main(void)
{
    w = 2 * M_PIq;
    newmark();
    simpson();
    area("newmark");
    area("simpson");
    first_interval();
    const quad   K = elliptic_F(M_PIq / 2, 0.5Q);
    const double T = (double)(4 * K / w);
    claim("Newton's algorithm for Newmark converges in five iterations",
          "double, to 1e-13, the most of 50 steps a period", iterations(50, T, 2), 5);
    claim("Newton's algorithm for Simpson converges at the fifth iteration",
          "the same, 3 unknowns, N = 10", iterations(10, T, 3), 5);
    claim("the same, N = 50", "double, to 1e-13", iterations(50, T, 3), 5);
    claim("the same, N = 200", "double, to 1e-13", iterations(200, T, 3), 5);
    period(T);
    precision(T);
    exact(K);
    return failures != 0;
}
