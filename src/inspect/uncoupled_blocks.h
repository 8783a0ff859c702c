/* H = sum of the H_b of uncoupled blocks, each of which is conserved.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_UNCOUPLED_BLOCKS_H
#define NOE_INSPECT_UNCOUPLED_BLOCKS_H

#include "inspect/random_state.h"
#include "inspect/properties.h"

enum { NOE_BLOCKS_MOST = 8 }; /* whose energies are followed */

typedef struct {
    const noe_structure *facts;
    int          count, rows, row; /* blocks, 0 where there is only one; rows of room, and used */
    double       h;                /* the step's length */
    quad         H0;
    double      *H, *scale, *unit; /* [count][rows]; [count]: largest kinetic energy; what rounding makes in it */
    noe_sampler  at;
    noe_sample  *x;
    quad        *q0, *v0;
} noe_blocks;

/* False with a message; without blocks, or for functions in C, there is nothing to look at. */
bool          noe_blocks_open(noe_blocks *, const noe_system *, const noe_structure *, double h, int rows);
void          noe_blocks_look(noe_blocks *, noe_integrator *); /* the first look is the start */
const double *noe_block_energies(const noe_blocks *, int block);
double        noe_block_unit(const noe_blocks *, int block); /* what a relative rounding of 1 makes in it */
double        noe_block_scale(const noe_blocks *, int block);
void          noe_blocks_close(noe_blocks *);
void          noe_block_name(const noe_structure *, int block, const char *before, char *to, size_t room); /* "{x, y}" */

#endif
