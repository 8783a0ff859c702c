/* An optimal control problem: min of a cost over controls u(t), with bounds and final conditions.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_CONTROL_PROBLEM_H
#define NOE_MODEL_CONTROL_PROBLEM_H

#include "expr/graph.h"

#include <stddef.h>

struct noe_symbol;

typedef struct {
    quad lo, hi; /* least and greatest value, -inf and inf where there is none */
} noe_limits;

/* A control: a parameter of value 0 that an optimal control problem makes a function of time. */
typedef struct {
    const struct noe_symbol *symbol;
    int                      param; /* number of the parameter */
    noe_limits               within;
    size_t                   at; /* offset in the text */
} noe_control;

/* An expression that stays in an interval: along the motion, or at its end. */
typedef struct {
    noe_ex     x; /* the expression */
    noe_limits within;
    size_t     at; /* offset of the expression in the text */
} noe_bounded;

typedef struct {
    noe_control *control;  /* [controls] those that nothing assigns */
    int          controls; /* number of these */
    noe_bounded *bound;    /* [bounds] of coordinates, at all times */
    int          bounds;   /* number of these */
    noe_bounded *final;    /* [finals] conditions at the end */
    int          finals;   /* number of these */
    noe_ex       cost;     /* integrand of the cost */
    noe_ex       at_end;   /* cost of the final state */
    bool         costs;    /* a cost is stated */
    bool         timed;    /* the end of time is stated: */
    noe_limits   time;     /* its bounds; equal: it is given */
    size_t       time_at;  /* their offset */
    bool         periodic; /* the final state is that of the start */
} noe_control_problem;

#endif
