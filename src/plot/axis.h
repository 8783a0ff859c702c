/* The range of an axis and its numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * [lo, hi] = the range of an axis, its numbers written as x / 10^exponent with as many digits as
 * differ. */
#ifndef NOE_PLOT_AXIS_H
#define NOE_PLOT_AXIS_H

#include <stddef.h>

typedef struct {
    double lo, hi;   /* empty while lo > hi */
    double unit;     /* 10^exponent */
    int    exponent; /* 0 unless the numbers are very large or very small */
    int    digits;   /* of the numbers at the axis */
} noe_axis;

noe_axis noe_axis_empty(void);
void     noe_axis_include(noe_axis *, const double *x, size_t n);
/* pad: share of the range added at both ends; least: the range reaches from -least to least at
 * least. */
void noe_axis_finish(noe_axis *, double pad, double least);
void noe_axis_widen(noe_axis *, double span); /* about its middle, to this length */
int  noe_axis_width(const noe_axis *);        /* characters of its longest number, about */
void noe_axis_unit(const noe_axis *, char *out, size_t size); /* " / 10⁻¹²", or nothing */

#endif
