/* Forces, kick and drift of a splitting as one loop of machine code, eight sites at a time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     Q -> f(Q),   w <- w + kick F,   u <- u + drift (p + w)/m,   Q <- q + u.
 *
 * The outputs of the terms of eight sites stay in registers: outputs for sites ahead of the term
 * are joined (VALIGNQ) with those of the previous eight, which the loop carries, as it carries the
 * positions of the next eight.  Masks serve at the ends of the sums; up to there a loop without
 * masks is used.  Terms read only sites that the loop has not changed yet.  The bits are those of
 * gather_forces.h and tile_explicit.h.  For AVX-512 only, and only where no function is called. */
#ifndef NOE_SUMS_FUSED_LOOP_H
#define NOE_SUMS_FUSED_LOOP_H

#include "sums/sums.h"
#include "sums/block_loop.h"

/* Pointers of a family: arrays that are read, and arrays that are written; the new u replaces the
 * old one. */
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

typedef struct { /* of one sum of like terms */
    int first;   /* number of its slot 0 */
    int mask;    /* slot whose pointer leads to masks: all bits set for a term, else zeros */
    /* [slots of a term] sites from the coordinate of the slot that is least ahead to this one */
    int *ahead;
    /* [slots of a term] where `ahead` is 0: slot of the pointer to the eight sites that follow;
     * -1: none */
    int *next;
    int *put; /* [slots of the program] slot of an output under the mask; 0: not made yet */
} noe_fused_sum;

typedef struct {
    /* Arguments: pointers and cells of all slots, a cell being eight doubles; bytes of the
     * sites. run: all sites with masks.  whole: that many bytes without masks, then with masks
     * up to the number of bytes that cell `bytes` has as an integer.  NULL: no such loop. */
    noe_loop_code *run, *whole;
    /* number of slots; slots of kick, drift and bytes; state: the first of NOE_FUSED_STATE slots
     * of each family */
    int            slots, kick, drift, bytes, state;
    noe_fused_sum *group; /* [groups] */
    size_t         size;  /* bytes of machine code */
    uint8_t       *page;  /* executable memory */
} noe_fused_loop;

/* From programs [groups], NULL for a group without forces.  false without memory, with a
 * message. */
bool noe_fused_loop_make(noe_fused_loop *, const noe_sums *, const noe_block_program *const *,
                         noe_arena *);
void noe_fused_loop_free(noe_fused_loop *);

#endif
