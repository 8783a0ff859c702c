/* L = L_0 + sum_k w_k sum_i f_k(x[i], x[i+1], ..): sums that stay sums, one term and where its arguments stand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A model of many coordinates is not written out.  The term of a sum is one expression in a graph of its own, in
 * which NOE_Q, NOE_V and NOE_P are the coordinates of its slots and NOE_C the numbers of its slots (parameters
 * m[i], the index i itself); a slot says which member it is by an index in the indices of the sum. */
#ifndef NOE_MODEL_SUM_GROUP_H
#define NOE_MODEL_SUM_GROUP_H

#include "model/index_expression.h"
#include "model/model.h"

typedef enum {
    NOE_SLOT_COORDINATE,
    NOE_SLOT_PARAMETER,
    NOE_SLOT_INDEX,
    NOE_SLOT_CHECK
} noe_slot_kind;

typedef struct {
    noe_slot_kind kind;
    noe_index     index; /* lo <= index <= hi; the slot is number first + index - lo of its kind, */
    int64_t       lo,
        hi; /* or, of NOE_SLOT_INDEX, the index itself; NOE_SLOT_CHECK is nothing but lo .. hi */
    int         first;
    const char *name; /* of the family, for messages */
} noe_slot;

struct noe_sum {
    noe_graph *graph;
    noe_ex     ex;
    size_t     at;     /* where it stands in the text */
    int        levels; /* indices; from[k] .. to[k] may contain those before k */
    noe_index  from[NOE_BOUND_MOST], to[NOE_BOUND_MOST];
    noe_bound  index[NOE_BOUND_MOST]; /* their names */
    noe_slot  *slot;
    int        slots;
    int        rate;   /* the sum of the time derivatives, -1 = not made */
    quad       weight; /* in L; of the sums that are not in L, 0 */
};

/* fix x[i] = .., start x[i] = ..: slot 0 takes the value of the expression, for each index. */
typedef enum { NOE_RULE_FIX, NOE_RULE_Q, NOE_RULE_V, NOE_RULE_P } noe_rule_what;
struct noe_setting {
    noe_rule_what   what;
    struct noe_sum *sum;
};

#endif
