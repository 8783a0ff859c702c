/* Reduces n rows of a curve to few rows that give the same picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/decimate.h"

#include <math.h>

bool noe_decimate_drawable(double x) { return fabs(x) < 1e300; }

static bool row_drawable(const double *x, const double *y, size_t i)
{
    return noe_decimate_drawable(x[i]) && noe_decimate_drawable(y[i]);
}

static size_t push(size_t *keep, size_t k, size_t row)
{
    if (k && keep[k - 1] == row) return k;
    if (k && row != NOE_DECIMATE_GAP && keep[k - 1] != NOE_DECIMATE_GAP && keep[k - 1] > row)
        return k;
    keep[k] = row;
    return k + 1;
}

/* First, lowest, highest and last row of the rows begin .. end - 1.  Jugel et al., "M4: a
 * visualization-oriented time series data aggregation", VLDB 2014: with one interval for each
 * column of pixels these four rows give the same pixels as all rows. */
static size_t bucket(const double *x, const double *y, size_t begin, size_t end, size_t *keep,
                     size_t k)
{
    size_t first = NOE_DECIMATE_GAP, low = 0, high = 0, last = 0, drawn = 0;
    for (size_t i = begin; i < end; i++) {
        if (!row_drawable(x, y, i)) continue;
        if (first == NOE_DECIMATE_GAP) first = low = high = i;
        if (y[i] < y[low]) low = i;
        if (y[i] > y[high]) high = i;
        last = i;
        drawn++;
    }
    if (first != begin) k = push(keep, k, NOE_DECIMATE_GAP);
    if (drawn) {
        k = push(keep, k, first);
        k = push(keep, k, low < high ? low : high);
        k = push(keep, k, low < high ? high : low);
        k = push(keep, k, last);
    }
    return drawn == end - begin ? k : push(keep, k, NOE_DECIMATE_GAP);
}

size_t noe_decimate_time(const double *x, const double *y, size_t n, size_t most, size_t *keep)
{
    size_t buckets = n <= most ? n : most / 4, k = 0;
    for (size_t b = 0; b < buckets; b++) {
        size_t begin = (size_t)((double)n / (double)buckets * (double)b);
        size_t end = b + 1 == buckets ? n : (size_t)((double)n / (double)buckets * (double)(b + 1));
        k = bucket(x, y, begin, end, keep, k);
    }
    return k;
}

static double extent(const double *x, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!noe_decimate_drawable(x[i])) continue;
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    return high > low ? high - low : 1;
}

/* Keeps the rows at least dx or dy from the last kept row, and the last row; a result above `most`:
 * too many. */
static size_t walk(const double *x, const double *y, size_t n, double dx, double dy, size_t most,
                   size_t *keep)
{
    size_t k = 0, at = NOE_DECIMATE_GAP, last = NOE_DECIMATE_GAP;
    for (size_t i = 0; i < n && k <= most; i++) {
        bool fine = row_drawable(x, y, i);
        if (fine) last = i;
        if (fine && at != NOE_DECIMATE_GAP && fabs(x[i] - x[at]) < dx && fabs(y[i] - y[at]) < dy)
            continue;
        at = fine ? i : NOE_DECIMATE_GAP;
        k = push(keep, k, at);
    }
    return last == NOE_DECIMATE_GAP || k > most ? k : push(keep, k, last);
}

/* One row of each interval, at places from van der Corput's sequence, so that no oscillation is
 * sampled at a constant phase. */
static size_t scatter(const double *x, const double *y, size_t n, size_t most, size_t *keep)
{
    size_t k = 0;
    for (size_t b = 0; b < most; b++) {
        double offset = 0, digit = 0.5;
        for (size_t r = b; r; r /= 2, digit /= 2) offset += digit * (double)(r % 2);
        size_t i = (size_t)((double)n / (double)most * ((double)b + offset));
        if (i < n && row_drawable(x, y, i)) k = push(keep, k, i);
    }
    return k;
}

size_t noe_decimate_path(const double *x, const double *y, size_t n, size_t most, size_t *keep,
                         bool *dots)
{
    double dx = extent(x, n), dy = extent(y, n);
    *dots = false;
    for (double step = 1.0 / 3200; step <= 1.0 / 100; step *= 2) {
        size_t k = walk(x, y, n, step * dx, step * dy, most, keep);
        if (k <= most) return k;
    }
    *dots = n > most;
    return scatter(x, y, n, most, keep);
}
