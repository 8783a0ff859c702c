/* Energies of uncoupled blocks: H = sum of H_b, and each H_b is conserved.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_UNCOUPLED_BLOCKS_H
#define NOE_INSPECT_UNCOUPLED_BLOCKS_H

#include "inspect/random_state.h"
#include "inspect/properties.h"

enum { NOE_BLOCKS_MOST = 8 }; /* largest number of blocks that are followed */

typedef struct {
    const noe_properties *facts; /* the blocks */
    int    count, rows, row;     /* blocks, 0 for a single block; rows allocated; rows used */
    double h;                    /* step, in units of t */
    quad   H0;                   /* energy at the start, of all blocks together */
    /* [count][rows] H_b - H_b(0); [count] largest kinetic energy; [count] change of H_b in a
     * step per relative rounding error of 1 */
    double           *H, *scale, *unit;
    double           *terms;   /* [count][rows] the unit so far */
    noe_state_sampler at;      /* draws states */
    noe_random_state *x;       /* a state with its derivatives */
    quad             *q0, *v0; /* [n] the start */
} noe_uncoupled_blocks;

/* False with a message.  count is 0 for a single block and for functions in C. */
bool noe_uncoupled_blocks_open(noe_uncoupled_blocks *, const noe_system *, const noe_properties *,
                               double h, int rows);
/* Stores the block energies of the present state as a row; the first row is the start. */
void          noe_uncoupled_blocks_look(noe_uncoupled_blocks *, noe_integrator *);
const double *noe_uncoupled_blocks_energies(const noe_uncoupled_blocks *, int block);
/* [rows] the unit of a block so far. */
const double *noe_uncoupled_blocks_terms(const noe_uncoupled_blocks *, int block);
/* `unit` and `scale` of a block. */
double noe_uncoupled_blocks_unit(const noe_uncoupled_blocks *, int block);
double noe_uncoupled_blocks_scale(const noe_uncoupled_blocks *, int block);
void   noe_uncoupled_blocks_close(noe_uncoupled_blocks *);
/* to: the names of the block, "{x, y}", after `before`. */
void noe_uncoupled_blocks_name(const noe_properties *, int block, const char *before, char *to,
                               size_t capacity);

#endif
