/* p <- p + s_i h F(q),  q <- q + r_i h M^-1 p, in turn: explicit methods for L = v.M v/2 - V(q, t).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_SPLITTING_H
#define NOE_METHOD_SPLITTING_H

#include "method/method.h"
#include "noether.h"

/* How a table in named_methods.def is written: all flows; half of a palindrome, its middle last;
 * the same of the lengths of steps of verlet. */
typedef enum { NOE_TABLE_ALL, NOE_TABLE_HALF, NOE_TABLE_STEPS } noe_table_form;

/* Fills the flows and the traits. */
void noe_splitting_fill(noe_method *, noe_table_form, bool drift_first, const char *table);
/* One more flow at the end; a drift after a drift is one longer drift. */
bool noe_splitting_add(noe_method *, bool drift, quad length);
void noe_splitting_traits(noe_method *);
/* The lengths in a table of steps; at most `most`. */
int noe_splitting_steps(const char *table, quad *x, int most);

#endif
