/* Functions e_k(y) as tapes with their first derivatives and the second ones of sum_k m_k e_k.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONTROL_EXACT_DERIVATIVES_H
#define NOE_CONTROL_EXACT_DERIVATIVES_H

#include "tape/tape.h"

/* One derivative, not identically 0: of value `row` by variable `col`; a second one by variables
 * row >= col. */
typedef struct {
    int row, col;
} noe_derivative_at;

/* Variables y_a and multipliers m_k are leaves NOE_Q and NOE_V of a graph with `n` coordinates. */
typedef struct {
    int                n;                 /* coordinates of the graph: inputs are 2 + 3 n numbers */
    int                values, variables; /* numbers of the e_k and of the y_a */
    noe_tape          *value, *first, *second; /* the e_k; d e_k/d y_a; the second derivatives */
    noe_derivative_at *at_first, *at_second;   /* [value->outputs] of each; [..] */
    double            *slot[3];                /* slots of the three tapes */
} noe_exact_derivatives;

/* leaf[variables], multiplier[values]: the leaves.  False with a message, or by longjmp to the
 * graph's stop; to be dropped in either case. */
bool noe_exact_derivatives_make(noe_exact_derivatives *, noe_graph *, const quad *param, int n,
                                const noe_ex *e, int values, const noe_ex *leaf, int variables,
                                const noe_ex *multiplier);
void noe_exact_derivatives_drop(noe_exact_derivatives *);

typedef enum { NOE_VALUES, NOE_FIRST, NOE_SECOND } noe_derivative_kind;
/* The outputs at an input, as many as the tape has; false where one is not finite. */
bool noe_exact_derivatives_at(noe_exact_derivatives *, noe_derivative_kind, const double *input,
                              double *out);

#endif
