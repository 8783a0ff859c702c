/* p <- p - tau H_q(p', q),  q <- q + tau H_p(p', q):  (9) for any H.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * T. Luo, Y. Guo, Application of explicit symplectic algorithms to integration of damping
 * oscillators.  And the substitute (17) to (19) of several coordinates. */
#include "../claim.h"

/* ---- (9) of the double pendulum: H = p.M(q)^-1 p/2 + V(q), in units of m l^2 and g/l = (2
 * pi)^2 ---- */

static void gradient(const quad *q, const quad *p, quad *Hq, quad *Hp)
{
    const quad l = NUM(9.81) / (4 * M_PIq * M_PIq), b = l * l, gl = NUM(9.81) * l,
               s = sinq(q[0] - q[1]), c = cosq(q[0] - q[1]);
    const quad det = b * (2 - c * c);
    Hp[0] = (p[0] - c * p[1]) / det, Hp[1] = (2 * p[1] - c * p[0]) / det;
    /* -dT/dq1 at given velocities is dH/dq1 at given momenta */
    const quad w = b * Hp[0] * Hp[1] * s;
    Hq[0] = w + 2 * gl * sinq(q[0]), Hq[1] = -w + gl * sinq(q[1]);
}

static quad *steps(const quad *y, quad tau, int N, int *rows)
{
    return noether(
        4, rows,
        "systems/double_pendulum.lag q1=%s q2=%s q1.p=%s q2.p=%s --digits 33 --method 'P1 "
        "radau-left 1' --step %s --until '%d*%s' --columns q1,q2,q1.p,q2.p",
        text(y[0]), text(y[1]), text(y[2]), text(y[3]), text(tau), N, text(tau));
}

static void any_hamiltonian(void)
{
    quad worst = 0, area = 0;
    for (int k = 0; k < 5; k++) {
        const quad y[4] = { 2 * some(), 2 * some(), some() / 2, some() / 3 },
                   tau = NUM(0.02) * (1 + some() / 2);
        int   rows;
        quad *x = steps(y, tau, 4, &rows);
        for (int i = 0; i + 1 < rows; i++) {
            const quad *a = x + 4 * i, *z = a + 4;
            quad        Hq[2], Hp[2];
            gradient(a, z + 2, Hq, Hp); /* the new momenta, the old coordinates */
            for (int j = 0; j < 2; j++)
                worst = largest(largest(worst, z[2 + j] - a[2 + j] + tau * Hq[j]),
                                z[j] - a[j] - tau * Hp[j]);
        }
        free(x);
        /* D'JD = J of one step, by central differences */
        quad D[4][4];
        for (int c = 0; c < 4; c++) {
            const quad e = 1e-11Q;
            quad       up[4], down[4];
            memcpy(up, y, sizeof up), memcpy(down, y, sizeof down);
            up[c] += e, down[c] -= e;
            quad *a = steps(up, tau, 1, &rows), *b = steps(down, tau, 1, &rows);
            for (int r = 0; r < 4; r++) D[r][c] = (a[4 + r] - b[4 + r]) / (2 * e);
            free(a), free(b);
        }
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++) {
                quad sum = 0;
                for (int j = 0; j < 2; j++) sum += D[j][r] * D[2 + j][c] - D[2 + j][r] * D[j][c];
                area = largest(area, sum - (c == r + 2) + (r == c + 2));
            }
    }
    claim(
        "(9) for a Hamiltonian that is not separable: noether's \"P1 radau-left 1\" on the double "
        "pendulum",
        "four steps from five random states, binary128", worst, 5e-33Q);
    claim("(9) is symplectic for any H", "D'JD - J of the same steps, differences of width 1e-11",
          area, 1e-21Q);
    /* its order, and what (10) is */
    static const char run[] =
        "systems/%s --method '%s' --step 1/%d --until 1 --digits 33 --columns %s";
    int        rows;
    quad      *exact = noether(2, &rows, run, "double_pendulum.lag", "gauss 8", 400, "q1,q2"), e[2];
    const quad end[2] = { exact[2 * rows - 2], exact[2 * rows - 1] };
    for (int k = 0; k < 2; k++) {
        quad *x = noether(2, &rows, run, "double_pendulum.lag", "P1 radau-left 1", 1600 << k,
                          "q1,q2");
        e[k] = largest(fabsq(x[2 * rows - 2] - end[0]), x[2 * rows - 1] - end[1]);
        free(x);
    }
    free(exact);
    claim("(9) is of first order",
          "|log2 of the errors at t = 1 in 1600 and 3200 steps - 1|, double pendulum",
          fabsq(log2q(e[0] / e[1]) - 1), 0.05Q);
    quad *a = noether(2, &rows, run, "pendulum.lag", "P1 radau-left 1", 50, "q,q.p"), apart = 0;
    quad *b = noether(2, &rows, run, "pendulum.lag", "euler", 50, "q,q.p");
    for (int i = 0; i < 2 * rows; i++) apart = largest(apart, a[i] - b[i]);
    free(a), free(b);
    claim("(9), (10): where H = U(p) + V(q) the scheme is explicit, noether's euler",
          "50 steps of the pendulum by both", apart, 5e-32Q);
}

/* ---- (11) to (19) in two coordinates ---- */

static void substitute(void)
{
    const quad c[2][2] = { { 1, 0.25Q }, { 0.25Q, 1.5Q } }, check[2] = { NUM(0.3), NUM(0.5125) },
               hat = NUM(0.1), u[2] = { 1, 2 };
    int   rows, same;
    quad *d = noether(5, &rows, "papers/004/damped2.lag --digits 33 --columns t,q1,q2,q1.v,q2.v");
    quad *s = noether(5, &same,
                      "papers/004/substitute2.lag --digits 33 --columns t,q1,q2,q1.v,q2.v");
    quad *H = noether(1, &same, "papers/004/substitute2.lag --digits 33 --columns energy");
    quad  exact = 0, shared = 0, forces = 0, constant = 0;
    for (int k = 0; k < rows && rows == same; k++) {
        const quad *y = d + 5 * k;
        quad        h = (y[3] * y[3] + y[4] * y[4]) / 2;
        for (int i = 0; i < 2; i++) {
            exact = largest(exact, y[1 + i] - u[i] * expq(-y[0] / 2));
            shared = largest(largest(shared, y[1 + i] - s[5 * k + 1 + i]),
                             y[3 + i] - s[5 * k + 3 + i]);
            /* (12), (14): the forces C q' and the rest of K q as functions of q_i alone; (13),
             * (15), (16): K~_ii */
            quad K = hat * u[1 - i] / u[i];
            for (int j = 0; j < 2; j++) K -= c[i][j] * u[j] / u[i] / 2;
            forces = largest(forces,
                             c[i][0] * y[3] + c[i][1] * y[4] + hat * y[2 - i] - K * y[1 + i]);
            h += (check[i] + K) * y[1 + i] * y[1 + i] / 2; /* (19) */
        }
        constant = largest(constant, h - H[0]);
    }
    claim("(11) in two coordinates: q = u e^(-t/2)", "81 states of gauss 6, step 0.05, binary128",
          exact, 2e-31Q);
    claim("(12) to (16): damping and coupling are K~_ii q_i along it", "the same states", forces,
          7e-33Q);
    claim("(17): the substitute of two coordinates has the same motion",
          "noether's run of it from the same start", shared, 1e-32Q);
    claim("(18), (19): its Hamiltonian is constant on the common curve",
          "H at the states of the damped run", constant, 5e-33Q);
    free(d), free(s), free(H);
}

/* (19) of the second example along noether's motion: T + int (K diagonal) q.dq + int (K~ q).dq,
 * by Boole's rule. */
static void along_a_motion(void)
{
    enum { N = 8000 };
    int rows;
    quad
        *y = noether(
            4, &rows,
            "systems/duffing_planar.lag q1=1 q2=-0.5 q1.v=0.3 q2.v=0.7 --digits 33 --method 'gauss "
            "8' --step 0.0025 --until 20 --columns q1,q2,q1.v,q2.v"),
        power[5], sum = 0, worst = 0, first = 0;
    for (int i = 0; i < rows && rows == N + 1; i++) {
        const quad a = y[4 * i], b = y[4 * i + 1], v = y[4 * i + 2], w = y[4 * i + 3];
        /* (26) divided by its masses; K~ q = C q' + (the rest of K) q */
        power[i % 4] = (NUM(0.1) * v + b) / 2 * v + (NUM(0.2) * w + a) / 3 * w;
        if (i % 4) continue;
        if (i)
            sum += NUM(0.01) / 90
                 * (7 * power[4] + 32 * power[1] + 12 * power[2] + 32 * power[3] + 7 * power[0]);
        power[4] = power[0];
        const quad H = (v * v + w * w) / 2 + (a * a + NUM(0.025) * a * a * a * a) / 2
                     + (b * b + NUM(0.05) * b * b * b * b) / 3 + sum;
        if (!i) first = H;
        worst = largest(worst, H / first - 1);
    }
    free(y);
    claim("(19) is constant along the motion of (26)",
          "8000 steps of gauss 8 to t = 20, its second integral by Boole's rule, relative",
          rows == N + 1 ? worst : 1, 2e-16Q);
}

int main(void)
{
    any_hamiltonian();
    substitute();
    along_a_motion();
    return failures != 0;
}
