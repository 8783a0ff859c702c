/* Rows of numbers at the nodes where positions are constrained, several nodes at a time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A row has a number for each node d_k, k = 0 .. s, and is filled up to whole vectors.  What stands
 * after node s is arbitrary, and is never added to a number of a node. */
#ifndef NOE_NUMBER_NODE_ROWS_H
#define NOE_NUMBER_NODE_ROWS_H

#include "number/real.h"

#if NOE_REAL == NOE_DOUBLE
typedef double   row_part __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t  row_bits __attribute__((vector_size(32)));
typedef row_part num_part; /* coefficients */
enum { ROW_PART = 4 };     /* nodes in a vector */
INLINE row_part nodes_abs(row_part x) { return (row_part)((row_bits)x & INT64_MAX); }
INLINE row_part nodes_max(row_part a, row_part b)
{
    const row_bits less = (row_bits)(a < b);
    return (row_part)(((row_bits)b & less) | ((row_bits)a & ~less));
}
INLINE row_part nodes_set(real x) { return (row_part){ x, x, x, x }; }
INLINE real     node_of(row_part x, int k) { return x[k]; }
#else
typedef real row_part;
typedef num  num_part;
enum { ROW_PART = 1 };
INLINE row_part nodes_abs(row_part x) { return r_abs(x); }
INLINE row_part nodes_max(row_part a, row_part b) { return r_max(a, b); }
INLINE row_part nodes_set(real x) { return x; }
INLINE real     node_of(row_part x, int k) { return k ? r_set(0) : x; } /* k is 0 */
#endif

/* Numbers in a row for s + 1 nodes. */
INLINE int row_size(int s) { return (s + ROW_PART) / ROW_PART * ROW_PART; }

/* The nodes k .. k + ROW_PART - 1 of a row. */
INLINE row_part *nodes_at(real *row, int k) { return (row_part *)(row + k); }
INLINE row_part  nodes_of(const real *row, int k) { return *(const row_part *)(row + k); }

#endif
