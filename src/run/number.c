/* x -> the shortest decimal d 10^e that lies nearest to x among all floating-point numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A double x reads back from every decimal between the midpoints to its neighbours.  Scaled by 10^k so that
 * x has 17 digits, that interval [lo, hi] is known to 2^-55 in binary128; the shortest decimal is the
 * multiple of the largest power of ten in it.  (Steele & White 1990 ask the same in big integers.) */
#include "run/number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sign(char *out, bool negative) { return negative ? (*out = '-', 1) : 0; }

/* d is the decimal number d[0].d[1]d[2]..d[n-1] times 10^e. */
static int layout(char *out, const char *d, int n, int e)
{
    while (n > 1 && d[n - 1] == '0') n--;
    if (e < -5 || e > 15) {
        int k = 0;
        out[k++] = d[0];
        if (n > 1) out[k++] = '.';
        memcpy(out + k, d + 1, (size_t)n - 1);
        k += n - 1;
        return k + sprintf(out + k, "e%s%d", e < 0 ? "-" : "+", abs(e));
    }
    int k = 0;
    for (int i = e < 0 ? e : 0; i < n || i <= e; i++) {
        if (i == (e < 0 ? e + 1 : e + 1)) out[k++] = '.';
        out[k++] = i < 0 || i >= n ? '0' : d[i];
    }
    out[k] = 0;
    return k;
}
