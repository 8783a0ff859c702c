/* The order p of errors e = C h^p: by pairs of steps, by the ends, by regression.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_ORDER_FIT_H
#define NOE_STUDY_ORDER_FIT_H

#include <stdbool.h>

/* log(e0/e1) / log(h0/h1); NAN unless all are positive and finite. */
double noe_order_fit_pair(double h0, double e0, double h1, double e1);

/* Errors on the round-off plateau: masked[i] from the first error on that is below floor[i] and
 * smaller than the one before by less than 4/5 of the digits that the order promises. All arrays
 * [n], steps in descending order. */
void noe_order_fit_mask(int n, const double *h, const double *e, const double *floor, double order,
                        bool *masked);

/* Slope of log e over log h by least squares, over the points that are not masked; NAN for fewer
 * than two points. */
double noe_order_fit_slope(int n, const double *h, const double *e, const bool *masked);

#endif
