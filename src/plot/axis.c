/* The range of an axis and the labels of its marks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The marks in [lo, hi] are labelled x / 10^exponent, with as many digits as distinguish them. */
#include "plot/axis.h"

#include "plot/decimate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

noe_axis noe_axis_empty(void)
{
    return (noe_axis){ .lo = INFINITY, .hi = -INFINITY, .unit = 1, .digits = 5 };
}

void noe_axis_include(noe_axis *a, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!noe_decimate_drawable(x[i])) continue;
        a->lo = fmin(a->lo, x[i]);
        a->hi = fmax(a->hi, x[i]);
    }
}

static void choose_numbers(noe_axis *a)
{
    double size = fmax(fabs(a->lo), fabs(a->hi));
    int    power = (int)floor(log10(size));
    a->exponent = power > 4 || power < -3 ? power : 0;
    a->unit = pow(10, a->exponent);
    a->digits = 3 + (int)ceil(log10(size / (a->hi - a->lo)));
    if (a->digits < 5) a->digits = 5; /* 5 show any number up to 10^5 in full */
}

/* A quantity that varies by less than 1e-10 of its size is drawn as constant, because labels cannot
 * show the variation. */
void noe_axis_finish(noe_axis *a, double pad, double least)
{
    if (a->lo > a->hi) a->lo = a->hi = 0;
    if (least > 0) a->lo = fmin(a->lo, -least), a->hi = fmax(a->hi, least);
    double size = fmax(fabs(a->lo), fabs(a->hi)), span = a->hi - a->lo;
    if (span <= 1e-10 * size || span < 1e-300) {
        double half = size < 1e-290 ? 1 : 0.1 * size;
        a->lo -= half;
        a->hi += half;
    } else {
        a->lo -= pad * span;
        a->hi += pad * span;
    }
    choose_numbers(a);
}

void noe_axis_widen(noe_axis *a, double span)
{
    double more = (span - (a->hi - a->lo)) / 2;
    a->lo -= more;
    a->hi += more;
    choose_numbers(a);
}

int noe_axis_width(const noe_axis *a)
{
    char   text[32];
    double step = (a->hi - a->lo) / 5; /* the axis' marks are rounder than this */
    step = pow(10, floor(log10(step))) / a->unit;
    int n = 0;
    for (int i = 0; i < 2; i++) {
        double edge = (i ? a->hi : a->lo) / a->unit;
        int    m = snprintf(text, sizeof text, "%.*g", a->digits, round(edge / step) * step);
        if (m > n) n = m;
    }
    return n;
}

void noe_axis_unit(const noe_axis *a, char *out, size_t size)
{
    static const char *const raised[] = { "\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                          "\u2075", "\u2076", "\u2077", "\u2078", "\u2079" };
    char                     number[16], text[64] = " / 10";
    snprintf(number, sizeof number, "%d", a->exponent);
    for (const char *c = number; *c; c++) strcat(text, *c == '-' ? "\u207B" : raised[*c - '0']);
    snprintf(out, size, "%s", a->exponent ? text : "");
}
