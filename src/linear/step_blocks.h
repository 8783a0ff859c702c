/* Many steps of a linear system as few products, with the same bits whatever is looked at.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     count = since + n:   a block k ends at every multiple of B_k = 16^k, from
 *     n = first 16^(k-1) on, and the state at its end is  Phi^B_k  times that at its begin.
 *
 * So the state after n steps depends on n alone: on the blocks of which n is the sum, large ones
 * first.  States within a block, of which somebody may want a row, are made from its begin by
 * smaller blocks and steps, and left at its end.  The powers are computed in binary128, when the
 * steps so far have taken about as long as that will. */
#ifndef NOE_LINEAR_STEP_BLOCKS_H
#define NOE_LINEAR_STEP_BLOCKS_H

#include "linear/affine_map.h"
#include "linear/linear_state.h"
#include "linear/transition_kernel.h"

/* 16^12 * 2048 steps are more than 2^53. */
enum { NOE_STEP_BLOCK = 16, NOE_STEP_BLOCK_LEVELS = 12 };

/* The map of a block, in binary128 and rounded once. */
typedef struct {
    noe_affine_map power;
    double        *E, *g; /* column by column of `width` numbers */
    double        *Q;     /* [2n][2n] what it dissipates, affine_map.h */
    bool           known; /* they are computed */
} noe_step_block;

typedef struct {
    const noe_transition_kernel *kernel;
    noe_step_block               level[1 + NOE_STEP_BLOCK_LEVELS]; /* [0]: one step */
    int                          most;       /* no level above it: its numbers were not finite */
    bool                         dissipates; /* there is a Q */
    double                       first;      /* steps before the first block */
    double *before;  /* [numbers of the state]: to go back to when a step fails */
    quad   *scratch; /* of the powers */
} noe_step_blocks;

/* Doubles that a noe_linear_state of n coordinates needs for them. */
size_t noe_step_blocks_numbers(int n);
/* Memory for all of them; false: there is none. */
bool noe_step_blocks_make(noe_step_blocks *, noe_arena *, const noe_transition_kernel *,
                          const noe_linear_state *);
/* The map of one step. */
void noe_step_blocks_set(noe_step_blocks *, const noe_affine_map *, int width);
/* The state was set: blocks are counted from the next step on. */
void noe_step_blocks_begin(noe_linear_state *);
/* `steps` steps.  At a failure the state is that before them. */
noe_status noe_step_blocks_run(noe_step_blocks *, noe_linear_state *, double steps);

/* Column by column of `width` numbers, rounded. */
void noe_step_blocks_columns(double *to, const quad *A, int rows, int cols, int width);

#endif
