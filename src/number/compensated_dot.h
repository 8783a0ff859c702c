/* Compensated scalar product of two vectors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     sum_i x_i y_i */
#ifndef NOE_NUMBER_COMPENSATED_DOT_H
#define NOE_NUMBER_COMPENSATED_DOT_H

#include "number/compensated.h"

/* The scalar product as compensated sums, so that an energy of a million terms keeps its digits.
 * Eight independent partial sums, since the additions to a single one would wait for each other. */
static inline double noe_compensated_dot(int n, const double *x, const double *y)
{
    enum { WIDE = 8 };
    typedef double wide __attribute__((vector_size(WIDE * sizeof(double)), aligned(8)));
    wide           sums = { 0 }, rest = { 0 };
    double         sum = 0, lost = 0;
    int            i = 0;
    for (; i + WIDE <= n; i += WIDE) {
        const wide d = *(const wide *)(x + i) * *(const wide *)(y + i) + rest, s = sums + d,
                   b = s - sums;
        rest = (sums - (s - b)) + (d - b);
        sums = s;
    }
    for (; i < n; i++) noe_compensated_add(&sum, &lost, x[i] * y[i]);
    for (int k = 0; k < WIDE; k++) noe_compensated_add(&sum, &lost, sums[k]), lost += rest[k];
    return sum + lost;
}

#endif
