/* M = d(q, p)_new / d(q, p) of a run: after one step, or after three.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STEP_DERIVATIVE_H
#define STEP_DERIVATIVE_H

#include "laws.h"

static UNUSED const char *const some_method[] = { "simpson", "gauss 3", "lobatto 3",
                                                  "P3 radau-left 3" };
enum { SOME = sizeof some_method / sizeof *some_method, Z = 2 * DOFS };

typedef struct {
    int  z; /* 2n */
    quad at[Z][Z];
} matrix;

static UNUSED matrix derivative(run r, int member)
{
    quad   M[Z * Z];
    matrix A = { .z = 2 * r.n };
    if (!r.engine->derivative(r.work, member, M)) fail_msg("the derivative is not finite");
    for (int i = 0; i < A.z; i++) memcpy(A.at[i], M + i * A.z, (size_t)A.z * sizeof *M);
    return A;
}

/* After three steps, so that the matrix of the iteration may be of an earlier one. */
static UNUSED matrix third_step(const noe_engine *engine, const noe_system *s, const noe_method *m,
                                point *x)
{
    run r = make_run(engine, s, m, suggested_step(s));
    start_run(r, x, true);
    step_run(r);
    step_run(r);
    *x = get_point(r, 0);
    r.engine->get(r.work, NOE_AT_V, 0, x->v);
    step_run(r);
    const matrix M = derivative(r, 0);
    engine->drop(r.work);
    return M;
}

#endif
