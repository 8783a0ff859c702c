/* Legendre's transformation: the dual f*(q, y) = x.y - f(q, x), y = f_x, as an expression.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_LEGENDRE_DUAL_H
#define NOE_EXPR_LEGENDRE_DUAL_H

#include "base/arena.h"
#include "expr/evaluate_at.h"

typedef enum {
    NOE_DUAL_FOUND,
    NOE_DUAL_CONSTANT, /* f does not contain x[index] */
    NOE_DUAL_SINGULAR, /* f_xx is singular in the direction of x[index] */
    NOE_DUAL_KINKED,   /* f has a kink or jump in x */
    NOE_DUAL_UNSOLVED  /* y = f_x is not solved for x by the rules of legendre_dual.c */
} noe_dual_verdict;

typedef struct {
    noe_graph *g;
    noe_arena *arena;
    int        n;    /* coordinates */
    noe_op from, to; /* leaves x and y: NOE_P and NOE_V make L from H, NOE_V and NOE_P H from L */
    const bool            *absent;  /* [n] coordinates that take no part, whose x is not in f */
    const noe_leaf_values *near;    /* about these values f is examined */
    const quad            *param;   /* values of the parameters */
    noe_ex                 f, dual; /* the function and what is found */
    int                    index;   /* the coordinate of which the verdict speaks */
} noe_legendre_dual;

/* Finds task->dual.  A lack of memory leads to g->stop. */
noe_dual_verdict noe_legendre_dual_find(noe_legendre_dual *task);

#endif
