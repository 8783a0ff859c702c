/* low < x < high by a number u without bounds: x = low + (high - low)(1 + sin u)/2, and one-sided.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * F. James, M. Roos, Minuit, Comput. Phys. Commun. 10 (1975) 343.  With one bound,
 * x = low - 1 + sqrt(1 + u^2). */
#include "fit/fit.h"

#include <math.h>

/* Starts are so far inside, as parts of the width: at a bound dx/du = 0. */
static const double INSIDE = 1e-3;

double noe_bounds_inside(const noe_fit *s, int i, double u)
{
    const double a = s->low[i], b = s->high[i];
    if (isfinite(a) && isfinite(b)) return fmin(b, fmax(a, a + (b - a) * (1 + sin(u)) / 2));
    if (isfinite(a)) return a - 1 + sqrt(1 + u * u);
    if (isfinite(b)) return b + 1 - sqrt(1 + u * u);
    return u;
}

double noe_bounds_outside(const noe_fit *s, int i, double x)
{
    const double a = s->low[i], b = s->high[i];
    if (isfinite(a) && isfinite(b)) {
        const double part = fmin(1 - INSIDE, fmax(INSIDE, (x - a) / (b - a)));
        return asin(2 * part - 1);
    }
    const double far = isfinite(a) ? x - a : b - x;
    if (isfinite(a) || isfinite(b)) return sqrt(fmax(far, INSIDE) * (2 + fmax(far, INSIDE)));
    return x;
}

double noe_bounds_slope(const noe_fit *s, int i, double u)
{
    const double a = s->low[i], b = s->high[i];
    if (isfinite(a) && isfinite(b)) return (b - a) / 2 * cos(u);
    if (isfinite(a)) return u / sqrt(1 + u * u);
    if (isfinite(b)) return -u / sqrt(1 + u * u);
    return 1;
}
