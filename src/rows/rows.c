/* Rows t, q, p of every so many steps into the caller's array.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "integrate/integrator.h"

#include <string.h>

static void put_row(noe_integrator *g, size_t n, double *out)
{
    noe_integrator_in_double(g, NOE_AT_T, out);
    noe_integrator_in_double(g, NOE_AT_Q, out + 1);
    noe_integrator_in_double(g, NOE_AT_P, out + 1 + n);
}

noe_status noe_rows(noe_integrator *g, long steps, long every, double *out)
{
    if (!g || !out || steps < 0)
        return g && out ? noe_status_fail(NOE_INVALID, "%ld steps: expected 0 or more", steps)
                        : NOE_INVALID;
    if (every < 1)
        return noe_status_fail(NOE_INVALID, "every %ld-th row: expected 1 or more", every);
    const size_t n = (size_t)g->system->dyn.n;
    noe_status   s = noe_integrator_start_ready(g);
    for (long k = 0; !s && k < steps; k += every) {
        const long some = every < steps - k ? every : steps - k;
        double     done;
        if ((s = noe_advance_steps(g, (double)some, &done)) || some < every) break;
        put_row(g, n, out);
        out += 1 + 2 * n;
    }
    return s;
}
