/* The scalar product of two arrays, by four sums, which do not wait for each other.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_NUMBER_DOT_H
#define NOE_NUMBER_DOT_H

static inline double noe_dot(const double *a, const double *b, int n)
{
    double sum[4] = { 0 };
    int    i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#endif
