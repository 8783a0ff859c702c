/* Expressions as a graph of nodes f = op(a, b, c) in which equal expressions are one node.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Operands stand before the nodes that use them, so a loop over indices is a topological order and
 * nothing here recurses.  The functions that make nodes simplify (constants are folded in
 * binary128) and return an existing node where there is one.  A lack of memory or nodes leaves by
 * longjmp to *stop. */
#ifndef NOE_EXPR_GRAPH_H
#define NOE_EXPR_GRAPH_H

#include "expr/tabulated.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef int32_t noe_ex; /* an expression: the index of a node */

typedef enum {
    /* Leaves; a = index.  LITERAL: a number that binary128 may only approximate; P, H: momentum,
     * energy; C: a number in the term of a sum; SUM: the value of a sum (model/sum_group.h). */
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
    NOE_TABLE, /* tabulated function number b of a, expr/tabulated.h */
    NOE_MIN,
    NOE_MAX,
    /* 1 when a < b, a <= b, else 0 */
    NOE_LT,
    NOE_LE,
    NOE_IF,   /* b when a is not 0, else c */
    NOE_HELD, /* a, of which no derivative is taken; no tape has it */
#define FUNCTION(name, derivative) NOE_FN_##name,
#include "expr/functions.def"
#undef FUNCTION
    /* In tapes only: sin a and cos a; a b + c; c - a b. */
    NOE_SINCOS,
    NOE_MULADD,
    NOE_SUBMUL,
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
    quad    value;    /* the number, for NOE_NUM and NOE_LITERAL */
    noe_ex  a, b, c;  /* operands; 0 where there is none */
    uint8_t op, has;  /* a noe_op; the kinds of leaves it depends on, NOE_HAS_.. */
    bool    doubtful; /* is or contains a constant that may not be finite: 1/a, log(a), 0/0 */
} noe_node;

typedef struct {
    noe_node *node;            /* [count] */
    int       count, capacity; /* nodes; nodes that there is memory for */
    int      *table;           /* [table_size] hash table of nodes, open addressing; index + 1 */
    int       table_size;      /* its length, a power of two */
    int       epoch;           /* number of the present traversal */
    int      *stamp;           /* [capacity] scratch: traversal that last visited the node */
    noe_ex   *list;            /* [capacity] scratch: the nodes that a traversal found */
    noe_ex   *bar;    /* [capacity] scratch: a derivative, or the replacement, of each node */
    quad     *number; /* [capacity] value of a constant node, where done has NOE_VALUED */
    noe_ex   *rate;   /* [capacity] df/dt of a node, where done has NOE_RATED */
    uint8_t  *done;   /* [capacity] sum of NOE_VALUED, NOE_RATED */
    bool      exact;  /* fold constants only where exact, to halves of whole numbers */
    /* Derivatives are being made: a doubtful constant that cancels may be dropped, since L keeps
     * it. */
    bool        derived;
    noe_tables *tables; /* tabulated functions of the model; NULL: none */
    jmp_buf    *stop;   /* where a failure leads, with NOE_NO_MEMORY or a message recorded */
} noe_graph;

enum { NOE_GRAPH_MOST = 1 << 22 }; /* nodes of a graph */
enum { NOE_VALUED = 1, NOE_RATED = 2 };

void noe_graph_free(noe_graph *);

int    noe_graph_arity(noe_op);
noe_ex noe_graph_number(noe_graph *, quad value);
noe_ex noe_graph_leaf(noe_graph *, noe_op, int index);
/* The simplified node op(a, b, c); unused operands are 0. */
noe_ex noe_simplify_make(noe_graph *, noe_op, noe_ex a, noe_ex b, noe_ex c);
/* The node without simplification, for the functions above. */
noe_ex noe_graph_intern(noe_graph *, noe_op, noe_ex a, noe_ex b, noe_ex c, quad value, uint8_t has);
bool   noe_graph_is(const noe_graph *, noe_ex, quad value); /* is it the number `value`? */

/* Does the node change along a motion? */
static inline bool noe_graph_moves(const noe_graph *g, noe_ex x)
{
    return g->node[x].has & ~NOE_HAS_PARAM;
}

/* Lists the nodes that the roots depend on, operands first, in g->list (until the next call);
 * returns their number.  The time is proportional to that number, not to the size of the graph. */
int noe_evaluate_reach(noe_graph *, const noe_ex *root, int roots);
/* The same, but stops at nodes that have the flag `done`, so that repeated calls compute each value
 * once. */
int noe_evaluate_reach_new(noe_graph *, const noe_ex *root, int roots, uint8_t done);
/* The kinds of leaves (NOE_HAS_..) in arguments of abs, min, max, if, sign, floor and mod:
 * derivatives jump there, which the derivatives themselves do not show. */
uint8_t noe_evaluate_kinks(noe_graph *, const noe_ex *root, int roots);
/* The same where first derivatives jump: not those in arguments of tables without a kink. */
uint8_t noe_evaluate_bends(noe_graph *, noe_ex root);

/* The value of op(a, b, c) for numbers, in binary128. */
quad noe_evaluate_apply(noe_op, const noe_tables *, quad a, quad b, quad c);
/* The same for constants: NaN where an operand that matters is not finite. */
quad noe_evaluate_fold(noe_op, const noe_tables *, quad a, quad b, quad c);
/* The value of an expression of parameters alone, NaN where an intermediate value is not finite.
 * Values are stored: a parameter has the same value as long as the graph exists. */
quad noe_evaluate_constant(noe_graph *, noe_ex, const quad *param);

#endif
