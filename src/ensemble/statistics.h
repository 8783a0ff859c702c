/* Statistics of x_1 .. x_n: mean, standard deviation, minimum, quantiles, maximum.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENSEMBLE_STATISTICS_H
#define NOE_ENSEMBLE_STATISTICS_H

enum { NOE_STATISTICS = 7 };
static const char *const noe_statistic[NOE_STATISTICS] = { "mean",   "sd",  "min", "q05",
                                                           "median", "q95", "max" };

/* to: statistics of the finite numbers x [n], which are reordered; NaN where n = 0, of sd where
 * n = 1. */
void noe_statistics(double *x, long n, double to[NOE_STATISTICS]);

#endif
