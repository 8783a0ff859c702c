/* x'' + C x' + K x = 0 by kicks and drifts:  the schemes and formulas of paper 004 as printed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * T. Luo, Y. Guo, Application of explicit symplectic algorithms to integration of damping
 * oscillators.  Compared with states of noether. */
#include "scheme.h"

#include <math.h>

static quad against_noether(const oscillator *x, const char *method, const quad *s, const quad *r,
                            int stages, reading how)
{
    static const char one[] = "systems/van_der_pol.lag x=%s x.v=%s --digits 33 --method %s "
                              "--step %s --until '3*%s' --columns x,x.v";
    static const char two[] = "systems/duffing_planar.lag q1=%s q2=%s q1.v=%s q2.v=%s "
                              "--digits 33 --method %s --step %s --until '3*%s' "
                              "--columns q1,q2,q1.v,q2.v";
    quad              worst = 0;
    for (int k = 0; k < 6; k++) {
        state      y = { { 1 + some() / 2, -1 + some() / 2 }, { some(), some() } };
        const quad tau = NUM(0.05) * (1 + some() / 2);
        int        rows;
        quad *g = x->n == 1 ? noether(2, &rows, one, text(y.q[0]), text(y.p[0]), method, text(tau),
                                      text(tau))
                            : noether(4, &rows, two, text(y.q[0]), text(y.q[1]), text(y.p[0]),
                                      text(y.p[1]), method, text(tau), text(tau));
        for (int i = 1; i < rows; i++) {
            y = step(x, y, tau, s, r, stages, how);
            for (int j = 0; j < x->n; j++) {
                worst = largest(worst, g[2 * x->n * i + j] - y.q[j]);
                worst = largest(worst, g[2 * x->n * i + x->n + j] - y.p[j]);
            }
        }
        free(g);
    }
    return worst;
}

static void schemes(void)
{
    quad s[4], r[4], wrong[4], one[1] = { 1 };
    coefficients(0, s, r);
    coefficients(1, s, wrong);
    claim("luo-guo1 is the scheme (21)",
          "three steps from six random starts, Van der Pol and (26), binary128",
          largest(against_noether(&van_der_pol, "luo-guo1", one, one, 1, EVERY_STAGE),
                  against_noether(&duffing, "luo-guo1", one, one, 1, FROZEN)),
          1e-30Q);
    claim("luo-guo4-printed is (24) with the coefficients of section 4.1", "the same",
          largest(against_noether(&van_der_pol, "luo-guo4-printed", s, wrong, 4, EVERY_STAGE),
                  against_noether(&duffing, "luo-guo4-printed", s, wrong, 4, EVERY_STAGE)),
          1e-29Q);
    claim("luo-guo4 is (24) with Neri's coefficients, K~ of every stage", "the same",
          largest(against_noether(&van_der_pol, "luo-guo4", s, r, 4, EVERY_STAGE),
                  against_noether(&duffing, "luo-guo4", s, r, 4, EVERY_STAGE)),
          1e-29Q);
    claim("luo-guo4-frozen is (24) with K~ of the beginning, damping and off-diagonal stiffness as "
          "in (20)",
          "the same",
          largest(against_noether(&van_der_pol, "luo-guo4-frozen", s, r, 4, FROZEN),
                  against_noether(&duffing, "luo-guo4-frozen", s, r, 4, FROZEN)),
          1e-28Q);
    claim("luo-guo4-drift is (22): every drift before its kick", "the same",
          largest(against_noether(&van_der_pol, "luo-guo4-drift", s, r, 4, DRIFT_FIRST),
                  against_noether(&duffing, "luo-guo4-drift", s, r, 4, DRIFT_FIRST)),
          1e-29Q);
    /* the conditions for order 4, of partial sums S of s and R of r */
    quad worst[2] = { 0, 0 };
    for (int k = 0; k < 2; k++) {
        const quad *d = k ? wrong : r;
        quad        S = 0, R = 0, sums[5] = { 0 };
        for (int i = 0; i < 4; i++) {
            sums[1] += s[i] * R * R, sums[3] += s[i] * R * R * R;
            S += s[i], R += d[i];
            sums[0] += d[i] * S, sums[2] += d[i] * S * S;
        }
        const quad should[] = { 0.5Q, 1 / 3.0Q, 1 / 3.0Q, 0.25Q };
        worst[k] = largest(fabsq(S - 1), R - 1);
        for (int i = 0; i < 4; i++) worst[k] = largest(worst[k], sums[i] - should[i]);
    }
    claim("Neri's coefficients satisfy the conditions of order 4", "six conditions", worst[0],
          1e-32Q);
    erratum("r2", "the conditions of order 4; the first one, sum r = 1, is 1.3512 as printed",
            worst[1], worst[0]);
}

/* One step of the Duffing example, as right and with a term as printed: errors of the step, of
 * order tau^2 and tau. */
static void printed_formulas(void)
{
    static const char run[] =
        "systems/duffing_planar.lag q1=1 q2=-0.5 q1.v=0.3 q2.v=0.7 --digits 33 "
        "--method 'gauss 8' --step 0.001 --until 0.001 --columns q1,q2,q1.v,q2.v";
    const quad tau = NUM(0.001), q[2] = { 1, -NUM(0.5) }, p[2] = { NUM(0.3), NUM(0.7) };
    quad       Cp[2], Kq[2], hat[2];
    int        rows;
    quad      *y = noether(4, &rows, run);
    duffing_terms(q, p, Cp, Kq, hat);
    quad right = 0, twice = 0, whole = 0;
    for (int j = 0; j < 2; j++) {
        const quad mass = j ? 3 : 2, v = y[6 + j];
        right = largest(right, v - (p[j] - tau * (Kq[j] + hat[j] + Cp[j])));
        twice = largest(twice, v - (p[j] - tau * (Kq[j] + 2 * hat[j] + Cp[j])));
        whole = largest(whole, v - (p[j] - tau * mass * (Kq[j] + hat[j] + Cp[j])));
    }
    claim("(21), p' = p - tau (K + K~) q, is of first order",
          "one step of 0.001 of (26), error over tau^2", right / (tau * tau), 5);
    char text[2][80];
    snprintf(text[0], 80, "first kick off by %.2g", (double)twice);
    snprintf(text[1], 80, "off by %.2g", (double)right);
    erratum_shown("off-diagonal-twice", "one step of 0.001 of (26)", text[0], text[1],
                  twice > 50 * right);
    char seen[120];
    snprintf(seen, sizeof seen, "first kick off by %.2g undivided, by %.2g divided", (double)whole,
             (double)right);
    remark("masses", "one step of 0.001 of (26)", seen, whole > 50 * right);
    free(y);
}

/* (24) kicks first, (22) drifts first: other orders, even of an oscillator without damping. */
static void factor_order(void)
{
    quad order[2];
    for (int k = 0; k < 2; k++) {
        quad e[2];
        for (int i = 0; i < 2; i++) {
            int   rows;
            quad *y = noether(2, &rows,
                              "systems/pendulum.lag --digits 33 --method %s --step 1/%d --until 1 "
                              "--columns q,q.p",
                              k ? "luo-guo4-drift" : "luo-guo4", 200 << i);
            quad *x = noether(
                2, &rows,
                "systems/pendulum.lag --digits 33 --method 'gauss 8' --step 1/%d --until 1 "
                "--columns q,q.p",
                200 << i);
            e[i] = largest(fabsq(y[2 * rows - 2] - x[2 * rows - 2]),
                           y[2 * rows - 1] - x[2 * rows - 1]);
            free(y), free(x);
        }
        order[k] = log2q(e[0] / e[1]);
    }
    char text[2][80];
    snprintf(text[0], 80, "(22), drifts first: order %.2f", (double)order[1]);
    snprintf(text[1], 80, "(24), kicks first: order %.2f", (double)order[0]);
    erratum_shown(
        "factor-order",
        "noether's luo-guo4-drift and luo-guo4 on the undamped pendulum, coefficients of Neri",
        text[0], text[1], fabsq(order[1] - 1) < 0.1Q && fabsq(order[0] - 4) < 0.1Q);
}

int main(void)
{
    schemes();
    printed_formulas();
    factor_order();
    return failures != 0;
}
