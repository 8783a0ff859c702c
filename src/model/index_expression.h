/* a + b i + c j, or d + (a + b i + c j) mod m: what stands in x[..] and in ranges.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_INDEX_EXPRESSION_H
#define NOE_MODEL_INDEX_EXPRESSION_H

#include "token/lexer.h"

enum { NOE_BOUND_MOST = 6 }; /* indices at once */

typedef struct {
    /* offset + (c + sum_k b_k i_k) mod modulus; modulus 0: c + sum_k b_k i_k */
    int64_t constant;               /* c */
    int64_t factor[NOE_BOUND_MOST]; /* b_k of the index i_k */
    int64_t modulus, offset;        /* see above; 0 where there is no mod */
} noe_index;

/* A name that stands for an index: i in sum(i in 1..N). */
typedef struct {
    const char *name;
    size_t      length; /* of the name */
    noe_index   is;
} noe_bound;

static inline noe_index noe_index_expression_of(int64_t value)
{
    return (noe_index){ .constant = value };
}
static inline noe_index noe_index_expression_free(
    int level) /* the index of a level, and nothing else */
{
    noe_index x = { .constant = 0 };
    x.factor[level] = 1;
    return x;
}

static inline int64_t noe_index_expression_mod(int64_t a, int64_t m) /* >= 0 for every a */
{
    const int64_t r = a % m;
    return r < 0 ? r + m : r;
}

#endif
