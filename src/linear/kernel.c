/* z + rest <- z + (rest + E z + g):  the products in four sums, the last sum compensated.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per instruction set.  A sum that waits for the one before takes four cycles an addition: four
 * of them at once hide that.  What is lost in z + d (Dekker's sum of two, exact) is found off the way from one step
 * to the next. */
#include "linear/kernel.h"

#define NOE_REAL NOE_DOUBLE
#include "core/real.h"

typedef double four __attribute__((vector_size(32)));

#define TWO_SUM(z, d, rest)                        \
    {                                              \
        const vec s_ = z + d, b_ = s_ - z;         \
        rest = (z - (s_ - b_)) + (d - b_);         \
        z = s_;                                    \
    }

/* One vector holds the state. */
#define SMALL(NAME, VEC, W)                                                                                      \
    static void NAME(const double *E, const double *g, double *z, double *rest, double count)                   \
    {                                                                                                            \
        typedef VEC vec;                                                                                         \
        vec x = *(const vec *)z, lost = *(const vec *)rest, e[W];                                                \
        const vec c = *(const vec *)g;                                                                           \
        for (int j = 0; j < W; j++) e[j] = ((const vec *)E)[j];                                                  \
        for (double k = 0; k < count; k++) {                                                                     \
            vec sum[W];                                                                                          \
            for (int j = 0; j < W; j++) sum[j] = e[j] * x[j];                                                    \
            for (int half = W / 2; half; half /= 2)                                                              \
                for (int j = 0; j < half; j++) sum[j] += sum[j + half];                                          \
            const vec d = sum[0] + (lost + c);                                                                   \
            TWO_SUM(x, d, lost)                                                                                  \
        }                                                                                                        \
        *(vec *)z = x;                                                                                           \
        *(vec *)rest = lost;                                                                                     \
    }
SMALL(steps4, four, 4)
SMALL(steps8, lanes, 8)

enum { MOST = 16 }; /* vectors of a block of rows kept in registers and stack */

/* V vectors: rows in blocks; old copies of z, since all rows read it. */
INLINE void some(int V, const double *E, const double *g, double *z, double *rest)
{
    typedef lanes vec;
    const int     W = 8 * V;
    lanes         d[MOST];
    for (int v = 0; v < V; v++) {
        lanes a = { 0 }, b = a, c = a, e = a;
        const double *column = E + 8 * v;
        for (int j = 0; j < W; j += 4, column += 4 * W) {
            a += *(const lanes *)column * z[j];
            b += *(const lanes *)(column + W) * z[j + 1];
            c += *(const lanes *)(column + 2 * W) * z[j + 2];
            e += *(const lanes *)(column + 3 * W) * z[j + 3];
        }
        d[v] = ((a + c) + (b + e)) + (((const lanes *)rest)[v] + ((const lanes *)g)[v]);
    }
    for (int v = 0; v < V; v++) {
        lanes *x = (lanes *)z + v, lost;
        lanes  y = *x;
        TWO_SUM(y, d[v], lost)
        *x = y;
        ((lanes *)rest)[v] = lost;
    }
}

static void steps(int N, const double *E, const double *g, double *z, double *rest, double count)
{
    const int W = noe_kernel_width(N);
    if (W == 4) steps4(E, g, z, rest, count);
    else if (W == 8) steps8(E, g, z, rest, count);
    else if (W == 16)
        for (double k = 0; k < count; k++) some(2, E, g, z, rest);
    else
        for (double k = 0; k < count; k++) some(W / 8, E, g, z, rest);
}

const noe_kernel NOE_BUILD(noe_kernel_) = { steps };
