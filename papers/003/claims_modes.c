/* (K - omega^2 M) x = 0:  modes and exact solution of the linearised double pendulum, paper 003.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, J. G. Cabrera-Diaz, Simpson's variational integrator for
 * systems with quadratic Lagrangians, Axioms 13 (2024) 255. */
#define ENTRY double
#define MOST 6
#include "printed_scheme.h"

/* (47)-(51): frequencies, eigenvectors, the exact solution, for any ratio of the masses. */
static void modes(void)
{
    quad pencil = 0, vectors = 0, matrix22 = 0, matrix22_printed = 0;
    for (int i = 0; i < 5; i++) {
        const quad r = 1 + NUM(0.9) * some(), g = NUM(9.81), l = 1 + some() / 2, w0 = sqrtq(g / l);
        for (int sign = -1; sign <= 1; sign += 2) {
            const quad w = w0 * sqrtq(1 + r + sign * sqrtq(r * (1 + r))), x1 = 1,
                       x2 = -sign * sqrtq((1 + r) / r);
            const quad M2[2][2] = { { (1 + r) * l * l, r * l * l }, { r * l * l, r * l * l } },
                       K2[2] = { (1 + r) * g * l, r * g * l };
            const quad a = K2[0] - w * w * M2[0][0], b = -w * w * M2[0][1],
                       d = K2[1] - w * w * M2[1][1];
            pencil = largest(pencil, a * d - b * b);
            vectors = largest(vectors, largest(fabsq(a * x1 + b * x2), b * x1 + d * x2));
            matrix22 = largest(matrix22, l * r * (g - w * w * l) - d);
            matrix22_printed = largest(matrix22_printed, l * r * (g - w * w * r * l) - d);
        }
    }
    claim("(49) frequencies, omega_1 with the plus",
          "det(K - omega^2 M) for 5 random mass ratios, scale 100", pencil, 1e-29Q);
    claim("(50) eigenvectors", "(K - omega_i^2 M) x_i", vectors, 1e-30Q);
    erratum("entry-22", "entry (2,2) of K - omega^2 M for 5 random mass ratios", matrix22_printed,
            matrix22);
    /* q_ex against a run of order 16 */
    int   rows;
    quad *y = noether(
        3, &rows,
        "systems/linear_double_pendulum.lag --digits 33 --method 'gauss 8' --step 1/40 --until 1 "
        "--columns t,q1,q2");
    const quad w0 = 2 * M_PIq, w1 = w0 * sqrtq(2 + sqrtq(2)), w2_ = w0 * sqrtq(2 - sqrtq(2));
    quad       worst = 0;
    for (int i = 0; i < rows; i++) {
        const quad t = (quad)i / 40;
        worst = largest(worst,
                        M_PIq / 12 * (cosq(w2_ * t) - cosq(w1 * t)) / sqrtq(2) - y[3 * i + 1]);
        worst = largest(worst, M_PIq / 12 * (cosq(w2_ * t) + cosq(w1 * t)) - y[3 * i + 2]);
    }
    free(y);
    claim("q_ex = pi/12 ((cos w2 t - cos w1 t)/sqrt 2, cos w1 t + cos w2 t)",
          "noether's gauss 8, 40 steps a second, binary128", worst, 5e-26Q);
    /* the unit of time: Newmark over T = 1 s in steps of 0.1 s, or over 1/omega_0 */
    quad error[2] = { 0, 0 };
    for (int unit = 0; unit < 2; unit++) {
        y = noether(2, &rows,
                    "systems/linear_double_pendulum.lag --method newmark --step '%s' --until '%s' "
                    "--columns q1,q2",
                    unit ? "0.1" : "0.1/(2*pi)", unit ? "1" : "1/(2*pi)");
        for (int i = 0; i < rows; i++) {
            const quad t = NUM(0.1) * i / (unit ? 1 : w0);
            const quad a = M_PIq / 12 * (cosq(w2_ * t) - cosq(w1 * t)) / sqrtq(2) - y[2 * i],
                       b = M_PIq / 12 * (cosq(w2_ * t) + cosq(w1 * t)) - y[2 * i + 1];
            error[unit] = largest(error[unit], sqrtq(a * a + b * b));
        }
        free(y);
    }
    char printed[80], right[80];
    snprintf(printed, sizeof printed, "1/omega_0: %.3g", (double)error[0]);
    snprintf(right, sizeof right, "2 pi/omega_0 = 1 s: %.4g", (double)error[1]);
    erratum_shown("unit-of-time",
                  "error of q of noether's newmark, T = 1, 10 meshes; Table 2 has 0.342", printed,
                  right, fabsq(error[1] - NUM(0.3425)) < 1e-3Q && error[0] < 0.01Q);
}

/* Largest |H - H0|/H0 of so many seconds. */
static quad energy_error(const char *method, const char *step, int until)
{
    int   rows;
    quad *y = noether(
             1, &rows,
             "systems/linear_double_pendulum.lag --method %s --step %s --until %d --columns energy",
             method, step, until),
         e = 0;
    for (int k = 1; k < rows; k++) e = largest(e, y[k] / y[0] - 1);
    free(y);
    return e;
}

/* What section 6.3 says of figure 6. */
static void energy(void)
{
    const quad coarse = energy_error("simpson", "0.1", 10),
               fine = energy_error("simpson", "0.01", 10), ratio = coarse / fine;
    claim("Newmark's integrator exactly preserves the energy",
          "1000 s in steps of 0.1 s, double, relative", energy_error("newmark", "0.1", 1000),
          5e-12Q);
    claim("Simpson's energy error does not grow with time",
          "largest of 1000 s over largest of 10 s, less 1",
          energy_error("simpson", "0.1", 1000) / coarse - 1, 0.01Q);
    claim("it drops by four orders of magnitude when the step is divided by ten",
          "decades from h = 0.1 to 0.01 s, less 4", fabsq(log10q(ratio) - 4), 0.2Q);
    claim("RK4 does not preserve the energy: in ten periods a third is lost at least",
          "1/(relative error after 10 s in steps of 0.1 s)", 1 / energy_error("rk4", "0.1", 10), 3);
}

typedef enum { EXACT, NOETHER, MIDDLE, ENDS } solution; /* the last two: variants (29), (32) */

/* q1, q2 at all steps of a second, [rows][2]. */
static quad *second(solution by, const char *step, int *rows)
{
    const quad w0 = 2 * M_PIq, w1 = w0 * sqrtq(2 + sqrtq(2)), w2 = w0 * sqrtq(2 - sqrtq(2)),
               g = NUM(9.81), l = g / (w0 * w0), tau = strtoflt128(step, NULL);
    if (by == NOETHER)
        return noether(2, rows,
                       "systems/linear_double_pendulum.lag --method simpson --step %s --until 1 "
                       "--columns q1,q2",
                       step);
    *rows = (int)lrintq(1 / tau) + 1;
    quad  *q = malloc((size_t)*rows * 2 * sizeof *q);
    matrix y = zero(4, 1);
    M = scaled(l * l, (matrix){ 2, 2, { { 2, 1 }, { 1, 1 } } });
    K = scaled(g * l, (matrix){ 2, 2, { { 2, 0 }, { 0, 1 } } });
    set_step(tau), y.a[3][0] = M_PIq / 6;
    for (int k = 0; k < *rows; k++) {
        const quad t = k * tau, slow = cosq(w2 * t), fast = cosq(w1 * t);
        q[2 * k] = by == EXACT
        ? M_PIq / 12 * (slow - fast) / sqrtq(2) : y.a[2][0];
        q[2 * k + 1] = by == EXACT
        ? M_PIq / 12 * (slow + fast) : y.a[3][0];
        y = by == ENDS ? without_the_middle(y) : with_the_middle(y);
    }
    return q;
}

/* Largest difference of two solutions over a second. */
static quad distance(solution by, solution from, const char *step)
{
    int  rows;
    quad most = 0, *a = second(by, step, &rows), *b = second(from, step, &rows);
    for (int k = 0; k < 2 * rows; k++) most = largest(most, a[k] - b[k]);
    free(a), free(b);
    return most;
}

/* Sections 3.4 and 3.5, stepped as they are printed. */
static void variants(void)
{
    claim("first variant (29): A (q_m, eta) = B eta solved in every step",
          "in double beside noether's simpson, 1 s in steps of 0.01 s",
          distance(MIDDLE, NOETHER, "0.01"), 1e-12Q);
    claim("second variant (32): the middle eliminated",
          "in double beside noether's simpson, 1 s in steps of 0.01 s",
          distance(ENDS, NOETHER, "0.01"), 1e-12Q);
    const quad own = distance(NOETHER, EXACT, "0.0005"), middle = distance(MIDDLE, EXACT, "0.0005"),
               ends = distance(ENDS, EXACT, "0.0005");
    claim("at small steps what is left of their errors is rounding, of simpson's by D and M it is "
          "the method's",
          "error of simpson in steps of 0.0005 s over that of the better variant",
          own / (middle < ends ? middle : ends), 0.5Q);
}

int main(void)
{
    modes();
    energy();
    variants();
    return failures != 0;
}
