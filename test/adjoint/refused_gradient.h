/* A gradient that is refused: with which words.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REFUSED_GRADIENT_H
#define REFUSED_GRADIENT_H

#include "noether.h"

#include <string.h>

static inline int nothing(void *ctx, size_t rows, const double *row, double *weight)
{
    (void)ctx, (void)rows, (void)row, (void)weight;
    return 0;
}

static inline void refused(const char *model, const char *scheme, noe_gradient_rows r,
                           const char *why)
{
    noe_system *s = parse(model);
    noe_method *m = method(scheme);
    noe_error_clear();
    noe_table *t = noe_gradient_of(s, m, 0.05, &r, nothing, NULL);
    if (t || !noe_error() || !strstr(noe_error(), why))
        fail_msg("expected '%s', not '%s'", why, noe_error() ? noe_error() : "");
    noe_error_clear();
    noe_method_free(m);
    noe_system_free(s);
}

#endif
