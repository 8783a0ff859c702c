/* The blocks that t or forces act on, and how fast friction makes them forget.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_DRIVEN_BLOCKS_H
#define NOE_TAPE_DRIVEN_BLOCKS_H

#include "tape/equations.h"

/* driven[blocks]: does the power that changes the energy, f . v - L_t, depend on coordinates of the
 * block, or is there a constraint on it, where constraints may move?  Of functions in C, and where
 * steps follow a monitor with t: of all blocks, where their energy changes. */
void noe_driven_blocks_find(const noe_dynamics *, const int *block_of, int blocks, bool *driven);

/* Adds to rate[blocks] how fast errors of the motion of each block fall by friction, per unit of
 * time, at the state t, q [n], v [n] with parameters [params]:
 *     rate_B = -tr(L_vv^-1 df/dv)/(2 n_B),
 * half of the rate at which the volume in phase space shrinks for each of its n_B coordinates; of
 * x'' + c x' + x = 0 it is c/2.  Units, frames, constants in V, time derivatives in L and forces
 * that depend on positions and t alone do not change it.  False: it is not known. */
bool noe_driven_blocks_rates(const noe_dynamics *, const int *block_of, int blocks, double t,
                             const double *q, const double *v, double *rate);

#endif
