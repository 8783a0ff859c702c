/* H = sum of the H_b of uncoupled blocks, each of which is conserved.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_UNCOUPLED_BLOCKS_H
#define NOE_INSPECT_UNCOUPLED_BLOCKS_H

#include "inspect/random_state.h"
#include "inspect/properties.h"

enum { NOE_BLOCKS_MOST = 8 }; /* whose energies are followed */

typedef struct {
    const noe_properties *facts;
    int    count, rows, row; /* blocks, 0 where there is only one; rows of room, and used */
    double h;                /* the step's length */
    quad   H0;
    /* [count][rows]; [count]: largest kinetic energy; what rounding makes in it */
    double           *H, *scale, *unit;
    noe_state_sampler at;
    noe_random_state *x;
    quad             *q0, *v0;
} noe_uncoupled_blocks;

/* False with a message; without blocks, or for functions in C, there is nothing to look at. */
bool noe_uncoupled_blocks_open(noe_uncoupled_blocks *, const noe_system *, const noe_properties *,
                               double h, int rows);
/* the first look is the start */
void          noe_uncoupled_blocks_look(noe_uncoupled_blocks *, noe_integrator *);
const double *noe_uncoupled_blocks_energies(const noe_uncoupled_blocks *, int block);
/* what a relative rounding of 1 makes in it */
double noe_uncoupled_blocks_unit(const noe_uncoupled_blocks *, int block);
double noe_uncoupled_blocks_scale(const noe_uncoupled_blocks *, int block);
void   noe_uncoupled_blocks_close(noe_uncoupled_blocks *);
/* "{x, y}" */
void noe_uncoupled_blocks_name(const noe_properties *, int block, const char *before, char *to,
                               size_t capacity);

#endif
