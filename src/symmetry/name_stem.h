/* Divides a coordinate's name, "x[3]" or "x3", into its stem x and the label of its body, [3] or 3.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYMMETRY_NAME_STEM_H
#define NOE_SYMMETRY_NAME_STEM_H

#include <stdbool.h>
#include <string.h>

static inline size_t noe_name_stem_length(const char *name)
{
    size_t n = strcspn(name, "[");
    if (!name[n])
        while (n > 1 && name[n - 1] >= '0' && name[n - 1] <= '9') n--;
    return n;
}

static inline const char *noe_name_stem_label(const char *name)
{
    return name + noe_name_stem_length(name);
}

static inline bool noe_name_stem_same(const char *a, const char *b)
{
    const size_t n = noe_name_stem_length(a);
    return n == noe_name_stem_length(b) && !memcmp(a, b, n);
}

#endif
