/* The uncertainty of a matrix from its printed digits, and which eigenvalues are 0 within it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rounding leaves a last digit 0 in one entry of ten, so numbers of d digits have d or d - 1 of
 * them in 99 of 100 cases; in the same way numbers of p places after the point. */
#include "matrix/printed_digits.h"

#include "number/rounding_unit.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_LEAST = 5, DIGITS_MOST = 15, NUMBERS_SEEN = 300 };
static const double
    SINGLE = 0x1p-24,
    ZERO_PART_DEFAULT =
        /* part of the largest eigenvalue below which one may be 0 when the digits tell nothing,
         * for instance of scaled numbers */
    1e-9,
    /* part of the largest eigenvalue that rounding to DIGITS_LEAST digits or more cannot reach */
    ZERO_PART_MOST = 1e-4, GAP = 100, /* ratio of neighbouring eigenvalues that counts as a gap */
    SHARE_EQUAL = 0.9; /* part of the entries' number that describes them as well as another one */

/* The fewest digits that represent a number exactly as a double, and the place of the last one
 * after the point: 1.25e-3 has 3 digits and 5 places. */
typedef struct {
    int digits, places; /* 17 digits if more than 15 are needed */
} decimal_form;

static decimal_form form_of(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.*e", DIGITS_MOST - 1, x);
    int d = strtod(text, NULL) == x ? 1 : 17;
    for (; d <= 17; d++) {
        snprintf(text, sizeof text, "%.*e", d - 1, x);
        if (strtod(text, NULL) == x) break;
    }
    return (decimal_form){ d, d - 1 - atoi(strchr(text, 'e') + 1) };
}

noe_entry_error noe_printed_digits_find(const noe_sparse *A)
{
    const int64_t entries = A->start[A->n], stride = 1 + entries / NUMBERS_SEEN;
    decimal_form  form[NUMBERS_SEEN], most = { 0, INT_MIN };
    int           n = 0, single = 0, by_digits = 0, by_places = 0, long_ones = 0;
    for (int64_t k = 0; k < entries; k += stride) {
        const double x = A->value[k];
        if (x == 0) continue;
        form[n] = form_of(x);
        single += form[n].digits > DIGITS_MOST && x == (double)(float)x;
        if (form[n].digits > most.digits) most.digits = form[n].digits;
        if (form[n].places > most.places) most.places = form[n].places;
        n++;
    }
    if (2 * single > n) return (noe_entry_error){ SINGLE, 0 };
    noe_entry_error error = { noe_rounding_unit_half(NOE_DIGITS_DOUBLE), 0 };
    if (most.digits < DIGITS_LEAST || most.digits > DIGITS_MOST) return error;
    for (int i = 0; i < n; i++) {
        by_digits += form[i].digits >= most.digits - 1;
        by_places += form[i].places >= most.places - 1;
        long_ones += form[i].digits >= DIGITS_LEAST - 1;
    }
    /* Whole numbers, and 0.1 beside 100000.1, are as likely exact as rounded. */
    if (most.places <= 0 || 2 * long_ones < n) by_places = 0;
    if (2 * by_digits >= n && by_digits >= SHARE_EQUAL * by_places)
        error.relative = fmax(0.5 * pow(10, 1 - most.digits),
                              noe_rounding_unit_half(NOE_DIGITS_DOUBLE));
    if (2 * by_places >= n && by_places >= SHARE_EQUAL * by_digits)
        error.absolute = 0.5 * pow(10, -most.places);
    return error;
}

int noe_printed_digits_cut(const double *w, int n, double noise)
{
    const double top = w[n - 1], floor = n * noe_rounding_unit_half(NOE_DIGITS_DOUBLE) * top;
    const double reach = fmin(ZERO_PART_MOST * top,
                              fmax(fmax(ZERO_PART_DEFAULT * top, 2 * noise), -2 * w[0]));
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
