/* f = op(a, b, c): expressions as a graph in which equal expressions are one node.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Children stand before their parents, so a loop over indices is a walk in topological order and nothing
 * here recurses.  Makers simplify (constants are folded in binary128) and return an existing node when
 * there is one.  Running out of memory or nodes jumps to *stop. */
#ifndef NOE_EXPR_GRAPH_H
#define NOE_EXPR_GRAPH_H

#include "expr/tabulated.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef int32_t noe_ex; /* an expression: the index of a node */

typedef enum {
    /* Leaves; a = index.  LITERAL: a number of which binary128 may hold the nearest only; P, H: momentum, energy.
     * C: a number of the term of a sum; SUM: a sum (model/sum_group.h). */
    NOE_NUM,
    NOE_LITERAL,
    NOE_PARAM,
    NOE_T,
    NOE_Q,
    NOE_V,
    NOE_P,
    NOE_C,
    NOE_SUM,
    NOE_H,
    NOE_NEG,
    NOE_ADD,
    NOE_SUB,
    NOE_MUL,
    NOE_DIV,
    NOE_POW,
    NOE_ATAN2,
    NOE_MOD,   /* a - b floor(a/b) */
    NOE_TABLE, /* of a, by samples: b says which, expr/tabulated.h */
    NOE_MIN,
    NOE_MAX,
    NOE_LT,
    NOE_LE, /* 1 when a < b, a <= b, else 0 */
    NOE_IF, /* b when a is not 0, else c */
#define FUNCTION(name, derivative) NOE_FN_##name,
#include "expr/functions.def"
#undef FUNCTION
    NOE_SINCOS,
    NOE_MULADD,
    NOE_SUBMUL, /* only in tapes: sin a and cos a; a b + c; c - a b */
    NOE_OPS
} noe_op;

enum {
    NOE_HAS_PARAM = 1,
    NOE_HAS_T = 2,
    NOE_HAS_Q = 4,
    NOE_HAS_V = 8,
    NOE_HAS_P = 16,
    NOE_HAS_C = 32,
    NOE_HAS_SUM = 64
};

typedef struct {
    quad    value; /* of NOE_NUM and NOE_LITERAL */
    noe_ex  a, b, c;
    uint8_t op, has;  /* has: which leaves it depends on */
    bool    doubtful; /* of a constant, or around one, that need not be finite: 1/a, log(a), 0/0 */
} noe_node;

typedef struct {
    noe_node *node;
    int       count, room;
    int      *table; /* open addressing; index + 1 */
    int       table_size;
    int       epoch;
    int      *stamp;  /* scratch, room of each: marks of a walk, */
    noe_ex   *list;   /* the nodes it found, */
    noe_ex   *bar;    /* a derivative or an image per node */
    quad     *number; /* kept, for nodes that are done: the value of what does not move, */
    noe_ex   *rate;   /* df/dt */
    uint8_t  *done;   /* sum of NOE_VALUED, NOE_RATED */
    bool exact; /* constants are folded only where that is exact, into halves of whole numbers */
    bool
                derived; /* derivatives are made: a doubtful constant that cancels is dropped, for L itself keeps it */
    noe_tables *tables; /* of the model; NULL: there are none */
    jmp_buf    *stop;   /* taken with NOE_NO_MEMORY or a message recorded */
} noe_graph;

enum { NOE_GRAPH_MOST = 1 << 22 }; /* nodes */
enum { NOE_VALUED = 1, NOE_RATED = 2 };

void noe_graph_free(noe_graph *);

int    noe_graph_arity(noe_op);
noe_ex noe_graph_number(noe_graph *, quad value);
noe_ex noe_graph_leaf(noe_graph *, noe_op, int index);
noe_ex noe_simplify_make(noe_graph *, noe_op, noe_ex a, noe_ex b,
                         noe_ex c); /* simplifies; unused children are 0 */
/* The node as it stands, for the makers above. */
noe_ex noe_graph_intern(noe_graph *, noe_op, noe_ex a, noe_ex b, noe_ex c, quad value, uint8_t has);
bool   noe_graph_is(const noe_graph *, noe_ex, quad value); /* the number `value`? */

/* Does the node change along a motion? */
static inline bool noe_graph_moves(const noe_graph *g, noe_ex x)
{
    return g->node[x].has & ~NOE_HAS_PARAM;
}

/* Lists the nodes that the roots need, children first, in g->list (until the next call); returns how many.
 * Takes time by what it lists, not by the size of the graph. */
int noe_evaluate_reach(noe_graph *, const noe_ex *root, int roots);
/* The same, but stops at nodes that are done: what is asked again and again is worked out once. */
int noe_evaluate_reach_new(noe_graph *, const noe_ex *root, int roots, uint8_t done);
/* What abs, min, max, if, sign, floor and mod ask of q, v and t: where derivatives jump, which they themselves do not show. */
uint8_t noe_evaluate_kinks(noe_graph *, const noe_ex *root, int roots);

/* The value of op at numbers, in binary128. */
quad noe_evaluate_apply(noe_op, const noe_tables *, quad a, quad b, quad c);
/* The same of constants: NaN where one that counts is not finite. */
quad noe_evaluate_fold(noe_op, const noe_tables *, quad a, quad b, quad c);
/* The value of an expression of parameters alone, NaN where a value on the way is not finite; a parameter keeps its
 * value as long as the graph lives. */
quad noe_evaluate_constant(noe_graph *, noe_ex, const quad *param);

#endif
