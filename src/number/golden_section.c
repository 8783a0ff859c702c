/* Golden section (Kiefer 1953): a least value between two places.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * [low, high] becomes [low, d] or [c, high], where c and d divide it by (sqrt(5) - 1)/2 from either
 * side, and one of the two is a place of the smaller interval. */
#include "number/golden_section.h"

#include <math.h>

enum { SECTIONS = 64 }; /* the interval falls to 4e-14 of its length */

double noe_golden_section_least(noe_golden_section_function *f, const void *of, double low,
                                double high, double enough, double *place)
{
    const double part = (sqrt(5) - 1) / 2;
    double       c = high - part * (high - low), d = low + part * (high - low), u = f(of, c),
           v = f(of, d);
    for (int i = 0; i < SECTIONS && u > enough && v > enough; i++) {
        if (u < v) high = d, d = c, v = u, u = f(of, c = high - part * (high - low));
        else low = c, c = d, u = v, v = f(of, d = low + part * (high - low));
    }
    *place = u < v ? c : d;
    return u < v ? u : v;
}
