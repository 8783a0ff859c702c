/* omega_max h < 2 sqrt 2:  the sharp limit of paper 003 against its sufficient one.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, J. G. Cabrera-Diaz, Simpson's variational integrator for
 * systems with quadratic Lagrangians, Axioms 13 (2024) 255. */
#include "pair.h"

/* Largest |q| of so many steps from q = 1. */
static quad growth(quad step, int steps)
{
    matrix y = zero(2 * N, 1);
    quad   most = 0;
    int    rows;
    for (int i = 0; i < N; i++) y.a[N + i][0] = 1;
    set_step(step);
    quad *r = states("simpson", y, steps, &rows);
    for (int i = 0; i < rows; i++)
        for (int j = N; j < 2 * N; j++) most = largest(most, r[2 * N * i + j]);
    free(r);
    return most;
}

static void limit(void)
{
    quad below = 0, above = 1e30Q, gap = 1e9Q;
    for (int i = 0; i < PAIRS; i++) {
        pair(N);
        below = largest(below, growth(NUM(0.9999) * sqrtq(8 / w2), 3000));
        above = less(above, growth(NUM(1.0001) * sqrtq(8 / w2), 3000));
        gap = less(gap, sqrtq(1 / w2) / sqrtq(mu / k));
    }
    claim("stable for omega_max h < 2 sqrt 2",
          "largest |q| of 3000 steps of noether at 0.9999 of it, |q(0)| = 1, 5 random pairs", below,
          100);
    claim("and not beyond: the limit is sharp", "1/(least growth of 3000 steps at 1.0001 of it)",
          1 / above, 1e-15Q);
    /* the paper's own system: k/mu = 5.236, omega_max^2 = 3.414, in units of omega_0^2 */
    matrix m = zero(2, 2), s = zero(2, 2);
    quad   low, high, kk, mm;
    m.a[0][0] = 2, m.a[0][1] = m.a[1][0] = m.a[1][1] = 1, s.a[0][0] = 2, s.a[1][1] = 1;
    eigenvalues(m, &mm, &high);
    eigenvalues(s, &low, &kk);
    const matrix C = inverse(cholesky(m));
    eigenvalues(times(times(C, s), turned(C)), &low, &high);
    char printed[80], right[120];
    snprintf(printed, sizeof printed, "k/mu = omega_max^2");
    snprintf(right, sizeof right,
             "k/mu = %.4f, omega_max^2 = %.4f omega_0^2: only >=; (40) allows %.1f %% of the step",
             (double)(kk / mm), (double)high, 100 * (double)sqrtq(high * mm / kk));
    erratum_shown("k-over-mu",
                  "eigenvalues of M, K and of the pair, the linearised double pendulum", printed,
                  right, kk / mm > 1.5Q * high && gap >= 1);
}

int main(void)
{
    begin();
    limit();
    return end();
}
