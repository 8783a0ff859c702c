/* The range of an axis and the labels of its marks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The marks in [lo, hi] are labelled x / 10^exponent, with as many digits as distinguish them. */
#ifndef NOE_PLOT_AXIS_H
#define NOE_PLOT_AXIS_H

#include <stddef.h>

typedef struct {
    double lo, hi;   /* range; empty while lo > hi */
    double unit;     /* 10^exponent */
    int    exponent; /* 0 unless the numbers are very large or very small */
    int    digits;   /* significant digits of the labels */
} noe_axis;

noe_axis noe_axis_empty(void);
void     noe_axis_include(noe_axis *, const double *x, size_t n);
/* pad: share of the range added at both ends; least: the range reaches from -least to least at
 * least. */
void noe_axis_finish(noe_axis *, double pad, double least);
void noe_axis_widen(noe_axis *,
                    double span);      /* extends the range about its middle to this length */
int  noe_axis_width(const noe_axis *); /* characters of the longest label, approximate */
void noe_axis_unit(const noe_axis *, char *out, size_t size); /* " / 10⁻¹²", or nothing */

#endif
