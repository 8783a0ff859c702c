/* a + b i + c j, or d + (a + b i + c j) mod m: what stands in x[..] and in ranges.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_INDEX_EXPRESSION_H
#define NOE_MODEL_INDEX_EXPRESSION_H

#include "token/lexer.h"

enum { NOE_BOUND_MOST = 6 }; /* indices at once */

typedef struct {
    int64_t at;                 /* the value, but for what is free, */
    int64_t by[NOE_BOUND_MOST]; /* which is counted here, */
    int64_t mod, plus;          /* and, where mod is not 0, then comes mod m, then plus */
} noe_index;

/* A name that stands for an index: i in sum(i in 1..N). */
typedef struct {
    const char *name;
    size_t      length; /* of the name */
    noe_index   is;
} noe_bound;

static inline noe_index noe_index_expression_of(int64_t value)
{
    return (noe_index){ .at = value };
}
static inline noe_index noe_index_expression_free(
    int level) /* the index of a level, and nothing else */
{
    noe_index x = { .at = 0 };
    x.by[level] = 1;
    return x;
}

static inline int64_t noe_index_expression_mod(int64_t a, int64_t m) /* >= 0 for every a */
{
    const int64_t r = a % m;
    return r < 0 ? r + m : r;
}

#endif
