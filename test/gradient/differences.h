/* Central differences of runs by parameters and starts, in binary128, extrapolated three times.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * By 2^-k .. 2^-k-3 (Richardson): the error is O(2^-8k) of the ninth derivative, and 2^(k+3) units
 * of rounding. */
#ifndef NOE_TEST_DIFFERENCES_H
#define NOE_TEST_DIFFERENCES_H

#include "random_model.h"

enum { FOLLOWED_MOST = 9, CHANGES = 4 };

/* Runs that are differenced: a scheme and a step, how many steps, the columns at their end. */
typedef struct {
    const char        *scheme;
    quad               h;
    int                steps, followed;
    const char *const *column;
    quad               by_much; /* the first change of a parameter or a start */
} differenced;

/* After those steps. */
static noe_integrator *after(const noe_system *s, const differenced *x, int digits)
{
    noe_integrator *g = integrator(s, x->scheme, x->h, digits);
    steps(g, x->steps);
    return g;
}

/* The columns with start or parameter `name` changed. */
static void changed(const noe_system *s, const differenced *x, const char *name, quad from,
                    quad by_much, quad *to)
{
    noe_system *other = noe_system_with(s, name, (double)(from + by_much));
    if (!other) fail_msg("%s", noe_error());
    noe_integrator *g = after(other, x, 33);
    for (int i = 0; i < x->followed; i++) to[i] = value(g, x->column[i]);
    noe_integrator_free(g);
    noe_system_free(other);
}

/* to [followed] from central differences by 1, 1/2, .. of a change. */
static void extrapolate(quad D[CHANGES][FOLLOWED_MOST], int followed, quad *to)
{
    for (int i = 0; i < followed; i++) {
        for (int order = 1; order < CHANGES; order++)
            for (int k = CHANGES - 1; k >= order; k--)
                D[k][i] += (D[k][i] - D[k - 1][i]) / ((1 << 2 * order) - 1);
        to[i] = D[CHANGES - 1][i];
    }
}

/* to [followed] = their derivatives by `name`, which the model has as `from`. */
static UNUSED void differences(const noe_system *s, const differenced *x, const char *name,
                               quad from, quad *to)
{
    quad up[FOLLOWED_MOST], down[FOLLOWED_MOST], D[CHANGES][FOLLOWED_MOST];
    for (int k = 0; k < CHANGES; k++) {
        const quad by_much = x->by_much / (1 << k);
        changed(s, x, name, from, by_much, up);
        changed(s, x, name, from, -by_much, down);
        for (int i = 0; i < x->followed; i++) D[k][i] = (up[i] - down[i]) / (2 * by_much);
    }
    extrapolate(D, x->followed, to);
}

#endif
