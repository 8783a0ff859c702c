/* Encloses one operation y = f(a, b, c) over intervals of its operands.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Gives the range of y, bounds of its partial derivatives, and its hidden variation: the part of
 * the range that the values at a few nodes need not show. */
#ifndef NOE_ACCURACY_OPERATION_RANGE_H
#define NOE_ACCURACY_OPERATION_RANGE_H

#include "accuracy/interval.h"
#include "tape/tape.h"

typedef struct {
    noe_interval y;          /* range of the result */
    double       partial[3]; /* bounds of |dy/da|, |dy/db|, |dy/dc| */
    double       hidden;     /* hidden variation of y; 0: f is smooth over the intervals */
    bool         kink;       /* `hidden` comes from a change of condition or piece */
} noe_operation_range;

noe_operation_range noe_operation_range_apply(noe_op, const noe_tables *, noe_interval a,
                                              noe_interval b, noe_interval c);

/* tabulated_range.c: a tabulated function or one of its derivatives; which = 4 table + order. */
noe_operation_range noe_tabulated_range(const noe_tables *, noe_interval x, int which);

#endif
