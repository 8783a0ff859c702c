/* Statistics of x_1 .. x_n: mean, standard deviation, minimum, quantiles, maximum.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENSEMBLE_STATISTICS_H
#define NOE_ENSEMBLE_STATISTICS_H

enum {
    NOE_STATISTIC_MEAN,
    NOE_STATISTIC_DEVIATION,
    NOE_STATISTIC_LEAST,
    NOE_STATISTIC_Q05,
    NOE_STATISTIC_MEDIAN,
    NOE_STATISTIC_Q95,
    NOE_STATISTIC_MOST,
    NOE_STATISTICS
};
static const char *const noe_statistic[NOE_STATISTICS] = {
    [NOE_STATISTIC_MEAN] = "mean", [NOE_STATISTIC_DEVIATION] = "sd",  [NOE_STATISTIC_LEAST] = "min",
    [NOE_STATISTIC_Q05] = "q05",   [NOE_STATISTIC_MEDIAN] = "median", [NOE_STATISTIC_Q95] = "q95",
    [NOE_STATISTIC_MOST] = "max",
};

/* to: statistics of the finite numbers x [n], which are reordered, and scaled where they are
 * beyond 2^400 or below 2^-400; NaN where n = 0, of sd where n = 1. */
void noe_statistics(double *x, long n, double to[NOE_STATISTICS]);

#endif
