/* Encloses one operation over an interval.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * f([a, b]): its range, its slopes, and the part of the range that a few nodes need not show. */
#ifndef NOE_ACCURACY_OPERATION_RANGE_H
#define NOE_ACCURACY_OPERATION_RANGE_H

#include "accuracy/interval.h"
#include "tape/tape.h"

typedef struct {
    noe_interval y;
    double       slope[3]; /* bounds of |dy/da|, |dy/db|, |dy/dc| */
    double       hidden;   /* 0: smooth at this length; else how much y may vary unseen */
    bool         kink;
} noe_operation_range;

noe_operation_range noe_operation_range_apply(noe_op, const noe_tables *, noe_interval a,
                                              noe_interval b, noe_interval c);

/* tabulated_range.c: samples, and their derivatives. */
noe_operation_range noe_tabulated_range(const noe_tables *, noe_interval x, int which);

#endif
