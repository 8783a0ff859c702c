/* x = y, bit for bit:  all that can be read of a member of a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BITS_H
#define BITS_H

#include "laws.h"

/* All that can be read of member i of r, against member k of u. */
static UNUSED void compare(run r, int i, run u, int k, const char *what, int step)
{
    static const struct {
        const char      *name;
        noe_engine_value at;
        bool             vector;
    } number[] = { { "q", NOE_AT_Q, true },
                   { "p", NOE_AT_P, true },
                   { "v", NOE_AT_V, true },
                   { "t", NOE_AT_T, false },
                   { "energy", NOE_AT_ENERGY, false } };
    static const char *const count[] = { "choice", "iterations", "refreshes", "subdivided",
                                         "residual" };
    for (size_t j = 0; j < sizeof number / sizeof *number; j++) {
        quad x[DOFS] = { 0 }, y[DOFS] = { 0 };
        r.engine->get(r.work, number[j].at, i, x);
        u.engine->get(u.work, number[j].at, k, y);
        for (int d = 0; d < (number[j].vector ? r.n : 1); d++)
            if (!equal_bits(x[d], y[d]))
                fail_msg("%s: member %d, step %d: %s[%d] is %a and %a", what, i, step,
                         number[j].name, d, (double)x[d], (double)y[d]);
    }
    for (int j = NOE_SOLVER_ITERATIONS; j <= NOE_SOLVER_RESIDUAL; j++) {
        const quad x = get_solver(r, i, (noe_solver_at)j), y = get_solver(u, k, (noe_solver_at)j);
        if (!equal_bits(x, y))
            fail_msg("%s: member %d, step %d: %s is %a and %a", what, i, step, count[j], (double)x,
                     (double)y);
    }
}

#endif
