/* Reads a list of numbers, "1/6 -0.35 1/3", in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "method/number_list.h"

#include <string.h>

int noe_number_list_read(const char **text, quad *x, int most)
{
    const char *t = *text;
    int         n = 0;
    while (t += strspn(t, " "), *t && *t != ';' && n < most) {
        char *end;
        x[n] = strtoflt128(t, &end);
        if (*end == '/') x[n] /= strtoflt128(end + 1, &end);
        if (end == t) break;
        t = end;
        n++;
    }
    *text = *t == ';' ? t + 1 : t;
    return n;
}
