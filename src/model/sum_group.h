/* Sums of like terms that are not written out: L = L_0 + sum_k w_k sum_i f_k(x[i], x[i+1], ..).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A model of many coordinates is not written out.  The term f_k of a sum is one expression in a
 * graph of its own, in which NOE_Q, NOE_V and NOE_P are the coordinates in its slots and NOE_C the
 * numbers in its slots (parameters m[i], the index i itself).  A slot gives the element of a family
 * by an index expression in the indices of the sum. */
#ifndef NOE_MODEL_SUM_GROUP_H
#define NOE_MODEL_SUM_GROUP_H

#include "model/index_expression.h"
#include "model/model.h"

typedef enum { NOE_SLOT_COORDINATE, NOE_SLOT_PARAMETER, NOE_SLOT_INDEX } noe_slot_kind;

typedef struct {
    noe_slot_kind kind;
    noe_index     index; /* lo <= index <= hi; the slot is number first + index - lo of its kind, */
    /* or, of NOE_SLOT_INDEX, the index itself */
    int64_t     lo, hi;
    int         first;
    const char *name; /* of the family, for messages */
} noe_slot;

struct noe_sum {
    noe_graph *graph; /* of its term alone */
    noe_ex     ex;    /* f_k, the term, in that graph */
    size_t     at;    /* offset in the text */
    int levels; /* number of indices; the range from[k] .. to[k] may contain indices before k */
    noe_index from[NOE_BOUND_MOST], to[NOE_BOUND_MOST];
    noe_bound index[NOE_BOUND_MOST]; /* names of the indices */
    noe_slot *slot;                  /* [slots] what the term takes from the model */
    int       slots;
    int       rate;   /* number of the sum of the terms' time derivatives, -1: not made */
    quad      weight; /* factor of the sum in L; 0 for sums that are not in L */
};

/* fix x[i] = .., start x[i] = ..: slot 0 takes the value of the expression, for each index. */
typedef enum { NOE_RULE_FIX, NOE_RULE_Q, NOE_RULE_V, NOE_RULE_P } noe_rule_what;
struct noe_setting {
    noe_rule_what   what; /* what is set: a fixed coordinate, or q, v, p of the start */
    struct noe_sum *sum;  /* the index and its range; its term is the value */
};

#endif
