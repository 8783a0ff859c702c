/* Steps of a linear system by its transition matrix: partial sums and compensated addition.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     z + rest <- z + (rest + E z + g)
 *
 * Compiled once per instruction set.  An addition takes four cycles until its result is ready:
 * four partial sums at once hide that.  The rounding error of z + d (Dekker's sum of two, exact)
 * is computed outside the chain of dependences from one step to the next. */
#include "linear/transition_kernel.h"

#define NOE_REAL NOE_DOUBLE
#include "number/real.h"

typedef double four __attribute__((vector_size(32)));

enum { VECTORS_MOST = 16 }; /* vectors: 128 numbers, 64 coordinates */

/* One step of V vectors of 8 numbers, or of one of 4: rows in blocks, each of which reads all of
 * the old z.  False, with nothing changed, if a number of the new z is not finite. */
#define STEP(NAME, VEC)                                                                  \
    INLINE bool NAME(int V, const double *E, const double *g, double *z, double *rest)   \
    {                                                                                    \
        typedef VEC vec;                                                                 \
        enum { N = sizeof(vec) / sizeof(double) };                                       \
        const int W = N * V;                                                             \
        vec       d[sizeof(vec) == 32 ? 1 : VECTORS_MOST], bad = { 0 };                  \
        for (int v = 0; v < (V); v++) {                                                  \
            vec           a = { 0 }, b = a, c = a, e = a;                                \
            const double *column = E + N * v;                                            \
            for (int j = 0; j < (W); j += 4, column += 4 * (W)) {                        \
                a += *(const vec *)column * z[j];                                        \
                b += *(const vec *)(column + (W)) * z[j + 1];                            \
                c += *(const vec *)(column + 2 * (W)) * z[j + 2];                        \
                e += *(const vec *)(column + 3 * (W)) * z[j + 3];                        \
            }                                                                            \
            d[v] = ((a + c) + (b + e)) + (((const vec *)rest)[v] + ((const vec *)g)[v]); \
            bad += ((const vec *)z)[v] + d[v];                                           \
        }                                                                                \
        bad -= bad;                                                                      \
        double sum = bad[0] + bad[1] + bad[2] + bad[3];                                  \
        if (N == 8) sum += bad[N - 4] + bad[N - 3] + bad[N - 2] + bad[N - 1];            \
        if (!(sum == 0)) return false;                                                   \
        for (int v = 0; v < (V); v++) {                                                  \
            const vec x = ((const vec *)z)[v], s = x + d[v], b = s - x;                  \
            ((vec *)rest)[v] = (x - (s - b)) + (d[v] - b);                               \
            ((vec *)z)[v] = s;                                                           \
        }                                                                                \
        return true;                                                                     \
    }
STEP(step_of_four, four)
STEP(step_of_eights, lanes)

#define REPEAT(step)                         \
    for (; k < count && step; k++) continue; \
    return k;

static double steps(int N, const double *E, const double *g, double *z, double *rest, double count)
{
    double k = 0;
    switch (noe_transition_kernel_width(N)) {
    case 4: REPEAT(step_of_four(1, E, g, z, rest))
    case 8: REPEAT(step_of_eights(1, E, g, z, rest))
    case 16: REPEAT(step_of_eights(2, E, g, z, rest))
    default: REPEAT(step_of_eights(noe_transition_kernel_width(N) / 8, E, g, z, rest))
    }
}

const noe_transition_kernel NOE_BUILD(noe_transition_kernel_) = { steps };
