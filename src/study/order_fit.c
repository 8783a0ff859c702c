/* The order p of errors e = C h^p: by pairs of steps, by the ends, by regression.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/order_fit.h"

#include <math.h>

static bool good(double x) { return x > 0 && isfinite(x); }

double noe_order_fit_pair(double h0, double e0, double h1, double e1)
{
    return good(h0) && good(h1) && good(e0) && good(e1) ? log(e0 / e1) / log(h0 / h1) : NAN;
}

/* An error below the bound of rounding may still be the true error of an accurate method, and a
 * small gain may come from a coarse step outside the asymptotic range; so both are required.
 * All errors after the first one on the plateau are round-off. */
void noe_order_fit_mask(int n, const double *h, const double *e, const double *floor, double order,
                        bool *masked)
{
    for (int i = 0; i < n; i++) {
        const bool flat = i && !(e[i] < e[i - 1] * pow(h[i] / h[i - 1], 0.8 * order));
        masked[i] = (i && masked[i - 1]) || (flat && e[i] < floor[i]);
    }
    if (n > 1 && masked[1] && e[0] < floor[0]) masked[0] = true; /* no error above round-off */
}

double noe_order_fit_slope(int n, const double *h, const double *e, const bool *masked)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    int    m = 0;
    for (int i = 0; i < n; i++)
        if (!masked[i] && good(e[i])) {
            x += log(h[i]);
            y += log(e[i]);
            m++;
        }
    for (int i = 0; i < n; i++)
        if (!masked[i] && good(e[i])) {
            const double d = log(h[i]) - x / m;
            xx += d * d;
            xy += d * (log(e[i]) - y / m);
        }
    return m > 1 && xx > 0 ? xy / xx : NAN;
}
