/* Reduces n rows of a curve to few rows that give the same picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/decimate.h"

#include <math.h>

/* Distances that a picture does not show, as shares of the extent of a path; tried in turn. */
static const double FINEST = 1.0 / 2000, COARSEST = 1.0 / 250;

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

/* The first row from `begin` on that is not in the first part, a `share`, of [x_0, x_(n-1)]. */
static size_t first_after(const double *x, size_t n, size_t begin, double share)
{
    const double way = x[n - 1] - x[0];
    size_t       end = begin;
    while (end < n && !((x[end] - x[0]) / way >= share)) end++;
    return end;
}

size_t noe_decimate_time(const double *x, const double *y, size_t n, size_t most, size_t *keep)
{
    const size_t intervals = most / 4;
    size_t       k = 0;
    if (n <= most) return noe_decimate_rows(x, y, n, keep);
    for (size_t b = 0, begin = 0, end; b < intervals && begin < n; b++, begin = end) {
        end = b + 1 == intervals ? n
                                 : first_after(x, n, begin, (double)(b + 1) / (double)intervals);
        if (end > begin) k = bucket(x, y, begin, end, keep, k);
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

size_t noe_decimate_rows(const double *x, const double *y, size_t n, size_t *keep)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) k = push(keep, k, row_drawable(x, y, i) ? i : NOE_DECIMATE_GAP);
    return k;
}

/* The rows since the last kept one, in units of the extents. */
typedef struct {
    double x, y;     /* the last kept row */
    double first;    /* direction of the first row beyond the tolerance */
    double lo, hi;   /* directions, from that one, that pass all rows closely enough */
    double far;      /* largest distance of a row from the kept one */
    size_t farthest; /* that row */
} sleeve;

/* May a line from the kept row to (x, y), row i, stand for all rows between them?  Then the row is
 * one of those that later lines must pass. */
static bool admits(sleeve *s, double x, double y, size_t i, double tolerance)
{
    const double dx = x - s->x, dy = y - s->y, d = hypot(dx, dy), pi = 3.14159265358979323846;
    if (d < s->far - tolerance) return false; /* it has turned back */
    if (d > s->far) s->far = d, s->farthest = i;
    if (d <= tolerance) return true;
    const double direction = atan2(dy, dx), half = asin(tolerance / d);
    if (s->lo > s->hi) s->first = direction, s->lo = -half, s->hi = half;
    const double turn = remainder(direction - s->first, 2 * pi);
    if (turn < s->lo || turn > s->hi) return false;
    s->lo = fmax(s->lo, turn - half), s->hi = fmin(s->hi, turn + half);
    return true;
}

/* Keeps rows such that the lines between them pass all others within `tolerance` of the extents dx,
 * dy (Zhao and Saalfeld, "Linear-time sleeve-fitting polyline simplification algorithms",
 * AutoCarto 13, 1997, with a row kept where the path turns back); a result above `most`: too
 * many. */
static size_t simplify(const double *x, const double *y, size_t n, double dx, double dy,
                       double tolerance, size_t most, size_t *keep)
{
    size_t k = 0, at = NOE_DECIMATE_GAP;
    sleeve s = { 0 };
    for (size_t i = 0; i < n && k <= most; i++) {
        const bool drawn = row_drawable(x, y, i);
        if (at != NOE_DECIMATE_GAP && drawn && admits(&s, x[i] / dx, y[i] / dy, i, tolerance))
            continue;
        if (at != NOE_DECIMATE_GAP) { /* ends at the row before, or where it turned */
            const bool turned = drawn && s.farthest > at
                             && hypot(x[i] / dx - s.x, y[i] / dy - s.y) < s.far - tolerance;
            const size_t end = turned ? s.farthest : i - 1;
            k = push(keep, k, end);
            if (drawn) i = end;
        }
        at = drawn ? i : NOE_DECIMATE_GAP;
        k = push(keep, k, at);
        if (drawn) s = (sleeve){ x[i] / dx, y[i] / dy, 0, 1, -1, 0, i };
    }
    return at == NOE_DECIMATE_GAP || k > most ? k : push(keep, k, n - 1);
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
    for (double tolerance = FINEST; tolerance <= COARSEST; tolerance *= 2) {
        size_t k = simplify(x, y, n, dx, dy, tolerance, most, keep);
        if (k <= most) return k;
    }
    *dots = n > most;
    return scatter(x, y, n, most, keep);
}
