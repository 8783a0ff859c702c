/* The sets of coordinates that L, forces or constraints couple.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_COUPLED_BLOCKS_H
#define NOE_TAPE_COUPLED_BLOCKS_H

#include "tape/equations.h"

/* block_of[n]: the set of each coordinate, numbered in the order of their first coordinates; their
 * number is returned. */
int noe_coupled_blocks_find(const noe_dynamics *, int *block_of);

/* The same of the coordinates that share an entry of M = L_vv. */
int noe_coupled_blocks_find_masses(const noe_dynamics *, int *block_of);

/* The least range of each velocity by which a change of it may be judged: a part of the ranges of
 * all coordinates that are coupled to it, in the norm of the kinetic energy,
 *     least_j^2 = part sum_k M_kk range_k^2 / M_jj.
 * Without constraints each coordinate is judged by how much its own velocity varies: a light body
 * on a heavy one counts by itself.  Only what varies by the rounding of others does not, as the
 * distance from the plane of an orbit in axes that are oblique to it: part = 2^-80.  With
 * constraints the axes are arbitrary, and a coordinate that the motion keeps constant, as the
 * height of a ball in steady rotation, varies by the errors of the others alone: part = 2^-14, and
 * the least range is INFINITY where the coupled ones are at rest, the sum of M_kk range_k^2 at most
 * that of M_kk (noise q_k)^2.  M [n][n]; square [n]: squares of the ranges, or variances; q [n]:
 * positions, which constraints round, and with them velocities by up to noise |q|; least [n]: the
 * least squares; all 0 with M = NULL. */
void noe_coupled_blocks_least_ranges(const noe_dynamics *, const double *M, const double *square,
                                     const double *q, double noise, double *least);

#endif
