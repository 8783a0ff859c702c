/* Runs that fail, and what they say.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TEST_FAILING_RUN_H
#define NOE_TEST_FAILING_RUN_H

#include "noether.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs until it fails; the state is finite, its time before the cause's. */
static inline noe_status fails(const char *text, const char *method, double h, double until,
                               double *t)
{
    noe_error_clear();
    noe_system     *s = noe_system_parse(text);
    noe_method     *m = noe_method_parse(method);
    noe_integrator *g = noe_integrator_new(s, m, h);
    assert_non_null(g);
    const noe_status status = noe_run(g, until, NULL, NULL);
    *t = noe_time(g);
    for (int i = 0; i < noe_system_dim(s); i++)
        assert_true(isfinite(noe_q(g)[i]) && isfinite(noe_v(g)[i]));
    assert_true(isfinite(noe_get(g, "energy")));
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
    return status;
}

static inline void says(const char *part)
{
    if (!noe_error() || !strstr(noe_error(), part))
        fail_msg("no '%s' in: %s", part, noe_error() ? noe_error() : "(nothing)");
}

#endif
