/* 1/(1 + x) on 0 .. X by Chebyshev's polynomial:  error 2 q^(k+1),  q = (sqrt c - 1)/(sqrt c + 1),  c = 1 + X.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Its degree depends on X alone, not on what is solved: no sums over all rows, the same polynomial of K every step. */
#include "core/core.h"
#include "linear/stage.h"

#include <math.h>

bool noe_chebyshev_make(noe_chebyshev *c, double lambda, double w)
{
    const double X = lambda * w, least = X < 0 ? 1 + X : 1, condition = X < 0 ? 1 / (1 + X) : 1 + X;
    *c = (noe_chebyshev){ .lambda = lambda };
    if (lambda == 0) return true;
    if (!(least > 0)) return false;
    const double q = (sqrt(condition) - 1) / (sqrt(condition) + 1), theta = 1 + X / 2, delta = fabs(X) / 2;
    int          k = 1;
    for (double error = 2 * q * q; error > 0x1p-58; error *= q) k++;
    if (k > NOE_DEGREE) return false;
    c->degree = k;
    c->first = 1 / theta;
    double rho = delta / theta;
    for (int i = 0; i < k; i++) {
        if (delta == 0) {
            c->take[i] = 1;
            continue;
        }
        const double next = 1 / (2 * theta / delta - rho);
        c->keep[i] = next * rho, c->take[i] = 2 * next / delta;
        rho = next;
    }
    return true;
}

extern const noe_stages noe_stages_sse2;
#if defined __x86_64__
extern const noe_stages noe_stages_avx2, noe_stages_avx512;
#endif

const noe_stages *noe_stages_best(void)
{
#if defined __x86_64__
    const int level = noe_instruction_set();
    return level == 2 ? &noe_stages_avx512 : level == 1 ? &noe_stages_avx2 : &noe_stages_sse2;
#else
    return &noe_stages_sse2;
#endif
}
