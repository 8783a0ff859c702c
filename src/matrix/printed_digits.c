/* The uncertainty of a matrix from its printed digits, and which eigenvalues are 0 within it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * 0.1234567890 = x (1 + 5e-10 or less). */
#include "matrix/printed_digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIGITS_LEAST = 5, DIGITS_MOST = 15, NUMBERS_SEEN = 300 };
static const double
    UNIT = 0x1p-53,
    SINGLE = 0x1p-24,
    USUAL =
        /* part of the largest eigenvalue below which one may be 0 when the digits tell nothing,
         * for instance of scaled numbers */
    1e-9,
    /* part of the largest eigenvalue that rounding to DIGITS_LEAST digits or more cannot reach */
    ZERO_PART_MOST = 1e-4, GAP = 100; /* ratio of neighbouring eigenvalues that counts as a gap */

/* Fewest decimals that represent x exactly as a double; 17 if more than 15 are needed. */
static int decimals(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.*e", DIGITS_MOST - 1, x);
    if (strtod(text, NULL) != x) return 17;
    for (int d = 1; d < DIGITS_MOST; d++) {
        snprintf(text, sizeof text, "%.*e", d - 1, x);
        if (strtod(text, NULL) == x) return d;
    }
    return DIGITS_MOST;
}

double noe_printed_digits_find(const noe_sparse *A)
{
    const int64_t entries = A->start[A->n], stride = 1 + entries / NUMBERS_SEEN;
    int           of[18] = { 0 }, all = 0, most = 0, single = 0;
    for (int64_t k = 0; k < entries; k += stride) {
        if (A->value[k] == 0) continue;
        const int d = decimals(A->value[k]);
        of[d]++, all++;
        single += d > DIGITS_MOST && A->value[k] == (double)(float)A->value[k];
    }
    for (int d = 1; d <= 17; d++)
        if (of[d]) most = d;
    if (2 * single > all) return SINGLE;
    if (most < DIGITS_LEAST || most > DIGITS_MOST || 2 * (of[most] + of[most - 1]) < all)
        return UNIT;
    return fmax(0.5 * pow(10, 1 - most), UNIT);
}

int noe_printed_digits_cut(const double *w, int n, double noise)
{
    const double top = w[n - 1], floor = n * UNIT * top;
    const double reach = fmin(ZERO_PART_MOST * top, fmax(fmax(USUAL * top, 2 * noise), -2 * w[0]));
    double       widest = GAP, below = floor;
    int          cut = 0;
    for (int k = 1; k < n; k++) {
        below = fmax(below, fabs(w[k - 1]));
        if (below > reach) break;
        if (w[k] > widest * below) widest = w[k] / below, cut = k;
    }
    while (cut < n && w[cut] <= floor) cut++;
    return cut;
}
