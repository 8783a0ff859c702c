/* (29) and (32) in double, on random M, K of 3 to 6 coordinates, beside the same map in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, J. G. Cabrera-Diaz, Simpson's variational integrator for
 * systems with quadratic Lagrangians, Axioms 13 (2024) 255.  The map is noether's simpson. */
#define ENTRY double
#define MOST 18
#include "pair.h"

static void variants(void)
{
    enum { STEPS = 100 };
    quad first = 0, second = 0, each = 0;
    for (int i = 0; i < 4 * PAIRS; i++) {
        const int n = 3 + i % 4;
        pair(n);
        set_step((NUM(0.5) + NUM(0.45) * some()) * sqrtq(8 / w2));
        matrix y = zero(2 * n, 1);
        for (int j = 0; j < 2 * n; j++) y.a[j][0] = some();
        matrix z = y;
        int    rows;
        quad  *r = states("simpson", y, STEPS, &rows), most[2] = { 0, 0 };
        for (int j = 0; j < 2 * n * rows; j++)
            most[j / n % 2] = largest(most[j / n % 2], r[j]); /* of p, of q */
        for (int s = 1; s < rows; s++) {
            y = with_the_middle(y), z = without_the_middle(z);
            for (int j = 0; j < 2 * n; j++) {
                const quad own = r[2 * n * s + j], unit = most[j / n];
                first = largest(first, (y.a[j][0] - own) / unit);
                second = largest(second, (z.a[j][0] - own) / unit);
                each = largest(each, (y.a[j][0] - z.a[j][0]) / unit);
            }
        }
        free(r);
    }
    const char *pairs = "20 random pairs of 3 to 6 coordinates, 100 steps, double beside noether's "
                        "simpson in binary128, relative";
    claim("(29), the first variant, is the map of simpson and rounding", pairs, first, 1e-12Q);
    claim("(32), the second variant, is the map of simpson and rounding", pairs, second, 1e-12Q);
    claim("both variants are equivalent", "the same runs, one beside the other", each, 1e-12Q);
}

int main(void)
{
    begin();
    variants();
    return end();
}
