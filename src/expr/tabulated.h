/* y(x) through points (x_k, y_k): piecewise linear, or a cubic spline.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_TABULATED_H
#define NOE_EXPR_TABULATED_H

#include "base/arena.h"
#include "number/quad.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { NOE_OUTSIDE_REFUSED, NOE_OUTSIDE_ZERO, NOE_OUTSIDE_HELD } noe_outside;

/* Between x_k and x_{k+1}:  y = c_0 + d (c_1 + d (c_2 + d c_3)),  d = x - x_k. */
typedef struct {
    const char *file;
    int64_t     column; /* of y, from 1 */
    bool        cubic;  /* natural: y'' = 0 at the ends */
    noe_outside outside;
    int64_t     pieces;
    quad       *x, (*c)[4];     /* [pieces + 1], [pieces] */
    double     *x_d, (*c_d)[4]; /* the same, rounded */
    double      per;            /* pieces in a unit of x, when all are as long; else 0 */
} noe_tabulated;

/* Of one model: what a node NOE_TABLE means by a number, 4 times that of the samples plus the order of the derivative. */
enum { NOE_TABLES_MOST = 4096 };
typedef struct {
    noe_tabulated *item[NOE_TABLES_MOST];
    int            count;
} noe_tables;

/* From points with ascending x, pieces of them + 1; false: out of memory. */
bool noe_tabulated_make(noe_tabulated *, noe_arena *, const quad *x, const quad *y);
/* NAN outside, when that is refused.  Half a nanopiece beyond the ends is inside: t = 40 comes as 40.000000000000004. */
quad   noe_tabulated_at(const noe_tables *, quad which, quad x);
double noe_tabulated_near(const noe_tables *, double which, double x);

#endif
