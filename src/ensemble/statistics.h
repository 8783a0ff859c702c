/* Statistics of x_1 .. x_N: mean, deviation, least, quantiles, largest.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENSEMBLE_STATISTICS_H
#define NOE_ENSEMBLE_STATISTICS_H

enum { NOE_STATISTICS = 7 };
static const char *const noe_statistic[NOE_STATISTICS] = { "mean",   "sd",  "min", "q05",
                                                           "median", "q95", "max" };

/* Of finite numbers, which it exchanges; nan where there are too few. */
void noe_statistics(double *x, long n, double to[NOE_STATISTICS]);

#endif
