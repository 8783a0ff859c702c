/* Q -> f(Q), w <- w + kick F, u <- u + drift (p + w)/m, Q <- q + u, eight sites at a time: one loop of machine code.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What the terms of eight sites put out never leaves the registers: what of it lies ahead of the term is joined with that of
 * the eight before (VALIGNQ), which the loop carries, as it carries the positions of the next eight; masks are for the ends of the sums, and before them a loop goes without.  Terms read only sites that the loop has not changed yet.  The bits
 * are those of gather_forces.h and tile_explicit.h; with AVX-512 only, and where no function is called. */
#ifndef NOE_SUMS_FUSED_LOOP_H
#define NOE_SUMS_FUSED_LOOP_H

#include "sums/sums.h"
#include "sums/block_loop.h"

/* Of a family, all pointers: what is read, and places that are written; the new u stands where the old one did. */
enum {
    NOE_FUSED_W,
    NOE_FUSED_U,
    NOE_FUSED_P,
    NOE_FUSED_M,
    NOE_FUSED_Q,
    NOE_FUSED_NEW_W,
    NOE_FUSED_NEW_U,
    NOE_FUSED_NEW_Q,
    NOE_FUSED_STATE
};

typedef struct { /* of a group */
    int  first;  /* its slot 0 */
    int  mask;   /* the pointer to ones where there is a term, else zeros */
    int *ahead;  /* [slots of a term]: sites from the coordinate that is least ahead to this one; */
    int *next;   /* and where it is 0 the pointer to those eight sites on, -1: there is none */
    int *put;    /* [slots of the program]: an output under the mask, 0: not made yet */
} noe_fused_sum;

typedef struct {
    /* (pointers, cells, bytes of sites), both by slot: a cell is eight doubles.  whole: so many bytes without a mask, then on
     * to as many as a whole number in cell `bytes` says.  NULL: there is none. */
    noe_loop_code *run, *whole;
    int            slots, kick, drift, bytes,
        state; /* state: the first of NOE_FUSED_STATE slots of each family */
    noe_fused_sum *group;
    size_t         size;
    uint8_t       *page;
} noe_fused_loop;

/* From programs [groups], NULL for a group without forces.  false without memory, with a message. */
bool noe_fused_loop_make(noe_fused_loop *, const noe_sums *, const noe_block_program *const *,
                         noe_arena *);
void noe_fused_loop_free(noe_fused_loop *);

#endif
