/* Splittings: explicit methods for L = v.M v/2 - V(q, t) from kicks and drifts in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     p <- p + s_i h F(q),   q <- q + r_i h M^-1 p */
#ifndef NOE_METHOD_SPLITTING_H
#define NOE_METHOD_SPLITTING_H

#include "method/method.h"
#include "noether.h"

/* How a table in named_methods.def is written: the lengths of all flows; the first half of a
 * palindrome, its middle last; the first half of a palindrome of step lengths of verlet. */
typedef enum { NOE_TABLE_ALL, NOE_TABLE_HALF, NOE_TABLE_STEPS } noe_table_form;

/* Fills the flows and the properties of the method from a table. */
void noe_splitting_fill(noe_method *, noe_table_form, bool drift_first, const char *table);
/* Appends a flow; one of the same kind as the last flow is added to that one. False: more than
 * NOE_MAX_FLOWS. */
bool noe_splitting_add(noe_method *, bool drift, quad length);
/* computes order, symmetry and the other properties from the flows */
void noe_splitting_traits(noe_method *);
/* x[most] = the numbers of the palindrome whose first half is in the table; returns how many. */
int noe_splitting_steps(const char *table, quad *x, int most);

#endif
